#include "support/remote_mirror.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace weft {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kCompared = 64;               // bytes at the beginning and at the end of a copy; an event file's first record has the time of writing
constexpr double kPause = 2, kPauseFactor = 10;  // seconds between searches, at least, and in times of a search
constexpr uint64_t kProgressBytes = 1 << 20;
constexpr const char* kPart = ".part";  // in the mirror's folder: the file that is being replaced

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

bool isFatal(Code code) { return code == Code::Unavailable || code == Code::DataLoss || code == Code::Cancelled || code == Code::ResourceExhausted; }

Error diskError(const std::string& path) {
  const int number = errno;
  const std::string text = path + ": " + std::strerror(number);
  return number == ENOSPC || number == EDQUOT ? resourceExhausted(text) : failedPrecondition(text);
}

/// Its size; 0 if there is none.
uint64_t sizeOf(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) ? uint64_t(info.st_size) : 0;
}

std::string bytesOf(const std::string& path, uint64_t offset, size_t bytes) {
  std::string out(bytes, '\0');
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const ssize_t got = fd < 0 ? -1 : ::pread(fd, out.data(), bytes, off_t(offset));
  if (fd >= 0) ::close(fd);
  out.resize(got < 0 ? 0 : size_t(got));
  return out;
}

std::string below(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder.ends_with('/') ? folder + name : folder + '/' + name;
}

bool isSame(const RemoteEntry& a, const RemoteEntry& b) { return a.bytes == b.bytes && a.modified == b.modified; }

}  // namespace

RemoteMirror::RemoteMirror(std::string remote, std::string local, MirrorOptions options)
    : remote_(std::move(remote)), local_(std::move(local)), options_(std::move(options)) {}

void RemoteMirror::count() {
  state_.files = files_.size();
  state_.bytes = state_.held = 0;
  for (const auto& [path, file] : files_) {
    state_.bytes += file.seen.bytes;
    state_.held += std::min(file.seen.bytes, sizeOf(file.local));
  }
}

/// Finds all files. The list changes only if the whole search succeeds.
Status RemoteMirror::search(Sftp& sftp) {
  const double began = now();
  std::map<std::string, RemoteEntry> found;
  const Result<RemoteEntry> root = sftp.stat(remote_);
  if (!root.ok()) return root.status();
  std::string folder = remote_;
  if (root->kind == RemoteEntry::Kind::File) {
    const size_t slash = remote_.rfind('/');
    found[slash == std::string::npos ? remote_ : remote_.substr(slash + 1)] = *root;
    folder = slash == std::string::npos ? std::string() : remote_.substr(0, std::max<size_t>(slash, 1));
  } else {
    std::vector<std::pair<std::string, int>> open{{std::string(), 0}};
    while (!open.empty()) {
      if (stopped()) return cancelledError("stopped");
      const auto [path, depth] = open.back();
      open.pop_back();
      const std::string whole = path.empty() ? folder : below(folder, path);
      Result<std::vector<RemoteEntry>> entries = sftp.list(whole);
      if (!entries.ok()) {
        if (path.empty() || isFatal(entries.error().code)) return entries.status();
        if (entries.error().code != Code::NotFound) state_.problem = entries.error().message;
        // A folder that cannot be read just now keeps its files.
        for (const auto& [name, file] : files_)
          if (name.starts_with(path + '/') && entries.error().code != Code::NotFound) found[name] = file.seen;
        continue;
      }
      std::vector<std::string> links, linkNames;
      for (RemoteEntry& entry : *entries) {
        const std::string name = below(path, entry.name);
        if (entry.kind == RemoteEntry::Kind::Folder && depth < options_.mostDepth) open.emplace_back(name, depth + 1);
        if (options_.wants && !options_.wants(entry.name)) continue;
        if (entry.kind == RemoteEntry::Kind::File) found[name] = entry;
        if (entry.kind != RemoteEntry::Kind::Link) continue;
        links.push_back(below(whole, entry.name));
        linkNames.push_back(name);
      }
      const auto targets = sftp.stat(links);
      for (size_t i = 0; i < targets.size(); ++i) {
        if (targets[i].ok() && targets[i]->kind == RemoteEntry::Kind::File) found[linkNames[i]] = *targets[i];
        else if (!targets[i].ok() && isFatal(targets[i].error().code)) return targets[i].status();
      }
      if (found.size() > options_.mostFiles)
        return resourceExhausted(remote_ + " holds more than " + std::to_string(options_.mostFiles) + " files to read; open a folder below it");
    }
  }
  uint64_t total = 0;
  for (const auto& [name, entry] : found) total += entry.bytes;
  if (total > options_.mostBytes)
    return resourceExhausted(remote_ + " holds " + std::to_string(total >> 20) + " MB to read; the limit is " + std::to_string(options_.mostBytes >> 20) +
                             " MB. Open a folder below it");
  std::erase_if(files_, [&](const auto& known) {
    if (found.contains(known.first)) return false;
    ::unlink(known.second.local.c_str());
    return true;
  });
  for (const auto& [name, entry] : found) {
    File& file = files_[name];
    file.remote = below(folder, name);
    file.local = below(local_, name);
    file.seen = entry;
  }
  // Copies of an earlier program whose originals are gone.
  std::error_code ignored;
  if (nextSearch_ == 0) {
    std::vector<std::string> gone;
    for (fs::recursive_directory_iterator it(local_, ignored), end; !ignored && it != end; it.increment(ignored))
      if (it->is_regular_file(ignored) && !found.contains(fs::path(it->path()).lexically_relative(local_).string())) gone.push_back(it->path().string());
    for (const std::string& path : gone) ::unlink(path.c_str());
  }
  nextSearch_ = now() + std::max(kPause, kPauseFactor * (now() - began));
  return {};
}

