#include "rpc/poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace weft::rpc {
namespace {

constexpr uint64_t kWake = 0;  // no socket has this number

int descriptor(int fd, const char* what) {
  if (fd < 0) throw std::system_error(errno, std::generic_category(), what);
  return fd;
}

}  // namespace

Poller::Poller()
    : epoll_(descriptor(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wake_(descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE), "eventfd")) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = kWake;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, wake_, &event);
}

Poller::~Poller() {
  ::close(wake_);
  ::close(epoll_);
}

uint64_t Poller::add(int fd, uint32_t events, std::shared_ptr<Watched> watched) {
  uint64_t id = 0;
  {
    const MutexLock lock(mutex_);
    id = made_++;
    watched_[id] = std::move(watched);
  }
  epoll_event event{};
  event.events = events | EPOLLONESHOT;
  event.data.u64 = id;
  ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  return id;
}

void Poller::arm(uint64_t id, int fd, uint32_t events) {
  epoll_event event{};
  event.events = events | EPOLLONESHOT;
  event.data.u64 = id;
  ::epoll_ctl(epoll_, EPOLL_CTL_MOD, fd, &event);
}

void Poller::remove(uint64_t id, int fd) {
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
  std::shared_ptr<Watched> dropped;  // destroyed outside the lock
  const MutexLock lock(mutex_);
  if (const auto it = watched_.find(id); it != watched_.end()) {
    dropped = std::move(it->second);
    watched_.erase(it);
  }
}

void Poller::wake() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_, &one, sizeof(one));
}

void Poller::post(std::function<void()> work) {
  {
    const MutexLock lock(mutex_);
    posted_.push_back(std::move(work));
  }
  wake();
}

uint64_t Poller::at(Clock::time_point time, std::function<void()> work) {
  uint64_t number = 0;
  bool first = false;
  {
    const MutexLock lock(mutex_);
    number = made_++;
    timers_.emplace(time, Timer{number, std::move(work)});
    first = time < until_;
  }
  if (first) wake();  // who waits, waits too long
  return number;
}

void Poller::forget(uint64_t number) {
  std::function<void()> dropped;
  const MutexLock lock(mutex_);
  const auto it = std::find_if(timers_.begin(), timers_.end(), [&](const auto& entry) { return entry.second.number == number; });
  if (it == timers_.end()) return;
  dropped = std::move(it->second.work);
  timers_.erase(it);
}

std::function<void()> Poller::due(int* wait) {
  std::function<void()> work;
  const MutexLock lock(mutex_);
  *wait = -1;
  if (!posted_.empty()) {
    work = std::move(posted_.front());
    posted_.pop_front();
  } else if (!timers_.empty()) {
    const auto left = timers_.begin()->first - Clock::now();
    if (left.count() <= 0) {
      work = std::move(timers_.begin()->second.work);
      timers_.erase(timers_.begin());
    } else {
      *wait = int(std::min<int64_t>(std::chrono::ceil<std::chrono::milliseconds>(left).count(), 60'000));
    }
  }
  if (!work) until_ = *wait < 0 ? Clock::time_point::max() : Clock::now() + std::chrono::milliseconds(*wait);
  return work;
}

Poller::Task Poller::next() {
  while (!stopped_) {
    int wait = -1;
    Task task;
    task.work = due(&wait);
    if (task.work) return task;
    epoll_event event{};
    if (::epoll_wait(epoll_, &event, 1, wait) <= 0) continue;
    const uint64_t id = event.data.u64;  // the field is packed
    if (id == kWake) {
      uint64_t count = 0;
      if (!stopped_) [[maybe_unused]]
        const ssize_t taken = ::read(wake_, &count, sizeof(count));
      continue;
    }
    task.events = event.events;
    const MutexLock lock(mutex_);
    if (const auto it = watched_.find(id); it != watched_.end()) {
      task.watched = it->second;
      return task;
    }
  }
  return {};
}

void Poller::stop() {
  stopped_ = true;
  wake();  // stays readable, because nobody takes it any more
}

}  // namespace weft::rpc
