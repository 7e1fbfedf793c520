#pragma once

#include <chrono>
#include <condition_variable>

#include "weft/mutex.h"

namespace weft {

/// std::condition_variable for a weft::Mutex. Its functions are named and behave as the standard's, but take the mutex, which the caller holds before and after.
/// A condition given as a lambda states the mutex as well: `came_.wait(mutex_, [this]() WEFT_REQUIRES(mutex_) { return !letters_.empty(); })`.
class CondVar {
 public:
  CondVar() = default;
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

  void wait(Mutex& mutex) WEFT_REQUIRES(mutex) {
    Held held(mutex);
    condition_.wait(held.lock);
  }
  template <typename Duration>
  std::cv_status wait_for(Mutex& mutex, const Duration& duration) WEFT_REQUIRES(mutex) {
    Held held(mutex);
    return condition_.wait_for(held.lock, duration);
  }
  template <typename Time>
  std::cv_status wait_until(Mutex& mutex, const Time& time) WEFT_REQUIRES(mutex) {
    Held held(mutex);
    return condition_.wait_until(held.lock, time);
  }

  /// These wait until `done` holds, which is called under the mutex; with a limit they return what it said last.
  template <typename Done>
  void wait(Mutex& mutex, Done done) WEFT_REQUIRES(mutex) {
    Held held(mutex);
    condition_.wait(held.lock, std::move(done));
  }
  template <typename Duration, typename Done>
  bool wait_for(Mutex& mutex, const Duration& duration, Done done) WEFT_REQUIRES(mutex) {
    Held held(mutex);
    return condition_.wait_for(held.lock, duration, std::move(done));
  }
  template <typename Time, typename Done>
  bool wait_until(Mutex& mutex, const Time& time, Done done) WEFT_REQUIRES(mutex) {
    Held held(mutex);
    return condition_.wait_until(held.lock, time, std::move(done));
  }

 private:
  /// The lock that the standard's functions want, for a mutex that stays locked afterwards.
  struct Held {
    explicit Held(Mutex& mutex) : lock(mutex.mutex_, std::adopt_lock) {}
    ~Held() { lock.release(); }
    std::unique_lock<std::mutex> lock;
  };
  std::condition_variable condition_;
};

}  // namespace weft
