#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include <numeric>
#include <utility>

#include "device/cuda/host/machine.h"
#include "weft/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_ASAN 1
#endif
#endif
#ifdef WEFT_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

// How launches run: plain loops, or one stack per thread of a block, which a barrier leaves and comes back to.
uint3 threadIdx, blockIdx, blockDim, gridDim;

namespace weft::cuda::host {
namespace {

namespace context = boost::context;

constexpr size_t kStackBytes = 64 << 10;
constexpr unsigned kLanes = 32;

/// Stacks are kept: a block needs hundreds.
class StackPool {
 public:
  context::stack_context take() {
    if (free_.empty()) return context::fixedsize_stack(kStackBytes).allocate();
    const context::stack_context s = free_.back();
    free_.pop_back();
    return s;
  }
  void giveBack(const context::stack_context& s) { free_.push_back(s); }

 private:
  std::vector<context::stack_context> free_;
};
StackPool& stackPool() {
  static auto* pool = new StackPool;
  return *pool;
}
struct ReturnedStack {  // the allocator of a fiber, which is given its stack
  void deallocate(context::stack_context& s) const noexcept { stackPool().giveBack(s); }
};

// AddressSanitizer must be told of every change of stacks.
#ifdef WEFT_ASAN
void startSwitch(void** save, const void* bottom, size_t bytes) { __sanitizer_start_switch_fiber(save, bottom, bytes); }
void finishSwitch(void* save, const void** bottom, size_t* bytes) { __sanitizer_finish_switch_fiber(save, bottom, bytes); }
#else
void startSwitch(void**, const void*, size_t) {}
void finishSwitch(void*, const void**, size_t*) {}
#endif

/// The threads of the block that runs.
class Block {
 public:
  Block(unsigned threads, const std::function<void()>& body) : body_(body), threads_(threads), warps_((threads + kLanes - 1) / kLanes) {}

  void run(std::minstd_rand& chance) {
    std::vector<unsigned> order(threads_.size());
    std::iota(order.begin(), order.end(), 0u);
    size_t left = order.size();
    while (left > 0) {
      shuffle(order, chance);
      bool moved = false;
      for (unsigned t : order) {
        Thread& thread = threads_[t];
        if (thread.state != State::Ready) continue;
        resume(t);
        moved = true;
        if (thread.state == State::Ended) --left;
        if (!fault_.empty()) throw Fault{fault_};
      }
      if (!moved) release(left);
    }
  }

  /// Called by the thread that runs: leaves its stack until the scheduler comes back to it.
  void barrier() {
    threads_[current_].state = State::AtBarrier;
    leave();
  }
  uint64_t exchange(unsigned mask, uint64_t bits, int lane) {
    Warp& warp = warps_[current_ / kLanes];
    const unsigned me = current_ % kLanes;
    if (!(mask >> me & 1u)) throw Fault{concat("thread ", current_, " is not in the mask of its own warp exchange")};
    const unsigned turn = warp.turn;
    warp.values[turn & 1][me] = bits;
    warp.arrived |= 1u << me;
    if (warp.arrived == mask) {
      warp.arrived = 0;
      ++warp.turn;
      for (unsigned k = 0; k < kLanes; ++k) {
        const unsigned t = current_ / kLanes * kLanes + k;
        if (t < threads_.size() && threads_[t].state == State::InWarp) threads_[t].state = State::Ready;
      }
    } else {
      threads_[current_].state = State::InWarp;
      leave();
    }
    if (!(mask >> lane & 1u)) throw Fault{concat("thread ", current_, " reads lane ", lane, ", which is not in the mask")};
    return warps_[current_ / kLanes].values[turn & 1][size_t(lane)];
  }

 private:
  enum class State { Ready, AtBarrier, InWarp, Ended };
  struct Thread {
    State state = State::Ready;
    context::fiber fiber;
    context::stack_context stack;
    bool begun = false;
    void* fake = nullptr;  // AddressSanitizer's own stack
  };
  struct Warp {
    unsigned arrived = 0, turn = 0;
    uint64_t values[2][kLanes] = {};
  };

  /// Reverse, in order or starting anywhere: enough variety, and cheap.
  static void shuffle(std::vector<unsigned>& order, std::minstd_rand& chance) {
    const auto kind = chance() % 3;
    if (kind == 0) std::reverse(order.begin(), order.end());
    else if (kind == 1) std::rotate(order.begin(), order.begin() + long(chance() % order.size()), order.end());
  }

