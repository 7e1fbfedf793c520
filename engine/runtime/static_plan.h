#pragma once

#include <atomic>
#include <climits>
#include <unordered_map>

#include "runtime/executable_plan.h"
#include "runtime/executor.h"
#include "runtime/memory_plan.h"
#include "runtime/memory_report.h"
#include "runtime/static_phases.h"
#include "weft/mutex.h"

// Memory planning. The first run of a plan allocates every output separately and records each block's size and lifetime (in steps), and which
// outputs share a block (views, in-place results). From this the blocks get fixed offsets in one arena. Later runs repeat the recorded decisions
// and allocate nothing. Every repeated decision is checked: a kernel that requests more than was recorded, or makes a view where it made a copy
// before, gets separate memory in that run, and the plan is recorded again. So results never depend on the shapes being the recorded ones. Fetched
// values lie outside the arena and are returned without a copy.
//
// Steps side by side. Some later runs time each step. If the plan would be faster with steps side by side, it gets a second layout, in which steps of one phase
// share no memory (static_schedule.cpp), and runs by it (static_lanes.cpp). If that proves no faster, the first layout returns.

namespace weft::staticplan {

constexpr int kNever = INT_MAX;

enum class SlotKind : uint8_t {
  Unrecorded,
  Arena,    ///< Allocated by the kernel, in the arena.
  Forward,  ///< Reuses an input's memory.
  Alias,    ///< A view of a block in the arena.
  Outside,  ///< Fetched, or owned elsewhere: buffers of variables and feeds, constants.
};

struct SlotPlan {
  SlotKind kind = SlotKind::Unrecorded;
  int forwardInput = -1;
  size_t offset = 0, bytes = 0;  ///< Place and size of the block.
  int first = 0, last = 0;       ///< Steps that need the block.
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
  int firstWatched, watchedCount;  ///< Into StaticPlan::watched_.
  int firstRelease, releaseCount;  ///< Into StaticPlan::released_: slots that this step uses last.
  bool allowsUninitialized;
  bool keepsTensors;  ///< Keeps its inputs or outputs beyond the call, so they never lie in the arena.
};

struct RefInput {
  int input;  ///< Position among the step's inputs.
  int slot;   ///< Slot of the reference.
};

/// Data gathered during a recording run.
struct Recording {
  struct Block {
    MemoryBlock block;
    int live = 0;  ///< Number of slots that hold it.
    bool outside = false;
  };
  std::vector<Block> blocks;
  std::vector<int> slotBlock;  ///< -1: outside.
  std::vector<SlotPlan> slots;
  std::unordered_map<const Buffer*, int> byBuffer;
  size_t liveBytes = 0;  ///< Of blocks that slots hold.
};

/// The memory layout made from a recording.
struct Layout {
  std::vector<SlotPlan> slots;
  size_t arenaBytes = 0, lowerBound = 0;
  size_t outsideBytes = 0;                   ///< Of recorded blocks that do not lie in the arena, such as fetched ones.
  std::vector<MemoryBlock> blocks;           ///< As recorded.
  std::vector<int> slotBlock;                ///< By slot; -1: outside.
  std::shared_ptr<const StepTimes> times;    ///< Of the runs that were timed; null before.
  std::shared_ptr<const PhasedOrder> order;  ///< Null: one by one, in the order of the graph.
};

/// The memory of a run; used by one run at a time.
struct Instance {
  std::shared_ptr<const Layout> layout;  ///< The layout that it was made for; null: everything is allocated on the heap.

  std::vector<Tensor> slots;
  std::vector<std::shared_ptr<Variable>> refs;
  std::vector<Tensor> refValues;
  std::vector<const Tensor*> inputs;
  BufferPtr arena;
  std::unique_ptr<std::atomic<int>[]> waits;  ///< For the calls of a phase.
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
  bool cancelled() const override { return !state_.check().ok(); }
  std::string_view frameName() const override { return state_.frame; }
  int64_t iteration() const override { return state_.iteration; }
  const RunState* run() const override { return &state_; }
  /// Whether a recorded decision could not be repeated.
  bool diverged = false;

