#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace weft::generated {

/// The same numbers on every machine for the same seed (SplitMix64).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// From 0 to n - 1; 0 for n <= 1.
  int64_t below(int64_t n) { return n <= 1 ? 0 : int64_t(next() % uint64_t(n)); }
  int64_t between(int64_t low, int64_t high) { return low + below(high - low + 1); }
  double uniform() { return double(next() >> 11) * 0x1p-53; }
  bool chance(double p) { return uniform() < p; }
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform()); }
  /// REQUIRES: not empty.
  template <typename T>
  const T& pick(const std::vector<T>& list) {
    return list[size_t(below(int64_t(list.size())))];
  }
  /// An independent generator, so that draws in one part do not affect another.
  Random fork() { return Random(next()); }

 private:
  uint64_t state_;
};

}  // namespace weft::generated
