#pragma once

#include "runtime/session_state.h"
#include "weft/session.h"

namespace weft {

class ExecutablePlan;
class PartialRuns;

/// What is inside a session, for parts of the engine that are no part of it. References live as long as the session.
class SessionInternals {
 public:
  static const SessionState& state(const Session& session);
  static PartialRuns& partialRuns(const Session& session);
  /// The newest plan of the newest signature that `wanted(fetches, targets)` takes; null if there is none.
  using Wanted = std::function<bool(const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>;
  static std::shared_ptr<const ExecutablePlan> plan(const Session& session, const Wanted& wanted);
};

}  // namespace weft
