#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "kernel/session_state.h"
#include "tensor/variable.h"

namespace weft {

/// The session state before a run, so that the run can restart: the positions of random streams, and a copy of each variable taken just before its
/// first change (variables that are only read cost nothing).
class StepSnapshot {
 public:
  explicit StepSnapshot(SessionState& session) : session_(session), streams_(session.saveStreams()) {}

  /// Call before `variable` is written. RESOURCE_EXHAUSTED if there is no memory for the copy.
  Status keep(const std::shared_ptr<Variable>& variable);
  /// Call before `resource` is changed. Returns whether restore() can reset it.
  /// `owner` keeps it alive; null if nothing in a run can destroy it.
  bool keep(SessionResource& resource, std::shared_ptr<const void> owner);
  /// Records the first op that cannot be undone.
  void noteIrreversible(const Node& node);
  const std::string& irreversible() const { return irreversible_; }
  /// Restores variables, resources and streams. REQUIRES: irreversible() is empty.
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
