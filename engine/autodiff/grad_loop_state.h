#pragma once

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "graph/flow_context.h"

namespace weft {

/// Whether there is no gradient at all: neither an output nor slices.
inline bool isNone(Output o) { return o.node == -1; }
/// Whether a gradient flows through the dtype, as in tf.gradients; false for reference dtypes.
inline bool isTrainable(DType t) {
  return t == DType::Half || t == DType::Float || t == DType::Double || t == DType::Complex64 || t == DType::Complex128 || t == DType::Resource ||
         t == DType::Variant;
}

/// The state for the gradient of one while loop: the forward loop with an added counter, the gradient loop that runs the body backwards, and the stacks that
/// carry forward values across. Corresponds to TensorFlow 1.15's GradLoopState.
class GradLoopState final : public LoopGradient {
 public:
  /// Adds the forward counter and opens the gradient loop, inside that of `outer` if the loop is nested.
  static std::shared_ptr<GradLoopState> make(GraphBuilder& b, WhileContext* forward, GradLoopState* outer);

  WhileContext* forwardContext() const override { return forward_; }
  Output realValue(GraphBuilder& b, Output value) override;
  WhileContext* gradContext() const { return grad_; }
  GradLoopState* outerState() const { return outer_; }
  Output forwardIndex() const { return forwardIndex_; }
  int gradSync(GraphBuilder& b);
  int forwardSync(GraphBuilder& b);

  /// Pushes `value` of the forward loop onto a new stack in every iteration; returns the stack's handle.
  Output addForwardAccumulator(GraphBuilder& b, Output value, bool deadBranch = false);
  /// Pops the value in the gradient loop.
  Output addBackpropAccumulatedValue(GraphBuilder& b, Output history, Output value, bool deadBranch = false);

  std::map<Output, Output> history;  ///< forward value -> its value in the gradient loop
  std::map<int, Output> switches;    ///< Switch of the forward loop -> the gradient's Merge
  std::vector<Output> unusedExits, deferredExits, forwardExits;
  int pendingExits = 0;

 private:
  void addForwardCounter(GraphBuilder& b);
  void addBackpropCounter(GraphBuilder& b, Output count);

  WhileContext* forward_ = nullptr;
  GradLoopState* outer_ = nullptr;
  WhileContext* grad_ = nullptr;  // lives as long as the builder, and owns this state
  Output forwardIndex_, gradIndex_, total_;
  int forwardSync_ = -1, gradSync_ = -1;
};

/// The loops between the ys and the xs of one call of addGradients().
class ControlFlowGradState {
 public:
  /// The state of the loop around a node. `before`: for an Exit, the loop around the exited one.
  GradLoopState* stateOf(GraphBuilder& b, int node, bool before) const;
  /// Creates the state of the loop whose Exit was reached; `between` gets the loop's other exits.
  void addLoop(GraphBuilder& b, int exitNode, std::vector<int>& betweenList, std::set<int>& between);
  std::vector<Output> unusedLoopExits(GraphBuilder& b, std::map<int, int>& pending, const std::set<int>& toOps);
  void enterGradContext(GraphBuilder& b, int node, bool before);
  void exitGradContext(GraphBuilder& b, int node, bool before);
  Output zerosLikeForExit(GraphBuilder& b, Output exit);
  /// Zeros for output `index` of a node that has no gradient; invalid for a loop's Switch.
  Output zerosLike(GraphBuilder& b, int node, int index);
  /// Closes gradient loops of variables that do not depend on their previous values.
  void finish(GraphBuilder& b);

 private:
  GradLoopState* find(WhileContext* forward) const;
  std::vector<std::pair<WhileContext*, std::shared_ptr<GradLoopState>>> loops_;
};

/// Zeros like output `index` of a node outside loops; in a cond's branch they are guarded by a Switch.
Output zerosOutsideLoop(GraphBuilder& b, int node, int index);

/// The gradients of Switch, Merge, Enter, Exit and NextIteration, which depend on the node's context; false if `node` is none of these.
bool controlFlowGradient(GraphBuilder& b, int node, const std::vector<Output>& grads, Result<std::vector<Output>>* out);

}  // namespace weft
