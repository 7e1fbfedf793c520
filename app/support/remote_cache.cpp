#include "support/remote_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace weft {
namespace {

constexpr int kMostPlaces = 16;  // of one address
constexpr uint64_t kHashStart = 14695981039346656037u, kHashFactor = 1099511628211u;
constexpr const char *kLockName = "lock", *kFilesName = "files", *kAddressName = "address";

/// A readable name of a folder, different for different addresses.
std::string placeName(const RemoteAddress& address) {
  uint64_t hash = kHashStart;  // FNV-1a
  for (const char c : address.text()) hash = (hash ^ uint8_t(c)) * kHashFactor;
  std::string name;
  for (const char c : address.host) name.push_back(std::isalnum(static_cast<unsigned char>(c)) || c == '-' ? c : '_');
  constexpr char kDigits[] = "0123456789abcdef";
  name.push_back('-');
  for (int shift = 60; shift >= 0; shift -= 4) name.push_back(kDigits[hash >> shift & 15]);
  return name;
}

/// The locked file, or -1: another process has it, or it cannot be made (errno).
int lockIn(const std::string& folder) {
  const std::string path = folder + '/' + kLockName;
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return -1;
  struct stat info {};
  // Deleted by a process that trims the cache: taken again later.
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &info) == 0 && info.st_nlink > 0) return fd;
  ::close(fd);
  errno = EWOULDBLOCK;
  return -1;
}

}  // namespace

Result<std::unique_ptr<CachePlace>> CachePlace::take(const std::string& cache, const RemoteAddress& address) {
  namespace fs = std::filesystem;
  const std::string name = placeName(address);
  for (int i = 1; i <= kMostPlaces; ++i) {
    const std::string folder = cache + '/' + name + (i == 1 ? std::string() : '-' + std::to_string(i));
    std::error_code failed;
    fs::create_directories(folder + '/' + kFilesName, failed);
    if (failed) return failedPrecondition(folder + ": " + failed.message());
    fs::permissions(folder, fs::perms::owner_all, failed);
    const int lock = lockIn(folder);
    if (lock < 0 && errno != EWOULDBLOCK) return failedPrecondition(folder + ": " + std::strerror(errno));
    if (lock < 0) continue;
    const int note = ::open((folder + '/' + kAddressName).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const std::string text = address.text() + '\n';
    const bool noted = note >= 0 && ::write(note, text.data(), text.size()) == ssize_t(text.size());
    if (note >= 0) ::close(note);
    if (!noted) {
      ::close(lock);
      return failedPrecondition(folder + " cannot be written");
    }
    fs::last_write_time(folder, fs::file_time_type::clock::now(), failed);  // when it was last used
    return std::unique_ptr<CachePlace>(new CachePlace(folder + '/' + kFilesName, lock));
  }
  return resourceExhausted(address.text() + " is already open in " + std::to_string(kMostPlaces) + " programs");
}

CachePlace::~CachePlace() { ::close(lock_); }

void trimCache(const std::string& cache, uint64_t mostBytes) {
  namespace fs = std::filesystem;
  struct Place {
    std::string path;
    uint64_t bytes;
    fs::file_time_type used;
  };
  std::vector<Place> places;
  uint64_t total = 0;
  std::error_code failed;
  for (fs::directory_iterator it(cache, failed), end; !failed && it != end; it.increment(failed)) {
    std::error_code inner;
    if (it->is_symlink(inner) || !it->is_directory(inner)) continue;
    Place place{it->path().string(), 0, it->last_write_time(inner)};
    for (fs::recursive_directory_iterator file(place.path, inner), last; !inner && file != last; file.increment(inner))
      if (std::error_code one; file->is_regular_file(one)) place.bytes += file->file_size(one);
    total += place.bytes;
    places.push_back(std::move(place));
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.used < b.used; });
  for (const Place& place : places) {
    if (total <= mostBytes) return;
    const int lock = lockIn(place.path);
    if (lock < 0) continue;
    fs::remove_all(place.path, failed);
    ::close(lock);
    total -= place.bytes;
  }
}

}  // namespace weft
