#include "runtime/static_plan.h"

#include "base/pool.h"
#include "runtime/moved_reads.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <unordered_set>

namespace weft::staticplan {

namespace {
constexpr int kMostRecordings = 4;
}

bool StaticPlan::fitsLimit(const Layout& layout) const {
  const PlannedMemory& m = graph_.memory;
  return !m.known || m.limit == 0 || m.held + layout.arenaBytes + layout.outsideBytes <= m.limit;
}

void StaticPlan::releaseMemory() {
  std::vector<std::unique_ptr<Instance>> freed;  // outside the lock
  const MutexLock lock(mutex_);
  freed.swap(idle_);
}

std::unique_ptr<Instance> StaticPlan::makeInstance(std::shared_ptr<const Layout> layout, const RunState& state, Status* status) const {
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
  if (state.memory && !graph_.memory.known) {
    if (Status room = state.memory->ask(layout->arenaBytes); !room.ok()) {
      *status = std::move(room);
      return nullptr;
    }
  }
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

/// Gets the values of the variables that the step reads by reference.
Status StaticPlan::prepare(const Step& s, Instance& in) const {
  for (int r = 0; r < s.refCount; ++r) {
    const RefInput& ri = refInputs_[s.firstRef + r];
    Variable& v = *in.refs[ri.slot];
    const MutexLock lock(v.mutex);
    if (!v.value.hasValue() && !s.allowsUninitialized && !isRef(s.node->node->inputTypes[ri.input])) {
      return uninitializedValue(v).atNode(s.node->node->name);
    }
    in.refValues[s.firstRef + r] = v.value;
  }
  return {};
}

/// Releases values after their last use: all of them in a run without a layout, else only those outside the arena.
void StaticPlan::release(Instance& in, const int* slots, int count) const {
  for (int k = 0; k < count; ++k) {
    Tensor& t = in.slots[size_t(slots[k])];
    if (!in.arena || t.buffer().get() != in.arena.get()) t = Tensor();
  }
}

template <bool kRecord, StaticPlan::StepObserver kObserver>
Status StaticPlan::runSteps(Instance& in, StaticSink& sink, RunState& state, Recording* rec, StepTimes* times) const {
  KernelContext c;
  ExecutorAccess::bind(c, state.step, state.session, sink);
  const PhasedOrder* const order = in.layout ? in.layout->order.get() : nullptr;
  const std::vector<int>& which = kObserver == StepObserver::Recorder ? (order ? order->all : all_) : (order ? order->steps : working_);
  uint64_t seen = MovedReads::epoch();
  for (size_t at = 0; at < which.size(); ++at) {
    const int index = which[at];
    if (MovedReads::epoch() != seen) followVariables(in, seen);
    const Step& s = steps_[size_t(index)];
    if (state.stopped() || (state.deadlineNs && (at & 15) == 0)) WEFT_TRY(state.check());
    if (s.refCount > 0) WEFT_TRY(prepare(s, in));
    sink.begin(s, index);
    ExecutorAccess::bindNode(c, *s.node->node, in.inputs.data() + s.firstInput, s.inputCount, s.outputCount, *s.node->device);
    int64_t start = 0;
    uint64_t asked = 0;
    if constexpr (kObserver == StepObserver::Timer) asked = pool::asked();
    if constexpr (kObserver == StepObserver::Recorder) state.recorder->starting(*s.node);
    if constexpr (kObserver == StepObserver::Recorder || kObserver == StepObserver::Timer) start = StepRecorder::now();
    Status status = invokeKernel(*s.kernel, c);
    if (!status.ok()) return status;
    if constexpr (kObserver == StepObserver::Timer) {
      double& ns = times->ns[size_t(index)];
      const double taken = double(StepRecorder::now() - start);
      ns = ns == 0 ? taken : std::min(ns, taken);
      times->several[size_t(index)] |= uint8_t(pool::asked() != asked);
    }
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
    if constexpr (kRecord) {
      for (int k = 0; k < s.releaseCount; ++k) {
        const int slot = released_[s.firstRelease + k];
        const int b = rec->slotBlock[slot];
        if (b >= 0) {
          rec->blocks[b].block.last = std::max(rec->blocks[b].block.last, index);
          if (--rec->blocks[b].live == 0) rec->liveBytes -= rec->blocks[b].block.bytes;
        }
        in.slots[slot] = Tensor();
      }
    } else if (!order) {
      release(in, released_.data() + s.firstRelease, s.releaseCount);
    } else if (const int phase = order->endOf[size_t(index)]; phase >= 0) {
      release(in, order->released[size_t(phase)].data(), int(order->released[size_t(phase)].size()));
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
    if (rec.blocks[b].outside) {
      layout->outsideBytes += rec.blocks[b].block.bytes;
      continue;
    }
    index[b] = int(blocks.size());
    blocks.push_back(rec.blocks[b].block);
  }
  layout->blocks = blocks;
  layout->slotBlock.resize(rec.slotBlock.size(), -1);
  for (size_t s = 0; s < rec.slotBlock.size(); ++s)
    if (rec.slotBlock[s] >= 0) layout->slotBlock[s] = index[size_t(rec.slotBlock[s])];
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
  if (!fitsLimit(*layout)) {  // its blocks fit one by one, but not with the gaps between them: every run allocates
    recordings_ = kMostRecordings;
    return;
  }
  layout_ = std::move(layout);
  observation_ = std::make_unique<Observation>();
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
  std::unique_ptr<Observation> times;
  {
    const MutexLock lock(mutex_);
    if (observation_ && graph_.sideBySide && canRunSideBySide(state) && !state.recorder) times = std::move(observation_);
    if (layout_ && !idle_.empty()) {
      in = std::move(idle_.back());
      idle_.pop_back();
    } else {
      latest = layout_;
      // Gives up recording if the sizes keep changing.
      record = !latest && recordings_ < kMostRecordings;
    }
  }
  Status status;
  if (!in) in = makeInstance(latest, state, &status);
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
  const int64_t start = times ? StepRecorder::now() : 0;
  if (layout && layout->order && !state.recorder && canRunSideBySide(state)) {
    status = runPhases(*in, sink.diverged, state);
  } else if (times && times->stage == Observation::Stage::Timing && layout) {
    if (!times->times) times->times = std::make_shared<StepTimes>(StepTimes{std::vector<double>(steps_.size()), std::vector<uint8_t>(steps_.size())});
    status = runSteps<false, StepObserver::Timer>(*in, sink, state, nullptr, times->times.get());
  } else if (state.recorder) {
    status = record ? runSteps<true, StepObserver::Recorder>(*in, sink, state, recording, nullptr)
                    : runSteps<false, StepObserver::Recorder>(*in, sink, state, recording, nullptr);
  } else if (state.watch) {
    status = record ? runSteps<true, StepObserver::Watch>(*in, sink, state, recording, nullptr)
                    : runSteps<false, StepObserver::Watch>(*in, sink, state, recording, nullptr);
  } else {
    status = record ? runSteps<true, StepObserver::None>(*in, sink, state, recording, nullptr)
                    : runSteps<false, StepObserver::None>(*in, sink, state, recording, nullptr);
  }
  const double taken = times ? double(StepRecorder::now() - start) : 0;
  if (status.ok()) status = fetch(*in, fetched, inside);
  state.peakBytes = layout ? layout->arenaBytes : 0;
  if (status.code() == Code::ResourceExhausted) nameLargest(status.error(), heldBy(*in), state.session);
  if (!status.ok() && times) {
    const MutexLock lock(mutex_);
    if (layout_ == in->layout) observation_ = std::move(times);
  }
  if (!status.ok()) return status;  // the instance's state is undefined; it is not reused
  if (record) {
    finishRecording(*rec);
    return {};
  }
  if (!layout) return {};
  if (times && !sink.diverged) observed(in->layout, std::move(times), taken);
  const MutexLock lock(mutex_);
  if (sink.diverged) {
    if (layout_.get() == layout) {  // record again at the next run
      layout_.reset();
      observation_.reset();
    }
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
  if (layout_ && layout_->order) {
    const Schedule& s = layout_->order->schedule;
    size_t phases = 0, calls = 0;
    for (const Phase& p : s.phases) {
      if (p.calls.size() < 2) continue;
      ++phases;
      calls += p.calls.size();
    }
    out << "side by side: " << calls << " steps in " << phases << " phases on " << s.threads << " threads; " << int64_t(s.ns / 1000) << " µs expected, "
        << int64_t(s.oneByOneNs / 1000) << " one by one\n";
  }
  if (graph_.memory.known) {
    const PlannedMemory& m = graph_.memory;
    out << "planned: " << memoryText(m.bytes) << " at the peak, of it " << memoryText(m.held) << " of variables, constants and fed values";
    if (m.limit > 0) out << "; the limit is " << memoryText(m.limit);
    if (m.again > 0) out << "; " << m.again << " nodes computed again instead of keeping " << memoryText(m.keptBytes);
    out << '\n';
  }
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
