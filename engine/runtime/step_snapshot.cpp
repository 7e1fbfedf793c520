#include "runtime/step_snapshot.h"

#include "kernel/device.h"
#include "kernel/restorable.h"

namespace weft {

Status StepSnapshot::keep(const std::shared_ptr<Variable>& variable) {
  const MutexLock lock(variable->mutex);
  const auto [it, fresh] = kept_.try_emplace(variable);
  auto& value = variable->value;
  if (!fresh || !value.hasValue()) return {};
  if (value.place() == 0) {
    WEFT_LET(it->second, value.clone());
    return {};
  }
  for (Device* device : physicalDevices()) {
    if (device->place() != value.place()) continue;
    WEFT_LET(it->second, device->copy(value));
    return {};
  }
  return internalError("Variable ", variable->name, " lies on a device that is not there");
}

bool StepSnapshot::keep(SessionResource& resource, std::shared_ptr<const void> owner) {
  auto* restorable = dynamic_cast<Restorable*>(&resource);
  if (!restorable) return false;
  if (const auto [it, fresh] = resources_.try_emplace(&resource); fresh) it->second = {std::move(owner), restorable->savePoint()};
  return true;
}

void StepSnapshot::noteIrreversible(const Node& node) {
  if (irreversible_.empty()) irreversible_ = concat(node.name, " (", node.op, ") has changed what cannot be set back");
}

void StepSnapshot::restore() {
  // The copies become the values, so each variable is copied again before its next change.
  for (auto& [variable, value] : kept_) {
    const MutexLock lock(variable->mutex);
    variable->value = std::move(value);
  }
  kept_.clear();
  for (auto& [resource, kept] : resources_) kept.setBack();
  resources_.clear();
  session_.restoreStreams(streams_);
}

}  // namespace weft
