#pragma once

#include <functional>
#include <memory>

#include "runtime/session_state.h"
#include "weft/session.h"

namespace weft {

class PartialRuns;

/// The state of a session, for parts of the engine that look at one from outside. Sessions make themselves known while they live.
class SessionInternals {
 public:
  static void add(const Session& session, const SessionState& state, std::shared_ptr<PartialRuns> partialRuns);
  static void remove(const Session& session);
  /// The partial runs of `session`; null if it has ended.
  static std::shared_ptr<PartialRuns> partialRuns(const Session& session);
  /// Calls `f` with the state of `session`, which cannot end meanwhile; not at all if it has ended.
  static void with(const Session& session, const std::function<void(const SessionState&)>& f);
};

}  // namespace weft
