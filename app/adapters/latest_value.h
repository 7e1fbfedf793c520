#pragma once

#include <array>
#include <atomic>

namespace weft::app {

/// The latest value of one thread, for another one: neither ever waits, and values not taken in time are overwritten. Values that must all arrive go through an
/// EventQueue. `set` on the producer's thread, `take` on the consumer's. T is a small struct.
template <typename T>
class LatestValue {
 public:
  void set(const T& value) {
    slots_[back_] = value;
    back_ = middle_.exchange(back_ | kFresh, std::memory_order_acq_rel) & kIndex;
  }

  /// False: nothing new since the last call.
  bool take(T& value) {
    if ((middle_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    front_ = middle_.exchange(front_, std::memory_order_acq_rel) & kIndex;
    value = slots_[front_];
    return true;
  }

 private:
  static constexpr unsigned kIndex = 3, kFresh = 4;
  // Each thread owns one of the three slots; the third one is exchanged.
  std::array<T, 3> slots_{};
  std::atomic<unsigned> middle_{1};
  unsigned front_ = 0;             // consumer
  alignas(64) unsigned back_ = 2;  // producer
};

}  // namespace weft::app