 private:
  bool inArena(const Tensor& t) const { return in_.arena && t.buffer().get() == in_.arena.get(); }
  Result<Tensor*> fresh(int slot, const Shape& shape);
  Status checkLimit(int slot, const Shape& shape) const;
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
  Status step(std::span<Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) override;
  std::string explain() const override;
  PlanReport report() const override;
  void releaseMemory() override;

 private:
  friend class StaticSink;
  std::unique_ptr<Instance> makeInstance(std::shared_ptr<const Layout> layout, const RunState& state, Status* status) const;
  /// Whether the session's memory limit allows an arena like this. True if the plan has no limit of its own.
  bool fitsLimit(const Layout& layout) const;
  /// The run's observer: none, a value watch, a recorder of each op (possibly with a watch), or the times of the steps.
  enum class StepObserver { None, Watch, Recorder, Timer };
  template <bool kRecord, StepObserver kObserver>
  Status runSteps(Instance& in, StaticSink& sink, RunState& state, Recording* rec, StepTimes* times) const;
  /// Runs the steps by the layout's phases, with a watch if there is one.
  Status runPhases(Instance& in, bool& diverged, RunState& state) const;
  friend class PhaseRun;
  Status prepare(const Step& s, Instance& in) const;
  void release(Instance& in, const int* slots, int count) const;
  /// Takes note of a run of `ns` nanoseconds with `layout`, and chooses the next layout where enough has been seen.
  void observed(const std::shared_ptr<const Layout>& layout, std::unique_ptr<Observation> times, double ns);
  std::vector<ScheduledCall> scheduledCalls(const Layout& layout, const StepTimes& times) const;
  std::shared_ptr<const Layout> phasedLayout(const Layout& layout, Schedule schedule) const;
  /// Makes reads of reference variables follow the variable (runtime/moved_reads.h).
  static void followVariables(Instance& in, uint64_t& seen);
  Status lookAt(const Step& step, const Instance& in, const RunState& state) const;
  /// `give(i)` returns feed i. With `inside`, fetched values are returned without copies of shared buffers.
  template <typename Give>
  Status execute(size_t feeds, Give&& give, std::vector<Tensor>& fetched, RunState& state, bool inside);
  Status fetch(Instance& in, std::vector<Tensor>& fetched, bool inside) const;
  void keepOutside(const Step& s, Recording& rec) const;
  void finishRecording(Recording& rec);
  std::string slotName(size_t slot) const;
  /// Memory held by a run, and blocks of a layout; for error messages.
  std::vector<HeldMemory> heldBy(const Instance& in) const;
  std::vector<HeldMemory> blocksOf(const Layout& layout) const;

  PlanGraph graph_;
  std::vector<std::shared_ptr<Kernel>> kernels_;
  std::vector<Step> steps_;
  std::vector<int> all_, working_;  ///< All steps, and those that do work: without NoOps, and without variables, which instances keep.
  std::vector<std::pair<int, const std::shared_ptr<Variable>*>> named_;  ///< Slot and variable of the latter.
  std::vector<Slot> slots_;
  std::vector<int> slotNode_;    ///< Plan node of each slot.
  std::vector<int> slotOf_;      ///< First slot of each plan node; -1: constant.
  std::vector<int> inputSlots_;  ///< Per input of all steps: slot, or ~index into constants_.
  std::vector<const Tensor*> constants_;
  std::vector<RefInput> refInputs_;
  std::vector<int> released_;
  std::vector<int> watched_;  ///< Slots shown to a ValueWatch.

  mutable Mutex mutex_;
  std::shared_ptr<const Layout> layout_ WEFT_GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<Instance>> idle_ WEFT_GUARDED_BY(mutex_);
  int recordings_ WEFT_GUARDED_BY(mutex_) = 0;
  std::unique_ptr<Observation> observation_ WEFT_GUARDED_BY(mutex_);  ///< Of layout_. Null while a run adds to it, and without a layout.
};

}  // namespace weft::staticplan
