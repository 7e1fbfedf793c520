#pragma once

#include <functional>

namespace weft::cluster {

/// Work that may wait for some 10 ms, on a thread of its own. To wake a thread for each step would cost more than the step, so this one stays awake for a while
/// after the last work. Thread-safe.
class Ticker {
 public:
  /// Calls `work`, which must not block, once at the next tick.
  static void once(std::function<void()> work);
};

}  // namespace weft::cluster
