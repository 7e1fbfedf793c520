#include "runtime/session_internals.h"

#include <map>
#include <mutex>

namespace weft {
namespace {

struct Sessions {
  std::mutex mutex;
  std::map<const Session*, const SessionState*> alive;  // guarded by mutex
};
/// Never destroyed: sessions may end after statics do.
Sessions& sessions() {
  static auto* const all = new Sessions;
  return *all;
}

}  // namespace

void SessionInternals::add(const Session& session, const SessionState& state) {
  const std::lock_guard lock(sessions().mutex);
  sessions().alive[&session] = &state;
}

void SessionInternals::remove(const Session& session) {
  const std::lock_guard lock(sessions().mutex);
  sessions().alive.erase(&session);
}

void SessionInternals::with(const Session& session, const std::function<void(const SessionState&)>& f) {
  const std::lock_guard lock(sessions().mutex);
  if (const auto it = sessions().alive.find(&session); it != sessions().alive.end()) f(*it->second);
}

}  // namespace weft
