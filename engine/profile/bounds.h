// A file may contain arbitrary times and sizes; these bounds keep computations with them within int64.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace weft {

/// Times of a trace are clamped to this distance from zero (73 years), so that a start, a duration and a wait can be added in any order without overflow.
constexpr int64_t kFarthestNs = int64_t(1) << 61;

inline int64_t boundedNs(int64_t ns) { return std::clamp(ns, -kFarthestNs, kFarthestNs); }
inline int64_t nsOfMicros(int64_t micros) {
  int64_t ns = 0;
  return __builtin_mul_overflow(micros, int64_t(1000), &ns) ? (micros < 0 ? -kFarthestNs : kFarthestNs) : boundedNs(ns);
}

/// Saturating addition.
inline int64_t boundedSum(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int64_t>::max()) : sum;
}

}  // namespace weft
