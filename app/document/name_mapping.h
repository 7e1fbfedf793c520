#pragma once

#include <QMap>
#include <QObject>
#include <QString>

namespace weft::app {

class FileTab;
struct FileMatch;

/// Which key of a checkpoint stands for which variable of a graph, as somebody said by hand where the names differ. GUI thread.
class NameMapping : public QObject {
  Q_OBJECT

 public:
  /// The mapping of an open checkpoint, made at the first call; it lives as long as the tab.
  static NameMapping& of(FileTab& file);
  const QMap<QString, QString>& keys() const { return keys_; }
  /// Why not, or nothing. One key is for one variable; variables that have none and whose names differ in the same way follow ("first/kernel" from
  /// "conv1/kernel": "first/bias" from "conv1/bias", too). An empty key takes the variable's key away.
  QString set(const FileMatch& match, const QString& variable, const QString& key);

 signals:
  void changed();

 private:
  explicit NameMapping(FileTab& file);
  void takeAlong(const FileMatch& match, const QString& variable, const QString& key);
  QMap<QString, QString> keys_;  // by variable
};

}  // namespace weft::app
