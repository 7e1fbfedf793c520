#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernel/step_state.h"
#include "runtime/plan_graph.h"
#include "weft/debug.h"
#include "weft/plan_report.h"

namespace weft {

/// Collects what happened to nodes of one step; only there when somebody wants it.
class StepRecorder {
 public:
  StepRecorder(StepTrace* trace, std::vector<RunObserver*> observers, const Graph& graph);
  /// Times are steady-clock nanoseconds.
  void done(const PlanNode& node, std::string_view frame, int64_t iteration, int64_t startNs, int64_t endNs, std::span<const Tensor* const> outputs);
  static int64_t now();
  void finish();

 private:
  StepTrace* trace_;
  std::vector<RunObserver*> observers_;
  const Graph& graph_;
  int64_t start_;
};

struct RunState;
/// Tells the run's watch that output `k` of `node` looks wrong; CANCELLED if the run is to end.
Status tellWatch(const RunState& state, const PlanNode& node, int k, const Tensor& value, std::string_view frame, int64_t iteration);
/// Of which nodes a watch is shown the floating-point outputs, by index: not of those that only hand something on, nor where each consumer is an op of
/// arithmetic that turns a NaN into a NaN and is watched itself.
std::vector<uint8_t> watchedNodes(const PlanGraph& plan);

/// What a plan needs to know of the run that it is part of.
struct RunState {
  StepState& step;
  SessionState& session;
  const std::atomic<bool>* cancelled = nullptr;  ///< By the caller.
  const std::atomic<bool>* sessionClosed = nullptr;
  int64_t deadlineNs = 0;  ///< Steady clock; 0: none.
  StepRecorder* recorder = nullptr;
  StepController* controller = nullptr;  ///< For stepping plans.
  ValueWatch* watch = nullptr;
  const Graph* userGraph = nullptr;     ///< Set if there is a watch.
  std::string_view frame{};             ///< Of a plan inside of a loop: which loop,
  int64_t iteration = 0;                ///< and in which of its rounds.
  std::atomic<int>* working = nullptr;  ///< Counts the runs that compute; a run that sleeps takes itself out meanwhile.
  size_t peakBytes = 0;                 ///< Set by the plan.

  bool stopped() const {
    return (cancelled && cancelled->load(std::memory_order_relaxed)) || (sessionClosed && sessionClosed->load(std::memory_order_relaxed));
  }
  /// CANCELLED or DEADLINE_EXCEEDED if the run has to end now.
  Status check() const;
};

/// A plan that can run, any number of times, in several threads at once.
class ExecutablePlan {
 public:
  virtual ~ExecutablePlan() = default;
  virtual Status run(std::span<const Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) = 0;
  /// As run(), as part of a run of another plan: takes the feeds over, and what it hands out may share memory with feeds, variables and constants.
  virtual Status step(std::span<Tensor> feeds, std::vector<Tensor>& fetched, RunState& state) { return run(feeds, fetched, state); }
  virtual std::string explain() const = 0;
  /// What there is to say beyond explain(); plans without planned memory say nothing.
  virtual PlanReport report() const { return {}; }
};

/// For plans without control flow: a flat list of kernel calls over planned memory.
Result<std::unique_ptr<ExecutablePlan>> makeStaticPlan(PlanGraph plan, SessionState& session);
/// For plans with Switch, Merge, Enter, Exit, NextIteration: nodes run when their inputs have come.
Result<std::unique_ptr<ExecutablePlan>> makeDataflowPlan(PlanGraph plan, SessionState& session);

/// For runs under RunState::controller; `graph` (the user's) outlives it, `feeds` are the tensors that the signature feeds.
Result<std::unique_ptr<ExecutablePlan>> makeSteppingPlan(PlanGraph plan, SessionState& session, const Graph& graph, const std::vector<Output>& feeds);

}  // namespace weft
