#include "runtime/dataflow_plan.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <sstream>
#include <unordered_map>

// The dataflow executor. One thread per run walks a queue of nodes whose inputs have come; kernels use the compute pool themselves.
// The rules are those of TensorFlow 1.x: a node with a dead input or a dead control input is dead and passes that on; Merge lives if one of
// its inputs does; Switch kills one of its outputs; Enter, Exit and NextIteration carry a value to another frame or iteration; a dead
// NextIteration ends there; a dead Exit counts only if the whole loop ends without a live one.

namespace weft {
namespace {

using namespace dataflow;

struct Frame;

/// Values and counters of one iteration of a frame.
struct Iteration {
  Frame* frame = nullptr;
  int64_t index = 0;
  std::vector<Tensor> slots;
  std::vector<std::shared_ptr<Variable>> refs;   ///< By slot; used where outputs are references.
  std::vector<int> uses;                         ///< Reads still to come, by slot.
  std::vector<int> pending;                      ///< By local node.
  std::vector<uint8_t> deadInput;                ///< By local node: some input or control is dead.
  std::vector<int> liveInput;                    ///< By local node, for Merge: the first live one, or -1.
  std::vector<int> deadCount;                    ///< By local node, for Merge.
  std::vector<uint8_t> done;                     ///< By local node, for Merge: queued already.
  int outstanding = 0;                           ///< Queued nodes and child frames.
};

struct Frame {
  int id = 0;
  Frame* parent = nullptr;
  Iteration* parentIteration = nullptr;
  std::deque<Iteration*> live;                   ///< Oldest first; index of front() is `first`.
  int64_t first = 0, latest = -1;
  int enterPending = 0;
  std::vector<Tensor> invariants;
  std::vector<std::shared_ptr<Variable>> invariantRefs;
  std::vector<uint8_t> invariantState;           ///< 0: not come, 1: alive, 2: dead.
  std::vector<int> arrived;                      ///< Enter nodes with is_constant that have come.
  struct Deferred {
    int node;
    Tensor value;
    std::shared_ptr<Variable> ref;
  };
  std::vector<Deferred> deferred;                ///< NextIterations that wait for a free place in the window.
  std::vector<int> deadExits;
};

class Run final : public OutputSink {
 public:
  explicit Run(const Structure& s) : s_(s), iterationPool_(s.frames.size()) {}
  Status execute(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state);

  Result<Tensor*> allocate(int k, const Shape& shape) override {
    auto t = allocateTensor(node_->plan->device->allocator(), baseType(node_->plan->types[k]), shape);
    if (!t.ok()) return std::move(t.error());
    Tensor& slot = iteration_->slots[node_->firstSlot + k];
    slot = std::move(*t);
    return &slot;
  }
  Result<Tensor*> forward(int k, const Shape& shape, std::initializer_list<int> candidates) override;
  void set(int k, Tensor value) override { iteration_->slots[node_->firstSlot + k] = std::move(value); }
  void setRef(int k, const std::shared_ptr<Variable>& v) override { iteration_->refs[node_->firstSlot + k] = v; }
  void setDead(int k) override { deadOutputs_ |= uint64_t(1) << k; }
  bool wanted(int k) const override { return iteration_->uses[node_->firstSlot + k] > 0; }
  Result<Tensor> scratch(DType dtype, const Shape& shape) override { return allocateTensor(hostAllocator(), dtype, shape); }
  const std::shared_ptr<Variable>* ref(int i) const override {
    const InputSource& in = node_->inputs[i];
    if (!in.isRef) return nullptr;
    return in.kind == InputSource::Kind::Invariant ? &iteration_->frame->invariantRefs[in.index] : &iteration_->refs[in.index];
  }
  void dropRead(int i) override {
    if (node_->inputs[i].isRef) refValues_[i] = Tensor();
  }
  bool cancelled() const override { return state_->stopped(); }
  std::string_view frameName() const override { return s_.frames[node_->frame].name; }
  int64_t iteration() const override { return iteration_->index; }

 private:
  struct Ready {
    int node;
    Iteration* iteration;
    bool dead;
  };
  Iteration* makeIteration(Frame* frame);
  void startIteration(Frame* frame);
  Frame* childFrame(int id, Iteration* parent);
  void arrive(int node, int input, bool dead, bool fromDeadEnter, Iteration* it);
  void queue(int node, Iteration* it, bool dead);
  void deliver(const DataNode& from, int output, bool dead, Iteration* target);
  void deliverControls(const DataNode& from, bool dead, Iteration* target);
  Status runNode(const Ready& r);
  Status compute(const DataNode& d, Iteration* it);
  void forwardValue(const DataNode& d, int input, Iteration* from, Iteration* to, int slot);
  Tensor takeInput(const DataNode& d, int input, Iteration* from, std::shared_ptr<Variable>* ref);
  void releaseInputs(const DataNode& d, Iteration* it);
  void finishNode(Iteration* it);
  void settle(Frame* frame);
  void endFrame(Frame* frame);
  void enterInvariant(const DataNode& d, bool dead, Frame* child);
  void recycle(Iteration* it);

