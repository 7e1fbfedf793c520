#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "weft/graph.h"
#include "weft/session.h"
#include "weft/tensor.h"

namespace weft {

/// One while loop that an op runs in.
struct LoopPlace {
  std::string frame;      ///< Name of the while frame.
  int64_t iteration = 0;  ///< From 0.
  bool operator==(const LoopPlace&) const = default;
};

/// How a run goes on after its controller was asked.
enum class StepVerdict {
  Go,
  Restart,  ///< From the first op again, with variables and random streams as they were when the run began. See StepPoint::cannotRestart.
  End,      ///< The run fails with CANCELLED.
};

/// One op of a run, as its controller sees it, just before or just after it was computed. Valid during the call, in which the run stands still:
/// another thread may use it meanwhile if the controller sees to it that one thread does so at a time.
///
/// Tensors are those of the user's graph; values are given and taken in host memory whatever device they lie on. A tensor of a while loop is the
/// one of the present iteration.
class WEFT_API StepPoint {
 public:
  virtual ~StepPoint() = default;
  virtual const Graph& graph() const = 0;
  virtual const Node& node() const = 0;
  /// How many live ops of this run were computed before this one.
  virtual int64_t index() const = 0;
  /// The loops around the op, outermost first; empty outside loops.
  virtual const std::vector<LoopPlace>& loops() const = 0;

  /// Value of input `i`; one without value if it is dead or an uninitialised variable. Reference inputs: the variable's present value.
  virtual Result<Tensor> input(int i) const = 0;
  /// Value of output `k`, once the op was computed; without value if it is dead. Reference outputs: the variable's present value.
  virtual Result<Tensor> output(int k) const = 0;
  /// Value of any tensor that lies in this iteration, or in one around it, and is still needed by an op to come.
  /// NOT_FOUND if it was not computed yet or nobody needs it any more.
  virtual Result<Tensor> tensor(Output o) const = 0;
  /// Replaces such a tensor: ops to come get `value`. A reference: assigns the variable. NOT_FOUND as tensor(); INVALID_ARGUMENT if dtype or
  /// shape do not fit what the graph says of the tensor.
  virtual Status setTensor(Output o, const Tensor& value) = 0;

  /// Value of a variable of the session, by name. NOT_FOUND; FAILED_PRECONDITION if it is not initialised.
  virtual Result<Tensor> variable(const std::string& name) const = 0;
  virtual Status setVariable(const std::string& name, const Tensor& value) = 0;

  /// Ids of the nodes whose inputs are all there, in the order in which they will run; without the present one.
  virtual std::vector<int> ready() const = 0;
  /// Why the run cannot be started again: an op that cannot be undone has run ("queue/Dequeue took elements from a queue"). Empty: it can.
  virtual std::string cannotRestart() const = 0;
};

/// Steps through a run. Given one (RunOptions::controller), a run computes every op of the user's graph by itself, one after another in a
/// fixed order, one iteration of a loop at a time, without any rewriting, and keeps the thread of Session::run in these calls as long as they
/// like. Results are those of an ordinary run up to the rounding of fused kernels. A controller serves one run at a time.
class WEFT_API StepController {
 public:
  virtual ~StepController() = default;
  /// The run begins, or begins again after a Restart: `nodes` are the ids of all nodes that it may compute, feeds left out.
  virtual void runBegins(const Graph& graph, std::span<const int> nodes) = 0;
  /// Called for each feed right after runBegins().
  virtual void fed(Output tensor, const Tensor& value) = 0;
  virtual StepVerdict before(StepPoint& point) = 0;
  /// `status` says whether the op could be computed. After a failure Go ends the run with it; inputs can still be read.
  virtual StepVerdict after(StepPoint& point, const Status& status) = 0;
  /// An op was passed over because it lies on a branch that was not taken.
  virtual void dead(const Node& node, const std::vector<LoopPlace>& loops) = 0;
  virtual void runEnds(const Status& status) = 0;
};

/// Looks at every floating-point tensor of an ordinary run while it still lies in the cache; given as one of RunOptions::observers. Unlike a
/// RunObserver's opDone it costs no clock and no list of outputs. Passed over are tensors that an op only hands on (Identity, Reshape), fed ones, values
/// inside of fused groups, and tensors in device memory.
class WEFT_API ValueWatch : public RunObserver {
 public:
  /// Called on engine threads for each such tensor.
  virtual bool looksWrong(const Tensor& value) = 0;
  /// Where one looked wrong: output `output` of an op of the user's graph. False ends the run with CANCELLED, before anything is computed from it.
  virtual bool found(const Node& node, int output, const Tensor& value, std::string_view frame, int64_t iteration) = 0;
  void opDone(const OpEvent&) final {}
};

}  // namespace weft
