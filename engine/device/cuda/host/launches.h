#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

// What the launch functions of device/cuda/launch.cuh and the runtime's header use of the host build.
enum cudaError_t : int;

namespace weft::cuda::host {

class Stream;
class Event;

/// Calls a function for a range of elements: from `first` on, `count` of them, `step` (1 or -1) apart.
using Rows = std::function<void(int64_t first, int64_t count, int step)>;
template <typename F>
Rows rowsOf(F f) {
  return [f](int64_t first, int64_t count, int step) {
    for (int64_t k = 0; k < count; ++k) f(first + k * step);
  };
}

/// Queues `rows` for [0, n), cut into pieces that run in varying order. Device code that waits for other threads (__syncthreads) fails there, by name.
cudaError_t launchThreads(Stream* stream, int64_t n, Rows rows);
/// Queues `body` for each block: once per thread, on stacks of their own. Threads run in varying order from one barrier to the next.
cudaError_t launchBlocks(Stream* stream, int64_t blocks, unsigned threads, std::function<void(int64_t block)> body);

/// Queues work of a library.
cudaError_t launchOther(Stream* stream, const char* name, std::function<void()> work);
/// What the launches of this thread are for, in messages about faults.
void nameLaunches(std::string name);

/// The barrier of the block that runs. A failure if the code does not run in launchBlocks(), or if other threads of the block have ended without it.
void syncBlock();
/// Waits for the threads of `mask` in the warp and returns the `bits` of thread `lane`.
uint64_t exchangeInWarp(unsigned mask, uint64_t bits, int lane);
/// Which block of all launches runs now.
uint64_t blockSerial();
/// Registers memory of blocks, which is checked and poisoned again before the next block.
void addShared(void* begin, size_t bytes);

/// Shared memory of a kernel: poisoned for each block, between two guard zones.
template <typename T, size_t kCount>
class SharedArray {
 public:
  T* ofThisBlock() {
    if (serial_ != blockSerial()) {
      serial_ = blockSerial();
      addShared(memory_, sizeof memory_);
    }
    return reinterpret_cast<T*>(memory_ + kGuard);
  }
  static constexpr size_t kGuard = 64;

 private:
  alignas(64) unsigned char memory_[kGuard + (sizeof(T) * kCount + 63) / 64 * 64 + kGuard];
  uint64_t serial_ = 0;
};

/// Tells the checks which part of a block of memory a tensor uses now: `bytes` of `size`. In the order of the stream, the block becomes uninitialised; writes beyond
/// `bytes` are found after each kernel.
void noteAllocated(Stream* stream, void* data, size_t bytes, size_t size);
/// The block is free from here on, in the order of the stream: writes to it are found at its next use, and reads give poison.
void noteReleased(Stream* stream, void* data, size_t size);

}  // namespace weft::cuda::host
