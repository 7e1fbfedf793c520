#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "support/remote_address.h"
#include "weft/error.h"

namespace weft {

/// The place in the cache for copies of one remote folder's files, for this process alone while the object lives. Another process that has the same remote folder open
/// gets another place.
class CachePlace {
 public:
  /// `cache`: the folder of all places, made if needed. FAILED_PRECONDITION if it cannot be written.
  static Result<std::unique_ptr<CachePlace>> take(const std::string& cache, const RemoteAddress& address);
  ~CachePlace();
  CachePlace(const CachePlace&) = delete;
  CachePlace& operator=(const CachePlace&) = delete;
  /// The folder for the files.
  const std::string& files() const { return files_; }

 private:
  CachePlace(std::string files, int lock) : files_(std::move(files)), lock_(lock) {}
  std::string files_;
  int lock_;
};

/// Deletes the least recently used places of the cache until all together hold at most `mostBytes`. Places in use stay.
void trimCache(const std::string& cache, uint64_t mostBytes);

}  // namespace weft
