#pragma once

#include "runtime/session_state.h"
#include "weft/session.h"

namespace weft {

class PartialRuns;

/// What is inside a session, for parts of the engine that are no part of it. References live as long as the session.
class SessionInternals {
 public:
  static const SessionState& state(const Session& session);
  static PartialRuns& partialRuns(const Session& session);
};

}  // namespace weft
