#include "weft/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/temporary_file.h"

namespace weft {
namespace {

Error systemError(const std::string& path, int number) {
  Code code = Code::Unknown;
  switch (number) {
    case ENOENT:
    case ENOTDIR: code = Code::NotFound; break;
    case EACCES:
    case EPERM:
    case EROFS: code = Code::PermissionDenied; break;
    case EEXIST: code = Code::AlreadyExists; break;
    case ENOSPC:
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case EFBIG: code = Code::ResourceExhausted; break;
    case EISDIR:
    case ENOTEMPTY:
    case EBUSY: code = Code::FailedPrecondition; break;
    case EINVAL:
    case ENAMETOOLONG: code = Code::InvalidArgument; break;
    default: break;
  }
  return Error{code, concat(path, "; ", std::strerror(number)), {}, {}, number == ENOENT || number == ENOTDIR ? "not_found" : ""};
}

/// Where the part after "SCHEME://" begins; 0 for a plain path. A scheme is a letter, then letters, digits and dots.
size_t hostBegin(std::string_view path) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (path.empty() || !letter(path[0])) return 0;
  size_t end = 1;
  while (end < path.size() && (letter(path[end]) || (path[end] >= '0' && path[end] <= '9') || path[end] == '.')) ++end;
  return path.substr(end, 3) == "://" ? end + 3 : 0;
}

/// The path for the operating system. Of "file://HOST/PATH" it is /PATH; any host means this machine. As in TensorFlow, other schemes are UNIMPLEMENTED:
/// "hdfs://a/b" must not become a folder named "hdfs:".
Result<std::string> localPath(const std::string& path) {
  const size_t host = hostBegin(path);
  if (host == 0) return path;
  const std::string_view scheme(path.data(), host - 3);
  if (scheme != "file") return unimplemented("File system scheme '", scheme, "' not implemented (file: '", path, "')");
  const size_t slash = path.find('/', host);
  return slash == std::string::npos ? std::string() : path.substr(slash);
}

class PosixReadableFile final : public ReadableFile {
 public:
  PosixReadableFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~PosixReadableFile() override { ::close(fd_); }

  Result<size_t> read(uint64_t offset, void* into, size_t bytes) override {
    size_t done = 0;
    while (done < bytes) {
      const size_t part = std::min(bytes - done, size_t(1) << 30);
      const ssize_t n = ::pread(fd_, static_cast<char*>(into) + done, part, off_t(offset + done));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return systemError(path_, errno);
      if (n == 0) break;
      done += size_t(n);
    }
    return done;
  }
  Result<uint64_t> size() override {
    struct stat info;
    if (::fstat(fd_, &info) != 0) return systemError(path_, errno);
    return uint64_t(info.st_size);
  }

 private:
  const int fd_;
  const std::string path_;
};

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}
  ~PosixWritableFile() override {
    if (fd_ >= 0) (void)close();
  }

  Status append(std::string_view bytes) override {
    if (bytes.size() + buffer_.size() <= kBuffer) {
      buffer_.append(bytes);
      return {};
    }
    WEFT_TRY(flush());
    if (bytes.size() >= kBuffer) return writeOut(bytes);
    buffer_.append(bytes);
    return {};
  }
  Status flush() override {
    if (buffer_.empty()) return {};
    Status status = writeOut(buffer_);
    buffer_.clear();
    return status;
  }
  Status sync() override {
    WEFT_TRY(flush());
    if (::fsync(fd_) != 0 && errno != EINVAL && errno != ENOTSUP) return systemError(path_, errno);
    return {};
  }
  Status close() override {
    if (fd_ < 0) return {};
    Status status = flush();
    const int fd = fd_;
    fd_ = -1;
    if (::close(fd) != 0 && status.ok()) status = systemError(path_, errno);
    return status;
  }

 private:
  static constexpr size_t kBuffer = 1 << 18, kReserved = 1 << 20;

  /// Allocates disk blocks in advance. Allocated page by page during write-back, they take longer than the copying (measured on ext4: 1.4 against 3.5 GB/s
  /// until a file has replaced another). Failures are ignored here; the write itself reports them.
  void reserve(size_t bytes) {
    struct stat info;
    if (::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode)) (void)::fallocate(fd_, FALLOC_FL_KEEP_SIZE, info.st_size, off_t(bytes));
  }

  Status writeOut(std::string_view bytes) {
    if (bytes.size() >= kReserved) reserve(bytes.size());
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_, bytes.data(), std::min(bytes.size(), size_t(1) << 30));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return systemError(path_, errno);
      bytes.remove_prefix(size_t(n));
    }
    return {};
  }

  int fd_;
  const std::string path_;
  std::string buffer_;
};

class PosixFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) override {
    WEFT_LET(const std::string local, localPath(path));
    const int fd = ::open(local.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return systemError(path, errno);
    struct stat info;
    if (::fstat(fd, &info) == 0 && S_ISDIR(info.st_mode)) {
      ::close(fd);
      return systemError(path, EISDIR);
    }
    return std::unique_ptr<ReadableFile>(std::make_unique<PosixReadableFile>(fd, path));
  }
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override { return open(path, O_TRUNC); }
  Result<std::unique_ptr<WritableFile>> openForAppending(const std::string& path) override { return open(path, O_APPEND); }

