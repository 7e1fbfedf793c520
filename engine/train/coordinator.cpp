#include "weft/coordinator.h"

#include <algorithm>
#include <condition_variable>
#include <list>
#include <mutex>
#include <thread>

namespace weft {

struct Coordinator::Impl {
  struct Worker {
    std::string name;
    std::thread thread;
    bool ended = false;  // guarded by mutex
  };
  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  bool stop = false;  // guarded by mutex, as what follows
  Status error;
  std::list<Worker> workers;

  bool allEnded() const {
    return std::all_of(workers.begin(), workers.end(), [](const Worker& w) { return w.ended; });
  }
  void requestStop(Status why) {
    const std::lock_guard lock(mutex);
    if (!stop && !why.ok() && why.code() != Code::OutOfRange) error = std::move(why);
    stop = true;  // later failures are consequences of the stop
    changed.notify_all();
  }
};

Coordinator::Coordinator() : impl_(std::make_shared<Impl>()) {}

Coordinator::~Coordinator() {
  requestStop();
  const std::lock_guard lock(impl_->mutex);
  for (Impl::Worker& w : impl_->workers) {
    if (w.thread.joinable()) w.thread.detach();
  }
}

void Coordinator::requestStop(Status why) { impl_->requestStop(std::move(why)); }

bool Coordinator::Sign::shouldStop() const {
  const auto* impl = static_cast<const Impl*>(impl_.get());
  const std::lock_guard lock(impl->mutex);
  return impl->stop;
}

bool Coordinator::Sign::waitForStop(std::chrono::milliseconds most) const {
  const auto* impl = static_cast<const Impl*>(impl_.get());
  std::unique_lock lock(impl->mutex);
  const auto stopped = [&] { return impl->stop; };
  if (most.count() >= 0) return impl->changed.wait_for(lock, most, stopped);
  impl->changed.wait(lock, stopped);
  return true;
}

void Coordinator::start(std::string name, std::function<Status()> body) {
  const std::lock_guard lock(impl_->mutex);
  Impl::Worker& worker = impl_->workers.emplace_back();
  worker.name = std::move(name);
  // The thread keeps what it needs: it may outlive the coordinator. Workers stay where they are until the list is cleared by join().
  worker.thread = std::thread([impl = impl_, w = &worker, body = std::move(body)] {
    Status status = body();
    if (!status.ok()) impl->requestStop(std::move(status));
    const std::lock_guard ended(impl->mutex);
    w->ended = true;
    impl->changed.notify_all();
  });
}

Status Coordinator::join(std::chrono::milliseconds grace) {
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait(lock, [&] { return impl_->stop || impl_->allEnded(); });
  impl_->changed.wait_for(lock, grace, [&] { return impl_->allEnded(); });
  std::string running;
  std::list<Impl::Worker> done;
  for (auto w = impl_->workers.begin(); w != impl_->workers.end();) {
    const auto next = std::next(w);
    if (w->ended) {
      done.splice(done.end(), impl_->workers, w);
    } else {
      running += (running.empty() ? "" : " ") + w->name;
      if (w->thread.joinable()) w->thread.detach();
    }
    w = next;
  }
  const Status error = impl_->error;
  lock.unlock();
  for (Impl::Worker& w : done) {
    if (w.thread.joinable()) w.thread.join();
  }
  if (!error.ok()) return error;
  if (!running.empty()) return internalError("Coordinator stopped with threads still running: ", running);
  return {};
}

void Coordinator::clearStop() {
  const std::lock_guard lock(impl_->mutex);
  impl_->stop = false;
  impl_->error = Status();
}

}  // namespace weft
