#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "tensor/variable.h"

namespace weft {

/// Reads of reference variables alias the variable's buffer: who uses one later finds what the variable holds by then, whoever wrote it, as in
/// TensorFlow 1.x. An update that went to a copy, because other runs were under way, has left such reads behind. Here runs learn of it: between
/// two ops they let their reads follow the variable. So an op never sees half an update, and no read grows old while its run waits.
class MovedReads {
 public:
  /// Changes whenever a variable has moved.
  static uint64_t epoch() { return epoch_.load(std::memory_order_acquire); }
  /// `variable` is about to leave this buffer for another one. REQUIRES: its mutex is held.
  static void moved(const Tensor& from, const std::shared_ptr<Variable>& variable);
  /// Lets go of buffers that nobody reads any more.
  static void forgetUnread() {
    if (count_.load(std::memory_order_relaxed) != 0) forgetAll();
  }

  /// What has moved until now.
  MovedReads();
  /// Makes a view of a buffer that a variable has left one of the variable's buffer now. If that has another size, the read stays what it was.
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
