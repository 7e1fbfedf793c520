#include <algorithm>
#include <cstring>

#include "kernel/device.h"
#include "runtime/stepping_run.h"

// Reads and writes by a controller while the run is stopped.
namespace weft::dataflow {
namespace {

/// The variable's current value on the host; empty if it is not initialized.
Result<Tensor> valueOf(Variable& variable) {
  const MutexLock lock(variable.mutex);
  if (!variable.value.hasValue()) return Tensor();
  return ownCopy(variable.value);
}

/// `moving`: reads in this run that share the buffer see the new value, as after a TensorFlow 1.x Assign (reference variables).
Status assignTo(Variable& variable, const Tensor& value, bool moving) {
  const MutexLock lock(variable.mutex);
  if (variable.dtype != DType::Invalid && variable.dtype != value.dtype()) {
    return invalidArgument("Variable ", variable.name, " holds ", dtypeName(variable.dtype), ", not ", dtypeName(value.dtype())).atNode(variable.name);
  }
  if (!variable.shape.compatibleWith(value.shape())) {
    return invalidArgument("Variable ", variable.name, " has shape ", variable.shape.toString(), ", not ", value.shape().toString()).atNode(variable.name);
  }
  const int place = variable.value.place();
  const bool fits = variable.value.hasValue() && variable.value.dtype() == value.dtype() && variable.value.shape() == value.shape();
  if (place == 0 && moving && fits && sizeOf(value.dtype()) > 0) {
    std::memcpy(variable.value.mutableRaw(), value.raw(), value.bytes());
    return {};
  }
  if (place == 0) {
    WEFT_LET(variable.value, value.clone());
    return {};
  }
  for (Device* device : physicalDevices()) {
    if (device->place() != place) continue;
    WEFT_LET(variable.value, device->fromHost(value));
    return device->sync();
  }
  return internalError("Variable ", variable.name, " lies on a device that is not there");
}

std::shared_ptr<Variable> findVariable(const SessionState& session, const std::string& name) {
  for (const auto& v : session.variables())
    if (v->name == name) return v;
  return nullptr;
}

}  // namespace

Result<Tensor> variableNow(const SessionState& session, const std::string& name) {
  const auto found = findVariable(session, name);
  if (!found) return notFound("No variable ", name, " in this session");
  WEFT_LET(Tensor value, valueOf(*found));
  if (!value.hasValue()) return uninitializedValue(*found).atNode(name);
  return value;
}

Status setVariableNow(const SessionState& session, const std::string& name, const Tensor& value, bool isReference) {
  const auto found = findVariable(session, name);
  if (!found) return notFound("No variable ", name, " in this session");
  return assignTo(*found, value, isReference);
}

/// The value of an input of the current node before it runs; for a reference, the variable's value.
Result<Tensor> SteppingRun::inputNow(int i) const {
  const InputSource& in = node_->inputs[size_t(i)];
  if (in.isRef) {
    const auto* variable = ref(i);
    if (!variable || !*variable) return Tensor();
    const MutexLock lock((*variable)->mutex);
    return (*variable)->value;
  }
  switch (in.kind) {
    case InputSource::Kind::Constant: return *s_.constants[size_t(in.index)];
    case InputSource::Kind::Invariant: return iteration_->frame->invariants[size_t(in.index)];
    case InputSource::Kind::Slot: return iteration_->slots[size_t(in.index)];
  }
  return Tensor();
}

Output SteppingRun::planOutput(Output user) const {
  for (size_t i = 0; i < names_.feeds.size(); ++i) {
    if (names_.feeds[i] == user) return {s_.graph.feedNodes[i], 0};
  }
  if (user.node < 0 || size_t(user.node) >= names_.planOf.size()) return {};
  return {names_.planOf[size_t(user.node)], user.index};
}

Result<SteppingRun::Place> SteppingRun::find(Output user) const {
  const Output o = planOutput(user);
  const DataNode* d = o.node >= 0 ? &s_.nodes[size_t(o.node)] : nullptr;
  if (!d || !d->plan || o.index >= d->outputCount) return notFound("Tensor ", names_.graph->tensorName(user), " is not computed in this run");
  // In this iteration, an enclosing one, or a loop that one of these is about to enter.
  for (Iteration* it = iteration_; it; it = it->frame->parentIteration) {
    std::vector<Iteration*> places{it};
    if (const auto children = children_.find(it); children != children_.end()) {
      for (Frame* frame : children->second)
        if (!frame->live.empty()) places.push_back(frame->live.back());
    }
    for (Iteration* place : places) {
      Frame* frame = place->frame;
      for (Frame::Deferred& waiting : frame->deferred) {
        if (waiting.node == o.node) return Place{&waiting.value, &waiting.ref, d};
      }
      if (frame->id != d->outputFrame) continue;
      const size_t slot = size_t(d->firstSlot + o.index);
      Place found = d->invariant ? Place{&frame->invariants[slot], &frame->invariantRefs[slot], d} : Place{&place->slots[slot], &place->refs[slot], d};
      const bool lives = isRef(d->plan->types[size_t(o.index)]) ? bool(*found.ref) : found.value->hasValue();
      if (lives) return found;
    }
  }
  return notFound("Tensor ", names_.graph->tensorName(user), " has no value now: it is not computed yet, or no op to come needs it");
}

Result<Tensor> SteppingRun::Point::input(int i) const {
  if (i < 0 || size_t(i) >= run_.node_->inputs.size()) return outOfRange(node().name, " has ", run_.node_->inputs.size(), " inputs, not ", i + 1);
  if (!run_.node_->inputs[size_t(i)].isRef && run_.computed_) return hostTensor(run_.taken_[size_t(i)]);
  if (run_.node_->inputs[size_t(i)].isRef) {
    const auto* variable = run_.ref(i);
    return variable && *variable ? valueOf(**variable) : Result<Tensor>(Tensor());
  }
  WEFT_LET(Tensor value, run_.inputNow(i));
  return hostTensor(value);
}

Result<Tensor> SteppingRun::Point::output(int k) const {
  const DataNode& d = *run_.node_;
  if (k < 0 || k >= d.outputCount) return outOfRange(node().name, " has ", d.outputCount, " outputs, not ", k + 1);
  if (!run_.computed_) return failedPrecondition(node().name, " is not computed yet").atNode(node().name);
  if (changesPlace(d.role)) return run_.moved_.empty() ? Result<Tensor>(Tensor()) : hostTensor(run_.moved_[0]);
  if (run_.deadOutputs_ >> std::min(k, 63) & 1) return Tensor();
  const size_t slot = size_t(d.firstSlot + k);
  if (isRef(d.plan->types[size_t(k)])) {
    const auto& variable = run_.iteration_->refs[slot];
    return variable ? valueOf(*variable) : Result<Tensor>(Tensor());
  }
  return hostTensor(run_.iteration_->slots[slot]);
}

Result<Tensor> SteppingRun::Point::tensor(Output o) const {
  WEFT_LET(const Place place, run_.find(o));
  if (*place.ref) return valueOf(**place.ref);
  return hostTensor(*place.value);
}

Status SteppingRun::Point::setTensor(Output o, const Tensor& value) {
  const std::string name = graph().tensorName(o);
  WEFT_LET(const Place place, run_.find(o));
  if (*place.ref) {
    WEFT_TRY(run_.snapshot_->keep(*place.ref));
    return assignTo(**place.ref, value, true);
  }
  const DType type = baseType(graph().dtype(o));
  if (value.dtype() != type) return invalidArgument("Tensor ", name, " is ", dtypeName(type), ", not ", dtypeName(value.dtype()));
  if (!graph().shape(o).compatibleWith(value.shape())) {
    return invalidArgument("Tensor ", name, " has shape ", graph().shape(o).toString(), ", not ", value.shape().toString());
  }
  WEFT_LET(Tensor own, value.clone());
  if (place.value->place() != 0) {
    Device& device = *place.node->plan->device;
    WEFT_LET(own, device.fromHost(own));
    WEFT_TRY(device.sync());
  }
  *place.value = std::move(own);
  return {};
}

Result<Tensor> SteppingRun::Point::variable(const std::string& name) const { return variableNow(run_.state_->session, name); }

Status SteppingRun::Point::setVariable(const std::string& name, const Tensor& value) {
  const auto found = findVariable(run_.state_->session, name);
  if (!found) return notFound("No variable ", name, " in this session");
  WEFT_TRY(run_.snapshot_->keep(found));
  const Node* node = graph().find(name);
  return assignTo(*found, value, !node || node->outputTypes.empty() || node->outputTypes[0] != DType::Resource);
}

std::vector<int> SteppingRun::Point::ready() const {
  std::vector<int> plan, out;
  for (const Ready& r : run_.heap_)
    if (!r.dead) plan.push_back(r.node);
  std::sort(plan.begin(), plan.end());
  for (const int i : plan) {
    const PlanNode& p = *run_.s_.nodes[size_t(i)].plan;
    if (p.node && p.node->id == p.origin) out.push_back(p.origin);
  }
  return out;
}

}  // namespace weft::dataflow
