#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "tensor/variable.h"

namespace weft {

/// Reads of reference variables alias the variable's buffer, so later uses see the current value, as in TensorFlow 1.x. An update that went to a
/// copy, because other runs were in flight, leaves such reads behind. This registry tells runs of such moves; between two ops they let their reads
/// follow the variable. So no op sees half an update, and no read becomes stale while its run waits.
class MovedReads {
 public:
  /// Changes whenever a variable has moved.
  static uint64_t epoch() { return epoch_.load(std::memory_order_acquire); }
  /// `variable` is about to move from this buffer to another one. REQUIRES: its mutex is held.
  static void moved(const Tensor& from, const std::shared_ptr<Variable>& variable);
  /// Releases buffers without readers.
  static void forgetUnread() {
    if (count_.load(std::memory_order_relaxed) != 0) forgetAll();
  }

  /// Takes a snapshot of the moves so far.
  MovedReads();
  /// Redirects a view of a buffer that a variable has left to the variable's current buffer. Does nothing if the new value has another size.
  void follow(Tensor& read) const;
  bool empty() const { return moves_.empty(); }

 private:
  struct Move {
    Tensor from;
    std::weak_ptr<Variable> variable;
  };
  static std::atomic<uint64_t> epoch_;
  static void forgetAll();
  static std::atomic<int> count_;
  friend struct MovedReadsRegistry;
  std::vector<Move> moves_;
};

}  // namespace weft
