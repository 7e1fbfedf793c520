#include "document/settings.h"

namespace weft::app {
namespace {
constexpr int kMaxRecent = 12;
const QString kRecentKey = QStringLiteral("recent/files");
}  // namespace

Settings::Settings(Kind kind) {
  if (kind == Kind::User) store_ = std::make_unique<QSettings>();
}

QVariant Settings::value(const QString& key, const QVariant& otherwise) const {
  return store_ ? store_->value(key, otherwise) : memory_.value(key, otherwise);
}

void Settings::setValue(const QString& key, const QVariant& value) {
  if (store_)
    store_->setValue(key, value);
  else
    memory_.insert(key, value);
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
