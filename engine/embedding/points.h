#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "embedding/hot_embedding.h"
#include "weft/embedding.h"

namespace weft::embedding {

/// The loops for this processor.
const EmbeddingKernels& kernels();

/// INVALID_ARGUMENT names the first number that is not finite, and more rows than an int32 can count.
Status checkPoints(const PointsView& points);

/// Random numbers by position, so that threads may take them in any order.
inline uint64_t mixed(uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}
/// In [0, 1).
inline double uniform(uint64_t seed, uint64_t at) { return double(mixed(seed ^ mixed(at)) >> 11) * 0x1p-53; }
/// Of mean 0 and variance 1.
double gaussian(uint64_t seed, uint64_t at);

inline Error stopped() { return cancelledError("The embedding was cancelled."); }

/// Sets the number of threads of loops on this thread, and puts the earlier one back.
class ThreadCount {
 public:
  explicit ThreadCount(int threads) : before_(parallelism()) {
    if (threads > 0) setThreadParallelism(threads);
  }
  ~ThreadCount() { setThreadParallelism(before_); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace weft::embedding
