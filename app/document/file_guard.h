#pragma once

#include <QString>
#include <functional>

#include "weft/mutex.h"

namespace weft::app {

/// What a file looks like from outside: enough to notice that somebody wrote it.
struct FileStamp {
  qint64 bytes = -1;   ///< -1: there is no such file.
  qint64 changed = 0;  ///< Nanoseconds.
  quint64 node = 0;    ///< Within its file system: whoever writes atomically puts another file in its place.

  static FileStamp of(const QString& path);
  bool exists() const { return bytes >= 0; }
  bool operator==(const FileStamp&) const = default;
};

/// Whether two paths lead to one file, also through links.
bool isSameFile(const QString& a, const QString& b);

/// How a document's file was when it was last read or written here, so that what others wrote meanwhile is not lost. Any thread.
class FileGuard {
 public:
  /// `seen`: as it was when reading began.
  FileGuard(QString path, FileStamp seen) : path_(std::move(path)), seen_(seen) {}

  FileStamp seen() const;
  /// From now on the file may be written over if it is still as `stamp` says.
  void accept(const FileStamp& stamp);
  enum class Result { Written, Failed, Changed };
  /// Calls `write` (which returns an error, or nothing) unless `path` is the document's file and others have changed it since. A file that is gone is
  /// written again. `overwrite`: whatever others did.
  Result write(const QString& path, bool overwrite, const std::function<QString()>& write, QString* error);

 private:
  Mutex writing_;  // of two savings, the second sees what the first one left
  QString path_ WEFT_GUARDED_BY(writing_);
  mutable Mutex mutex_;  // held for an instant
  FileStamp seen_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft::app
