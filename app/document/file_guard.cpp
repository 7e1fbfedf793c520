#include "document/file_guard.h"

#include <sys/stat.h>

#include <QFile>
#include <QFileInfo>

namespace weft::app {

FileStamp FileStamp::of(const QString& path) {
  struct stat info = {};
  if (path.isEmpty() || stat(QFile::encodeName(path).constData(), &info) != 0) return {};
  return {qint64(info.st_size), qint64(info.st_mtim.tv_sec) * 1000000000 + info.st_mtim.tv_nsec, quint64(info.st_ino)};
}

bool isSameFile(const QString& a, const QString& b) {
  if (a == b) return true;
  const QString canonical = QFileInfo(a).canonicalFilePath();
  return !canonical.isEmpty() && canonical == QFileInfo(b).canonicalFilePath();
}

FileStamp FileGuard::seen() const {
  const MutexLock lock(mutex_);
  return seen_;
}

void FileGuard::accept(const FileStamp& stamp) {
  const MutexLock lock(mutex_);
  seen_ = stamp;
}

FileGuard::Result FileGuard::write(const QString& path, bool overwrite, const std::function<QString()>& write, QString* error) {
  const MutexLock lock(writing_);
  if (!overwrite && isSameFile(path, path_)) {
    const FileStamp now = FileStamp::of(path);
    if (now.exists() && now != seen()) return Result::Changed;
  }
  *error = write();
  if (!error->isEmpty()) return Result::Failed;
  path_ = path;
  accept(FileStamp::of(path));
  return Result::Written;
}

}  // namespace weft::app