  void resume(unsigned t) {
    Thread& thread = threads_[t];
    current_ = t;
    threadIdx = {t, 0, 0};
    if (!thread.begun) {
      thread.begun = true;
      thread.stack = stackPool().take();
      thread.fiber = context::fiber(std::allocator_arg, context::preallocated(thread.stack.sp, thread.stack.size, thread.stack), ReturnedStack(),
                                    [this, t](context::fiber&& back) { return runThread(t, std::move(back)); });
    }
    startSwitch(&fake_, static_cast<const char*>(thread.stack.sp) - thread.stack.size, thread.stack.size);
    thread.fiber = std::move(thread.fiber).resume();
    finishSwitch(fake_, nullptr, nullptr);
  }

  context::fiber runThread(unsigned t, context::fiber&& back) {
    finishSwitch(nullptr, &schedulerStack_, &schedulerStackBytes_);
    scheduler_ = std::move(back);
    try {
      body_();
    } catch (const Fault& f) {
      fault_ = f.what;
    } catch (const std::exception& e) {
      fault_ = e.what();
    }
    threads_[t].state = State::Ended;
    startSwitch(nullptr, schedulerStack_, schedulerStackBytes_);
    return std::move(scheduler_);
  }

  void leave() {
    const unsigned t = current_;
    startSwitch(&threads_[t].fake, schedulerStack_, schedulerStackBytes_);
    scheduler_ = std::move(scheduler_).resume();
    finishSwitch(threads_[t].fake, &schedulerStack_, &schedulerStackBytes_);
    current_ = t;
    threadIdx = {t, 0, 0};
  }

  /// All threads that are left wait. At a barrier they go on if it has all of the block.
  void release(size_t left) {
    for (const Thread& thread : threads_) {
      if (thread.state == State::InWarp) throw Fault{"a warp exchange waits for a thread that never comes"};
    }
    if (left < threads_.size()) throw Fault{concat("__syncthreads() waits for ", threads_.size() - left, " threads that have ended")};
    for (Thread& thread : threads_) thread.state = State::Ready;
  }

  const std::function<void()>& body_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  context::fiber scheduler_;
  const void* schedulerStack_ = nullptr;
  size_t schedulerStackBytes_ = 0;
  void* fake_ = nullptr;
  unsigned current_ = 0;
  std::string fault_;
};

Block* running = nullptr;  // guarded by the machine's mutex, as is what follows
uint64_t serial = 0;
std::vector<std::pair<unsigned char*, size_t>> shared;

/// Shared memory of the block that ended must not have been written beyond its ends.
void checkShared() {
  constexpr size_t kGuard = SharedArray<char, 1>::kGuard;
  for (const auto& [begin, bytes] : std::exchange(shared, {})) {
    if (firstChange(begin, kGuard) >= 0 || firstChange(begin + bytes - kGuard, kGuard) >= 0) throw Fault{"wrote outside of shared memory"};
  }
}

}  // namespace

uint64_t blockSerial() { return serial; }

void addShared(void* begin, size_t bytes) {
  poison(begin, bytes);
  shared.emplace_back(static_cast<unsigned char*>(begin), bytes);
}

void syncBlock() {
  if (!running) throw Fault{"__syncthreads() in code that was launched by forEach()"};
  running->barrier();
}

uint64_t exchangeInWarp(unsigned mask, uint64_t bits, int lane) {
  if (!running) throw Fault{"threads of a warp exchange values in code that was launched by forEach()"};
  return running->exchange(mask, bits, lane);
}

void runThreads(int64_t n, const Rows& rows, std::minstd_rand& chance) {
  constexpr int64_t kPiece = 1024;
  const int64_t pieces = (n + kPiece - 1) / kPiece, first = int64_t(chance()) % pieces;
  const bool backwards = chance() % 2;
  for (int64_t k = 0; k < pieces; ++k) {
    const int64_t piece = (backwards ? first + pieces - k : first + k) % pieces, begin = piece * kPiece, count = std::min(kPiece, n - begin);
    if (backwards) rows(begin + count - 1, count, -1);
    else rows(begin, count, 1);
  }
}

void runBlocks(int64_t blocks, unsigned threads, const std::function<void(int64_t)>& body, std::minstd_rand& chance) {
  const int64_t first = int64_t(chance()) % blocks;
  const bool backwards = chance() % 2;
  blockDim = {threads, 1, 1};
  for (int64_t k = 0; k < blocks; ++k) {
    const int64_t b = (backwards ? first + blocks - k : first + k) % blocks;
    ++serial;
    const std::function<void()> thread = [&body, b] { body(b); };
    Block block(threads, thread);
    running = &block;
    try {
      block.run(chance);
    } catch (...) {
      running = nullptr;
      shared.clear();
      throw;
    }
    running = nullptr;
    checkShared();
  }
}

}  // namespace weft::cuda::host
