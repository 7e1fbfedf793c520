#include "document/edit_queue.h"

#include <QMetaObject>

namespace weft::app {

EditQueue::~EditQueue() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    quit_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void EditQueue::add(std::function<std::function<void()>()> prepare, std::function<void()> finish) {
  jobs_.push_back({std::move(prepare), std::move(finish)});
  if (!running_) next();
}

void EditQueue::next() {
  if (jobs_.empty()) {
    emit idle();
    return;
  }
  Job job = std::move(jobs_.front());
  jobs_.pop_front();
  running_ = true;
  std::function<void()> work = job.prepare();
  finish_ = std::move(job.finish);
  if (!work) {
    // Queued, so that all jobs end in the same way for callers.
    QMetaObject::invokeMethod(this, "ended", Qt::QueuedConnection);
    return;
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { loop(); });
  {
    const MutexLock lock(mutex_);
    work_ = std::move(work);
  }
  wake_.notify_one();
}

void EditQueue::ended() {
  { const MutexLock lock(mutex_); }
  running_ = false;
  if (auto finish = std::move(finish_)) finish();
  if (!running_) next();
}

void EditQueue::loop() {
  for (;;) {
    std::function<void()> work;
    {
      const MutexLock lock(mutex_);
      wake_.wait(mutex_, [this]() WEFT_REQUIRES(mutex_) { return quit_ || work_; });
      if (quit_) return;
      work = std::exchange(work_, nullptr);
    }
    work();
    work = nullptr;
    { const MutexLock lock(mutex_); }  // orders the work's writes before the reads in ended()
    QMetaObject::invokeMethod(this, "ended", Qt::QueuedConnection);
  }
}

}  // namespace weft::app
