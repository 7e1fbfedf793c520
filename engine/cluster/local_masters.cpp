#include "cluster/local_masters.h"

#include <chrono>
#include <map>

#include "cluster/ticker.h"
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

struct CancellationRelay::Watched {
  CancellationToken from, to;
  std::chrono::steady_clock::time_point until;
};

CancellationRelay::CancellationRelay(const CancellationToken& from, const CancellationToken& to, int64_t timeoutMs)
    : watched_(std::make_shared<const Watched>(Watched{
          from, to, timeoutMs > 0 ? std::chrono::steady_clock::now() + std::chrono::milliseconds(timeoutMs) : std::chrono::steady_clock::time_point::max()})) {
  Ticker::once([watched = std::weak_ptr(watched_)] { look(watched); });
}

bool CancellationRelay::late() const { return std::chrono::steady_clock::now() >= watched_->until; }

/// At each tick, until the relay is gone.
void CancellationRelay::look(const std::weak_ptr<const Watched>& watched) {
  const auto known = watched.lock();
  if (!known) return;
  if (known->from.cancelled() || std::chrono::steady_clock::now() >= known->until) known->to.cancel();
  else Ticker::once([watched] { look(watched); });
}

}  // namespace weft::cluster
