#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/async_kernel.h"
#include "tensor/variable.h"
#include "weft/mutex.h"

namespace weft {

/// A session object for which ops may have to wait. Each op is an attempt. It is tried at once and, if it has to wait, again after every other attempt that
/// succeeded, in order of arrival.
class BlockingResource : public SessionResource, public std::enable_shared_from_this<BlockingResource> {
 public:
  using Outputs = AsyncKernel::Outputs;
  /// Called under the lock; returns the op's outcome, or nothing if it must wait.
  using Attempt = std::function<std::optional<Result<Outputs>>()>;

  /// REQUIRES: this object is owned by a shared_ptr. `cancelled` is the error message if the attempt is cancelled.
  AsyncKernel::Cancel submit(Attempt attempt, AsyncKernel::Done done, std::string cancelled);

 protected:
  mutable Mutex mutex_;

 private:
  struct Waiter {
    int64_t number;
    Attempt attempt;
    AsyncKernel::Done done;
    std::string cancelled;
  };
  void settle();
  void cancel(int64_t number);

  std::deque<Waiter> waiters_ WEFT_GUARDED_BY(mutex_);
  int64_t next_ WEFT_GUARDED_BY(mutex_) = 0;
};

}  // namespace weft
