#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>
#include <QVariant>
#include <QVector>
#include <memory>

namespace weft::app {

/// One thing that people can set, as the settings dialog shows it. Texts are marked with QT_TRANSLATE_NOOP("Settings", …).
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
  QVariant otherwise;  ///< What holds while nothing was set.
  QVector<Option> options = {};
  int minimum = 0, maximum = 0, step = 1;
  const char* unit = "";
  const char* minimumText = "";  ///< Shown in place of the minimum: "all", "never".
  bool atNextStart = false;      ///< Takes effect at the next start.
};
/// All of them, in the order of the dialog.
const QVector<SettingRecord>& settingRecords();

/// What is remembered from one start to the next: settings, layouts, keys, recent files. Scripts and tests use one that lives in memory
/// and begins empty, so that they neither see nor change the user's. GUI thread.
class Settings : public QObject {
  Q_OBJECT

 public:
  enum class Kind { User, InMemory };
  explicit Settings(Kind kind);
  bool isInMemory() const { return !store_; }

  QVariant value(const QString& key, const QVariant& otherwise = {}) const;
  /// The value of a SettingRecord, or what holds while nothing was set.
  QVariant get(const QString& key) const;
  void setValue(const QString& key, const QVariant& value);
  /// Forgets a value.
  void remove(const QString& key);
  /// Keys that begin with `group/`, without it.
  QStringList keys(const QString& group) const;

  /// Newest first, at most 12; files that are gone stay in the list until they are cleared or opened in vain.
  QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  void removeRecentFile(const QString& path);
  void clearRecentFiles();

 signals:
  /// A value became another one.
  void changed(const QString& key);

 private:
  std::unique_ptr<QSettings> store_;
  QVariantMap memory_;
};

}  // namespace weft::app
