#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>
#include <QVariant>
#include <QVector>
#include <memory>

namespace weft::app {

/// One user setting, as the settings dialog shows it. Texts are marked with QT_TRANSLATE_NOOP("Settings", …).
struct SettingRecord {
  enum class Kind { Switch, Number, Choice };
  struct Option {
    const char* value;
    const char* text;
  };
  const char* key;
  const char* page;  ///< Section of the dialog.
  const char* text;
  const char* toolTip;  ///< One sentence.
  Kind kind;
  QVariant otherwise;  ///< The default value.
  QVector<Option> options = {};
  int minimum = 0, maximum = 0, step = 1;
  const char* unit = "";
  const char* minimumText = "";  ///< Shown instead of the minimum: "all", "never".
  bool atNextStart = false;      ///< Takes effect at the next start.
};
/// All records, in the order of the dialog.
const QVector<SettingRecord>& settingRecords();

/// Data kept across sessions: settings, layouts, keys, recent files. Scripts and tests use an instance in memory that starts empty, so that they neither see
/// nor change the user's. GUI thread.
class Settings : public QObject {
  Q_OBJECT

 public:
  enum class Kind { User, InMemory };
  explicit Settings(Kind kind);
  bool isInMemory() const { return !store_; }

  QVariant value(const QString& key, const QVariant& otherwise = {}) const;
  /// The value of a SettingRecord, or its default.
  QVariant get(const QString& key) const;
  void setValue(const QString& key, const QVariant& value);
  /// Forgets a value.
  void remove(const QString& key);
  /// Keys that begin with `group/`, without that prefix.
  QStringList keys(const QString& group) const;

  /// Newest first, at most 12; deleted files stay in the list until it is cleared or opening them fails.
  QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  void removeRecentFile(const QString& path);
  void clearRecentFiles();

 signals:
  /// A value changed.
  void changed(const QString& key);

 private:
  std::unique_ptr<QSettings> store_;
  QVariantMap memory_;
};

}  // namespace weft::app
