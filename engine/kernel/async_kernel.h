#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "kernel/kernel.h"
#include "weft/cond_var.h"

namespace weft {

/// A kernel that may have to wait for something that other runs, or other nodes of its own run, do: a place or an element in a queue.
/// The dataflow executor starts it, goes on with other nodes, and sleeps only when nothing else is left.
class WEFT_API AsyncKernel : public Kernel {
 public:
  using Outputs = std::vector<Tensor>;
  /// Takes the outputs, in order, or why there are none. Called exactly once, from any thread, perhaps before start() returns.
  using Done = std::function<void(Result<Outputs>)>;
  /// Ends the wait: Done is called with CANCELLED now unless it was, or is being, called already. Safe to call later, too.
  using Cancel = std::function<void()>;

  /// Begins. `c` and its tensors are there during the call only; `done` and what is returned may outlive kernel and run. An empty Cancel
  /// says that nothing waits.
  virtual Cancel start(KernelContext& c, Done done) = 0;
  /// For executors that have nothing else to do meanwhile: starts, and sleeps until it is done or the run is cancelled.
  Status compute(KernelContext& c) final;
};

/// A factory for an asynchronous kernel without state. What `begin` returns as an error is handed to `done`, which it then has not called.
WEFT_API KernelFactory asyncKernel(Result<AsyncKernel::Cancel> (*begin)(KernelContext& c, const AsyncKernel::Done& done));

/// What kernels that were started have handed in, by number; shared by the run that waits and by those who wake it.
class Mailbox {
 public:
  struct Letter {
    int64_t number;
    Result<AsyncKernel::Outputs> outputs;
  };

  /// The callback that delivers for `number`.
  static AsyncKernel::Done slot(std::shared_ptr<Mailbox> box, int64_t number);
  /// What has come; without waiting, or after at most `ms` milliseconds if nothing is there yet.
  std::vector<Letter> take(int64_t ms = 0);

 private:
  Mutex mutex_;
  CondVar came_;
  std::vector<Letter> letters_ WEFT_GUARDED_BY(mutex_);
};

/// How long a sleeping run may take to notice that it was cancelled: flags of callers have no bell.
inline constexpr int64_t kWakeMs = 10;

}  // namespace weft