/// Looks at the sizes of the known files.
Status RemoteMirror::look(Sftp& sftp) {
  std::vector<std::string> paths;
  for (const auto& [name, file] : files_) paths.push_back(file.remote);
  const auto sizes = sftp.stat(paths);
  size_t i = 0;
  for (auto& [name, file] : files_) {
    const Result<RemoteEntry>& size = sizes[i++];
    if (size.ok()) file.seen = *size;
    else if (isFatal(size.error().code)) return size.status();
    else nextSearch_ = std::min(nextSearch_, now());
  }
  return {};
}

Result<bool> RemoteMirror::agrees(Sftp& sftp, const std::string& handle, const File& file, uint64_t held) {
  const size_t bytes = size_t(std::min(kCompared, held));
  for (const uint64_t at : {uint64_t(0), held - bytes}) {
    std::string there;
    Status read = sftp.read(handle, at, bytes, [&there](std::string_view data) {
      there += data;
      return true;
    });
    if (!read.ok()) return read;
    state_.transferred += there.size();
    if (there != bytesOf(file.local, at, bytes)) return false;
    if (held == bytes) break;
  }
  return true;
}

Status RemoteMirror::append(Sftp& sftp, const std::string& handle, File& file, uint64_t from, const std::string& into) {
  const int fd = ::open(into.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (from == 0 ? O_TRUNC : 0), 0600);
  if (fd < 0) return diskError(into);
  uint64_t at = from, shown = state_.transferred;
  Status written;
  Status read = sftp.read(handle, from, file.seen.bytes - from, [&](std::string_view data) {
    for (std::string_view left = data; !left.empty();) {
      const ssize_t done = ::pwrite(fd, left.data(), left.size(), off_t(at));
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) written = diskError(into);
      if (done < 0) return false;
      at += uint64_t(done);
      left.remove_prefix(size_t(done));
    }
    state_.transferred += data.size();
    state_.held += data.size();
    if (options_.progress && state_.transferred - shown >= kProgressBytes) {
      shown = state_.transferred;
      options_.progress(state_);
    }
    return !stopped();
  });
  ::close(fd);
  return written.ok() ? read : written;
}

Status RemoteMirror::fetch(Sftp& sftp, File& file) {
  std::error_code failed;
  fs::create_directories(fs::path(file.local).parent_path(), failed);
  if (failed) return failedPrecondition(file.local + ": " + failed.message());
  const Result<std::string> handle = sftp.open(file.remote);
  if (!handle.ok()) return handle.status();
  const uint64_t held = sizeOf(file.local);
  Result<bool> same = held <= file.seen.bytes;
  if (*same && held > 0) same = agrees(sftp, *handle, file, held);
  Status got;
  if (!same.ok()) {
    got = same.status();
  } else if (*same) {
    if (held < file.seen.bytes || held == 0) got = append(sftp, *handle, file, held, file.local);
  } else {
    const std::string part = below(local_, kPart);
    state_.held -= std::min(state_.held, held);
    got = append(sftp, *handle, file, 0, part);
    if (got.ok() && ::rename(part.c_str(), file.local.c_str()) != 0) got = diskError(file.local);
    if (!got.ok()) ::unlink(part.c_str());
  }
  sftp.close(*handle);
  if (!got.ok()) return got;
  file.copied = file.seen;
  file.compared = sizeOf(file.local) >= file.seen.bytes;  // less: it has shrunk meanwhile
  return {};
}

Status RemoteMirror::sync(Sftp& sftp) {
  const bool searches = nextSearch_ == 0 || now() >= nextSearch_;
  if (searches) state_.problem.clear();
  if (Status s = searches ? search(sftp) : look(sftp); !s.ok()) return s;
  count();
  for (auto& [name, file] : files_) {
    if (stopped()) return cancelledError("stopped");
    if (file.compared && isSame(file.copied, file.seen)) continue;
    const Status got = fetch(sftp, file);
    if (!got.ok()) {
      if (isFatal(got.code())) return got;
      state_.problem = got.error().message;
    }
    if (options_.progress) options_.progress(state_);
  }
  count();
  return {};
}

}  // namespace weft
