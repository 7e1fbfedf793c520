#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "weft/error.h"

namespace weft {

/// A file open for reading at any offset. Thread-safe.
class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  /// Reads up to `bytes` bytes at `offset`, fewer only at the end of the file. Returns the number read.
  virtual Result<size_t> read(uint64_t offset, void* into, size_t bytes) = 0;
  /// Current size in bytes; the file may be growing.
  virtual Result<uint64_t> size() = 0;
};

/// A file open for appending. Data may be buffered until flush().
class WritableFile {
 public:
  virtual ~WritableFile() = default;  ///< Closes without reporting errors of the last bytes; call close() instead.
  virtual Status append(std::string_view bytes) = 0;
  virtual Status flush() = 0;  ///< Passes buffered data to the system.
  virtual Status sync() = 0;   ///< As flush(), and waits until the data is on the disk.
  virtual Status close() = 0;
};

struct FileInfo {
  uint64_t bytes = 0;
  bool isFolder = false;
  double modified = 0;    ///< Seconds since 1970.
  uint64_t inode = 0;     ///< Distinguishes a replaced file from a grown one.
  bool isDevice = false;  ///< Neither file nor folder: /dev/null, a pipe.
};

/// All file operations of the engine; injected so that tests can make them fail. Thread-safe. Errors carry the path and the system's
/// words ("PATH; No such file or directory"), with NOT_FOUND, PERMISSION_DENIED, RESOURCE_EXHAUSTED (disk full), ALREADY_EXISTS where they apply.
class WEFT_API FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) = 0;
  virtual Result<std::unique_ptr<WritableFile>> create(const std::string& path) = 0;  ///< Truncates an existing file.
  virtual Result<std::unique_ptr<WritableFile>> openForAppending(const std::string& path) = 0;
  virtual Result<FileInfo> stat(const std::string& path) = 0;
  virtual Result<std::vector<std::string>> list(const std::string& folder) = 0;  ///< Names without path, sorted, without "." and "..".
  virtual Status makeFolders(const std::string& path) = 0;                       ///< With parents; succeeds if it exists.
  virtual Status rename(const std::string& from, const std::string& to) = 0;     ///< Replaces `to` in one step; its access rights stay.
  virtual Status remove(const std::string& path) = 0;                            ///< A file or an empty folder.
  virtual Status syncFolder(const std::string& path) = 0;                        ///< Makes renames in it durable.

  bool exists(const std::string& path) { return stat(path).ok(); }
  /// The whole file. RESOURCE_EXHAUSTED if it is larger than `limit` bytes.
  Result<std::string> readAll(const std::string& path, uint64_t limit = uint64_t(4) << 30);
  /// The end of a chain of symbolic links; `path` itself if it is not a link or the chain is broken.
  virtual std::string target(const std::string& path) { return path; }
  /// The absolute path without symbolic links, "." and ".."; `path` itself if there is no such file.
  virtual std::string resolved(const std::string& path) { return path; }
  /// Replaces `path` by `contents` in one step: readers see the old or the new file, never a part, even after a crash. A link stays a
  /// link. A device or pipe is written to, not replaced.
  Status writeAtomically(const std::string& path, std::string_view contents);
};

/// The machine's file system. It also accepts "file://HOST/PATH" with any host; other schemes are UNIMPLEMENTED.
WEFT_API FileSystem& posixFileSystem();

/// "a/b" for "a/b/c.txt"; "." if there is no folder part. "/" and "file:///" stay.
WEFT_API std::string folderOf(const std::string& path);
/// "c.txt" for "a/b/c.txt".
WEFT_API std::string fileNameOf(const std::string& path);
/// `path` below `folder`, or `path` itself if absolute.
WEFT_API std::string joinPath(const std::string& folder, const std::string& path);

}  // namespace weft
