#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "kernel/session_state.h"
#include "tensor/variable.h"

namespace weft {

/// What a run may have changed in its session, so that it can begin again: positions of random streams as they were, and a copy of each
/// variable taken just before its first change (what is only read costs nothing).
class StepSnapshot {
 public:
  explicit StepSnapshot(SessionState& session) : session_(session), streams_(session.saveStreams()) {}

  /// To be called before `variable` is written. RESOURCE_EXHAUSTED if there is no memory for the copy.
  Status keep(const std::shared_ptr<Variable>& variable);
  /// To be called before `resource` is changed: true if it can be set back, which restore() will then do.
  /// `owner` keeps it alive meanwhile; null if nothing in a run can end it.
  bool keep(SessionResource& resource, std::shared_ptr<const void> owner);
  /// Notes that an op ran that cannot be undone, unless there is one already.
  void noteIrreversible(const Node& node);
  const std::string& irreversible() const { return irreversible_; }
  /// Sets variables and streams back. REQUIRES: irreversible() is empty.
  void restore();

 private:
  SessionState& session_;
  std::map<std::string, std::string> streams_;
  std::map<std::shared_ptr<Variable>, Tensor> kept_;
  struct Kept {
    std::shared_ptr<const void> owner;
    std::function<void()> setBack;
  };
  std::map<const SessionResource*, Kept> resources_;
  std::string irreversible_;
};

}  // namespace weft
