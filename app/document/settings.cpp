#include "document/settings.h"

namespace weft::app {
namespace {
constexpr int kMaxRecent = 12;
const QString kRecentKey = QStringLiteral("recent/files");
}  // namespace

Settings::Settings(Kind kind) {
  if (kind == Kind::User) store_ = std::make_unique<QSettings>();
}

QVariant Settings::value(const QString& key, const QVariant& otherwise) const { return store_ ? store_->value(key, otherwise) : memory_.value(key, otherwise); }

QVariant Settings::get(const QString& key) const {
  for (const SettingRecord& record : settingRecords()) {
    if (key == QLatin1String(record.key)) return value(key, record.otherwise);
  }
  return value(key);
}

void Settings::setValue(const QString& key, const QVariant& value) {
  if (this->value(key) == value) return;
  if (store_) store_->setValue(key, value);
  else memory_.insert(key, value);
  emit changed(key);
}

void Settings::remove(const QString& key) {
  if (!value(key).isValid()) return;
  if (store_) store_->remove(key);
  else memory_.remove(key);
  emit changed(key);
}

QStringList Settings::keys(const QString& group) const {
  const QString prefix = group + u'/';
  QStringList found;
  for (const QString& key : store_ ? store_->allKeys() : QStringList(memory_.keys())) {
    if (key.startsWith(prefix)) found << key.mid(prefix.size());
  }
  return found;
}

QStringList Settings::recentFiles() const { return value(kRecentKey).toStringList(); }

void Settings::addRecentFile(const QString& path) {
  QStringList files = recentFiles();
  files.removeAll(path);
  files.prepend(path);
  while (files.size() > kMaxRecent) files.removeLast();
  setValue(kRecentKey, files);
}

void Settings::removeRecentFile(const QString& path) {
  QStringList files = recentFiles();
  if (files.removeAll(path) > 0) setValue(kRecentKey, files);
}

void Settings::clearRecentFiles() { setValue(kRecentKey, QStringList()); }

}  // namespace weft::app
