#include <algorithm>
#include <climits>
#include <mutex>
#include <sstream>
#include <unordered_map>

#include "runtime/executable_plan.h"
#include "runtime/executor.h"
#include "runtime/memory_plan.h"

// How memory is planned. The first run of a plan allocates every output by itself and records what happens: how large each block is, from
// which step to which it is needed, which outputs share a block (views, in-place results). From that the blocks get fixed places in one
// arena. Later runs repeat the recorded decisions and allocate nothing. Every decision is checked as it is repeated: a kernel that asks for
// more than was recorded, or that makes a view where it made a copy before, gets memory of its own in that run, and the plan is recorded
// anew. So results never depend on the shapes being the recorded ones. What is fetched lies outside the arena and is handed out without a copy.

namespace weft {
namespace {

constexpr int kNever = INT_MAX;

enum class SlotKind : uint8_t {
  Unrecorded,
  Arena,    ///< Allocated by the kernel: a place in the arena.
  Forward,  ///< Taken over from an input: the same place.
  Alias,    ///< A view of a block in the arena.
  Outside,  ///< Fetched, or not ours: variables' and feeds' buffers, constants.
};

struct SlotPlan {
  SlotKind kind = SlotKind::Unrecorded;
  int forwardInput = -1;
  size_t offset = 0, bytes = 0;  ///< Of the block.
  Shape shape;                   ///< As recorded.
};

struct Slot {
  DType type;        ///< Base type.
  int lastUse = -1;  ///< Step; kNever if fetched.
  bool isRef = false;
};

struct Step {
  Kernel* kernel;
  const PlanNode* node;
  int firstInput, inputCount;
  int firstOutput, outputCount;
  int firstRef, refCount;          ///< Into StaticPlan::refInputs_.
  int firstRelease, releaseCount;  ///< Into StaticPlan::released_: slots whose last use this is.
  bool allowsUninitialized;
};

struct RefInput {
  int input;  ///< Position among the step's inputs.
  int slot;   ///< Slot of the reference.
};

/// What one step decided, gathered during a recording run.
struct Recording {
  struct Block {
    MemoryBlock block;
    int live = 0;       ///< Slots that hold it now.
    bool outside = false;
  };
  std::vector<Block> blocks;
  std::vector<int> slotBlock;             ///< -1: outside.
  std::vector<SlotPlan> slots;
  std::unordered_map<const Buffer*, int> byBuffer;
};

/// The memory of one run at a time.
struct Instance {
  std::vector<Tensor> slots;
  std::vector<std::shared_ptr<Variable>> refs;
  std::vector<Tensor> refValues;
  std::vector<const Tensor*> inputs;
  BufferPtr arena;
  int generation = 0;  ///< Of the layout that it was made for; 0: no layout, everything from the heap.
};

class StaticPlan;

class StaticSink final : public OutputSink {
 public:
  StaticSink(const StaticPlan& plan, Instance& instance, Recording* recording, const std::vector<SlotPlan>* layout, RunState& state)
      : plan_(plan), in_(instance), rec_(recording), layout_(layout), state_(state) {}
  void begin(const Step& step, int index) {
    step_ = &step;
    index_ = index;
  }
  Result<Tensor*> allocate(int k, const Shape& shape) override;
  Result<Tensor*> forward(int k, const Shape& shape, std::initializer_list<int> candidates) override;
  void set(int k, Tensor value) override;
  void setRef(int k, const std::shared_ptr<Variable>& variable) override;
  void setDead(int) override {}
  bool wanted(int k) const override;
  Result<Tensor> scratch(DType dtype, const Shape& shape) override { return allocateTensor(hostAllocator(), dtype, shape); }
  const std::shared_ptr<Variable>* ref(int i) const override;
  void dropRead(int i) override;
  bool cancelled() const override { return state_.stopped(); }
  /// Whether a decision could not be repeated.
  bool diverged = false;

 private:
  bool inArena(const Tensor& t) const { return in_.arena && t.buffer().get() == in_.arena.get(); }
  Result<Tensor*> fresh(int slot, const Shape& shape);
  void record(int slot, int block, SlotKind kind);

