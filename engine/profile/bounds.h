// A file may state any time and any size; what is computed from them stays within integers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace weft {

/// No time of a trace is farther from zero (73 years): a start, a duration and a wait can then be added and subtracted in any order.
constexpr int64_t kFarthestNs = int64_t(1) << 61;

inline int64_t boundedNs(int64_t ns) { return std::clamp(ns, -kFarthestNs, kFarthestNs); }
inline int64_t nsOfMicros(int64_t micros) {
  int64_t ns = 0;
  return __builtin_mul_overflow(micros, int64_t(1000), &ns) ? (micros < 0 ? -kFarthestNs : kFarthestNs) : boundedNs(ns);
}

/// Limit of sizes: larger ones are clamped to it.
inline int64_t boundedSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max()) : sum;
}

}  // namespace weft
