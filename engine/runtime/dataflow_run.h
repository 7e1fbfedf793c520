#pragma once

#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "runtime/dataflow_plan.h"
#include "runtime/memory_report.h"

// One run of a plan with control flow. One thread works through a queue of ready nodes; kernels use the compute pool themselves.
// The rules are TensorFlow 1.x's: a node with a dead input or control input is dead, and so are its outputs. Merge is alive if one of its
// inputs is. Switch kills one of its outputs. Enter, Exit and NextIteration carry a value to another frame or iteration. A dead NextIteration
// is not propagated. A dead Exit counts only if the loop ends without a live one.
namespace weft::dataflow {

struct Frame;

/// Values and counters of one iteration of a frame.
struct Iteration {
  Frame* frame = nullptr;
  int64_t index = 0;
  std::vector<Tensor> slots;
  std::vector<std::shared_ptr<Variable>> refs;  ///< By slot; used where outputs are references.
  std::vector<int> uses;                        ///< Remaining reads, by slot.
  std::vector<int> pending;                     ///< By local node.
  std::vector<uint8_t> deadInput;               ///< By local node: whether some input or control input is dead.
  std::vector<int> liveInput;                   ///< By local node, for Merge: the first live input, or -1.
  std::vector<int> deadCount;                   ///< By local node, for Merge: number of dead inputs.
  std::vector<uint8_t> done;                    ///< By local node, for Merge: whether it is queued.
  int outstanding = 0;                          ///< Queued nodes and child frames.
};

struct Frame {
  int id = 0;
  Frame* parent = nullptr;
  Iteration* parentIteration = nullptr;
  std::deque<Iteration*> live;  ///< Oldest first; index of front() is `first`.
  int64_t first = 0, latest = -1;
  int enterPending = 0;
  std::vector<Tensor> invariants;
  std::vector<std::shared_ptr<Variable>> invariantRefs;
  std::vector<uint8_t> invariantState;  ///< 0: not arrived, 1: alive, 2: dead.
  std::vector<int> arrived;             ///< Enter nodes with is_constant that have arrived.
  struct Deferred {
    int node;
    Tensor value;
    std::shared_ptr<Variable> ref;
  };
  std::vector<Deferred> deferred;  ///< NextIterations waiting for the window (parallel_iterations) to advance.
  std::vector<int> deadExits;
};

/// Values, counters and queue of a run; reused by later runs of the same plan. SteppingRun is the variant for stepping.
class DataflowRun : public OutputSink {
 public:
  explicit DataflowRun(const Structure& s) : s_(s), iterationPool_(s.frames.size()) {}
  Status execute(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state);

  Result<Tensor*> allocate(int k, const Shape& shape) override;
  Result<Tensor*> forward(int k, const Shape& shape, std::initializer_list<int> candidates) override;
  void set(int k, Tensor value) override { iteration_->slots[node_->firstSlot + k] = std::move(value); }
  void setRef(int k, const std::shared_ptr<Variable>& v) override { iteration_->refs[node_->firstSlot + k] = v; }
  void setDead(int k) override { deadOutputs_ |= uint64_t(1) << k; }
  bool wanted(int k) const override { return iteration_->uses[node_->firstSlot + k] > 0; }
  Result<Tensor> scratch(DType dtype, const Shape& shape) override;
  const std::shared_ptr<Variable>* ref(int i) const override;
  void dropRead(int i) override {
    if (node_->inputs[i].isRef) refValues_[i] = Tensor();
  }
  bool cancelled() const override { return !state_->check().ok(); }
  const RunState* run() const override { return state_; }
  std::string_view frameName() const override { return nameOf(node_->frame); }
  int64_t iteration() const override { return node_->frame > 0 ? iteration_->index : state_->iteration; }
  std::vector<LoopPlace> loops() const override;

 protected:
  struct Ready {
    int node;
    Iteration* iteration;
    bool dead;
  };
  /// Runs nodes until the queue is empty.
  virtual Status runQueue();
  void queue(int node, Iteration* it, bool dead);
  /// How many iterations of one frame may be in flight.
  virtual int window(const FrameInfo& frame) const { return frame.parallelIterations; }