  const StaticPlan& plan_;
  Instance& in_;
  Recording* rec_;
  const std::vector<SlotPlan>* layout_;
  RunState& state_;
  const Step* step_ = nullptr;
  int index_ = 0;
};

class StaticPlan final : public ExecutablePlan {
 public:
  static Result<std::unique_ptr<ExecutablePlan>> build(PlanGraph graph, SessionState& session);
  Status run(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) override;
  std::string explain() const override;

 private:
  friend class StaticSink;
  struct Layout {
    std::vector<SlotPlan> slots;
    size_t arenaBytes = 0, lowerBound = 0;
    int generation = 0;
  };
  std::unique_ptr<Instance> makeInstance(const std::shared_ptr<const Layout>& layout, Status* status) const;
  template <bool kRecord, bool kWatched>
  Status runSteps(Instance& in, StaticSink& sink, RunState& state, Recording* rec) const;
  void finishRecording(Recording& rec);

  PlanGraph graph_;
  std::vector<std::shared_ptr<Kernel>> kernels_;
  std::vector<Step> steps_;
  std::vector<Slot> slots_;
  std::vector<int> slotNode_;               ///< Plan node of each slot.
  std::vector<int> slotOf_;                 ///< First slot of each plan node; -1: constant.
  std::vector<int> inputSlots_;             ///< Per input of all steps: slot, or ~index into constants_.
  std::vector<const Tensor*> constants_;
  std::vector<RefInput> refInputs_;
  std::vector<int> released_;
  bool heapOnly_ = false;

