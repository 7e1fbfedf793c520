#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>

#include "weft/mutex.h"

namespace weft::rpc {

/// Waits for sockets, times and posted work, on as many threads as call next(). A socket is reported once each time that it is armed.
class Poller {
 public:
  using Clock = std::chrono::steady_clock;
  class Watched {
   public:
    virtual ~Watched() = default;
    /// `events`: of epoll.
    virtual void ready(uint32_t events) = 0;
  };
  /// What a thread shall do: call `watched->ready(events)`, or `work`. Neither: the poller has stopped.
  struct Task {
    std::shared_ptr<Watched> watched;
    uint32_t events = 0;
    std::function<void()> work;
  };

  Poller();
  ~Poller();
  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  /// Keeps `watched` until remove(). Armed for `events` (EPOLLIN, EPOLLOUT).
  uint64_t add(int fd, uint32_t events, std::shared_ptr<Watched> watched);
  void arm(uint64_t id, int fd, uint32_t events);
  void remove(uint64_t id, int fd);

  void post(std::function<void()> work);
  /// Posts `work` at a time. The number takes it back.
  uint64_t at(Clock::time_point time, std::function<void()> work);
  void forget(uint64_t timer);

  /// Waits for a task. Thread-safe.
  Task next();
  /// All threads return from next() with nothing to do.
  void stop();

 private:
  struct Timer {
    uint64_t number;
    std::function<void()> work;
  };
  /// Work that is due; and in milliseconds how long to wait for more, -1: for ever.
  std::function<void()> due(int* wait);
  void wake();

  const int epoll_, wake_;
  std::atomic<bool> stopped_{false};
  Mutex mutex_;
  std::map<uint64_t, std::shared_ptr<Watched>> watched_ WEFT_GUARDED_BY(mutex_);
  std::deque<std::function<void()>> posted_ WEFT_GUARDED_BY(mutex_);
  std::multimap<Clock::time_point, Timer> timers_ WEFT_GUARDED_BY(mutex_);
  Clock::time_point until_ WEFT_GUARDED_BY(mutex_) = Clock::time_point::max();  ///< When a thread that waits looks for timers next.
  uint64_t made_ WEFT_GUARDED_BY(mutex_) = 1;
};

}  // namespace weft::rpc
