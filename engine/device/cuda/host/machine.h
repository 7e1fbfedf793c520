#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "device/cuda/host/memory.h"
#include "weft/mutex.h"

namespace weft::cuda::host {

/// Raised by device code that does what a GPU would not survive. Caught where the operation runs; it becomes the machine's error.
struct Fault {
  std::string what;
};

/// A point in a stream that others can wait for.
struct Ticket {
  Stream* stream = nullptr;
  bool passed = false;
  double seconds = 0;  ///< When it was passed, on the steady clock.
};

class Event {
 public:
  explicit Event(int device) : device(device) {}
  const int device;
  std::shared_ptr<Ticket> last;  ///< Of the last cudaEventRecord; null before.
};

/// Work queued in order. Nothing runs before somebody waits for it, or too much of it is queued: the latest moment that CUDA allows.
class Stream {
 public:
  explicit Stream(int device) : device_(device) {}
  int device() const { return device_; }

 private:
  friend class Machine;
  struct Operation {
    std::string name;
    std::function<void()> work;            // or:
    std::shared_ptr<Ticket> waits, marks;  // waits for the ticket; marks it as passed
  };
  const int device_;
  std::deque<Operation> queue_;
};

/// The devices of the host build: their memory, their streams, and the errors of what ran. Work runs in the thread that waits, one operation at a time.
class Machine {
 public:
  static Machine& instance();
  /// Whether the environment's WEFT_GPU_HOST_FAULT asks for this fault: `driver` (too old), `capability` (too low), `cudnn` (too old).
  static bool broken(const char* what);
  Mutex& mutex() WEFT_RETURNS_MUTEX(mutex_) { return mutex_; }

  int deviceCount() const { return int(memories_.size()); }
  DeviceMemory& memory(int device) WEFT_REQUIRES(mutex_) { return *memories_[size_t(device)]; }
  /// The device whose memory contains the address; -1: none.
  int ownerOf(const void* address) const WEFT_REQUIRES(mutex_);

  Stream* addStream(int device) WEFT_REQUIRES(mutex_);
  void removeStream(Stream* s) WEFT_REQUIRES(mutex_);
  void queue(Stream* s, std::string name, std::function<void()> work) WEFT_REQUIRES(mutex_);
  void record(Event* e, Stream* s) WEFT_REQUIRES(mutex_);
  void wait(Stream* s, const Event& e) WEFT_REQUIRES(mutex_);
  /// Runs what is needed for the stream to be empty, or for the ticket to be passed; and, by chance, some of what is not.
  void finish(Stream* s) WEFT_REQUIRES(mutex_);
  void finish(const Ticket& t) WEFT_REQUIRES(mutex_);
  void finishAll() WEFT_REQUIRES(mutex_);
  /// Runs a few operations of any stream, as time would.
  void passTime() WEFT_REQUIRES(mutex_);
  bool idle(const Stream* s) const WEFT_REQUIRES(mutex_) { return s->queue_.empty(); }

  /// The first fault since the machine started; it stays, as a GPU's does. Empty: none.
  const std::string& fault() const WEFT_REQUIRES(mutex_) { return fault_; }
  void fail(const std::string& what) WEFT_REQUIRES(mutex_);
  /// For tests that plant faults: drops what is queued, and the fault.
  void recover() WEFT_REQUIRES(mutex_);
  void setChance(uint32_t seed) WEFT_REQUIRES(mutex_) { chance_.seed(seed | 1); }
  /// Whether other streams go on, by chance, while one is waited for.
  void setOthersGoOn(bool on) WEFT_REQUIRES(mutex_) { othersGoOn_ = on; }
  uint32_t random(uint32_t below) WEFT_REQUIRES(mutex_) { return uint32_t(chance_()) % below; }
  std::minstd_rand& chance() WEFT_REQUIRES(mutex_) { return chance_; }

 private:
  Machine();
  void step(Stream* s) WEFT_REQUIRES(mutex_);
  void run(const Stream::Operation& operation) WEFT_REQUIRES(mutex_);
  Mutex mutex_;
  std::vector<std::unique_ptr<DeviceMemory>> memories_;
  std::vector<std::unique_ptr<Stream>> streams_ WEFT_GUARDED_BY(mutex_);
  std::minstd_rand chance_ WEFT_GUARDED_BY(mutex_);
  size_t queued_ WEFT_GUARDED_BY(mutex_) = 0;
  bool othersGoOn_ WEFT_GUARDED_BY(mutex_) = true;
  size_t untilLost_ WEFT_GUARDED_BY(mutex_) = 0;  ///< With WEFT_GPU_HOST_FAULT=lost:N: how many operations are left; 0: no end.
  std::string fault_ WEFT_GUARDED_BY(mutex_);
};

/// Runs one launch (blocks.cpp). REQUIRES: the machine's mutex.
void runThreads(int64_t n, const Rows& rows, std::minstd_rand& chance);
void runBlocks(int64_t blocks, unsigned threads, const std::function<void(int64_t)>& body, std::minstd_rand& chance);

}  // namespace weft::cuda::host
