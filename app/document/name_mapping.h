#pragma once

#include <QMap>
#include <QObject>
#include <QString>

namespace weft::app {

class FileTab;
struct FileMatch;

/// Maps checkpoint keys to variables of a graph, as set by the user where the names differ. GUI thread.
class NameMapping : public QObject {
  Q_OBJECT

 public:
  /// The mapping of an open checkpoint; created on the first call, lives as long as the tab.
  static NameMapping& of(FileTab& file);
  const QMap<QString, QString>& keys() const { return keys_; }
  /// Returns an error, or empty. Each key maps to one variable. Unmapped variables whose names differ in the same way follow (with "first/kernel" for
  /// "conv1/kernel", also "first/bias" for "conv1/bias"). An empty key removes the variable's mapping.
  QString set(const FileMatch& match, const QString& variable, const QString& key);

 signals:
  void changed();

 private:
  explicit NameMapping(FileTab& file);
  void mapSimilarNames(const FileMatch& match, const QString& variable, const QString& key);
  QMap<QString, QString> keys_;  // by variable
};

}  // namespace weft::app
