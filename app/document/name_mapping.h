#pragma once

#include <QMap>
#include <QObject>
#include <QString>
#include <QVector>

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
  /// Adds several mappings (keys by variable) as one step. Returns an error, or empty; with an error nothing is added.
  QString add(const FileMatch& match, const QMap<QString, QString>& keys);
  bool canUndo() const { return !before_.isEmpty(); }
  /// Takes back the last change.
  void undo();

 signals:
  void changed();

 private:
  explicit NameMapping(FileTab& file);
  static void mapSimilarNames(const FileMatch& match, const QString& variable, const QString& key, QMap<QString, QString>* keys);
  void change(const QMap<QString, QString>& keys);
  QMap<QString, QString> keys_;             // by variable
  QVector<QMap<QString, QString>> before_;  // former states, oldest first
};

}  // namespace weft::app
