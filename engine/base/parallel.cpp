#include "base/parallel.h"

#include <sched.h>

#include <algorithm>

#include "base/openmp_calls.h"
#include "base/pool.h"

namespace weft {
namespace {

thread_local constinit int threadParallelism = 0;  // 0: not set
thread_local constinit int splitAsAlone = 0;       // 0: not set

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
  if (pool::inTeam()) return std::max(splitAsAlone, 1);
  return threadParallelism > 0 ? threadParallelism : defaultParallelism();
}

void setThreadParallelism(int threads) {
  if (threads == threadParallelism) return;
  threadParallelism = threads;
  openmp::setThreads(threads > 0 ? threads : defaultParallelism());
}

SplitAsAlone::SplitAsAlone(int threads) : before_(splitAsAlone) { splitAsAlone = threads; }
SplitAsAlone::~SplitAsAlone() { splitAsAlone = before_; }

namespace detail {

void parallelForImpl(int64_t n, int64_t grain, void (*body)(void*, int64_t, int64_t), void* arg) {
  const int64_t parts = std::min<int64_t>(parallelism(), (n + grain - 1) / std::max<int64_t>(grain, 1));
  if (parts <= 1) {
    body(arg, 0, n);
    return;
  }
  // Long parts begin at multiples of 16, so that vector loops and cache lines are not split. A few images or rows are divided evenly.
  const int64_t even = (n + parts - 1) / parts, each = even >= 1024 ? (even + 15) / 16 * 16 : even;
  pool::share(int(parts), [&](int p) {
    const int64_t begin = std::min(n, p * each), end = std::min(n, begin + each);
    if (begin >= end) return;
    const openmp::OneThread inside;
    const SplitAsAlone nested(1);
    body(arg, begin, end);
  });
}

}  // namespace detail
}  // namespace weft