  mutable std::mutex mutex_;
  std::shared_ptr<const Layout> layout_;                 // guarded by mutex_
  std::vector<std::unique_ptr<Instance>> idle_;          // guarded by mutex_
  int generations_ = 0;                                  // guarded by mutex_
};

// ---- the sink

Result<Tensor*> StaticSink::fresh(int slot, const Shape& shape) {
  auto t = allocateTensor(step_->node->device->allocator(), plan_.slots_[slot].type, shape);
  if (!t.ok()) return std::move(t.error());
  in_.slots[slot] = std::move(*t);
  return &in_.slots[slot];
}

void StaticSink::record(int slot, int block, SlotKind kind) {
  rec_->slotBlock[slot] = block;
  rec_->slots[slot].kind = kind;
  rec_->slots[slot].shape = in_.slots[slot].shape();
  if (block < 0) return;
  Recording::Block& b = rec_->blocks[block];
  ++b.live;
  if (plan_.slots_[slot].lastUse == kNever) b.outside = true;
}

Result<Tensor*> StaticSink::allocate(int k, const Shape& shape) {
  const int slot = step_->firstOutput + k;
  if (rec_) {
    WEFT_LET(Tensor * t, fresh(slot, shape));
    const bool ours = sizeOf(t->dtype()) > 0 && t->place() == 0;
    if (!ours) {
      record(slot, -1, SlotKind::Outside);
      return t;
    }
    const int id = int(rec_->blocks.size());
    rec_->blocks.push_back({{t->bytes(), index_, index_, 0}, 0, false});
    rec_->byBuffer[t->buffer().get()] = id;
    record(slot, id, SlotKind::Arena);
    return t;
  }
  if (!layout_) return fresh(slot, shape);
  const SlotPlan& p = (*layout_)[slot];
  if (p.kind == SlotKind::Outside) return fresh(slot, shape);
  Tensor& t = in_.slots[slot];
  if (p.kind == SlotKind::Arena) {
    if (t.shape() == shape && t.buffer().get() == in_.arena.get()) return &t;
    const int64_t n = shape.elements();
    if (n >= 0 && size_t(n) * sizeOf(plan_.slots_[slot].type) <= p.bytes) {
      t = Tensor(plan_.slots_[slot].type, shape, in_.arena, static_cast<char*>(in_.arena->data()) + p.offset);
      return &t;
    }
  }
  diverged = true;
  return fresh(slot, shape);
}

Result<Tensor*> StaticSink::forward(int k, const Shape& shape, std::initializer_list<int> candidates) {
  const int slot = step_->firstOutput + k;
  if (rec_ || !layout_) {
    for (int i : candidates) {
      const int from = plan_.inputSlots_[step_->firstInput + i];
      if (from < 0 || plan_.slots_[from].isRef || plan_.slots_[from].lastUse != index_) continue;
      Tensor& source = in_.slots[from];
      const int64_t n = shape.elements();
      if (!source.ownsBufferAlone() || n < 0 || sizeOf(source.dtype()) == 0 || size_t(n) * sizeOf(plan_.slots_[slot].type) != source.bytes() ||
          sizeOf(plan_.slots_[slot].type) == 0 || source.place() != step_->node->device->place()) {
        continue;
      }
      int block = -1;
      if (rec_) {
        block = rec_->slotBlock[from];
        if (block < 0) continue;
      } else if (plan_.graph_.nodes[size_t(plan_.slotNode_[from])].feed >= 0) {
        continue;
      }
      in_.slots[slot] = Tensor(plan_.slots_[slot].type, shape, source.buffer(), const_cast<void*>(source.raw()));
      if (rec_) {
        record(slot, block, SlotKind::Forward);
        rec_->slots[slot].forwardInput = i;
      }
      return &in_.slots[slot];
    }
    return allocate(k, shape);
  }
  const SlotPlan& p = (*layout_)[slot];
  if (p.kind == SlotKind::Forward) {
    Tensor& t = in_.slots[slot];
    const bool same = std::find(candidates.begin(), candidates.end(), p.forwardInput) != candidates.end();
    if (same && t.shape() == shape && t.buffer().get() == in_.arena.get()) return &t;
    const int64_t n = shape.elements();
    const int from = same ? plan_.inputSlots_[step_->firstInput + p.forwardInput] : -1;
    if (same && from >= 0 && n >= 0 && size_t(n) * sizeOf(plan_.slots_[slot].type) == in_.slots[from].bytes() && in_.slots[from].bytes() <= p.bytes) {
      t = Tensor(plan_.slots_[slot].type, shape, in_.arena, static_cast<char*>(in_.arena->data()) + p.offset);
      return &t;
    }
    diverged = true;
    return fresh(slot, shape);
  }
  return allocate(k, shape);
}

void StaticSink::set(int k, Tensor value) {
  const int slot = step_->firstOutput + k;
  if (rec_) {
    const auto it = rec_->byBuffer.find(value.buffer().get());
    const int block = it != rec_->byBuffer.end() && rec_->blocks[it->second].live > 0 ? it->second : -1;
    in_.slots[slot] = std::move(value);
    record(slot, block, block < 0 ? SlotKind::Outside : SlotKind::Alias);
    return;
  }
  if (layout_ && inArena(value)) {
    const SlotPlan& p = (*layout_)[slot];
    const size_t at = size_t(static_cast<const char*>(value.raw()) - static_cast<const char*>(in_.arena->data()));
    if (p.kind != SlotKind::Alias || at < p.offset || at + value.bytes() > p.offset + p.bytes) {
      diverged = true;
      auto copy = value.clone();
      in_.slots[slot] = copy.ok() ? std::move(*copy) : Tensor();
      return;
    }
  } else if (layout_ && (*layout_)[slot].kind != SlotKind::Outside) {
    diverged = true;
  }
  in_.slots[slot] = std::move(value);
}

void StaticSink::setRef(int k, const std::shared_ptr<Variable>& variable) {
  auto& ref = in_.refs[step_->firstOutput + k];
  if (ref != variable) ref = variable;
}

bool StaticSink::wanted(int k) const {
  const int slot = step_->firstOutput + k;
  return plan_.slots_[slot].lastUse > index_;
}

const std::shared_ptr<Variable>* StaticSink::ref(int i) const {
  for (int r = 0; r < step_->refCount; ++r) {
    const RefInput& in = plan_.refInputs_[step_->firstRef + r];
    if (in.input == i) return &in_.refs[in.slot];
  }
  return nullptr;
}

void StaticSink::dropRead(int i) {
  for (int r = 0; r < step_->refCount; ++r) {
    if (plan_.refInputs_[step_->firstRef + r].input == i) in_.refValues[step_->firstRef + r] = Tensor();
  }
}

// ---- building

/// Ops that keep the tensors that they are given beyond the call; their plans have no arena.
bool keepsTensors(const Node& n) {
  return n.op.starts_with("TensorArray") || n.op.starts_with("Stack") || n.op.find("Queue") != std::string::npos ||
         n.op.find("Barrier") != std::string::npos || n.op.find("Accumulator") != std::string::npos || n.op.find("Iterator") != std::string::npos ||
         n.op.find("Dataset") != std::string::npos || n.op.find("TensorList") != std::string::npos || n.op.find("LookupTable") != std::string::npos;
}

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
  for (int i : g.order()) {
    PlanNode& p = g.nodes[i];
    if (p.isConstant() || !p.node) continue;
    std::shared_ptr<Kernel> kernel = p.kernel;
    if (!kernel) {
      WEFT_LET(kernel, makeKernel(*p.node, *p.device, session));
    }
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
    plan->heapOnly_ |= keepsTensors(*p.node);
    plan->kernels_.push_back(std::move(kernel));
    plan->steps_.push_back(s);
  }
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

std::unique_ptr<Instance> StaticPlan::makeInstance(const std::shared_ptr<const Layout>& layout, Status* status) const {
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
  if (!layout) return in;
  auto arena = hostAllocator().allocate(std::max<size_t>(layout->arenaBytes, 64));
  if (!arena.ok()) {
    *status = arena.error();
    return nullptr;
  }
  in->arena = std::move(*arena);
  in->generation = layout->generation;
  for (size_t s = 0; s < slots_.size(); ++s) {
    const SlotPlan& p = layout->slots[s];
    if (p.kind != SlotKind::Arena && p.kind != SlotKind::Forward) continue;
    in->slots[s] = Tensor(slots_[s].type, p.shape, in->arena, static_cast<char*>(in->arena->data()) + p.offset);
  }
  return in;
}

template <bool kRecord, bool kWatched>
Status StaticPlan::runSteps(Instance& in, StaticSink& sink, RunState& state, Recording* rec) const {
  KernelContext c;
  ExecutorAccess::bind(c, state.step, state.session, sink);
  const int count = int(steps_.size());
  const bool planned = bool(in.arena);
  for (int index = 0; index < count; ++index) {
    const Step& s = steps_[index];
    if (state.stopped() || (state.deadlineNs && (index & 15) == 0)) WEFT_TRY(state.check());
    for (int r = 0; r < s.refCount; ++r) {
      const RefInput& ri = refInputs_[s.firstRef + r];
      Variable& v = *in.refs[ri.slot];
      const std::lock_guard lock(v.mutex);
      if (!v.value.hasValue() && !s.allowsUninitialized && !isRef(s.node->node->inputTypes[ri.input])) {
        return uninitializedValue(v).atNode(s.node->node->name);
      }
      in.refValues[s.firstRef + r] = v.value;
    }
    sink.begin(s, index);
    ExecutorAccess::bindNode(c, *s.node->node, in.inputs.data() + s.firstInput, s.inputCount, s.outputCount, *s.node->device);
    int64_t start = 0;
    if constexpr (kWatched) start = StepRecorder::now();
    Status status = invokeKernel(*s.kernel, c);
    if (!status.ok()) return status;
    if constexpr (kWatched) {
      std::vector<const Tensor*> outputs(s.outputCount);
      for (int k = 0; k < s.outputCount; ++k) outputs[k] = slots_[s.firstOutput + k].isRef ? nullptr : &in.slots[s.firstOutput + k];
      state.recorder->done(*s.node, {}, 0, start, StepRecorder::now(), outputs);
    }
    for (int r = 0; r < s.refCount; ++r) in.refValues[s.firstRef + r] = Tensor();
    // Let go of what nobody needs any more: all in a run without a layout, else only what lies outside the arena.
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
  return {};
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
  }
  const std::lock_guard lock(mutex_);
  layout->generation = ++generations_;
  layout_ = std::move(layout);
  idle_.clear();
}

Status StaticPlan::run(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) {
  std::unique_ptr<Instance> in;
  std::shared_ptr<const Layout> layout;
  bool record = false;
  {
    const std::lock_guard lock(mutex_);
    layout = layout_;
    if (layout && !idle_.empty()) {
      in = std::move(idle_.back());
      idle_.pop_back();
    }
    // A plan whose sizes keep changing is not worth recording again and again.
    record = !layout && !heapOnly_ && generations_ < 4;
  }
  Status status;
  if (!in) in = makeInstance(layout, &status);
  if (!in) return status;
  for (size_t i = 0; i < feeds.size(); ++i) {
    const int node = graph_.feedNodes[i];
    if (node >= 0 && graph_.nodes[node].alive && slots_[slotOf_[node]].lastUse >= 0) in->slots[slotOf_[node]] = feeds[i];
  }

  Recording rec;
  if (record) {
    rec.slotBlock.assign(slots_.size(), -1);
    rec.slots.resize(slots_.size());
  }
  StaticSink sink(*this, *in, record ? &rec : nullptr, layout ? &layout->slots : nullptr, state);
  if (record) {
    status = state.recorder ? runSteps<true, true>(*in, sink, state, &rec) : runSteps<true, false>(*in, sink, state, &rec);
  } else {
    status = state.recorder ? runSteps<false, true>(*in, sink, state, nullptr) : runSteps<false, false>(*in, sink, state, nullptr);
  }
  if (status.ok()) {
    fetched.reserve(graph_.fetches.size());
    for (const Output& f : graph_.fetches) {
      const PlanNode& p = graph_.nodes[f.node];
      if (p.isConstant()) {
        fetched.push_back(p.constants[f.index]);
        continue;
      }
      const int slot = slotOf_[f.node] + f.index;
      if (slots_[slot].isRef) {
        Variable& v = *in->refs[slot];
        const std::lock_guard lock(v.mutex);
        if (!v.value.hasValue()) {
          status = uninitializedValue(v).atNode(p.node->name);
          break;
        }
        WEFT_LET(Tensor copy, ownCopy(v.value));
        fetched.push_back(std::move(copy));
      } else {
        fetched.push_back(in->slots[slot]);
      }
    }
    for (const Output& f : graph_.fetches) {
      if (!graph_.nodes[f.node].isConstant()) in->slots[slotOf_[f.node] + f.index] = Tensor();
    }
    // What others hold too may be a variable's buffer, which the next step writes to.
    for (size_t k = 0; k < fetched.size(); ++k) {
      if (graph_.nodes[graph_.fetches[k].node].isConstant() || fetched[k].ownsBufferAlone()) continue;
      WEFT_LET(fetched[k], ownCopy(fetched[k]));
    }
  }
  state.peakBytes = layout ? layout->arenaBytes : 0;
  if (!status.ok()) return status;  // the instance may hold anything: it is not used again
  if (record) {
    finishRecording(rec);
    return {};
  }
  if (!layout) return {};
  const std::lock_guard lock(mutex_);
  if (sink.diverged) {
    if (layout_ == layout) layout_.reset();  // record again at the next run
    return {};
  }
  if (layout_ == layout && idle_.size() < 8) idle_.push_back(std::move(in));
  return {};
}

std::string StaticPlan::explain() const {
  std::ostringstream out;
  const std::lock_guard lock(mutex_);
  out << "static schedule: " << steps_.size() << " steps, " << constants_.size() << " constant inputs\n";
  for (const std::string& line : graph_.applied) out << line << '\n';
  if (layout_) {
    out << "memory: arena of " << layout_->arenaBytes << " bytes; at least " << layout_->lowerBound << " are needed at one time\n";
  } else if (heapOnly_) {
    out << "memory: from the heap (ops keep their tensors)\n";
  } else {
    out << "memory: not laid out yet\n";
  }
  return out.str();
}

}  // namespace

Result<std::unique_ptr<ExecutablePlan>> makeStaticPlan(PlanGraph plan, SessionState& session) { return StaticPlan::build(std::move(plan), session); }

}  // namespace weft
