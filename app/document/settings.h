#pragma once

#include <QSettings>
#include <QStringList>
#include <QVariant>
#include <memory>

namespace weft::app {

/// What is remembered from one start to the next: layouts, theme, language, recent files. Scripts and tests use one that lives in memory
/// and begins empty, so that they neither see nor change the user's. GUI thread.
class Settings {
 public:
  enum class Kind { User, InMemory };
  explicit Settings(Kind kind);
  bool isInMemory() const { return !store_; }

  QVariant value(const QString& key, const QVariant& otherwise = {}) const;
  void setValue(const QString& key, const QVariant& value);

  /// Newest first, at most 12; files that are gone stay in the list until they are cleared or opened in vain.
  QStringList recentFiles() const;
  void addRecentFile(const QString& path);
  void removeRecentFile(const QString& path);
  void clearRecentFiles();

 private:
  std::unique_ptr<QSettings> store_;
  QVariantMap memory_;
};

}  // namespace weft::app
