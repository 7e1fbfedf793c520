#pragma once

#include <cstdint>
#include <type_traits>

#include "weft/export.h"

namespace weft {

/// Number of threads that a kernel on this thread may use now (1 inside a parallel region or in concurrent runs).
WEFT_API int parallelism();
/// Sets that number for runs started on this thread, both for our kernels and for oneDNN's; used by the session. 0: all processors.
WEFT_API void setThreadParallelism(int threads);
/// During its lifetime, parallelism() on this thread is `threads` even inside a team, where all parts of a loop then run on this thread. So kernels that run
/// side by side split their work, and round, as each of them does alone.
class WEFT_API SplitAsAlone {
 public:
  explicit SplitAsAlone(int threads);
  ~SplitAsAlone();
  SplitAsAlone(const SplitAsAlone&) = delete;
  SplitAsAlone& operator=(const SplitAsAlone&) = delete;

 private:
  int before_;
};
/// Processors that the process may use.
WEFT_API int defaultParallelism();

namespace detail {
WEFT_API void parallelForImpl(int64_t n, int64_t grain, void (*body)(void*, int64_t, int64_t), void* arg);
}

/// Calls body(begin, end) for parts of [0, n), each at least `grain` long, on the compute pool; inline if one part is enough. The split depends on n, grain and
/// parallelism() only, so results are reproducible. The first exception thrown by `body` is rethrown to the caller.
template <typename F>
void parallelFor(int64_t n, int64_t grain, F&& body) {
  if (n <= grain) {
    if (n > 0) body(int64_t(0), n);
    return;
  }
  using Body = std::remove_reference_t<F>;
  detail::parallelForImpl(
      n, grain, [](void* p, int64_t b, int64_t e) { (*static_cast<Body*>(p))(b, e); }, const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace weft
