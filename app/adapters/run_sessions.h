// The engine's sessions behind the runs of this program, for those who look on from outside: at queues, at variables. Only sources of this folder include it.
#pragma once

#include <memory>

#include "weft/session.h"

namespace weft::app {

enum class RunKind { Debugged, Trained };

/// One session of each kind: that of the newest run. Jobs enter theirs when it is made and take it out when they are gone, so that what a run left
/// behind can be looked at after its end. Any thread.
class RunSessions {
 public:
  static void put(RunKind kind, const void* owner, std::shared_ptr<Session> session);
  /// Takes out what `owner` entered, unless something newer took its place.
  static void take(const void* owner);
  /// Null if there is none.
  static std::shared_ptr<Session> present(RunKind kind);
};

}  // namespace weft::app
