#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "weft/export.h"

namespace weft {

/// CRC-32C (Castagnoli) of `bytes` appended to the data with checksum `crc`; start with 0. Uses the processor's instruction where available.
WEFT_API uint32_t crc32c(uint32_t crc, const void* bytes, size_t count);
/// The checksum of A followed by B, from their two checksums and the size of B in bytes, so that several threads can compute the parts.
WEFT_API uint32_t crc32cOfBoth(uint32_t crcA, uint32_t crcB, uint64_t countB);
inline uint32_t crc32c(std::string_view bytes) { return crc32c(0, bytes.data(), bytes.size()); }

/// TensorFlow masks stored checksums, so that checksums of data that contains checksums remain meaningful.
inline uint32_t maskCrc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }
inline uint32_t unmaskCrc(uint32_t masked) {
  const uint32_t rotated = masked - 0xa282ead8u;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace weft
