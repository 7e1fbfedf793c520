#pragma once

#include "kernel/session_state.h"
#include "weft/session.h"

namespace weft {

class ExecutablePlan;

/// Membership of a session in a cluster: the task whose resources it shares with other sessions.
struct SessionPlace {
  std::string task;                       ///< Prefix of its device names; empty: kLocalTask.
  std::shared_ptr<SessionState> shared;   ///< Owner of the resources; null: the session itself.
  std::shared_ptr<SessionState> nodes{};  ///< Owner of the nodes' states; null: the session itself.
};

/// What a Callable does; one class for sessions of this process, one for sessions on a server.
class CallableImpl {
 public:
  virtual ~CallableImpl() = default;
  virtual Result<std::vector<Tensor>> run(std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) = 0;
  virtual std::string explain() const { return {}; }
};

/// The internals of a session, for other parts of the engine. References live as long as the session.
class SessionInternals {
 public:
  /// Null for a session on a server.
  static const SessionState* state(const Session& session);
  static Result<std::unique_ptr<Session>> create(Graph graph, SessionOptions options, SessionPlace place);
  /// Shared ownership of the internals of a session of this process, which keeps them alive after the session ends: objects in the task may still call its
  /// functions.
  static std::shared_ptr<void> keepAlive(const Session& session);
  /// The newest plan of the newest signature accepted by `wanted(fetches, targets)`; null if there is none.
  using Wanted = std::function<bool(const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>;
  static std::shared_ptr<const ExecutablePlan> plan(const Session& session, const Wanted& wanted);
};

}  // namespace weft
