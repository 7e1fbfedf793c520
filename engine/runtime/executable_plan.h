#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel/device.h"
#include "kernel/step_state.h"
#include "runtime/plan_graph.h"
#include "weft/debug.h"
#include "weft/plan_report.h"

namespace weft {

/// Records the executed nodes of one step. Exists only if the run is traced or observed.
class StepRecorder {
 public:
  StepRecorder(StepTrace* trace, std::vector<RunObserver*> observers, const Graph& graph);
  /// To be called before the node's work; its device may run behind the host.
  void starting(const PlanNode& node);
  /// Times are steady-clock nanoseconds.
  void done(const PlanNode& node, std::string_view frame, int64_t iteration, int64_t startNs, int64_t endNs, std::span<const Tensor* const> outputs);
  static int64_t now();
  void finish();

 private:
  StepTrace* trace_;
  std::vector<RunObserver*> observers_;
  const Graph& graph_;
  int64_t start_;

  /// What ops did on devices that run behind the host: moments of a timer, to become events when the step has ended.
  struct DeviceWork {
    size_t event;  ///< The host's event of the same call.
    int begin, end;
  };
  struct Timed {
    std::unique_ptr<DeviceTimer> timer;
    std::vector<DeviceWork> work;
  };
  Timed* timedOf(Device& device);
  std::map<Device*, Timed> timed_;
  int began_ = -1;  ///< The mark of starting().
};

/// Keeps plans whose memory was not predicted within a session's limit: they ask before they allocate. Counts what the process has allocated since the step began.
class MemoryGuard {
 public:
  /// Of the step with this state, which outlives it.
  MemoryGuard(size_t limit, size_t held, const StepState& step);
  ~MemoryGuard();
  MemoryGuard(const MemoryGuard&) = delete;
  /// The guard of a running step, also for the bodies of the functions that it calls; null: none.
  static const MemoryGuard* of(const StepState& step);
  /// RESOURCE_EXHAUSTED if `bytes` more would pass the limit.
  Status ask(size_t bytes) const;
  size_t limit() const { return limit_; }

 private:
  size_t limit_, held_, before_;
  const StepState& step_;
};

struct RunState;
/// Tells the run's watch that output `k` of `node` looks wrong; CANCELLED if the run is to end.
Status reportToWatch(const RunState& state, const PlanNode& node, int k, const Tensor& value, std::string_view frame, int64_t iteration);
/// By node: whether a watch is shown its floating-point outputs. Left out are nodes that only pass a value on, and nodes all of whose consumers
/// propagate NaN and are covered themselves.
std::vector<uint8_t> watchedNodes(const PlanGraph& plan);

/// State of a run that its plans need.
struct RunState {
  StepState& step;
  SessionState& session;
  const std::atomic<bool>* cancelled = nullptr;  ///< Set by the caller.
  const std::atomic<bool>* sessionClosed = nullptr;
  int64_t deadlineNs = 0;  ///< Steady clock; 0: none.
  StepRecorder* recorder = nullptr;
  StepController* controller = nullptr;  ///< For stepping plans.
  ValueWatch* watch = nullptr;
  const Graph* userGraph = nullptr;        ///< Set if `watch` is.
  std::string_view frame{};                ///< For a plan inside a loop: the loop's name …
  int64_t iteration = 0;                   ///< … and iteration.
  std::atomic<int>* activeRuns = nullptr;  ///< Number of computing runs; a sleeping run does not count.
  size_t peakBytes = 0;                    ///< Set by the plan.
  const MemoryGuard* memory = nullptr;     ///< Of a session with a memory limit.

  bool stopped() const {
    return (cancelled && cancelled->load(std::memory_order_relaxed)) || (sessionClosed && sessionClosed->load(std::memory_order_relaxed));
  }
  /// CANCELLED or DEADLINE_EXCEEDED if the run must end.
  Status check() const;
};

/// A plan that can run any number of times. Thread-safe.
class ExecutablePlan {
 public:
  virtual ~ExecutablePlan() = default;
  virtual Status run(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) = 0;
  /// As run(), but within a run of another plan: consumes the feeds, and the results may share memory with feeds, variables and constants.
  virtual Status step(std::span<Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) { return run(feeds, fetched, state); }
  virtual std::string explain() const = 0;
  /// Frees memory that it keeps for its next run.
  virtual void releaseMemory() {}
  /// Details beyond explain(). Empty for plans without planned memory.
  virtual PlanReport report() const { return {}; }
};

/// For plans without control flow: a flat list of kernel calls over planned memory.
Result<std::unique_ptr<ExecutablePlan>> makeStaticPlan(PlanGraph plan, SessionState& session);
/// For plans with Switch, Merge, Enter, Exit, NextIteration: nodes run when their inputs have arrived.
Result<std::unique_ptr<ExecutablePlan>> makeDataflowPlan(PlanGraph plan, SessionState& session);

/// For runs under RunState::controller; `graph` (the user's) outlives it, `feeds` are the tensors that the signature feeds.
Result<std::unique_ptr<ExecutablePlan>> makeSteppingPlan(PlanGraph plan, SessionState& session, const Graph& graph, const std::vector<Output>& feeds);

}  // namespace weft
