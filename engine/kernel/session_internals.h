#pragma once

#include "kernel/session_state.h"
#include "weft/session.h"

namespace weft {

class ExecutablePlan;
class PartialRuns;

/// Where a session runs: a task of a cluster, whose resources it has in common with other sessions.
struct SessionPlace {
  std::string task;                      ///< Beginning of its devices' names; empty: kLocalTask.
  std::shared_ptr<SessionState> shared;  ///< Who keeps the resources; null: the session.
};

/// What is inside a session, for parts of the engine that are no part of it. References live as long as the session.
class SessionInternals {
 public:
  static const SessionState& state(const Session& session);
  static Result<std::unique_ptr<Session>> create(Graph graph, SessionOptions options, SessionPlace place);
  /// The session as something that can be kept beyond its end, since objects in the task still call its functions.
  static std::shared_ptr<void> remains(const Session& session);
  static PartialRuns& partialRuns(const Session& session);
  /// The newest plan of the newest signature that `wanted(fetches, targets)` takes; null if there is none.
  using Wanted = std::function<bool(const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>;
  static std::shared_ptr<const ExecutablePlan> plan(const Session& session, const Wanted& wanted);
};

}  // namespace weft
