#include "base/parallel.h"

#include <algorithm>
#include <atomic>

#ifdef WEFT_TSAN
#include <thread>
#include <vector>
#else
#include <omp.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#endif
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
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

#ifdef WEFT_TSAN
void yieldToOthers() {}
#else
namespace {

/// libgomp spins for milliseconds before it sleeps, except while it manages more threads than there are processors: then it sleeps after a
/// hundred turns. There is no call to choose, so a second, sleeping pool tips the scale; it is there only while others want the processors.
class Ballast {
 public:
  void set(bool wanted) {
    std::unique_lock lock(mutex_);
    if (wanted == there_) return;
    there_ = wanted;
    if (!wanted) {
      changed_.notify_all();
      return;
    }
    const int generation = ++generation_;
    std::thread([this, generation] {
      const int threads = defaultParallelism() + 1;
      int started = 0;
#pragma omp parallel num_threads(threads) reduction(+ : started)
      ++started;
      std::unique_lock wait(mutex_);
      changed_.wait(wait, [&] { return !there_ || generation != generation_; });
    }).detach();  // its pool ends with it
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool there_ = false;   // guarded by mutex_
  int generation_ = 0;   // guarded by mutex_
};

/// Threads of the whole machine that run or want to, now; 0 if the system does not tell.
int runnableThreads() {
  const int file = ::open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[128] = {};
  const ssize_t n = ::read(file, text, sizeof text - 1);
  ::close(file);
  int running = 0;
  if (n <= 0 || std::sscanf(text, "%*f %*f %*f %d", &running) != 1) return 0;
  return running;
}

}  // namespace

void yieldToOthers() {
  using Clock = std::chrono::steady_clock;
  static std::atomic<int64_t> next{0};
  static std::atomic<int> quiet{0};
  static auto* ballast = new Ballast;  // its thread may outlive static objects
  const int64_t now = Clock::now().time_since_epoch().count();
  int64_t due = next.load(std::memory_order_relaxed);
  if (now < due) return;
  const int64_t step = std::chrono::nanoseconds(std::chrono::milliseconds(20)).count();
  if (!next.compare_exchange_strong(due, now + step, std::memory_order_relaxed)) return;
  static const long processors = ::sysconf(_SC_NPROCESSORS_ONLN);
  if (runnableThreads() > processors) {
    quiet.store(0, std::memory_order_relaxed);
    ballast->set(true);
  } else if (quiet.fetch_add(1, std::memory_order_relaxed) == 10) {
    ballast->set(false);
  }
}
#endif

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
