#pragma once

#include "kernel/session_state.h"
#include "weft/session.h"

namespace weft {

class ExecutablePlan;
class PartialRuns;

/// The place of a session in a cluster: a task whose resources it shares with other sessions.
struct SessionPlace {
  std::string task;                      ///< Prefix of its device names; empty: kLocalTask.
  std::shared_ptr<SessionState> shared;  ///< Owner of the resources; null: the session itself.
};

/// The internals of a session, for other parts of the engine. References live as long as the session.
class SessionInternals {
 public:
  static const SessionState& state(const Session& session);
  static Result<std::unique_ptr<Session>> create(Graph graph, SessionOptions options, SessionPlace place);
  /// Shared ownership of the session's internals, to keep them alive beyond its end: objects in the task may still call its functions.
  static std::shared_ptr<void> keepAlive(const Session& session);
  static PartialRuns& partialRuns(const Session& session);
  /// The newest plan of the newest signature accepted by `wanted(fetches, targets)`; null if there is none.
  using Wanted = std::function<bool(const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>;
  static std::shared_ptr<const ExecutablePlan> plan(const Session& session, const Wanted& wanted);
};

}  // namespace weft