  // The parts of running a node: computing its outputs, then handing them on. Nodes that change frame or iteration do both at once (move()).
  void bind(const Ready& r);
  static bool changesPlace(FlowRole role) { return role == FlowRole::Enter || role == FlowRole::Exit || role == FlowRole::NextIteration; }
  void move(const Ready& r);
  Status computeOutputs(const Ready& r);
  void propagateOutputs(const Ready& r);
  void finishNode(Iteration* it);
  // Asynchronous kernels (dataflow_waits.cpp).
  bool hasWaits() const { return !waits_.empty(); }
  Status startWait(const Ready& r);
  /// Takes what has arrived, without waiting.
  Status takeArrived() { return waits_.empty() ? Status() : finishWaits(mailbox_->take()); }
  Status finishWaits(std::vector<Mailbox::Letter> letters);
  Status sleep();

  /// Fills the root frame and queues the roots. INVALID_ARGUMENT for fetches inside a loop.
  Status begin(std::span<const Tensor> feeds, Iteration* base);
  Status collect(std::vector<Tensor>& fetched, Iteration* base);
  /// INTERNAL if a target or a fetch neither ran nor is dead.
  Status checkReached(const Iteration* base) const;
  void forgetAll(Iteration* base);
  Iteration* makeIteration(Frame* frame);

  const Structure& s_;
  std::unordered_map<const Iteration*, std::vector<Frame*>> children_;
  std::vector<Ready> ready_;
  RunState* state_ = nullptr;
  // The node that is running.
  const DataNode* node_ = nullptr;
  Iteration* iteration_ = nullptr;
  uint64_t deadOutputs_ = 0;

 private:
  /// The frame's name; the outermost frame of a plan inside a native loop has that loop's name.
  std::string_view nameOf(int frame) const { return frame > 0 ? std::string_view(s_.frames[frame].name) : state_->frame; }
  Status runNode(const Ready& r);
  Status look();
  /// Memory held by the run's tensors, for error messages.
  std::vector<HeldMemory> held(const Iteration* base) const;
  void cancelWaits();
  void startIteration(Frame* frame);
  Frame* childFrame(int id, Iteration* parent);
  void arrive(int node, int input, bool dead, bool fromDeadEnter, Iteration* it);
  void deliver(const DataNode& from, int output, bool dead, Iteration* target);
  void deliverControls(const DataNode& from, bool dead, Iteration* target);
  Status compute(const DataNode& d, Iteration* it);
  Status gatherInputs(const DataNode& d, Iteration* it);
  void dropReads(const DataNode& d);
  void record(const DataNode& d, Iteration* it, int64_t start);
  void enter(const DataNode& d, Iteration* it, bool dead);
  void forwardValue(const DataNode& d, int input, Iteration* from, Iteration* to, int slot);
  Tensor takeInput(const DataNode& d, int input, Iteration* from, std::shared_ptr<Variable>* ref);
  void releaseInputs(const DataNode& d, Iteration* it);
  void settle(Frame* frame);
  void endFrame(Frame* frame);
  void enterInvariant(const DataNode& d, bool dead, Frame* child);
  void recycle(Iteration* it);
  Result<Tensor> fetch(Output f, Iteration* base, int position);
  /// Never ran, dead, and ran are three different states.
  enum class NodeOutcome : uint8_t { Waits, Dead, Ran };
  NodeOutcome outcomeOf(int node, const Iteration* base) const;
  void followVariables();
  Status unreached(int node, const Iteration* base) const;

  std::vector<std::vector<std::unique_ptr<Iteration>>> iterationPool_;
  std::unordered_map<Frame*, std::unique_ptr<Frame>> frames_;
  std::vector<NodeOutcome> exitOutcomes_;  ///< By node: the outcome of an Exit into the outermost frame.
  Iteration* base_ = nullptr;              ///< The outermost frame's iteration.
  uint64_t seenMoves_ = 0;
  size_t head_ = 0;
  struct Wait {
    Ready ready;
    AsyncKernel::Cancel cancel;
    int64_t start = 0;
  };
  std::unordered_map<int64_t, Wait> waits_;  ///< Started but not finished.
  std::shared_ptr<Mailbox> mailbox_;         ///< Of this run; created at the first wait.
  int64_t nextWait_ = 0;
  KernelContext context_;
  std::vector<const Tensor*> inputs_;
  std::vector<Tensor> refValues_;
};

}  // namespace weft::dataflow
