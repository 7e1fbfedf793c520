#include "weft/coordinator.h"

#include <algorithm>
#include <list>
#include <thread>

#include "weft/cond_var.h"

namespace weft {

struct Coordinator::Impl {
  struct Worker {
    std::string name;
    std::thread thread;
    bool ended = false;  // guarded by the mutex below
  };
  mutable Mutex mutex;
  mutable CondVar changed;
  bool stop WEFT_GUARDED_BY(mutex) = false;
  Status error WEFT_GUARDED_BY(mutex);
  std::list<Worker> workers WEFT_GUARDED_BY(mutex);

  bool allEnded() const WEFT_REQUIRES(mutex) {
    return std::all_of(workers.begin(), workers.end(), [](const Worker& w) { return w.ended; });
  }
  void requestStop(Status why) {
    const MutexLock lock(mutex);
    if (!stop && !why.ok() && why.code() != Code::OutOfRange) error = std::move(why);
    stop = true;  // later failures are consequences of the stop
    changed.notify_all();
  }
};

Coordinator::Coordinator() : impl_(std::make_shared<Impl>()) {}

Coordinator::~Coordinator() {
  requestStop();
  const MutexLock lock(impl_->mutex);
  for (Impl::Worker& w : impl_->workers) {
    if (w.thread.joinable()) w.thread.detach();
  }
}

void Coordinator::requestStop(Status why) { impl_->requestStop(std::move(why)); }

bool Coordinator::Sign::shouldStop() const {
  const auto* impl = static_cast<const Impl*>(impl_.get());
  const MutexLock lock(impl->mutex);
  return impl->stop;
}

bool Coordinator::Sign::waitForStop(std::chrono::milliseconds most) const {
  const auto* impl = static_cast<const Impl*>(impl_.get());
  const MutexLock lock(impl->mutex);
  const auto stopped = [&]() WEFT_REQUIRES(impl->mutex) { return impl->stop; };
  if (most.count() >= 0) return impl->changed.wait_for(impl->mutex, most, stopped);
  impl->changed.wait(impl->mutex, stopped);
  return true;
}

void Coordinator::start(std::string name, std::function<Status()> body) {
  const MutexLock lock(impl_->mutex);
  Impl::Worker& worker = impl_->workers.emplace_back();
  worker.name = std::move(name);
  // The thread shares ownership of the state, because it may outlive the coordinator. Workers keep their addresses until join() clears the list.
  worker.thread = std::thread([impl = impl_, w = &worker, body = std::move(body)] {
    Status status = body();
    if (!status.ok()) impl->requestStop(std::move(status));
    const MutexLock ended(impl->mutex);
    w->ended = true;
    impl->changed.notify_all();
  });
}

Status Coordinator::join(std::chrono::milliseconds grace) {
  Status error;
  std::string running;
  std::list<Impl::Worker> done;
  {
    const MutexLock lock(impl_->mutex);
    impl_->changed.wait(impl_->mutex, [&]() WEFT_REQUIRES(impl_->mutex) { return impl_->stop || impl_->allEnded(); });
    impl_->changed.wait_for(impl_->mutex, grace, [&]() WEFT_REQUIRES(impl_->mutex) { return impl_->allEnded(); });
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
    error = impl_->error;
  }
  for (Impl::Worker& w : done) {
    if (w.thread.joinable()) w.thread.join();
  }
  if (!error.ok()) return error;
  if (!running.empty()) return internalError("Coordinator stopped with threads still running: ", running);
  return {};
}

void Coordinator::clearStop() {
  const MutexLock lock(impl_->mutex);
  impl_->stop = false;
  impl_->error = Status();
}

}  // namespace weft
