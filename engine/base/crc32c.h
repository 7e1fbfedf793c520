#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weft/export.h"

namespace weft {

/// CRC-32C (Castagnoli) of `bytes` appended to what `crc` was computed of; start with 0. Uses the processor's instruction where it has one.
WEFT_API uint32_t crc32c(uint32_t crc, const void* bytes, size_t count);
/// The checksum of A followed by B, from those of A and of the `countB` bytes of B: parts can be taken by several threads.
WEFT_API uint32_t crc32cOfBoth(uint32_t crcA, uint32_t crcB, uint64_t countB);
inline uint32_t crc32c(std::string_view bytes) { return crc32c(0, bytes.data(), bytes.size()); }

/// TensorFlow stores checksums masked, so that the checksum of bytes that hold checksums stays meaningful.
inline uint32_t maskCrc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }
inline uint32_t unmaskCrc(uint32_t masked) {
  const uint32_t rotated = masked - 0xa282ead8u;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace weft