  const Structure& s_;
  std::vector<std::vector<std::unique_ptr<Iteration>>> iterationPool_;
  std::vector<std::unique_ptr<Iteration>> owned_;
  std::unordered_map<Frame*, std::unique_ptr<Frame>> frames_;
  std::unordered_map<const Iteration*, std::vector<Frame*>> children_;
  std::vector<Ready> ready_;
  size_t head_ = 0;
  RunState* state_ = nullptr;
  KernelContext context_;
  // The node that runs now.
  const DataNode* node_ = nullptr;
  Iteration* iteration_ = nullptr;
  uint64_t deadOutputs_ = 0;
  std::vector<const Tensor*> inputs_;
  std::vector<Tensor> refValues_;
};

Iteration* Run::makeIteration(Frame* frame) {
  const FrameInfo& info = s_.frames[frame->id];
  auto& pool = iterationPool_[frame->id];
  std::unique_ptr<Iteration> it;
  if (pool.empty()) {
    it = std::make_unique<Iteration>();
    it->slots.resize(info.slotCount);
    it->refs.resize(info.slotCount);
    it->deadCount.resize(info.nodeCount);
    it->liveInput.resize(info.nodeCount);
    it->done.resize(info.nodeCount);
    it->deadInput.resize(info.nodeCount);
  } else {
    it = std::move(pool.back());
    pool.pop_back();
  }
  it->frame = frame;
  it->outstanding = 0;
  it->uses = info.usesTemplate;
  it->pending = info.pendingTemplate;
  std::fill(it->deadCount.begin(), it->deadCount.end(), 0);
  std::fill(it->liveInput.begin(), it->liveInput.end(), -1);
  std::fill(it->done.begin(), it->done.end(), 0);
  std::fill(it->deadInput.begin(), it->deadInput.end(), 0);
  it->index = ++frame->latest;
  frame->live.push_back(it.get());
  return it.release();
}

void Run::recycle(Iteration* it) {
  for (Tensor& t : it->slots) {
    if (t.hasValue()) t = Tensor();
  }
  for (auto& r : it->refs) r.reset();
  iterationPool_[it->frame->id].push_back(std::unique_ptr<Iteration>(it));
}

void Run::startIteration(Frame* frame) {
  Iteration* it = makeIteration(frame);
  frame->deadExits.clear();
  ++it->outstanding;  // not to be settled while it is being filled
  for (int enter : frame->arrived) {
    const DataNode& d = s_.nodes[enter];
    const bool dead = frame->invariantState[d.firstSlot] == 2;
    for (const Consumer& c : d.consumers[0]) arrive(c.node, c.input, dead, dead, it);
    for (const Consumer& c : d.controlConsumers) arrive(c.node, -1, dead, dead, it);
  }
  std::vector<Frame::Deferred> waiting;
  waiting.swap(frame->deferred);
  for (Frame::Deferred& w : waiting) {
    const DataNode& d = s_.nodes[w.node];
    it->slots[d.firstSlot] = std::move(w.value);
    it->refs[d.firstSlot] = std::move(w.ref);
    deliver(d, 0, false, it);
    deliverControls(d, false, it);
  }
  --it->outstanding;
}

Frame* Run::childFrame(int id, Iteration* parent) {
  auto& list = children_[parent];
  for (Frame* f : list) {
    if (f->id == id) return f;
  }
  auto frame = std::make_unique<Frame>();
  Frame* f = frame.get();
  const FrameInfo& info = s_.frames[id];
  f->id = id;
  f->parent = parent->frame;
  f->parentIteration = parent;
  f->enterPending = info.enterCount;
  f->invariants.resize(info.invariantCount);
  f->invariantRefs.resize(info.invariantCount);
  f->invariantState.assign(info.invariantCount, 0);
  frames_.emplace(f, std::move(frame));
  list.push_back(f);
  ++parent->outstanding;
  makeIteration(f);
  return f;
}

void Run::queue(int node, Iteration* it, bool dead) {
  ++it->outstanding;
  ready_.push_back({node, it, dead});
}

void Run::arrive(int node, int input, bool dead, bool fromDeadEnter, Iteration* it) {
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

void Run::deliver(const DataNode& from, int output, bool dead, Iteration* target) {
  const int slot = from.firstSlot + output;
  const auto& consumers = from.consumers[output];
  if (!dead && target->uses[slot] == 0) {
    target->slots[slot] = Tensor();
  }
  const bool deadEnter = dead && from.role == FlowRole::Enter;
  for (const Consumer& c : consumers) arrive(c.node, c.input, dead, deadEnter, target);
}

void Run::deliverControls(const DataNode& from, bool dead, Iteration* target) {
  const bool deadEnter = dead && from.role == FlowRole::Enter;
  for (const Consumer& c : from.controlConsumers) arrive(c.node, -1, dead, deadEnter, target);
}

Result<Tensor*> Run::forward(int k, const Shape& shape, std::initializer_list<int> candidates) {
  const DType type = baseType(node_->plan->types[k]);
  const int64_t n = shape.elements();
  for (int i : candidates) {
    const InputSource& in = node_->inputs[i];
    if (in.kind != InputSource::Kind::Slot || in.isRef || iteration_->uses[in.index] != 1) continue;
    Tensor& source = iteration_->slots[in.index];
    if (!source.ownsBufferAlone() || n < 0 || sizeOf(type) == 0 || sizeOf(source.dtype()) == 0 || size_t(n) * sizeOf(type) != source.bytes() ||
        source.place() != node_->plan->device->place()) {
      continue;
    }
    Tensor& slot = iteration_->slots[node_->firstSlot + k];
    slot = Tensor(type, shape, source.buffer(), const_cast<void*>(source.raw()));
    return &slot;
  }
  return allocate(k, shape);
}

Tensor Run::takeInput(const DataNode& d, int input, Iteration* from, std::shared_ptr<Variable>* ref) {
  const InputSource& in = d.inputs[input];
  switch (in.kind) {
    case InputSource::Kind::Constant:
      return *s_.constants[in.index];
    case InputSource::Kind::Invariant:
      if (in.isRef) *ref = from->frame->invariantRefs[in.index];
      return from->frame->invariants[in.index];
    case InputSource::Kind::Slot:
      break;
  }
  if (in.isRef) *ref = from->refs[in.index];
  return from->uses[in.index] == 1 ? std::move(from->slots[in.index]) : from->slots[in.index];
}

/// A node that only passes its input on. Reading a reference where a value is wanted takes the variable's value now.
void Run::forwardValue(const DataNode& d, int input, Iteration* from, Iteration* to, int slot) {
  std::shared_ptr<Variable> ref;
  Tensor value = takeInput(d, input, from, &ref);
  if (ref && !isRef(d.plan->types[0])) {
    const std::lock_guard lock(ref->mutex);
    value = ref->value;
    ref.reset();
  }
  to->slots[slot] = std::move(value);
  to->refs[slot] = std::move(ref);
}

void Run::releaseInputs(const DataNode& d, Iteration* it) {
  for (const InputSource& in : d.inputs) {
    if (in.kind != InputSource::Kind::Slot) continue;
    if (--it->uses[in.index] == 0) it->slots[in.index] = Tensor();
  }
}

Status Run::compute(const DataNode& d, Iteration* it) {
  const size_t count = d.inputs.size();
  if (inputs_.size() < count) {
    inputs_.resize(count);
    refValues_.resize(count);
  }
  for (size_t k = 0; k < count; ++k) {
    const InputSource& in = d.inputs[k];
    if (in.isRef) {
      Variable& v = **ref(int(k));
      const std::lock_guard lock(v.mutex);
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
  Status status = invokeKernel(*d.kernel, context_);
  for (size_t k = 0; k < count; ++k) {
    if (d.inputs[k].isRef) refValues_[k] = Tensor();
  }
  return status;
}

void Run::enterInvariant(const DataNode& d, bool dead, Frame* child) {
  child->invariantState[d.firstSlot] = dead ? 2 : 1;
  child->arrived.push_back(int(&d - s_.nodes.data()));
  for (size_t k = 0; k < child->live.size(); ++k) {
    Iteration* target = child->live[k];
    for (const Consumer& c : d.consumers[0]) arrive(c.node, c.input, dead, dead, target);
    for (const Consumer& c : d.controlConsumers) arrive(c.node, -1, dead, dead, target);
  }
}

Status Run::runNode(const Ready& r) {
  const DataNode& d = s_.nodes[r.node];
  Iteration* it = r.iteration;
  node_ = &d;
  iteration_ = it;
  deadOutputs_ = 0;
  const bool watched = state_->recorder != nullptr;
  const int64_t start = watched ? StepRecorder::now() : 0;

  switch (d.role) {
    case FlowRole::Enter: {
      Frame* child = childFrame(d.frameId, it);
      if (d.invariant) {
        if (!r.dead) {
          std::shared_ptr<Variable> ref;
          Tensor value = takeInput(d, 0, it, &ref);
          if (ref && !isRef(d.plan->types[0])) {
            const std::lock_guard lock(ref->mutex);
            value = ref->value;
            ref.reset();
          }
          child->invariants[d.firstSlot] = std::move(value);
          child->invariantRefs[d.firstSlot] = std::move(ref);
        }
        enterInvariant(d, r.dead, child);
      } else {
        Iteration* target = child->live.front();
        if (!r.dead) forwardValue(d, 0, it, target, d.firstSlot);
        deliver(d, 0, r.dead, target);
        deliverControls(d, r.dead, target);
      }
      releaseInputs(d, it);
      --child->enterPending;
      settle(child);
      return {};
    }
    case FlowRole::Exit: {
      Frame* frame = it->frame;
      if (r.dead) {
        if (it->index == frame->latest) frame->deadExits.push_back(r.node);
      } else {
        Iteration* target = frame->parentIteration;
        forwardValue(d, 0, it, target, d.firstSlot);
        deliver(d, 0, false, target);
        deliverControls(d, false, target);
      }
      releaseInputs(d, it);
      return {};
    }
    case FlowRole::NextIteration: {
      Frame* frame = it->frame;
      if (!r.dead) {
        if (it->index == frame->latest) {
          std::shared_ptr<Variable> ref;
          Tensor value = takeInput(d, 0, it, &ref);
          frame->deferred.push_back({r.node, std::move(value), std::move(ref)});
          if (int(frame->live.size()) < s_.frames[frame->id].parallelIterations) startIteration(frame);
        } else {
          Iteration* target = frame->live[size_t(it->index + 1 - frame->first)];
          forwardValue(d, 0, it, target, d.firstSlot);
          deliver(d, 0, false, target);
          deliverControls(d, false, target);
        }
      }
      releaseInputs(d, it);
      return {};
    }
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
        if (it->uses[d.firstSlot + 1] > 0) it->slots[d.firstSlot + 1] = Tensor::scalar(int32_t(live));
      }
      break;
    }
    case FlowRole::LoopCond:
      if (!r.dead) forwardValue(d, 0, it, it, d.firstSlot);
      break;
    case FlowRole::None:
      if (r.dead) break;
      if (d.isConstantValue) {
        for (int k = 0; k < d.outputCount; ++k) it->slots[d.firstSlot + k] = d.plan->constants[k];
      } else if (d.plan->feed >= 0) {
        // The value lies in its slot already.
      } else if (d.cheapForward) {
        if (d.inputs[0].isRef && !(*ref(0))->value.hasValue()) return uninitializedValue(**ref(0)).atNode(d.plan->node->name);
        forwardValue(d, 0, it, it, d.firstSlot);
      } else {
        WEFT_TRY(compute(d, it));
      }
      break;
  }
  if (watched && !r.dead && d.plan->node) {
    std::vector<const Tensor*> outputs(d.outputCount);
    for (int k = 0; k < d.outputCount; ++k) {
      const Tensor& t = it->slots[d.firstSlot + k];
      outputs[k] = t.hasValue() && !(deadOutputs_ >> k & 1) ? &t : nullptr;
    }
    state_->recorder->done(*d.plan, s_.frames[d.frame].name, it->index, start, StepRecorder::now(), outputs);
  }
  releaseInputs(d, it);
  const uint64_t dead = r.dead ? ~uint64_t(0) : deadOutputs_;
  for (int k = 0; k < d.outputCount; ++k) deliver(d, k, dead >> std::min(k, 63) & 1, it);
  deliverControls(d, r.dead, it);
  return {};
}

/// Removes the finished iterations at the front of a frame, and the frame itself if it has ended.
void Run::settle(Frame* frame) {
  if (!frame->parent) return;
  while (true) {
    while (!frame->live.empty()) {
      Iteration* front = frame->live.front();
      if (front->outstanding > 0 || (front->index == 0 && frame->enterPending > 0)) break;
      // The last iteration stays while a deferred NextIteration may follow it.
      children_.erase(front);
      frame->live.pop_front();
      ++frame->first;
      recycle(front);
    }
    if (!frame->deferred.empty() && int(frame->live.size()) < s_.frames[frame->id].parallelIterations) {
      startIteration(frame);
      continue;
    }
    break;
  }
  if (frame->live.empty() && frame->enterPending == 0 && frame->deferred.empty()) endFrame(frame);
}

void Run::endFrame(Frame* frame) {
  Iteration* parent = frame->parentIteration;
  for (int exit : frame->deadExits) {
    const DataNode& d = s_.nodes[exit];
    deliver(d, 0, true, parent);
    deliverControls(d, true, parent);
  }
  auto& list = children_[parent];
  list.erase(std::remove(list.begin(), list.end(), frame), list.end());
  frames_.erase(frame);
  --parent->outstanding;
  settle(parent->frame);
}

void Run::finishNode(Iteration* it) {
  if (--it->outstanding == 0) settle(it->frame);
}

Status Run::execute(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) {
  state_ = &state;
  ExecutorAccess::bind(context_, state.step, state.session, *this);
  Frame root;
  root.id = 0;
  Iteration* base = makeIteration(&root);
  const PlanGraph& g = s_.graph;
  for (const Output& f : g.fetches) {
    const DataNode& d = s_.nodes[f.node];
    if (d.outputFrame != 0 || d.invariant) {
      recycle(base);
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

  Status status;
  int64_t count = 0;
  while (head_ < ready_.size()) {
    const Ready r = ready_[head_++];
    if (state.stopped() || (state.deadlineNs && (++count & 63) == 0)) {
      status = state.check();
      if (!status.ok()) break;
    }
    status = runNode(r);
    if (!status.ok()) break;
    finishNode(r.iteration);
    if (head_ == ready_.size()) {
      ready_.clear();
      head_ = 0;
    } else if (head_ > 4096) {
      ready_.erase(ready_.begin(), ready_.begin() + ptrdiff_t(head_));
      head_ = 0;
    }
  }
  if (status.ok()) {
    for (const Output& f : g.fetches) {
      const DataNode& d = s_.nodes[f.node];
      const int slot = d.firstSlot + f.index;
      if (base->refs[slot]) {
        const std::lock_guard lock(base->refs[slot]->mutex);
        if (!base->refs[slot]->value.hasValue()) {
          status = uninitializedValue(*base->refs[slot]).atNode(d.plan->node->name);
          break;
        }
        auto copy = ownCopy(base->refs[slot]->value);
        if (!copy.ok()) {
          status = copy.error();
          break;
        }
        fetched.push_back(std::move(*copy));
      } else if (base->slots[slot].hasValue()) {
        if (--base->uses[slot] == 0) {
          fetched.push_back(std::move(base->slots[slot]));
        } else {
          fetched.push_back(base->slots[slot]);
        }
        // What others hold too may be a variable's buffer, which the next step writes to.
        if (!d.isConstantValue && !fetched.back().ownsBufferAlone()) {
          auto copy = ownCopy(fetched.back());
          if (!copy.ok()) {
            status = copy.error();
            break;
          }
          fetched.back() = std::move(*copy);
        }
      } else {
        status = invalidArgument("Retval[", int(fetched.size()), "] does not have value: ", d.plan->node ? d.plan->node->name : "feed", ":", f.index,
                                 " was not computed in this run (it lies on a branch that was not taken)");
        break;
      }
    }
  }
  // Whatever the run left behind, after an error above all.
  ready_.clear();
  head_ = 0;
  for (auto& [f, frame] : frames_) {
    for (Iteration* it : frame->live) recycle(it);
  }
  frames_.clear();
  children_.clear();
  recycle(base);
  return status;
}

class DataflowPlan final : public ExecutablePlan {
 public:
  Status run(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) override {
    std::unique_ptr<Run> r;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        r = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (!r) r = std::make_unique<Run>(structure);
    Status status = r->execute(feeds, fetched, state);
    const std::lock_guard lock(mutex_);
    if (idle_.size() < 4) idle_.push_back(std::move(r));
    return status;
  }

  std::string explain() const override {
    std::ostringstream out;
    int nodes = 0;
    for (const auto& d : structure.nodes) nodes += d.plan != nullptr;
    out << "dataflow schedule: " << nodes << " nodes in " << structure.frames.size() << " frames\n";
    for (const std::string& line : structure.graph.applied) out << line << '\n';
    return out.str();
  }

  Structure structure;

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Run>> idle_;  // guarded by mutex_
};

}  // namespace

Result<std::unique_ptr<ExecutablePlan>> makeDataflowPlan(PlanGraph plan, SessionState& session) {
  auto out = std::make_unique<DataflowPlan>();
  WEFT_TRY(buildStructure(std::move(plan), session, out->structure));
  return std::unique_ptr<ExecutablePlan>(std::move(out));
}

}  // namespace weft
