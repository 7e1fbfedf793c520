// A small thread pool with standard-library locks instead of QThreadPool's. ThreadSanitizer sees these locks (Debian's Qt is not instrumented), and a lock also
// tells a result whether its receiver still exists.
#include "common/background.h"

#include <QCoreApplication>
#include <QMetaObject>
#include <QObject>
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::widgets {
namespace {

class Workers {
 public:
  ~Workers() {
    {
      const std::lock_guard lock(mutex_);
      quit_ = true;
      queue_.clear();
    }
    wake_.notify_all();
    for (std::thread& t : threads_) t.join();
  }
  void add(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(work));
      if (idle_ == 0 && threads_.size() < most_) threads_.emplace_back([this] { loop(); });
    }
    wake_.notify_one();
  }

 private:
  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      ++idle_;
      wake_.wait(lock, [this] { return quit_ || !queue_.empty(); });
      --idle_;
      if (quit_) return;
      std::function<void()> work = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      work();
      work = nullptr;  // its captures are released here, outside the lock
      lock.lock();
    }
  }

  const std::size_t most_ = std::clamp(std::thread::hardware_concurrency(), 2u, 4u);
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> queue_;
  std::vector<std::thread> threads_;
  int idle_ = 0;
  bool quit_ = false;
};

std::mutex workersMutex;
std::unique_ptr<Workers> theWorkers;  // guarded by workersMutex

/// The pool ends with the application, because its threads may use Qt's static objects, which are destroyed later.
void addWork(std::function<void()> work) {
  const std::lock_guard lock(workersMutex);
  if (!theWorkers) {
    theWorkers = std::make_unique<Workers>();
    qAddPostRoutine([] {
      std::unique_ptr<Workers> last;
      const std::unique_lock lock(workersMutex);
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
    std::mutex mutex;
    Relay* relay = nullptr;  // null: the receiver was destroyed
  };

  Relay(QObject* receiver, std::function<void()> done) : QObject(receiver), done_(std::move(done)), link_(std::make_shared<Link>()) { link_->relay = this; }
  ~Relay() override {
    const std::lock_guard lock(link_->mutex);
    link_->relay = nullptr;
  }
  const std::shared_ptr<Link>& link() const { return link_; }

  Q_INVOKABLE void deliver() {
    { const std::lock_guard lock(link_->mutex); }  // makes all writes of the worker visible from here on
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
    const std::lock_guard lock(link->mutex);
    if (link->relay) QMetaObject::invokeMethod(link->relay, "deliver", Qt::QueuedConnection);
  });
}

}  // namespace weft::widgets

#include "background.moc"
