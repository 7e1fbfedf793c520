#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>
#include <map>
#include <memory>

namespace weft::app {

class Shell;

/// Records which files this window has open, so that a second window can warn. The lock files are in a folder of this user, not beside the files.
class FileLocks : public QObject {
  Q_OBJECT

 public:
  explicit FileLocks(Shell& shell) : shell_(shell) {}
  /// Records that `owner` now shows that file; empty: none. A replacement takes over the lock of the replaced owner.
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