  Result<FileInfo> stat(const std::string& path) override {
    WEFT_LET(const std::string local, localPath(path));
    struct stat info;
    if (::stat(local.c_str(), &info) != 0) return systemError(path, errno);
    return FileInfo{uint64_t(info.st_size), S_ISDIR(info.st_mode), double(info.st_mtim.tv_sec) + 1e-9 * double(info.st_mtim.tv_nsec), uint64_t(info.st_ino),
                    !S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)};
  }
  Result<std::vector<std::string>> list(const std::string& folder) override {
    WEFT_LET(const std::string local, localPath(folder));
    DIR* dir = ::opendir(local.c_str());
    if (!dir) return systemError(folder, errno);
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(dir)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    ::closedir(dir);
    std::sort(names.begin(), names.end());
    return names;
  }
  Status makeFolders(const std::string& asked) override {
    WEFT_LET(const std::string path, localPath(asked));
    if (path.empty()) return {};
    for (size_t at = 0; at != std::string::npos;) {
      at = path.find('/', at + 1);
      const std::string part = path.substr(0, at);
      if (::mkdir(part.c_str(), 0777) == 0) continue;
      const int why = errno;
      struct stat info;
      if (::stat(part.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) continue;
      return systemError(part, why);
    }
    return {};
  }
  Status rename(const std::string& from, const std::string& to) override {
    WEFT_LET(const std::string source, localPath(from));
    WEFT_LET(const std::string place, localPath(to));
    struct stat old;
    if (::stat(place.c_str(), &old) == 0 && S_ISREG(old.st_mode)) (void)::chmod(source.c_str(), old.st_mode & 07777);
    if (::rename(source.c_str(), place.c_str()) != 0) return systemError(from, errno);
    return {};
  }
  std::string target(const std::string& path) override {
    const auto local = localPath(path);
    struct stat info;
    if (!local.ok() || ::lstat(local->c_str(), &info) != 0 || !S_ISLNK(info.st_mode)) return path;
    return resolved(path);
  }
  std::string resolved(const std::string& path) override {
    const auto local = localPath(path);
    char* real = local.ok() ? ::realpath(local->c_str(), nullptr) : nullptr;
    if (!real) return path;
    std::string end = real;
    std::free(real);
    return end;
  }
  Status remove(const std::string& path) override {
    WEFT_LET(const std::string local, localPath(path));
    if (::remove(local.c_str()) != 0) return systemError(path, errno);
    return {};
  }
  Status syncFolder(const std::string& path) override {
    WEFT_LET(const std::string local, localPath(path));
    const int fd = ::open(local.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return systemError(path, errno);
    // Some file systems cannot sync a folder; their renames are durable without it.
    (void)::fsync(fd);
    ::close(fd);
    return {};
  }

 private:
  static Result<std::unique_ptr<WritableFile>> open(const std::string& path, int flags) {
    WEFT_LET(const std::string local, localPath(path));
    const int fd = ::open(local.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0666);
    if (fd < 0) return systemError(path, errno);
    return std::unique_ptr<WritableFile>(std::make_unique<PosixWritableFile>(fd, path));
  }
};

/// Asks for large pages, before the memory is written to: a file of many megabytes is read twice as fast.
void preferHugePages(char* memory, size_t bytes) {
  constexpr uintptr_t kHugePage = uintptr_t(2) << 20;
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + kHugePage - 1) / kHugePage * kHugePage;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(memory) + bytes) / kHugePage * kHugePage;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

FileSystem& posixFileSystem() {
  static PosixFileSystem* const system = new PosixFileSystem;  // never destroyed: other statics may still write at exit
  return *system;
}

Result<std::string> FileSystem::readAll(const std::string& path, uint64_t limit) {
  WEFT_LET(auto file, openForReading(path));
  WEFT_LET(const uint64_t size, file->size());
  if (size > limit) return resourceExhausted(path, "; ", size, " bytes are more than the ", limit, " that can be read at once").ofKind("too_large");
  std::string text;
  text.reserve(size);
  preferHugePages(text.data(), size);
  text.resize(size);
  WEFT_LET(size_t got, file->read(0, text.data(), text.size()));
  text.resize(got);
  // Files in /proc and growing files hold more than their reported size.
  char more[4096];
  while (got == size || got == text.size()) {
    WEFT_LET(const size_t n, file->read(text.size(), more, sizeof more));
    if (n == 0) break;
    if (text.size() + n > limit) return resourceExhausted(path, "; more than ", limit, " bytes").ofKind("too_large");
    text.append(more, n);
    got = text.size();
  }
  return text;
}

Status FileSystem::writeAtomically(const std::string& asked, std::string_view contents) {
  static std::atomic<unsigned> counter{0};
  const std::string path = target(asked);
  if (const auto there = stat(path); there.ok() && there->isDevice) {
    WEFT_LET(auto file, create(path));
    WEFT_TRY(file->append(contents));
    return file->close();
  }
  TemporaryFile temporary(*this, concat(path, ".tmp", ::getpid(), "-", counter++));
  WEFT_LET(auto file, temporary.create());
  WEFT_TRY(file->append(contents));
  WEFT_TRY(file->sync());
  WEFT_TRY(file->close());
  WEFT_TRY(temporary.place(path));
  return syncFolder(folderOf(path));
}

std::string folderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  const size_t host = hostBegin(path);
  if (host > slash) return path;  // "file://HOST" alone
  // "/" and "file://HOST/" are folders, so their slash stays.
  const bool root = host == 0 ? slash == 0 : path.find('/', host) == slash;
  return path.substr(0, root ? slash + 1 : slash);
}

std::string fileNameOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string joinPath(const std::string& folder, const std::string& path) {
  if (path.empty()) return folder;
  if (path[0] == '/' || folder.empty()) return path;
  return folder.back() == '/' ? folder + path : folder + '/' + path;
}

}  // namespace weft
