#include <algorithm>

#include "autodiff/grad_loop_state.h"
#include "graph/shape_context.h"
#include "ops/grad_ops.h"

namespace weft {
namespace {

Output zerosConst(GraphBuilder& b, DType type, const Shape& shape, std::string_view name = "Const") { return b.constant(Tensor::zeros(type, shape), name); }

// tf.zeros of a known shape: a Const if it is small, else a Fill.
Output zerosOf(GraphBuilder& b, DType type, const Shape& shape) {
  const py::Scope scope(b, "zeros");
  if (shape.elements() < 1000) return zerosConst(b, type, shape, scope.name());
  std::vector<int32_t> dims;
  for (int64_t d : shape.dims()) dims.push_back(int32_t(d));
  const Output shapeTensor = b.constant(Tensor::vector(dims), "shape_as_tensor");
  const Output zero = b.number(type, 0, "Const");
  return b.op("Fill", {shapeTensor, zero}, {}, scope.name());
}

DType handleType(GraphBuilder& b, Output handle) {
  const auto data = findHandleData(b.graph(), handle);
  return data ? data->dtype : DType::Float;
}

}  // namespace

GradLoopState* ControlFlowGradState::find(WhileContext* forward) const {
  for (const auto& [context, state] : loops_) {
    if (context == forward) return state.get();
  }
  return nullptr;
}

GradLoopState* ControlFlowGradState::stateOf(GraphBuilder& b, int node, bool before) const {
  FlowContext* context = flow::contextOf(b, node);
  if (before && flow::isLoopExit(b.nodeAt(node))) context = context ? context->outerFlow() : nullptr;
  WhileContext* loop = context ? context->whileContext() : nullptr;
  return loop ? find(loop) : nullptr;
}

void ControlFlowGradState::addLoop(GraphBuilder& b, int exitNode, std::vector<int>& betweenList, std::set<int>& between) {
  WhileContext* forward = flow::whileContextOf(b, exitNode);
  if (!forward) {
    b.fail(invalidArgument("Failed to call gradients on a while loop without properly serializing graph via MetaGraphDef: '", b.nodeAt(exitNode).name,
                           "' belongs to no known loop")
               .atNode(b.nodeAt(exitNode).name));
    return;
  }
  if (find(forward)) return;
  FlowContext* around = forward->outerFlow();
  WhileContext* outerLoop = around ? around->whileContext() : nullptr;
  auto state = GradLoopState::make(b, forward, outerLoop ? find(outerLoop) : nullptr);
  loops_.emplace_back(forward, state);
  for (Output o : state->forwardExits) {
    if (between.insert(o.node).second) betweenList.push_back(o.node);
  }
}

std::vector<Output> ControlFlowGradState::unusedLoopExits(GraphBuilder&, std::map<int, int>& pending, const std::set<int>& toOps) {
  std::vector<Output> out;
  for (auto& [forward, state] : loops_) {
    for (Output y : state->forwardExits) {
      if (pending[y.node] != 0) continue;
      --state->pendingExits;
      if (!toOps.contains(y.node)) state->unusedExits.push_back(y);
      if (state->pendingExits == 0) out.insert(out.end(), state->unusedExits.begin(), state->unusedExits.end());
    }
    for (Output y : forward->loopEnters) {
      if (pending[y.node] == 0) pending[y.node] = 1;
    }
  }
  return out;
}

void ControlFlowGradState::enterGradContext(GraphBuilder& b, int node, bool before) {
  if (GradLoopState* s = stateOf(b, node, before)) s->gradContext()->enter(b);
}
void ControlFlowGradState::exitGradContext(GraphBuilder& b, int node, bool before) {
  if (GradLoopState* s = stateOf(b, node, before)) s->gradContext()->exit(b);
}

Output ControlFlowGradState::zerosLikeForExit(GraphBuilder& b, Output value) {
  const Shape shape = b.shape(value);
  FlowContext* forward = flow::contextOf(b, value.node);
  FlowContext* around = forward ? forward->outerFlow() : nullptr;
  WhileContext* outerLoop = around ? around->whileContext() : nullptr;
  GradLoopState* outer = outerLoop ? find(outerLoop) : nullptr;
  if (!outer) {
    if (shape.isFullyKnown()) return zerosOf(b, b.dtype(value), shape);
    return b.op("ZerosLike", {value}, {}, "zeros_like");
  }
  if (shape.isFullyKnown()) {
    outer->gradContext()->enter(b);
    const Output zeros = zerosOf(b, b.dtype(value), shape);
    outer->gradContext()->exit(b);
    return zeros;
  }
  around->enter(b);
  const Output dims = py::shape(b, value, DType::Int32, false);
  around->exit(b);
  const Output history = outer->addForwardAccumulator(b, dims);
  outer->gradContext()->enter(b);
  const Output real = outer->addBackpropAccumulatedValue(b, history, dims);
  const Output zeros = py::zeros(b, real, b.dtype(value));
  outer->gradContext()->exit(b);
  return zeros;
}

Output ControlFlowGradState::zerosLike(GraphBuilder& b, int node, int index) {
  if (flow::isLoopSwitch(b, node)) return {};
  const bool dead = flow::isSwitch(b.nodeAt(node));
  WhileContext* forward = flow::whileContextOf(b, node);
  GradLoopState* state = forward ? find(forward) : nullptr;
  if (!state) return zerosOutsideLoop(b, node, index);
  FlowContext* context = flow::contextOf(b, node);
  auto* cond = dead && !context->isWhile() ? static_cast<CondContext*>(context) : nullptr;
  Output value{node, index};
  const Shape shape = b.shape(value);
  const bool isHandle = b.dtype(value) == DType::Resource;  // zeros like the variable
  const DType type = isHandle ? handleType(b, value) : b.dtype(value);
  const auto dimsOf = [&](Output x) { return isHandle ? b.op("VariableShape", {x}) : py::shape(b, x, DType::Int32, false); };
  if (shape.isFullyKnown() && !isHandle) {
    Output zeros = zerosConst(b, type, shape);
    if (cond) {
      const auto it = state->history.find(cond->pred);
      const auto both = flow::switchColocated(b, zeros, it == state->history.end() ? cond->pred : it->second);
      if (both.size() == 2) zeros = both[size_t(1 - cond->branch)];
    }
    return zeros;
  }
  Output dims;
  if (cond && cond->outerFlow()) {
    FlowContext* around = cond->outerFlow();
    around->enter(b);
    const auto both = flow::switchColocated(b, b.nodeAt(node).inputs[0], cond->pred);
    if (both.size() == 2) value = both[size_t(1 - cond->branch)];
    dims = dimsOf(value);
    around->exit(b);
    b.setContextOf(value.node, cond->shared_from_this());
    b.setContextOf(dims.node, cond->shared_from_this());
  } else {
    context->enter(b);
    dims = dimsOf(value);
    context->exit(b);
  }
  state->gradContext()->exit(b);
  const Output history = state->addForwardAccumulator(b, dims, dead);
  state->gradContext()->enter(b);
  const Output real = state->addBackpropAccumulatedValue(b, history, dims, dead);
  return py::zeros(b, real, type);
}

void ControlFlowGradState::finish(GraphBuilder& b) {
  for (auto& [forward, state] : loops_) {
    for (const auto& [node, merged] : state->switches) {
      const Node& m = b.nodeAt(merged.node);
      if (m.inputs.size() != 2 || m.inputs[0] != m.inputs[1]) continue;
      // The variable does not depend on its previous value: zeros from the second iteration on.
      const Output first = m.inputs[0];
      const Shape shape = b.shape(first);
      Output next;
      if (shape.isFullyKnown()) {
        state->gradContext()->enter(b);
        next = flow::nextIteration(b, zerosConst(b, b.dtype(first), shape));
        state->gradContext()->exit(b);
      } else {
        FlowContext* around = state->gradContext()->outerFlow();
        if (around) around->enter(b);
        const Output entered = b.nodeAt(first.node).inputs[0];
        const Output dims = py::shape(b, entered, DType::Int32, false);
        const Output zeros = py::zeros(b, dims, DType::Float);
        if (around) around->exit(b);
        state->gradContext()->enter(b);
        next = flow::nextIteration(b, zeros);
        state->gradContext()->exit(b);
      }
      b.updateInput(merged.node, 1, next);
    }
  }
}

Output zerosOutsideLoop(GraphBuilder& b, int node, int index) {
  const Output value{node, index};
  const DType type = b.dtype(value);
  if (!isTrainable(type) && type != DType::BFloat16) return {};
  FlowContext* context = flow::contextOf(b, node);
  const bool guarded = flow::isSwitch(b.nodeAt(node)) && context && !context->isWhile();
  if (!guarded) {
    if (type != DType::Resource) return b.op("ZerosLike", {value}, {}, "zeros_like");
    const Output dims = b.op("VariableShape", {value});
    return py::zeros(b, dims, handleType(b, value));
  }
  // In a branch: zeros only if the other branch is taken.
  auto* cond = static_cast<CondContext*>(context);
  const auto both = flow::switchOn(b, b.nodeAt(node).inputs[0], cond->pred);
  if (both.size() != 2) return {};
  const Output other = both[size_t(1 - cond->branch)];
  const Output pivot = b.identity(other);
  if (type == DType::Resource) {
    const auto wait = b.controlDependencies({pivot.node});
    const Output dims = b.op("VariableShape", {other});
    return py::zeros(b, dims, handleType(b, value));
  }
  const Output dims = py::shape(b, other, DType::Int32, false);
  const auto wait = b.controlDependencies({pivot.node});
  return py::zeros(b, dims, type);
}

}  // namespace weft
