#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "kernel/kernel.h"
#include "weft/cond_var.h"

namespace weft {

/// A kernel that may have to wait for other runs or other nodes of the same run, for example for space or an element in a queue. The dataflow executor starts
/// it, continues with other nodes, and sleeps only when nothing else is left.
class WEFT_API AsyncKernel : public Kernel {
 public:
  /// An output without a value is dead.
  using Outputs = std::vector<Tensor>;
  /// Receives the outputs, in order, or the error. Called exactly once, from any thread, possibly before start() returns.
  using Done = std::function<void(Result<Outputs>)>;
  /// Ends the wait: calls Done with CANCELLED unless Done has been called or is being called. Safe to call at any later time.
  using Cancel = std::function<void()>;

  /// Starts the computation. `c` and its tensors are valid during the call only; `done` and the returned Cancel may outlive kernel and run. An empty Cancel
  /// means that nothing is waiting.
  virtual Cancel start(KernelContext& c, Done done) = 0;
  /// For executors without other work meanwhile: starts, then sleeps until the kernel is done or the run is cancelled.
  Status compute(KernelContext& c) final;
};

/// A factory for an asynchronous kernel without state. An error returned by `begin` is passed to `done`, which `begin` must not have called in that case.
WEFT_API KernelFactory asyncKernel(Result<AsyncKernel::Cancel> (*begin)(KernelContext& c, const AsyncKernel::Done& done));

/// Results delivered by started kernels, by number. Shared by the waiting run and the threads that deliver.
class Mailbox {
 public:
  struct Letter {
    int64_t number;
    Result<AsyncKernel::Outputs> outputs;
  };

  /// The callback that delivers the result of kernel `number`.
  static AsyncKernel::Done slot(std::shared_ptr<Mailbox> box, int64_t number);
  /// Takes all delivered results. If there are none, waits at most `ms` milliseconds.
  std::vector<Letter> take(int64_t ms = 0);

 private:
  Mutex mutex_;
  CondVar came_;
  std::vector<Letter> letters_ WEFT_GUARDED_BY(mutex_);
};

/// How long a sleeping run may take to notice its cancellation: a caller's flag cannot wake it, so it is polled.
inline constexpr int64_t kWakeMs = 10;

}  // namespace weft
