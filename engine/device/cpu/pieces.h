#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "base/parallel.h"

namespace weft::cpu {

/// Calls f(i) for each piece i of [0, pieces) on up to `threads` threads. A thread takes the next piece when it has finished one, so a thread that the system
/// stops holds up one piece only. Pieces must not depend on one another, nor results on who computes them.
template <typename F>
void overPieces(int64_t threads, int64_t pieces, F&& f) {
  if (threads <= 1 || pieces <= 1) {
    for (int64_t i = 0; i < pieces; ++i) f(i);
    return;
  }
  std::atomic<int64_t> next{0};
  parallelFor(std::min(threads, pieces), 1, [&](int64_t, int64_t) {
    for (int64_t i = 0; (i = next.fetch_add(1, std::memory_order_relaxed)) < pieces;) f(i);
  });
}

}  // namespace weft::cpu
