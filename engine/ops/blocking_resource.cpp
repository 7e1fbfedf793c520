#include "ops/blocking_resource.h"

#include <algorithm>

namespace weft {

AsyncKernel::Cancel BlockingResource::submit(Attempt attempt, AsyncKernel::Done done, std::string cancelled) {
  int64_t number;
  {
    const MutexLock lock(mutex_);
    number = next_++;
    waiters_.push_back({number, std::move(attempt), std::move(done), std::move(cancelled)});
  }
  settle();
  return [self = shared_from_this(), number] { self->cancel(number); };
}

void BlockingResource::settle() {
  std::vector<std::pair<AsyncKernel::Done, Result<Outputs>>> finished;
  {
    const MutexLock lock(mutex_);
    bool moved = true;
    while (moved) {
      moved = false;
      for (auto it = waiters_.begin(); it != waiters_.end();) {
        std::optional<Result<Outputs>> outcome = it->attempt();
        if (!outcome) {
          ++it;
          continue;
        }
        moved = true;
        finished.emplace_back(std::move(it->done), std::move(*outcome));
        it = waiters_.erase(it);
      }
    }
  }
  for (auto& [done, outcome] : finished) done(std::move(outcome));
}

void BlockingResource::cancel(int64_t number) {
  std::optional<Waiter> ended;
  {
    const MutexLock lock(mutex_);
    const auto it = std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& w) { return w.number == number; });
    if (it == waiters_.end()) return;
    ended = std::move(*it);
    waiters_.erase(it);
  }
  ended->done(cancelledError(ended->cancelled));
}

}  // namespace weft
