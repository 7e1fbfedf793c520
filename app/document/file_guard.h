#pragma once

#include <QString>
#include <functional>

#include "weft/mutex.h"

namespace weft::app {

/// The size, time and inode of a file, which show whether it was written.
struct FileStamp {
  qint64 bytes = -1;   ///< -1: there is no such file.
  qint64 changed = 0;  ///< Nanoseconds.
  quint64 node = 0;    ///< Inode; an atomic write changes it, because it replaces the file.

  static FileStamp of(const QString& path);
  bool exists() const { return bytes >= 0; }
  bool operator==(const FileStamp&) const = default;
};

/// Whether two paths lead to one file, also through links.
bool isSameFile(const QString& a, const QString& b);

/// The state of a document's file as last read or written here, so that changes by others are not overwritten. Any thread.
class FileGuard {
 public:
  /// `seen`: the state when reading began.
  FileGuard(QString path, FileStamp seen) : path_(std::move(path)), seen_(seen) {}

  FileStamp seen() const;
  /// Allows overwriting the file as long as it is in the state `stamp`.
  void accept(const FileStamp& stamp);
  enum class Result { Written, Failed, Changed };
  /// Calls `write` (which returns an error, or empty) unless `path` is the document's file and others have changed it since. A deleted file is written again.
  /// `overwrite`: ignore changes by others.
  Result write(const QString& path, bool overwrite, const std::function<QString()>& write, QString* error);

 private:
  Mutex writing_;  // makes a second save see the result of the first
  QString path_ WEFT_GUARDED_BY(writing_);
  mutable Mutex mutex_;  // held briefly; guards seen_
  FileStamp seen_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft::app
