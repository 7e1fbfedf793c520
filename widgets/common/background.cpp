// A small thread pool with standard-library locks instead of QThreadPool's. ThreadSanitizer sees these locks (Debian's Qt is not instrumented), and a lock also
// tells a result whether its receiver still exists.
#include "common/background.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <algorithm>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "weft/cond_var.h"

namespace weft::widgets {
namespace {

class Workers {
 public:
  ~Workers() {
    {
      const MutexLock lock(mutex_);
      quit_ = true;
      queue_.clear();
    }
    wake_.notify_all();
    for (std::thread& t : threads_) t.join();
  }
  void add(std::function<void()> work) {
    {
      const MutexLock lock(mutex_);
      queue_.push_back(std::move(work));
      if (idle_ == 0 && threads_.size() < most_) threads_.emplace_back([this] { loop(); });
    }
    wake_.notify_one();
  }

 private:
  void loop() {
    for (;;) {
      std::function<void()> work;
      {
        const MutexLock lock(mutex_);
        ++idle_;
        wake_.wait(mutex_, [this]() WEFT_REQUIRES(mutex_) { return quit_ || !queue_.empty(); });
        --idle_;
        if (quit_) return;
        work = std::move(queue_.front());
        queue_.pop_front();
      }
      work();
    }
  }

  const std::size_t most_ = std::clamp(std::thread::hardware_concurrency(), 2u, 4u);
  Mutex mutex_;
  CondVar wake_;
  std::deque<std::function<void()>> queue_ WEFT_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ WEFT_GUARDED_BY(mutex_);
  int idle_ WEFT_GUARDED_BY(mutex_) = 0;
  bool quit_ WEFT_GUARDED_BY(mutex_) = false;
};

Mutex workersMutex;
std::unique_ptr<Workers> theWorkers WEFT_GUARDED_BY(workersMutex);

/// The pool ends with the application, because its threads may use Qt's static objects, which are destroyed later.
void addWork(std::function<void()> work) {
  const MutexLock lock(workersMutex);
  if (!theWorkers) {
    theWorkers = std::make_unique<Workers>();
    qAddPostRoutine([] {
      std::unique_ptr<Workers> last;
      const MutexLock lock(workersMutex);
      last = std::move(theWorkers);  // its threads are joined after the lock is released
    });
  }
  theWorkers->add(std::move(work));
}

/// Lives in the GUI thread as a child of the receiver; the worker reaches it through `Link`.
class Relay : public QObject {
  Q_OBJECT

 public:
  struct Link {
    Mutex mutex;
    Relay* relay WEFT_GUARDED_BY(mutex) = nullptr;  // null: the receiver was destroyed
  };

  Relay(QObject* receiver, std::function<void()> done) : QObject(receiver), done_(std::move(done)), link_(std::make_shared<Link>()) { link_->relay = this; }
  ~Relay() override {
    const MutexLock lock(link_->mutex);
    link_->relay = nullptr;
  }
  const std::shared_ptr<Link>& link() const { return link_; }

  Q_INVOKABLE void deliver() {
    { const MutexLock lock(link_->mutex); }  // makes all writes of the worker visible from here on
    done_();
    deleteLater();
  }

 private:
  std::function<void()> done_;
  std::shared_ptr<Link> link_;
};

}  // namespace

void inBackground(std::function<void()> work) { addWork(std::move(work)); }

void inBackground(QObject* receiver, std::function<void()> work, std::function<void()> done) {
  auto* relay = new Relay(receiver, std::move(done));
  addWork([link = relay->link(), work = std::move(work)] {
    work();
    const MutexLock lock(link->mutex);
    if (link->relay) QMetaObject::invokeMethod(link->relay, "deliver", Qt::QueuedConnection);
  });
}

}  // namespace weft::widgets

#include "background.moc"
