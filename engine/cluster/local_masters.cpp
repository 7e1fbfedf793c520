#include "cluster/local_masters.h"

#include <chrono>
#include <map>
#include <thread>

#include "weft/cond_var.h"
#include "weft/mutex.h"

namespace weft::cluster {
namespace {

struct Known {
  Mutex mutex;
  std::map<std::string, std::weak_ptr<Master>> masters WEFT_GUARDED_BY(mutex);
};

Known& known() {
  static auto* all = new Known;
  return *all;
}

/// Looks at tokens every 10 ms on a thread of its own. Waking it for each step would cost more than the step, so it stays awake for a while after the last one.
class TokenWatch {
 public:
  static TokenWatch& instance() {
    static auto* watch = new TokenWatch;
    return *watch;
  }

  int64_t add(const CancellationToken& from, const CancellationToken& to) {
    const MutexLock lock(mutex_);
    pairs_.emplace(++made_, std::pair(from, to));
    if (asleep_) changed_.notify_one();
    return made_;
  }
  void remove(int64_t number) {
    const MutexLock lock(mutex_);
    pairs_.erase(number);
  }

 private:
  static constexpr std::chrono::milliseconds kPeriod{10};
  static constexpr int kIdlePeriods = 100;

  TokenWatch() {
    std::thread([this] { run(); }).detach();
  }
  void run() {
    int idle = 0;
    const MutexLock lock(mutex_);
    for (int64_t seen = 0;; seen = made_) {
      idle = pairs_.empty() && seen == made_ ? idle + 1 : 0;
      asleep_ = idle > kIdlePeriods;
      if (asleep_) changed_.wait(mutex_);
      else changed_.wait_for(mutex_, kPeriod);
      for (const auto& [number, pair] : pairs_)
        if (pair.first.cancelled()) pair.second.cancel();
    }
  }

  Mutex mutex_;
  CondVar changed_;
  std::map<int64_t, std::pair<CancellationToken, CancellationToken>> pairs_ WEFT_GUARDED_BY(mutex_);
  int64_t made_ WEFT_GUARDED_BY(mutex_) = 0;
  bool asleep_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace

LocalMasters::Entry::Entry(std::vector<std::string> addresses, std::weak_ptr<Master> master) : addresses_(std::move(addresses)) {
  const MutexLock lock(known().mutex);
  for (const std::string& address : addresses_) known().masters[address] = master;
}

LocalMasters::Entry::~Entry() {
  const MutexLock lock(known().mutex);
  for (const std::string& address : addresses_) known().masters.erase(address);
}

std::shared_ptr<Master> LocalMasters::find(const std::string& address) {
  const MutexLock lock(known().mutex);
  const auto it = known().masters.find(address);
  return it == known().masters.end() ? nullptr : it->second.lock();
}

CancellationRelay::CancellationRelay(const CancellationToken& from, const CancellationToken& to) : number_(TokenWatch::instance().add(from, to)) {}
CancellationRelay::~CancellationRelay() { TokenWatch::instance().remove(number_); }

}  // namespace weft::cluster
