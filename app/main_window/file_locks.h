#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>
#include <map>
#include <memory>

namespace weft::app {

class Shell;

/// Notes which files this window has open, so that a second window says that it is not alone. The notes lie in a folder of this user, not beside the files.
class FileLocks : public QObject {
  Q_OBJECT

 public:
  explicit FileLocks(Shell& shell) : shell_(shell) {}
  /// `owner` shows that file from now on; empty: none. One that takes another's place takes over its lock.
  void hold(const QObject* owner, const QString& path);
  void release(const QObject* owner);

 private:
  struct Held {
    QString path;
    std::unique_ptr<QLockFile> lock;
  };
  Shell& shell_;
  std::map<const QObject*, Held> held_;
};

}  // namespace weft::app
