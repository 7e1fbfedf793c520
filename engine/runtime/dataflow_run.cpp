#include "runtime/dataflow_run.h"

#include "runtime/moved_reads.h"

namespace weft::dataflow {

Result<Tensor*> DataflowRun::allocate(int k, const Shape& shape) {
  if (state_->memory && shape.elements() > 0) WEFT_TRY(state_->memory->ask(size_t(shape.elements()) * sizeOf(baseType(node_->plan->types[k]))));
  auto t = allocateTensor(node_->plan->allocatorOf(k), baseType(node_->plan->types[k]), shape);
  if (!t.ok()) return std::move(t.error());
  Tensor& slot = iteration_->slots[node_->firstSlot + k];
  slot = std::move(*t);
  return &slot;
}

Result<Tensor*> DataflowRun::forward(int k, const Shape& shape, std::initializer_list<int> candidates) {
  const DType type = baseType(node_->plan->types[k]);
  const int64_t n = shape.elements();
  for (int i : candidates) {
    const InputSource& in = node_->inputs[i];
    if (in.kind != InputSource::Kind::Slot || in.isRef || iteration_->uses[in.index] != 1) continue;
    Tensor& source = iteration_->slots[in.index];
    if (!source.ownsBufferAlone() || n < 0 || sizeOf(type) == 0 || sizeOf(source.dtype()) == 0 || size_t(n) * sizeOf(type) != source.bytes() ||
        source.place() != node_->plan->placeOf(k)) {
      continue;
    }
    Tensor& slot = iteration_->slots[node_->firstSlot + k];
    slot = Tensor(type, shape, source.buffer(), const_cast<void*>(source.raw()));
    return &slot;
  }
  return allocate(k, shape);
}

Result<Tensor> DataflowRun::scratch(DType dtype, const Shape& shape) { return allocateTensor(hostAllocator(), dtype, shape); }

const std::shared_ptr<Variable>* DataflowRun::ref(int i) const {
  const InputSource& in = node_->inputs[i];
  if (!in.isRef) return nullptr;
  return in.kind == InputSource::Kind::Invariant ? &iteration_->frame->invariantRefs[in.index] : &iteration_->refs[in.index];
}

void DataflowRun::queue(int node, Iteration* it, bool dead) {
  ++it->outstanding;
  ready_.push_back({node, it, dead});
}

void DataflowRun::arrive(int node, int input, bool dead, bool fromDeadEnter, Iteration* it) {
  const DataNode& d = s_.nodes[node];
  const int local = d.local;
  if (d.role == FlowRole::Merge) {
    if (input < 0) {
      --it->pending[local];
    } else if (!dead) {
      if (it->liveInput[local] < 0) it->liveInput[local] = input;
    } else {
      it->deadCount[local] += fromDeadEnter ? d.dataInputs : 1;
    }
    const bool live = it->liveInput[local] >= 0;
    const bool allDead = it->deadCount[local] >= d.dataInputs;
    if (it->pending[local] == 0 && !it->done[local] && (live || allDead)) {
      it->done[local] = 1;
      queue(node, it, !live);
    }
    return;
  }
  if (dead && !d.ignoresDead) it->deadInput[local] = 1;
  if (--it->pending[local] == 0) queue(node, it, it->deadInput[local]);
}

void DataflowRun::deliver(const DataNode& from, int output, bool dead, Iteration* target) {
  const int slot = from.firstSlot + output;
  const auto& consumers = from.consumers[output];
  if (!dead && target->uses[slot] == 0) {
    target->slots[slot] = Tensor();
  }
  const bool deadEnter = dead && from.role == FlowRole::Enter;
  for (const Consumer& c : consumers) arrive(c.node, c.input, dead, deadEnter, target);
}

void DataflowRun::deliverControls(const DataNode& from, bool dead, Iteration* target) {
  const bool deadEnter = dead && from.role == FlowRole::Enter;
  for (const Consumer& c : from.controlConsumers) arrive(c.node, -1, dead, deadEnter, target);
}

Tensor DataflowRun::takeInput(const DataNode& d, int input, Iteration* from, std::shared_ptr<Variable>* ref) {
  const InputSource& in = d.inputs[input];
  switch (in.kind) {
    case InputSource::Kind::Constant: return *s_.constants[in.index];
    case InputSource::Kind::Invariant:
      if (in.isRef) *ref = from->frame->invariantRefs[in.index];
      return from->frame->invariants[in.index];
    case InputSource::Kind::Slot: break;
  }
  if (in.isRef) *ref = from->refs[in.index];
  return from->uses[in.index] == 1 ? std::move(from->slots[in.index]) : from->slots[in.index];
}

/// Passes an input through. A reference that is read as a value yields the variable's current value.
void DataflowRun::forwardValue(const DataNode& d, int input, Iteration* from, Iteration* to, int slot) {
  std::shared_ptr<Variable> ref;
  Tensor value = takeInput(d, input, from, &ref);
  if (ref && !isRef(d.plan->types[0])) {
    const MutexLock lock(ref->mutex);
    value = ref->value;
    ref.reset();
  }
  to->slots[slot] = std::move(value);
  to->refs[slot] = std::move(ref);
}

void DataflowRun::releaseInputs(const DataNode& d, Iteration* it) {
  for (const InputSource& in : d.inputs) {
    if (in.kind != InputSource::Kind::Slot) continue;
    if (--it->uses[in.index] == 0) it->slots[in.index] = Tensor();
  }
}

/// Collects the kernel's current inputs; references are read.
Status DataflowRun::gatherInputs(const DataNode& d, Iteration* it) {
  const size_t count = d.inputs.size();
  if (inputs_.size() < count) {
    inputs_.resize(count);
    refValues_.resize(count);
  }
  for (size_t k = 0; k < count; ++k) {
    const InputSource& in = d.inputs[k];
    if (in.isRef) {
      const std::shared_ptr<Variable>& referred = *ref(int(k));
      if (!referred) {  // dead, and this is a Send
        inputs_[k] = &(refValues_[k] = Tensor());
        continue;
      }
      Variable& v = *referred;
      const MutexLock lock(v.mutex);
      if (!v.value.hasValue() && !d.allowsUninitialized && !isRef(d.plan->node->inputTypes[k])) {
        return uninitializedValue(v).atNode(d.plan->node->name);
      }
      refValues_[k] = v.value;
      inputs_[k] = &refValues_[k];
    } else if (in.kind == InputSource::Kind::Slot) {
      inputs_[k] = &it->slots[in.index];
    } else if (in.kind == InputSource::Kind::Constant) {
      inputs_[k] = s_.constants[in.index];
    } else {
      inputs_[k] = &it->frame->invariants[in.index];
    }
  }
  ExecutorAccess::bindNode(context_, *d.plan->node, inputs_.data(), int(count), d.outputCount, *d.plan->device);
  return {};
}

void DataflowRun::dropReads(const DataNode& d) {
  for (size_t k = 0; k < d.inputs.size(); ++k) {
    if (d.inputs[k].isRef) refValues_[k] = Tensor();
  }
}

Status DataflowRun::compute(const DataNode& d, Iteration* it) {
  WEFT_TRY(gatherInputs(d, it));
  Status status = invokeKernel(*d.kernel, context_);
  dropReads(d);
  return status;
}

void DataflowRun::bind(const Ready& r) {
  node_ = &s_.nodes[r.node];
  iteration_ = r.iteration;
  deadOutputs_ = 0;
}

void DataflowRun::enter(const DataNode& d, Iteration* it, bool dead) {
  Frame* child = childFrame(d.frameId, it);
  if (d.invariant) {
    if (!dead) {
      std::shared_ptr<Variable> ref;
      Tensor value = takeInput(d, 0, it, &ref);
      if (ref && !isRef(d.plan->types[0])) {
        const MutexLock lock(ref->mutex);
        value = ref->value;
        ref.reset();
      }
      child->invariants[d.firstSlot] = std::move(value);
      child->invariantRefs[d.firstSlot] = std::move(ref);
    }
    enterInvariant(d, dead, child);
  } else {
    Iteration* target = child->live.front();
    if (!dead) forwardValue(d, 0, it, target, d.firstSlot);
    deliver(d, 0, dead, target);
    deliverControls(d, dead, target);
  }
  releaseInputs(d, it);
  --child->enterPending;
  settle(child);
}

/// Enter, Exit and NextIteration: delivers the value to the destination frame or iteration at once.
void DataflowRun::move(const Ready& r) {
  const DataNode& d = *node_;
  Iteration* it = iteration_;
  switch (d.role) {
    case FlowRole::Enter: enter(d, it, r.dead); return;
    case FlowRole::Exit: {
      Frame* frame = it->frame;
      if (r.dead) {
        if (it->index == frame->latest) frame->deadExits.push_back(r.node);
      } else {
        Iteration* target = frame->parentIteration;
        forwardValue(d, 0, it, target, d.firstSlot);
        if (!target->frame->parent) exitOutcomes_[size_t(r.node)] = NodeOutcome::Ran;
        deliver(d, 0, false, target);
        deliverControls(d, false, target);
      }
      break;
    }
    case FlowRole::NextIteration: {
      Frame* frame = it->frame;
      if (!r.dead) {
        if (it->index == frame->latest) {
          std::shared_ptr<Variable> ref;
          Tensor value = takeInput(d, 0, it, &ref);
          frame->deferred.push_back({r.node, std::move(value), std::move(ref)});
          if (int(frame->live.size()) < window(s_.frames[frame->id])) startIteration(frame);
        } else {
          Iteration* target = frame->live[size_t(it->index + 1 - frame->first)];
          forwardValue(d, 0, it, target, d.firstSlot);
          deliver(d, 0, false, target);
          deliverControls(d, false, target);
        }
      }
      break;
    }
    default: break;
  }
  releaseInputs(d, it);
}

Status DataflowRun::computeOutputs(const Ready& r) {
  const DataNode& d = *node_;
  Iteration* it = iteration_;
  switch (d.role) {
    case FlowRole::Switch: {
      if (!r.dead) {
        const InputSource& p = d.inputs[1];
        const Tensor& pred = p.kind == InputSource::Kind::Slot       ? it->slots[p.index]
                             : p.kind == InputSource::Kind::Constant ? *s_.constants[p.index]
                                                                     : it->frame->invariants[p.index];
        if (pred.dtype() != DType::Bool || pred.elements() != 1) {
          return invalidArgument("pred must be a scalar, but it has shape ", pred.shape().toString()).atNode(d.plan->node->name);
        }
        const int live = pred.at<bool>(0) ? 1 : 0;
        forwardValue(d, 0, it, it, d.firstSlot + live);
        deadOutputs_ = uint64_t(1) << (1 - live);
      }
      break;
    }
    case FlowRole::Merge: {
      if (!r.dead) {
        const int live = it->liveInput[d.local];
        forwardValue(d, live, it, it, d.firstSlot);
        if (wanted(1)) it->slots[d.firstSlot + 1] = Tensor::scalar(int32_t(live));
      }
      break;
    }
    case FlowRole::LoopCond:
      if (!r.dead) forwardValue(d, 0, it, it, d.firstSlot);
      break;
    case FlowRole::None:
      if (r.dead && !d.transfers) break;
      if (d.isConstantValue) {
        for (int k = 0; k < d.outputCount; ++k) it->slots[d.firstSlot + k] = d.plan->constants[k];
      } else if (d.plan->feed >= 0) {
        // The value is already in its slot.
      } else if (d.cheapForward) {
        if (d.inputs[0].isRef && !(*ref(0))->isInitialized()) return uninitializedValue(**ref(0)).atNode(d.plan->node->name);
        forwardValue(d, 0, it, it, d.firstSlot);
      } else {
        WEFT_TRY(compute(d, it));
      }
      break;
    default: break;
  }
  return {};
}

/// Releases the inputs and notifies the consumers of the outputs.
void DataflowRun::propagateOutputs(const Ready& r) {
  const DataNode& d = *node_;
  Iteration* it = iteration_;
  releaseInputs(d, it);
  const uint64_t dead = r.dead ? ~uint64_t(0) : deadOutputs_;
  for (int k = 0; k < d.outputCount; ++k) deliver(d, k, dead >> std::min(k, 63) & 1, it);
  deliverControls(d, r.dead, it);
}

void DataflowRun::record(const DataNode& d, Iteration* it, int64_t start) {
  std::vector<const Tensor*> outputs(d.outputCount);
  for (int k = 0; k < d.outputCount; ++k) {
    const Tensor& t = it->slots[d.firstSlot + k];
    outputs[k] = t.hasValue() && !(deadOutputs_ >> std::min(k, 63) & 1) ? &t : nullptr;
  }
  state_->recorder->done(*d.plan, nameOf(d.frame), iteration(), start, StepRecorder::now(), outputs);
}

/// Makes reads of reference variables follow updates that moved to another buffer, also those made while the run waited.
void DataflowRun::followVariables() {
  if (MovedReads::epoch() == seenMoves_) return;
  seenMoves_ = MovedReads::epoch();
  const MovedReads moved;
  if (moved.empty()) return;
  const auto follow = [&](std::vector<Tensor>& tensors) {
    for (Tensor& t : tensors) moved.follow(t);
  };
  follow(base_->slots);
  for (auto& [key, frame] : frames_) {
    follow(frame->invariants);
    for (Frame::Deferred& d : frame->deferred) moved.follow(d.value);
    for (Iteration* it : frame->live) follow(it->slots);
  }
}

Status DataflowRun::runNode(const Ready& r) {
  bind(r);
  followVariables();
  const DataNode& d = *node_;
  Iteration* it = iteration_;
  if (changesPlace(d.role)) {
    move(r);
    finishNode(r.iteration);
    return {};
  }
  if (d.waits && (!r.dead || d.transfers)) return startWait(r);
  const bool watched = state_->recorder != nullptr;
  if (watched && d.plan->node) state_->recorder->starting(*d.plan);
  const int64_t start = watched ? StepRecorder::now() : 0;
  WEFT_TRY(computeOutputs(r));
  if (watched && !r.dead && d.plan->node && !d.plan->loop) record(d, it, start);
  if (state_->watch && d.watched && !r.dead) WEFT_TRY(look());
  propagateOutputs(r);
  finishNode(r.iteration);
  return {};
}

/// Shows the node's outputs to the run's watch.
Status DataflowRun::look() {
  const DataNode& d = *node_;
  for (int k = 0; k < d.outputCount; ++k) {
    const Tensor& t = iteration_->slots[d.firstSlot + k];
    const DType type = d.plan->types[k];
    if (isRef(type) || (!isFloating(type) && !isComplex(type)) || !t.hasValue() || deadOutputs_ >> std::min(k, 63) & 1) continue;
    if (state_->watch->isSuspicious(t)) WEFT_TRY(reportToWatch(*state_, *d.plan, k, t, nameOf(d.frame), iteration()));
  }
  return {};
}

Status DataflowRun::begin(std::span<const Tensor> feeds, Iteration* base) {
  const PlanGraph& g = s_.graph;
  for (const Output& f : g.fetches) {
    const DataNode& d = s_.nodes[f.node];
    if (d.outputFrame != 0 || d.invariant) {
      return invalidArgument("Tensor ", d.plan->node->name, ":", f.index, " lies inside the while loop '", s_.frames[d.outputFrame].name,
                             "' and cannot be fetched; fetch what leaves the loop");
    }
    ++base->uses[d.firstSlot + f.index];
  }
  for (size_t i = 0; i < feeds.size(); ++i) {
    const int node = g.feedNodes[i];
    if (node >= 0 && s_.nodes[node].plan) base->slots[s_.nodes[node].firstSlot] = feeds[i];
  }
  for (int r : s_.roots) queue(r, base, false);
  return {};
}

Status DataflowRun::runQueue() {
  int64_t count = 0;
  while (true) {
    while (head_ < ready_.size()) {
      const Ready r = ready_[head_++];
      if (state_->stopped() || (state_->deadlineNs && (++count & 63) == 0)) WEFT_TRY(state_->check());
      WEFT_TRY(runNode(r));
      if (!waits_.empty()) WEFT_TRY(finishWaits(mailbox_->take()));
      if (head_ == ready_.size()) {
        ready_.clear();
        head_ = 0;
      } else if (head_ > 4096) {
        ready_.erase(ready_.begin(), ready_.begin() + ptrdiff_t(head_));
        head_ = 0;
      }
    }
    if (waits_.empty()) return {};
    WEFT_TRY(sleep());
  }
}

Result<Tensor> DataflowRun::fetch(Output f, Iteration* base, int position) {
  const DataNode& d = s_.nodes[f.node];
  const int slot = d.firstSlot + f.index;
  if (base->refs[slot]) {
    const MutexLock lock(base->refs[slot]->mutex);
    if (!base->refs[slot]->value.hasValue()) return uninitializedValue(*base->refs[slot]).atNode(d.plan->node->name);
    return ownCopy(base->refs[slot]->value);
  }
  if (!base->slots[slot].hasValue()) {
    return invalidArgument("Retval[", position, "] does not have value: ", d.plan->node ? d.plan->node->name : "feed", ":", f.index,
                           " was not computed in this run (it lies on a branch that was not taken)");
  }
  Tensor value = --base->uses[slot] == 0 ? std::move(base->slots[slot]) : base->slots[slot];
  // A shared buffer may be a variable's, which the next step overwrites.
  if (!d.isConstantValue && !value.ownsBufferAlone()) return ownCopy(value);
  return value;
}

Status DataflowRun::collect(std::vector<Tensor>& fetched, Iteration* base) {
  for (const Output& f : s_.graph.fetches) {
    WEFT_LET(Tensor value, fetch(f, base, int(fetched.size())));
    fetched.push_back(std::move(value));
  }
  return {};
}

/// Drops all remaining state of the run, in particular after an error.
void DataflowRun::forgetAll(Iteration* base) {
  ready_.clear();
  head_ = 0;
  for (auto& [f, frame] : frames_) {
    for (Iteration* it : frame->live) recycle(it);
  }
  frames_.clear();
  children_.clear();
  recycle(base);
}

Status DataflowRun::execute(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) {
  state_ = &state;
  ExecutorAccess::bind(context_, state.step, state.session, *this);
  Frame root;
  Iteration* base = makeIteration(&root);
  base_ = base;
  seenMoves_ = MovedReads::epoch();
  exitOutcomes_.assign(s_.frames.size() > 1 ? s_.nodes.size() : 0, NodeOutcome::Waits);
  Status status = begin(feeds, base);
  if (status.ok()) status = runQueue();
  if (!waits_.empty()) cancelWaits();
  if (status.ok()) status = checkReached(base);
  followVariables();
  if (status.ok()) status = collect(fetched, base);
  if (status.code() == Code::ResourceExhausted) nameLargest(status.error(), held(base), state.session);
  forgetAll(base);
  return status;
}

}  // namespace weft::dataflow
