#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/builder.h"

namespace weft {

class WhileContext;

/// A gradient loop's access to its forward loop; see autodiff/grad_loop_state.h.
class LoopGradient {
 public:
  virtual ~LoopGradient() = default;
  virtual WhileContext* forwardContext() const = 0;
  /// The gradient loop's counterpart of a forward tensor (popped from a stack, a clone of a constant, or an invariant).
  virtual Output realValue(GraphBuilder& b, Output value) = 0;
};

/// A branch of a cond or the body of a while loop, used while its nodes are made and later for gradients. Outside tensors are routed in through Switch
/// or Enter nodes, once each. Behaves as TensorFlow 1.15's ControlFlowContext.
class WEFT_API FlowContext : public ControlFlowContext, public std::enable_shared_from_this<FlowContext> {
 public:
  std::string name;
  std::set<Output> values;            ///< Tensors seen inside.
  std::map<Output, Output> external;  ///< Outside tensor -> its counterpart inside.
  std::vector<std::shared_ptr<FlowContext>> nested;

  FlowContext* outerFlow() const { return static_cast<FlowContext*>(outer); }
  virtual bool isWhile() const = 0;
  /// The counterpart of `value` that may be used inside; makes it if needed.
  virtual Output addValue(GraphBuilder& b, Output value) = 0;
  virtual void addOpInternal(GraphBuilder& b, int id) = 0;
  virtual int controlPivot() const { return -1; }  ///< Control input of nodes without inputs; -1: none.
  /// The innermost enclosing while loop, including this one.
  virtual WhileContext* whileContext() { return outerFlow() ? outerFlow()->whileContext() : nullptr; }
  virtual LoopGradient* loopGradient() { return nullptr; }
  void addInnerOp(GraphBuilder&, int) {}
  /// Adds the results to the enclosing context's values.
  void exitResult(const std::vector<Output>& results);

  /// Makes this the builder's context until exit(); pairs need not nest with guards.
  void enter(GraphBuilder& b);
  void exit(GraphBuilder& b);

 protected:
  /// Removes control inputs from outside the innermost loop; returns them.
  std::vector<int> removeExternalControls(GraphBuilder& b, int id);

 private:
  std::vector<std::shared_ptr<ControlFlowContext>> stack_;
};

class WEFT_API CondContext final : public FlowContext {
 public:
  Output pred, pivot;
  int branch = 0;

  /// A new context nested in the builder's current one.
  static std::shared_ptr<CondContext> make(GraphBuilder& b, Output pred, Output pivot, int branch);
  bool isWhile() const override { return false; }
  Output addValue(GraphBuilder& b, Output value) override;
  void addedNode(GraphBuilder& b, int id) override { addOpInternal(b, id); }
  void addOpInternal(GraphBuilder& b, int id) override;
  int controlPivot() const override { return pivot.node; }
  LoopGradient* loopGradient() override;
  /// A result of the branch: routed in if it comes from outside.
  Output outputTensor(GraphBuilder& b, Output value);
};

class WhileContext final : public FlowContext {
 public:
  int64_t parallelIterations = 10;
  bool backProp = true, swapMemory = false;
  Output maximumIterations;
  Output pivot, pivotForPred, pivotForBody;
  std::vector<Output> loopExits, loopEnters;
  std::shared_ptr<LoopGradient> gradient;  ///< Set if this is the gradient loop of another loop.

  static std::shared_ptr<WhileContext> make(GraphBuilder& b, std::string_view name = "while_context");
  bool isWhile() const override { return true; }
  Output addValue(GraphBuilder& b, Output value) override;
  void addedNode(GraphBuilder& b, int id) override;
  void addOpInternal(GraphBuilder& b, int id) override;
  int controlPivot() const override { return pivotForBody.valid() ? pivotForBody.node : pivotForPred.node; }
  WhileContext* whileContext() override { return this; }
  LoopGradient* loopGradient() override { return gradient.get(); }
  /// Sets control inputs and context of Enter nodes.
  void fixControlInputsAndContext(GraphBuilder& b, const std::vector<Output>& enters);
};

// Control flow ops, with reference versions for reference inputs, as tf.* makes them.
namespace flow {
Output enter(GraphBuilder& b, Output x, const std::string& frame, bool isConstant, int64_t parallelIterations, std::string_view name = {});
Output exit(GraphBuilder& b, Output x, std::string_view name = {});
Output nextIteration(GraphBuilder& b, Output x, std::string_view name = {});
Output merge(GraphBuilder& b, const std::vector<Output>& inputs, std::string_view name = {});
/// Both outputs: [false, true].
std::vector<Output> switchOn(GraphBuilder& b, Output data, Output pred, std::string_view name = "Switch");
/// As switchOn(), colocated with the data.
std::vector<Output> switchColocated(GraphBuilder& b, Output data, Output pred, std::string_view name = "Switch");

bool isSwitch(const Node& n);
bool isLoopEnter(const Node& n);
bool isLoopExit(const Node& n);
bool isLoopSwitch(GraphBuilder& b, int node);
bool isLoopConstantEnter(const Node& n);
/// The constant Enter that a value comes from, through Switch and Identity; -1 if there is none.
int loopConstantEnter(GraphBuilder& b, Output value);
FlowContext* contextOf(GraphBuilder& b, int node);
/// The context of a node's outputs; for an Exit the one around its loop.
FlowContext* outputContext(GraphBuilder& b, int node);
WhileContext* whileContextOf(GraphBuilder& b, int node);
}  // namespace flow

/// Reads the contexts from the meta graph's cond_context and while_context collections, once per builder, so that new nodes and gradients know the
/// contexts of existing nodes.
void readControlFlowCollections(GraphBuilder& b);
/// Adds the contexts of another meta graph whose nodes this graph has taken over, under the names that the messages use. `collection` is
/// "cond_context" or "while_context", `messages` are serialized CondContextDefs or WhileContextDefs.
WEFT_API void addControlFlowContexts(GraphBuilder& b, std::string_view collection, const std::vector<std::string>& messages);
/// Registers an outermost context and rewrites the collections. keepContext() only keeps the context alive as long as the builder.
void keepContext(GraphBuilder& b, std::shared_ptr<FlowContext> context);
void addRootContext(GraphBuilder& b, const std::shared_ptr<FlowContext>& context);
void writeControlFlowCollections(GraphBuilder& b);
/// The same for one context that has just been finished; does nothing if it is not an outermost one, because that is written when it is finished.
void writeFinishedContext(GraphBuilder& b, const FlowContext& context);
/// Between these two nothing rewrites the collections, whose size is that of all constructs so far; the second writes them once.
void holdControlFlowCollections(GraphBuilder& b);
void releaseControlFlowCollections(GraphBuilder& b);
/// After all nodes from `first` on were removed from the graph: drops the contexts that they were, and what contexts that are still open know of them.
void forgetRemovedNodes(GraphBuilder& b, int first);

}  // namespace weft
