#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/debug_terms.h"
#include "weft/graph.h"
#include "weft/session.h"
#include "weft/tensor.h"

namespace weft {

/// A controller's answer: how the run continues.
enum class StepVerdict {
  Go,
  Restart,  ///< Start again at the first op, with the variables and random streams of the run's beginning. See StepPoint::cannotRestart.
  End,      ///< The run fails with CANCELLED.
};

/// One op of a run, as its controller sees it just before or just after it was computed. Valid during the call, while the run stands still.
/// Another thread may use it then, if the controller ensures that only one thread does at a time.
///
/// Tensors are those of the user's graph. Values are passed in host memory, whatever their device. A tensor in a while loop is that of the
/// current iteration.
class WEFT_API StepPoint {
 public:
  virtual ~StepPoint() = default;
  virtual const Graph& graph() const = 0;
  virtual const Node& node() const = 0;
  /// Number of live ops of this run that were computed before this one.
  virtual int64_t index() const = 0;
  /// The loops around the op, outermost first; empty outside loops.
  virtual const std::vector<LoopPlace>& loops() const = 0;
  /// The cluster's task that computes the op: "/job:ps/replica:0/task:0". Empty in a session of this process.
  virtual std::string task() const { return {}; }

  /// Value of input `i`; a tensor without value if it is dead or an uninitialised variable. Reference inputs: the variable's current value.
  virtual Result<Tensor> input(int i) const = 0;
  /// Value of output `k`, once the op was computed; a tensor without value if it is dead. Reference outputs: the variable's current value.
  virtual Result<Tensor> output(int k) const = 0;
  /// Value of any tensor of this iteration, or an enclosing one, that a later op still needs.
  /// NOT_FOUND if it was not computed yet or is no longer needed.
  virtual Result<Tensor> tensor(Output o) const = 0;
  /// Replaces such a tensor, so that later ops get `value`. For a reference it assigns the variable. NOT_FOUND as for tensor().
  /// INVALID_ARGUMENT if dtype or shape do not fit the graph's.
  virtual Status setTensor(Output o, const Tensor& value) = 0;

  /// Value of a variable of the session, by name. NOT_FOUND; FAILED_PRECONDITION if it is not initialised.
  virtual Result<Tensor> variable(const std::string& name) const = 0;
  virtual Status setVariable(const std::string& name, const Tensor& value) = 0;

  /// Ids of the other nodes whose inputs are all available, in the order in which they will run.
  virtual std::vector<int> ready() const = 0;
  /// Why the run cannot restart: an op that cannot be undone has run ("queue/Dequeue took elements from a queue"). Empty: it can.
  virtual std::string cannotRestart() const = 0;
};

/// Steps through a run (RunOptions::controller). The run then computes the ops of the user's graph one by one in a fixed order, one loop
/// iteration at a time, without rewriting. These calls may block the thread of Session::run for as long as they like. Results equal those of an
/// ordinary run up to the rounding of fused kernels. A controller serves one run at a time.
class WEFT_API StepController {
 public:
  virtual ~StepController() = default;
  /// The run starts, or starts again after a Restart. `nodes` are the ids of all nodes that it may compute, without feeds.
  virtual void runBegins(const Graph& graph, std::span<const int> nodes) = 0;
  /// Called for each feed right after runBegins().
  virtual void fed(Output tensor, const Tensor& value) = 0;
  virtual StepVerdict before(StepPoint& point) = 0;
  /// `status` says whether the op was computed. After a failure, Go ends the run with it. Inputs can still be read.
  virtual StepVerdict after(StepPoint& point, const Status& status) = 0;
  /// An op was skipped because it is on a branch that was not taken.
  virtual void dead(const Node& node, const std::vector<LoopPlace>& loops) = 0;
  virtual void runEnds(const Status& status) = 0;
  /// In a task of a cluster: no op can be computed before a value of another task arrives.
  virtual void waits() {}
  /// For a session on a server, right after runBegins(): a task whose part of the step cannot be stepped through and runs by itself.
  virtual void notStepped(const std::string& task) {}
};

/// Examines the floating-point tensors of an ordinary run while they are still in the cache; pass it in RunOptions::observers. It costs less than a
/// RunObserver's opDone: no clock and no list of outputs. It does not see tensors that an op only passes through (Identity, Reshape), fed tensors, values
/// inside fused groups, or tensors in device memory.
class WEFT_API ValueWatch : public RunObserver {
 public:
  /// Called on engine threads for each such tensor.
  virtual bool isSuspicious(const Tensor& value) = 0;
  /// Called for a wrong tensor: output `output` of an op of the user's graph. Returning false ends the run with CANCELLED, before anything is computed from it.
  virtual bool found(const Node& node, int output, const Tensor& value, std::string_view frame, int64_t iteration) = 0;
  void opDone(const OpEvent&) final {}
};

}  // namespace weft
