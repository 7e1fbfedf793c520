#include "base/crc32c.h"

#include <array>
#include <cstring>

namespace weft {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;

/// kTables[k][b]: checksum of byte b followed by k zero bytes, for taking eight bytes at a time.
constexpr std::array<std::array<uint32_t, 256>, 8> makeTables() {
  std::array<std::array<uint32_t, 256>, 8> tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ (crc & 1 ? kPolynomial : 0);
    tables[0][b] = crc;
  }
  for (uint32_t b = 0; b < 256; ++b)
    for (int k = 1; k < 8; ++k) tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
  return tables;
}
constexpr auto kTables = makeTables();

uint32_t portableCrc(uint32_t crc, const uint8_t* p, size_t n) {
  for (; n >= 8; p += 8, n -= 8) {
    uint64_t word;
    std::memcpy(&word, p, 8);
    word ^= crc;
    crc = 0;
    for (int k = 0; k < 8; ++k) crc ^= kTables[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (; n; ++p, --n) crc = (crc >> 8) ^ kTables[0][(crc ^ *p) & 0xff];
  return crc;
}

/// a * b for polynomials over GF(2), modulo the checksum's polynomial; bit 31 is x^0.
constexpr uint32_t productOf(uint32_t a, uint32_t b) {
  uint32_t out = 0;
  for (uint32_t bit = 1u << 31; bit; bit >>= 1) {
    if (a & bit) out ^= b;
    b = (b >> 1) ^ (b & 1 ? kPolynomial : 0);
  }
  return out;
}

/// kPowers[k] = x^(8 * 2^k), the factor by which 2^k zero bytes multiply a checksum.
constexpr std::array<uint32_t, 64> makePowers() {
  std::array<uint32_t, 64> powers{};
  powers[0] = 1u << 23;
  for (size_t k = 1; k < 64; ++k) powers[k] = productOf(powers[k - 1], powers[k - 1]);
  return powers;
}
constexpr auto kPowers = makePowers();

#if defined(__x86_64__)

constexpr size_t kLane = 2048;  // bytes of each of the three streams that hide the instruction's latency

/// Appending kLane zero bytes to a checksum is a linear map: one table per byte of the checksum.
constexpr std::array<std::array<uint32_t, 256>, 4> makeShift() {
  std::array<uint32_t, 32> columns{};  // of the map's matrix, one per bit
  for (int bit = 0; bit < 32; ++bit) {
    uint32_t crc = 1u << bit;
    for (size_t i = 0; i < kLane; ++i) crc = (crc >> 8) ^ kTables[0][crc & 0xff];
    columns[bit] = crc;
  }
  std::array<std::array<uint32_t, 256>, 4> shift{};
  for (int byte = 0; byte < 4; ++byte)
    for (uint32_t v = 0; v < 256; ++v)
      for (int bit = 0; bit < 8; ++bit)
        if (v >> bit & 1) shift[byte][v] ^= columns[byte * 8 + bit];
  return shift;
}

uint32_t shifted(uint32_t crc) {
  static const auto kShift = makeShift();
  return kShift[0][crc & 0xff] ^ kShift[1][crc >> 8 & 0xff] ^ kShift[2][crc >> 16 & 0xff] ^ kShift[3][crc >> 24];
}

__attribute__((target("sse4.2"))) uint32_t hardwareCrc(uint32_t crc, const uint8_t* p, size_t n) {
  const auto word = [](const uint8_t* at) {
    uint64_t w;
    std::memcpy(&w, at, 8);
    return w;
  };
  for (; n >= 3 * kLane; p += 3 * kLane, n -= 3 * kLane) {
    uint64_t a = crc, b = 0, c = 0;
    for (size_t i = 0; i < kLane; i += 8) {
      a = __builtin_ia32_crc32di(a, word(p + i));
      b = __builtin_ia32_crc32di(b, word(p + kLane + i));
      c = __builtin_ia32_crc32di(c, word(p + 2 * kLane + i));
    }
    crc = shifted(shifted(uint32_t(a)) ^ uint32_t(b)) ^ uint32_t(c);
  }
  uint64_t wide = crc;
  for (; n >= 8; p += 8, n -= 8) wide = __builtin_ia32_crc32di(wide, word(p));
  crc = uint32_t(wide);
  for (; n; ++p, --n) crc = __builtin_ia32_crc32qi(crc, *p);
  return crc;
}

#endif

}  // namespace

uint32_t crc32cOfBoth(uint32_t crcA, uint32_t crcB, uint64_t countB) {
  for (size_t k = 0; countB; ++k, countB >>= 1)
    if (countB & 1) crcA = productOf(crcA, kPowers[k]);
  return crcA ^ crcB;  // the conditioning of both cancels out
}

uint32_t crc32c(uint32_t crc, const void* bytes, size_t count) {
  const auto* p = static_cast<const uint8_t*>(bytes);
#if defined(__x86_64__)
  static const bool kHardware = __builtin_cpu_supports("sse4.2");
  if (kHardware) return ~hardwareCrc(~crc, p, count);
#endif
  return ~portableCrc(~crc, p, count);
}

}  // namespace weft
