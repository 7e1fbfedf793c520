#include "runtime/static_plan.h"

#include "kernel/names_variable.h"
#include "runtime/moved_reads.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <unordered_set>

namespace weft::staticplan {

// ---- building

namespace {

/// INTERNAL if the order lacks a node: it depends on itself and would never run.
Status checkComplete(const PlanGraph& g, const std::vector<int>& order) {
  const auto alive = std::count_if(g.nodes.begin(), g.nodes.end(), [](const PlanNode& p) { return p.alive; });
  if (size_t(alive) == order.size()) return {};
  std::vector<uint8_t> runs(g.nodes.size(), 0);
  for (int i : order) runs[size_t(i)] = 1;
  std::string names, first;
  int count = 0;
  for (size_t i = 0; i < g.nodes.size(); ++i) {
    const PlanNode& p = g.nodes[i];
    if (!p.alive || runs[i]) continue;
    const std::string name = p.node ? p.node->name : "feed";
    if (count == 0) first = name;
    if (++count <= 5) names += (count > 1 ? ", " : "") + name;
  }
  return internalError(count, " nodes of the plan would never run, for they wait for one another or for those that do: ", names, count > 5 ? ", …" : "")
      .atNode(first);
}

}  // namespace

Result<std::unique_ptr<ExecutablePlan>> StaticPlan::build(PlanGraph graph, SessionState& session) {
  auto plan = std::make_unique<StaticPlan>();
  plan->graph_ = std::move(graph);
  PlanGraph& g = plan->graph_;
  const int n = int(g.nodes.size());
  plan->slotOf_.assign(n, -1);
  // Slots for everything that is not constant.
  for (int i = 0; i < n; ++i) {
    const PlanNode& p = g.nodes[i];
    if (!p.alive || p.isConstant()) continue;
    plan->slotOf_[i] = int(plan->slots_.size());
    for (DType t : p.types) {
      plan->slots_.push_back({baseType(t), -1, isRef(t)});
      plan->slotNode_.push_back(i);
    }
  }
  const auto slotOf = [&](Output o) { return plan->slotOf_[o.node] + o.index; };
  const std::vector<uint8_t> watched = watchedNodes(g);
  bool waits = false;
  const std::vector<int> order = g.order();
  WEFT_TRY(checkComplete(g, order));
  for (int i : order) {
    PlanNode& p = g.nodes[i];
    if (p.isConstant() || !p.node) continue;
    std::shared_ptr<Kernel> kernel = p.kernel;
    if (!kernel) {
      WEFT_LET(kernel, makeKernel(*p.node, *p.device, session));
      p.kernel = kernel;
    }
    waits |= dynamic_cast<AsyncKernel*>(kernel.get()) != nullptr;
    const int index = int(plan->steps_.size());
    Step s{};
    s.kernel = kernel.get();
    s.node = &p;
    s.firstInput = int(plan->inputSlots_.size());
    s.inputCount = int(p.inputs.size());
    s.firstOutput = plan->slotOf_[i];
    s.outputCount = int(p.types.size());
    s.firstRef = int(plan->refInputs_.size());
    s.allowsUninitialized = p.node->record->allowsUninitializedInput;
    for (int k = 0; k < s.inputCount; ++k) {
      const Output in = p.inputs[k];
      if (g.nodes[in.node].isConstant()) {
        plan->inputSlots_.push_back(~int(plan->constants_.size()));
        plan->constants_.push_back(&g.nodes[in.node].constants[in.index]);
        continue;
      }
      const int slot = slotOf(in);
      plan->inputSlots_.push_back(slot);
      plan->slots_[slot].lastUse = std::max(plan->slots_[slot].lastUse, index);
      if (plan->slots_[slot].isRef) plan->refInputs_.push_back({k, slot});
    }
    s.refCount = int(plan->refInputs_.size()) - s.firstRef;
    s.firstWatched = int(plan->watched_.size());
    for (int k = 0; watched[size_t(i)] && !p.loop && k < s.outputCount; ++k) {
      const Slot& slot = plan->slots_[s.firstOutput + k];
      if (!slot.isRef && (isFloating(slot.type) || isComplex(slot.type))) plan->watched_.push_back(s.firstOutput + k);
    }
    s.watchedCount = int(plan->watched_.size()) - s.firstWatched;
    s.keepsTensors = p.loop || retainsTensors(*p.node);
    const auto* names = dynamic_cast<const NamesVariable*>(kernel.get());
    if (names) plan->named_.emplace_back(s.firstOutput, &names->named());
    if (!names && roleOf(*p.node) != OpRole::Group) plan->working_.push_back(index);
    plan->all_.push_back(index);
    plan->kernels_.push_back(std::move(kernel));
    plan->steps_.push_back(s);
  }
  // One node may wait for the effect of another, so a fixed order could deadlock.
  if (waits) return makeDataflowPlan(std::move(g), session);
  for (const Output& f : g.fetches) {
    if (!g.nodes[f.node].isConstant()) plan->slots_[slotOf(f)].lastUse = kNever;
  }
  std::vector<std::vector<int>> release(plan->steps_.size());
  for (size_t s = 0; s < plan->steps_.size(); ++s) {
    const Step& step = plan->steps_[s];
    for (int k = 0; k < step.outputCount; ++k) {
      Slot& slot = plan->slots_[step.firstOutput + k];
      const int last = slot.lastUse < 0 ? int(s) : slot.lastUse;
      if (last != kNever) release[last].push_back(step.firstOutput + k);
    }
  }
  for (int f : g.feedNodes) {
    if (f < 0 || !g.nodes[f].alive) continue;
    const int slot = plan->slotOf_[f];
    const int last = plan->slots_[slot].lastUse;
    if (last >= 0 && last != kNever) release[last].push_back(slot);
  }
  for (size_t s = 0; s < release.size(); ++s) {
    plan->steps_[s].firstRelease = int(plan->released_.size());
    plan->steps_[s].releaseCount = int(release[s].size());
    plan->released_.insert(plan->released_.end(), release[s].begin(), release[s].end());
  }
  return std::unique_ptr<ExecutablePlan>(std::move(plan));
}

// ---- running

std::unique_ptr<Instance> StaticPlan::makeInstance(std::shared_ptr<const Layout> layout, Status* status) const {
  auto in = std::make_unique<Instance>();
  in->slots.resize(slots_.size());
  in->refs.resize(slots_.size());
  in->refValues.resize(refInputs_.size());
  in->inputs.resize(inputSlots_.size());
  for (size_t i = 0; i < inputSlots_.size(); ++i) {
    in->inputs[i] = inputSlots_[i] < 0 ? constants_[~inputSlots_[i]] : &in->slots[inputSlots_[i]];
  }
  for (const Step& s : steps_) {
    for (int r = 0; r < s.refCount; ++r) in->inputs[s.firstInput + refInputs_[s.firstRef + r].input] = &in->refValues[s.firstRef + r];
  }
  for (const auto& [slot, variable] : named_) in->refs[size_t(slot)] = *variable;
  if (!layout) return in;
  auto arena = hostAllocator().allocate(std::max<size_t>(layout->arenaBytes, 64));
  if (!arena.ok()) {
    *status = arena.error();
    return nullptr;
  }
  in->arena = std::move(*arena);
  for (size_t s = 0; s < slots_.size(); ++s) {
    const SlotPlan& p = layout->slots[s];
    if (p.kind != SlotKind::Arena && p.kind != SlotKind::Forward) continue;
    in->slots[s] = Tensor(slots_[s].type, p.shape, in->arena, static_cast<char*>(in->arena->data()) + p.offset);
  }
  in->layout = std::move(layout);
  return in;
}

Status StaticPlan::lookAt(const Step& step, const Instance& in, const RunState& state) const {
  for (int w = step.firstWatched; w < step.firstWatched + step.watchedCount; ++w) {
    const Tensor& value = in.slots[watched_[w]];
    if (state.watch->isSuspicious(value)) WEFT_TRY(reportToWatch(state, *step.node, watched_[w] - step.firstOutput, value, state.frame, state.iteration));
  }
  return {};
}

void StaticPlan::followVariables(Instance& in, uint64_t& seen) {
  seen = MovedReads::epoch();
  const MovedReads moved;
  for (Tensor& t : in.slots) moved.follow(t);
}

template <bool kRecord, StaticPlan::StepObserver kObserver>
Status StaticPlan::runSteps(Instance& in, StaticSink& sink, RunState& state, Recording* rec) const {
  KernelContext c;
  ExecutorAccess::bind(c, state.step, state.session, sink);
  const bool planned = bool(in.arena);
  const std::vector<int>& which = kObserver == StepObserver::Recorder ? all_ : working_;
  uint64_t seen = MovedReads::epoch();
  for (size_t at = 0; at < which.size(); ++at) {
    const int index = which[at];
    if (MovedReads::epoch() != seen) followVariables(in, seen);
    const Step& s = steps_[size_t(index)];
    if (state.stopped() || (state.deadlineNs && (at & 15) == 0)) WEFT_TRY(state.check());
    for (int r = 0; r < s.refCount; ++r) {
      const RefInput& ri = refInputs_[s.firstRef + r];
      Variable& v = *in.refs[ri.slot];
      const MutexLock lock(v.mutex);
      if (!v.value.hasValue() && !s.allowsUninitialized && !isRef(s.node->node->inputTypes[ri.input])) {
        return uninitializedValue(v).atNode(s.node->node->name);
      }
      in.refValues[s.firstRef + r] = v.value;
    }
    sink.begin(s, index);
    ExecutorAccess::bindNode(c, *s.node->node, in.inputs.data() + s.firstInput, s.inputCount, s.outputCount, *s.node->device);
    int64_t start = 0;
    if constexpr (kObserver == StepObserver::Recorder) start = StepRecorder::now();
    Status status = invokeKernel(*s.kernel, c);
    if (!status.ok()) return status;
    if constexpr (kRecord) {
      if (s.keepsTensors) keepOutside(s, *rec);
    }
    if constexpr (kObserver == StepObserver::Recorder) {
      if (!s.node->loop) {  // a loop reports its ops itself
        std::vector<const Tensor*> outputs(s.outputCount);
        for (int k = 0; k < s.outputCount; ++k) outputs[k] = slots_[s.firstOutput + k].isRef ? nullptr : &in.slots[s.firstOutput + k];
        state.recorder->done(*s.node, state.frame, state.iteration, start, StepRecorder::now(), outputs);
      }
    }
    if constexpr (kObserver != StepObserver::None) {
      if (state.watch && s.watchedCount > 0) WEFT_TRY(lookAt(s, in, state));
    }
    for (int r = 0; r < s.refCount; ++r) in.refValues[s.firstRef + r] = Tensor();
    // Release values after their last use: all of them in a run without a layout, else only those outside the arena.
    for (int k = 0; k < s.releaseCount; ++k) {
      const int slot = released_[s.firstRelease + k];
      if constexpr (kRecord) {
        const int b = rec->slotBlock[slot];
        if (b >= 0) {
          rec->blocks[b].block.last = std::max(rec->blocks[b].block.last, index);
          --rec->blocks[b].live;
        }
        in.slots[slot] = Tensor();
      } else if (!planned || in.slots[slot].buffer().get() != in.arena.get()) {
        in.slots[slot] = Tensor();
      }
    }
  }
  if (MovedReads::epoch() != seen) followVariables(in, seen);
  return {};
}

/// Marks blocks that an op may keep, or that it returned from kept tensors, so that later ops do not overwrite them.
void StaticPlan::keepOutside(const Step& s, Recording& rec) const {
  const auto keep = [&](int slot) {
    if (slot >= 0 && rec.slotBlock[slot] >= 0) rec.blocks[rec.slotBlock[slot]].outside = true;
  };
  for (int k = 0; k < s.inputCount; ++k) keep(inputSlots_[s.firstInput + k]);
  for (int k = 0; k < s.outputCount; ++k) keep(s.firstOutput + k);
}

void StaticPlan::finishRecording(Recording& rec) {
  auto layout = std::make_shared<Layout>();
  std::vector<MemoryBlock> blocks;
  std::vector<int> index(rec.blocks.size(), -1);
  for (size_t b = 0; b < rec.blocks.size(); ++b) {
    if (rec.blocks[b].outside) continue;
    index[b] = int(blocks.size());
    blocks.push_back(rec.blocks[b].block);
  }
  layout->arenaBytes = packBlocks(blocks);
  layout->lowerBound = peakOf(blocks);
  layout->slots = std::move(rec.slots);
  for (size_t s = 0; s < layout->slots.size(); ++s) {
    SlotPlan& p = layout->slots[s];
    const int b = rec.slotBlock[s];
    if (b < 0 || index[b] < 0) {
      p.kind = SlotKind::Outside;
      continue;
    }
    p.offset = blocks[index[b]].offset;
    p.bytes = blocks[index[b]].bytes;
    p.first = blocks[index[b]].first;
    p.last = blocks[index[b]].last;
  }
  const MutexLock lock(mutex_);
  ++recordings_;
  layout_ = std::move(layout);
  idle_.clear();
}

Status StaticPlan::run(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) {
  return execute(
      feeds.size(), [&](size_t i) { return feeds[i]; }, fetched, state, false);
}

Status StaticPlan::step(std::span<Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) {
  return execute(
      feeds.size(), [&](size_t i) { return std::move(feeds[i]); }, fetched, state, true);
}

template <typename Give>
Status StaticPlan::execute(size_t feeds, Give&& give, std::vector<Tensor>& fetched, RunState& state, bool inside) {
  std::unique_ptr<Instance> in;
  std::shared_ptr<const Layout> latest;  // for a new instance; an idle one has its own
  bool record = false;
  {
    const MutexLock lock(mutex_);
    if (layout_ && !idle_.empty()) {
      in = std::move(idle_.back());
      idle_.pop_back();
    } else {
      latest = layout_;
      // Gives up recording if the sizes keep changing.
      record = !latest && recordings_ < 4;
    }
  }
  Status status;
  if (!in) in = makeInstance(latest, &status);
  if (!in) {
    nameLargest(status.error(), blocksOf(*latest), state.session);
    return status;
  }
  const Layout* const layout = in->layout.get();
  for (size_t i = 0; i < feeds; ++i) {
    const int node = graph_.feedNodes[i];
    if (node >= 0 && graph_.nodes[node].alive && slots_[slotOf_[node]].lastUse >= 0) in->slots[slotOf_[node]] = give(i);
  }

  std::optional<Recording> rec;  // made only when needed, because of its cost in short runs
  if (record) {
    rec.emplace();
    rec->slotBlock.assign(slots_.size(), -1);
    rec->slots.resize(slots_.size());
  }
  Recording* const recording = rec ? &*rec : nullptr;
  StaticSink sink(*this, *in, recording, layout ? &layout->slots : nullptr, state);
  if (state.recorder) {
    status =
        record ? runSteps<true, StepObserver::Recorder>(*in, sink, state, recording) : runSteps<false, StepObserver::Recorder>(*in, sink, state, recording);
  } else if (state.watch) {
    status = record ? runSteps<true, StepObserver::Watch>(*in, sink, state, recording) : runSteps<false, StepObserver::Watch>(*in, sink, state, recording);
  } else {
    status = record ? runSteps<true, StepObserver::None>(*in, sink, state, recording) : runSteps<false, StepObserver::None>(*in, sink, state, recording);
  }
  if (status.ok()) status = fetch(*in, fetched, inside);
  state.peakBytes = layout ? layout->arenaBytes : 0;
  if (status.code() == Code::ResourceExhausted) nameLargest(status.error(), heldBy(*in), state.session);
  if (!status.ok()) return status;  // the instance's state is undefined; it is not reused
  if (record) {
    finishRecording(*rec);
    return {};
  }
  if (!layout) return {};
  const MutexLock lock(mutex_);
  if (sink.diverged) {
    if (layout_.get() == layout) layout_.reset();  // record again at the next run
    return {};
  }
  if (layout_.get() == layout && idle_.size() < 8) idle_.push_back(std::move(in));
  return {};
}

Status StaticPlan::fetch(Instance& in, std::vector<Tensor>& fetched, bool inside) const {
  const size_t before = fetched.size();
  fetched.reserve(before + graph_.fetches.size());
  for (const Output& f : graph_.fetches) {
    const PlanNode& p = graph_.nodes[f.node];
    if (p.isConstant()) {
      fetched.push_back(p.constants[f.index]);
      continue;
    }
    const int slot = slotOf_[f.node] + f.index;
    if (slots_[slot].isRef) {
      Variable& v = *in.refs[slot];
      const MutexLock lock(v.mutex);
      if (!v.value.hasValue()) return uninitializedValue(v).atNode(p.node->name);
      WEFT_LET(Tensor copy, ownCopy(v.value));
      fetched.push_back(std::move(copy));
    } else {
      fetched.push_back(in.slots[slot]);
    }
  }
  for (const Output& f : graph_.fetches) {
    if (!graph_.nodes[f.node].isConstant()) in.slots[slotOf_[f.node] + f.index] = Tensor();
  }
  if (inside) return {};
  // A shared buffer may be a variable's, which the next step overwrites.
  for (size_t k = before; k < fetched.size(); ++k) {
    if (graph_.nodes[graph_.fetches[k - before].node].isConstant() || fetched[k].ownsBufferAlone()) continue;
    WEFT_LET(fetched[k], ownCopy(fetched[k]));
  }
  return {};
}

std::string StaticPlan::slotName(size_t slot) const {
  const int node = slotNode_[slot];
  const PlanNode& p = graph_.nodes[size_t(node)];
  const int k = int(slot) - slotOf_[size_t(node)];
  return concat(p.node ? p.node->name : std::string("feed"), ":", k);
}

std::vector<HeldMemory> StaticPlan::heldBy(const Instance& in) const {
  std::vector<HeldMemory> held;
  std::unordered_set<const Buffer*> seen;
  for (size_t s = 0; s < in.slots.size(); ++s) {
    const Tensor& t = in.slots[s];
    // All tensors of an arena share its buffer; views share the buffer of their source.
    if (!t.hasValue() || (t.buffer().get() != in.arena.get() && !seen.insert(t.buffer().get()).second)) continue;
    held.push_back({slotName(s), t.dtype(), t.shape(), t.bytes()});
  }
  return held;
}

std::vector<HeldMemory> StaticPlan::blocksOf(const Layout& layout) const {
  std::vector<HeldMemory> held;
  for (size_t s = 0; s < layout.slots.size(); ++s) {
    const SlotPlan& p = layout.slots[s];
    if (p.kind == SlotKind::Arena) held.push_back({slotName(s), slots_[s].type, p.shape, p.bytes});
  }
  return held;
}

std::string StaticPlan::explain() const {
  std::ostringstream out;
  const MutexLock lock(mutex_);
  out << "static schedule: " << steps_.size() << " steps, " << constants_.size() << " constant inputs\n";
  for (const std::string& line : graph_.applied) out << line << '\n';
  if (layout_) {
    out << "memory: arena of " << layout_->arenaBytes << " bytes; at least " << layout_->lowerBound << " are needed at one time\n";
  } else {
    out << "memory: not laid out yet\n";
  }
  return out.str();
}

}  // namespace weft::staticplan

namespace weft {

Result<std::unique_ptr<ExecutablePlan>> makeStaticPlan(PlanGraph plan, SessionState& session) {
  return staticplan::StaticPlan::build(std::move(plan), session);
}

}  // namespace weft
