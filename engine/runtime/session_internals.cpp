#include "runtime/session_internals.h"

#include <map>
#include <mutex>

namespace weft {
namespace {

struct Sessions {
  std::mutex mutex;
  struct Parts {
    const SessionState* state;
    std::shared_ptr<PartialRuns> partialRuns;
  };
  std::map<const Session*, Parts> alive;  // guarded by mutex
};
/// Never destroyed: sessions may end after statics do.
Sessions& sessions() {
  static auto* const all = new Sessions;
  return *all;
}

}  // namespace

void SessionInternals::add(const Session& session, const SessionState& state, std::shared_ptr<PartialRuns> partialRuns) {
  const std::lock_guard lock(sessions().mutex);
  sessions().alive[&session] = {&state, std::move(partialRuns)};
}

void SessionInternals::remove(const Session& session) {
  const std::lock_guard lock(sessions().mutex);
  sessions().alive.erase(&session);
}

void SessionInternals::with(const Session& session, const std::function<void(const SessionState&)>& f) {
  const std::lock_guard lock(sessions().mutex);
  if (const auto it = sessions().alive.find(&session); it != sessions().alive.end()) f(*it->second.state);
}

std::shared_ptr<PartialRuns> SessionInternals::partialRuns(const Session& session) {
  const std::lock_guard lock(sessions().mutex);
  const auto it = sessions().alive.find(&session);
  return it == sessions().alive.end() ? nullptr : it->second.partialRuns;
}

}  // namespace weft
