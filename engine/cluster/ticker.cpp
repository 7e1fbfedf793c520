#include "cluster/ticker.h"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "weft/cond_var.h"
#include "weft/mutex.h"

namespace weft::cluster {
namespace {

constexpr std::chrono::milliseconds kTick{10};
constexpr int kIdleTicks = 100;

class TickerThread {
 public:
  TickerThread() {
    std::thread([this] { run(); }).detach();
  }
  void once(std::function<void()> work) {
    const MutexLock lock(mutex_);
    work_.push_back(std::move(work));
    if (asleep_) changed_.notify_one();
  }

 private:
  void run() {
    int idle = 0;
    while (true) {
      std::vector<std::function<void()>> work;
      {
        const MutexLock lock(mutex_);
        asleep_ = work_.empty() && idle > kIdleTicks;
        if (asleep_) changed_.wait(mutex_);
        else changed_.wait_for(mutex_, kTick);
        asleep_ = false;
        work.swap(work_);
      }
      idle = work.empty() ? idle + 1 : 0;
      for (const auto& f : work) f();
    }
  }

  Mutex mutex_;
  CondVar changed_;
  std::vector<std::function<void()>> work_ WEFT_GUARDED_BY(mutex_);
  bool asleep_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace

void Ticker::once(std::function<void()> work) {
  static auto* thread = new TickerThread;  // lives as long as the process
  thread->once(std::move(work));
}

}  // namespace weft::cluster
