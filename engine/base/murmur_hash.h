#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace weft {

/// The seed with which TensorFlow hashes.
inline constexpr uint64_t kHashSeed = 0xDECAFCAFFE;

/// MurmurHash64A by Austin Appleby (public domain): TensorFlow's Hash64.
inline uint64_t murmurHash(std::string_view bytes, uint64_t seed = kHashSeed) {
  constexpr uint64_t m = 0xc6a4a7935bd1e995;
  uint64_t h = seed ^ (bytes.size() * m);
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    uint64_t k;
    std::memcpy(&k, bytes.data(), 8);
    k *= m;
    h = (h ^ (k ^ (k >> 47)) * m) * m;
  }
  if (!bytes.empty()) {
    uint64_t rest = 0;
    std::memcpy(&rest, bytes.data(), bytes.size());
    h = (h ^ rest) * m;
  }
  h = (h ^ (h >> 47)) * m;
  return h ^ (h >> 47);
}

/// TensorFlow's Hash64Combine.
inline uint64_t combineHashes(uint64_t a, uint64_t b) { return a ^ (b + 0x9e3779b97f4a7800 + (a << 10) + (a >> 4)); }

}  // namespace weft
