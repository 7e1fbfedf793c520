#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

// Sorts rows of numbers in descending order by integer keys.
namespace weft {

/// Whether elements of T have keys of 32 bits that are ordered as they are.
template <typename T>
constexpr bool kHasSortKey = sizeof(T) <= 4;

/// A number that is smaller for larger elements; equal elements, such as 0 and -0, have the same. Not for NaN.
template <typename T>
uint32_t descendingKey(T v) {
  if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>) {
    return ~uint32_t(v);
  } else if constexpr (std::is_integral_v<T>) {
    return ~(uint32_t(int32_t(v)) ^ 0x80000000u);
  } else {
    const uint32_t bits = std::bit_cast<uint32_t>(float(v) + 0.0f);
    return bits & 0x80000000u ? bits : ~bits & 0x7fffffffu;
  }
}

/// Memory of a thread that sorts rows.
struct SortRoom {
  std::vector<int32_t> order;
  std::vector<uint64_t> keys, other;
};

/// Sorts numbers by their upper halves, one byte after the other, and keeps the order of equal ones.
inline void sortByUpperHalves(std::vector<uint64_t>& keys, std::vector<uint64_t>& other) {
  const size_t n = keys.size();
  other.resize(n);
  uint32_t counts[4][256] = {};
  for (const uint64_t key : keys) {
    for (int b = 0; b < 4; ++b) ++counts[b][key >> (32 + 8 * b) & 255];
  }
  for (int b = 0; b < 4; ++b) {
    const int shift = 32 + 8 * b;
    if (counts[b][keys[0] >> shift & 255] == n) continue;
    uint32_t at = 0;
    for (uint32_t& count : counts[b]) {
      const uint32_t here = count;
      count = at;
      at += here;
    }
    for (const uint64_t key : keys) other[counts[b][key >> shift & 255]++] = key;
    keys.swap(other);
  }
}

/// The k first elements of a row in descending order by their keys; false if there is a NaN, which has no place in the order.
template <typename T>
bool largestByKeys(const T* row, int64_t n, int64_t k, T* values, int32_t* indices, SortRoom& room) {
  bool hasNan = false;
  room.keys.resize(size_t(n));
  for (int64_t i = 0; i < n; ++i) {
    hasNan |= !(row[i] == row[i]);
    room.keys[size_t(i)] = uint64_t(descendingKey(row[i])) << 32 | uint64_t(i);
  }
  if (hasNan) return false;
  if (n < 128) std::sort(room.keys.begin(), room.keys.end());
  else sortByUpperHalves(room.keys, room.other);
  for (int64_t i = 0; i < k; ++i) {
    indices[i] = int32_t(uint32_t(room.keys[size_t(i)]));
    values[i] = row[indices[i]];
  }
  return true;
}

}  // namespace weft
