#include "cluster/local_masters.h"

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

/// Looks at each tick, until the relay is gone.
void look(const std::weak_ptr<const std::pair<CancellationToken, CancellationToken>>& tokens) {
  const auto known = tokens.lock();
  if (!known) return;
  if (known->first.cancelled()) known->second.cancel();
  else Ticker::once([tokens] { look(tokens); });
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

CancellationRelay::CancellationRelay(const CancellationToken& from, const CancellationToken& to)
    : tokens_(std::make_shared<const std::pair<CancellationToken, CancellationToken>>(from, to)) {
  Ticker::once([tokens = std::weak_ptr(tokens_)] { look(tokens); });
}

}  // namespace weft::cluster
