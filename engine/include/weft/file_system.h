#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"

namespace weft {

/// A file open for reading at any offset. Safe to use from several threads.
class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  /// Reads up to `bytes` bytes at `offset`; fewer only at the end of the file. Returns how many.
  virtual Result<size_t> read(uint64_t offset, void* into, size_t bytes) = 0;
  /// Bytes of the file now (it may be growing).
  virtual Result<uint64_t> size() = 0;
};

/// A file open for writing at its end. What was appended may be buffered until flush().
class WritableFile {
 public:
  virtual ~WritableFile() = default;  ///< Closes; errors of the last bytes are lost, so call close().
  virtual Status append(std::string_view bytes) = 0;
  virtual Status flush() = 0;  ///< Hands what is buffered to the system.
  virtual Status sync() = 0;   ///< As flush(), and waits until it is on the disk.
  virtual Status close() = 0;
};

struct FileInfo {
  uint64_t bytes = 0;
  bool isFolder = false;
  double modified = 0;    ///< Seconds since 1970.
  uint64_t inode = 0;     ///< Tells a replaced file from a grown one.
  bool isDevice = false;  ///< Neither file nor folder: /dev/null, a pipe.
};

/// Everything that the engine asks of files; injected so that tests can break it. Thread-safe. Errors carry the path and the system's
/// words ("PATH; No such file or directory"), with NOT_FOUND, PERMISSION_DENIED, RESOURCE_EXHAUSTED (disk full), ALREADY_EXISTS where they apply.
class WEFT_API FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) = 0;
  virtual Result<std::unique_ptr<WritableFile>> create(const std::string& path) = 0;  ///< Truncates what is there.
  virtual Result<std::unique_ptr<WritableFile>> openForAppending(const std::string& path) = 0;
  virtual Result<FileInfo> stat(const std::string& path) = 0;
  virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;  ///< Names without path, sorted, without "." and "..".
  virtual Status makeFolders(const std::string& path) = 0;                       ///< With its parents; fine if it exists.
  virtual Status rename(const std::string& from, const std::string& to) = 0;     ///< Replaces `to` in one step; its access rights stay.
  virtual Status remove(const std::string& path) = 0;                            ///< A file or an empty folder.
  virtual Status syncFolder(const std::string& path) = 0;                        ///< Makes renames in it last.

  bool exists(const std::string& path) { return stat(path).ok(); }
  /// The whole file. RESOURCE_EXHAUSTED if it is larger than `limit` bytes.
  Result<std::string> readAll(const std::string& path, uint64_t limit = uint64_t(4) << 30);
  /// Where a chain of symbolic links ends; `path` itself if it is none or leads nowhere.
  virtual std::string target(const std::string& path) { return path; }
  /// Replaces `path` by `contents` in one step: readers see the old or the new file, never a part, even after a crash. Links stay links,
  /// and a device or pipe is written to, not replaced.
  Status writeAtomically(const std::string& path, std::string_view contents);
};

/// The file system of the machine. It takes "file://HOST/PATH" as well, with any host; other schemes are UNIMPLEMENTED.
WEFT_API FileSystem& posixFileSystem();

/// "a/b" of "a/b/c.txt"; "." if there is no folder part, "/" and "file:///" stay.
WEFT_API std::string folderOf(const std::string& path);
/// "c.txt" of "a/b/c.txt".
WEFT_API std::string fileNameOf(const std::string& path);
/// `path` below `folder`, or `path` itself if absolute.
WEFT_API std::string joinPath(const std::string& folder, const std::string& path);

}  // namespace weft
