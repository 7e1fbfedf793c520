#include "base/parallel.h"

#include <algorithm>

#ifdef WEFT_TSAN
#include <thread>
#include <vector>
#else
#include <omp.h>
#endif
#include <immintrin.h>
#include <sched.h>

namespace weft {
namespace {

thread_local int threadParallelism = 0;  // 0: not set
thread_local bool insideParallel = false;
constexpr unsigned kFtzDaz = 0x8040;

int processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace

int defaultParallelism() {
  static const int n = processors();
  return n;
}

int parallelism() {
  if (insideParallel) return 1;
  return threadParallelism > 0 ? threadParallelism : defaultParallelism();
}

void setThreadParallelism(int threads) {
  if (threads == threadParallelism) return;
  threadParallelism = threads;
#ifndef WEFT_TSAN
  omp_set_num_threads(threads > 0 ? threads : defaultParallelism());  // oneDNN asks libgomp
#endif
}

namespace detail {

void parallelForImpl(int64_t n, int64_t grain, void (*body)(void*, int64_t, int64_t), void* arg) {
  const int64_t parts = std::min<int64_t>(parallelism(), (n + grain - 1) / std::max<int64_t>(grain, 1));
  if (parts <= 1) {
    body(arg, 0, n);
    return;
  }
  // Parts of many elements begin at multiples of 16, so that vector loops and cache lines are not split; a few images or rows are dealt
  // out evenly.
  const int64_t even = (n + parts - 1) / parts, each = even >= 1024 ? (even + 15) / 16 * 16 : even;
  const auto part = [&](int64_t p) {
    const int64_t begin = std::min(n, p * each), end = std::min(n, begin + each);
    if (begin >= end) return;
    const unsigned csr = _mm_getcsr();
    if (!insideParallel && (csr & kFtzDaz) != kFtzDaz) _mm_setcsr(csr | kFtzDaz);  // denormals are zero in kernels (see FlushDenormals)
    insideParallel = true;
    body(arg, begin, end);
    insideParallel = false;
  };
#ifdef WEFT_TSAN
  // libgomp's barriers are invisible to ThreadSanitizer; plain threads have the same meaning.
  std::vector<std::thread> threads;
  for (int64_t p = 1; p < parts; ++p) threads.emplace_back(part, p);
  part(0);
  for (auto& t : threads) t.join();
#else
#pragma omp parallel for num_threads(int(parts)) schedule(static, 1)
  for (int64_t p = 0; p < parts; ++p) part(p);
#endif
}

}  // namespace detail
}  // namespace weft
