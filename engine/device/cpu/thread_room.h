#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/parallel.h"
#include "base/pool.h"

// What products need on each thread.
namespace weft::cpu {

/// The buffers of one thread that are in use at the same time: packed blocks of products (at most 4 MB), rounded operands, a part of a rounded convolution.
enum class Room { Blocks, Operands, Part };

/// Memory of this thread, aligned to a cache line; it only grows. Valid until the next call with the same `room`.
template <Room room>
char* threadRoom(size_t bytes) {
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  thread_local std::unique_ptr<char, Free> memory;
  thread_local size_t size = 0;
  if (bytes > size) {
    size = 0;
    memory.reset();
    const size_t wanted = (bytes + 4095) / 4096 * 4096;
    memory.reset(static_cast<char*>(std::aligned_alloc(64, wanted)));
    if (!memory) throw std::bad_alloc();
    size = wanted;
  }
  return memory.get();
}

/// While it lives, oneDNN makes primitives for one thread, and runs them on this thread, also where kernels run side by side.
class Alone {
 public:
  Alone() : inTeam_(1), before_(pool::inTeam() ? 0 : parallelism()) {
    if (before_ > 1) setThreadParallelism(1);
  }
  ~Alone() {
    if (before_ > 1) setThreadParallelism(before_);
  }
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  const SplitAsAlone inTeam_;
  const int before_;
};

}  // namespace weft::cpu
