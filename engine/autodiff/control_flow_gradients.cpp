#include <algorithm>

#include "autodiff/grad_loop_state.h"
#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

using Grads = std::vector<Output>;

GradLoopState* stateOf(FlowContext* context) { return context ? static_cast<GradLoopState*>(context->loopGradient()) : nullptr; }

// Applies `f` to a dense value, or to each part of a sparse one.
template <typename F>
Output each(GraphBuilder& b, Output grad, F&& f) {
  const auto s = slicesOf(b, grad);
  if (!s) return f(grad);
  const Output values = f(s->values), indices = f(s->indices);
  return makeSlices(b, values, indices, s->denseShape.valid() ? f(s->denseShape) : Output{});
}

Result<Grads> switchGradient(GraphBuilder& b, int node, const Grads& grads) {
  FlowContext* context = flow::contextOf(b, node);
  auto* current = static_cast<FlowContext*>(b.controlFlowContext().get());
  if (context && context->isWhile()) {
    GradLoopState* state = stateOf(current);
    if (!state) return internalError("the gradient of a loop's Switch is asked for outside of a gradient loop");
    if (const auto it = state->switches.find(node); it != state->switches.end()) {
      // The second visit, from the loop's body: closes the loop of the gradient.
      if (!isNone(grads[1])) b.updateInput(it->second.node, 1, flow::nextIteration(b, densified(b, grads[1])));
      return Grads{{}, {}};
    }
    if (isNone(grads[0])) return Grads{{}, {}};
    const Output g = densified(b, grads[0]);
    const Output merged = flow::merge(b, {g, g}, "b_switch");
    state->switches[node] = merged;
    return Grads{merged, {}};
  }
  if (context) {
    auto* cond = static_cast<CondContext*>(context);
    const Output zero = grads[size_t(1 - cond->branch)];
    if (isNone(zero)) {
      if (b.dtype(b.nodeAt(node).inputs[0]) == DType::Resource && !isNone(grads[size_t(cond->branch)])) {
        const Output g = grads[size_t(cond->branch)];
        return Grads{each(b, g, [&](Output x) { return flow::merge(b, {x, x}, "cond_resource_grad"); }), {}};
      }
      return Grads{{}, {}};
    }
    Grads inputs = grads;
    // In TensorFlow, one sparse side makes the other sparse as well. Here both are converted to dense.
    for (Output& g : inputs) g = densified(b, g);
    return Grads{flow::merge(b, inputs, "cond_grad"), {}};
  }
  const Output pred = b.nodeAt(node).inputs[1];
  const auto onFalse = flow::switchOn(b, grads[0], pred), onTrue = flow::switchOn(b, grads[1], pred);
  if (onFalse.size() != 2 || onTrue.size() != 2) return b.status().error();
  return Grads{flow::merge(b, {onFalse[0], onTrue[1]}), {}};
}

Result<Grads> mergeGradient(GraphBuilder& b, int node, const Grads& grads) {
  const std::vector<Output> inputs = b.nodeAt(node).inputs;
  FlowContext* context = flow::outputContext(b, inputs[0].node);
  auto* current = static_cast<FlowContext*>(b.controlFlowContext().get());
  const auto switched = [&](Output pred, std::string_view name) {
    Grads out(2);
    const auto s = slicesOf(b, grads[0]);
    if (!s) return flow::switchColocated(b, grads[0], pred, name);
    const auto values = flow::switchColocated(b, s->values, pred, name), indices = flow::switchColocated(b, s->indices, pred, name);
    std::vector<Output> shape;
    if (s->denseShape.valid()) shape = flow::switchColocated(b, s->denseShape, pred, name);
    if (values.size() != 2 || indices.size() != 2) return Grads{};
    for (size_t i = 0; i < 2; ++i) out[i] = makeSlices(b, values[i], indices[i], shape.size() == 2 ? shape[i] : Output{});
    return out;
  };
  if (context && context->isWhile()) {
    WhileContext* loop = current ? current->whileContext() : nullptr;
    if (!loop) return internalError("the gradient of a loop's Merge is asked for outside of a gradient loop");
    return switched(loop->pivot, "Switch");
  }
  if (context) {
    Output pred = static_cast<CondContext*>(context)->pred;
    if (GradLoopState* state = stateOf(current)) {
      // A cond in a loop: save the predicate of every iteration.
      auto it = state->history.find(pred);
      if (it == state->history.end()) {
        state->gradContext()->exit(b);
        const Output history = state->addForwardAccumulator(b, pred);
        state->gradContext()->enter(b);
        it = state->history.emplace(pred, state->addBackpropAccumulatedValue(b, history, pred)).first;
      }
      pred = it->second;
    }
    return switched(pred, "cond_grad");
  }
  Grads taken, out;
  for (int i = 0; i < int(inputs.size()); ++i) taken.push_back(py::call(b, "Equal", Output{node, 1}, i));
  for (Output t : taken) {
    const auto both = flow::switchColocated(b, densified(b, grads[0]), t);
    out.push_back(both.size() == 2 ? both[1] : Output{});
  }
  return out;
}

Result<Grads> exitGradient(GraphBuilder& b, int node, const Grads& grads) {
  auto* current = static_cast<FlowContext*>(b.controlFlowContext().get());
  WhileContext* loop = current ? current->whileContext() : nullptr;
  FlowContext* context = flow::contextOf(b, node);
  if (!loop || !loop->backProp) return Grads{{}};
  if (context && context->loopGradient()) return unimplemented("Second-order gradient for while loops not supported.").atNode(b.nodeAt(node).name);
  const Output g = each(b, grads[0], [&](Output x) {
    loop->values.insert(x);
    return x;
  });
  loop->enter(b);
  const Output entered = each(b, g, [&](Output x) {
    const Output e = flow::enter(b, x, loop->name, false, loop->parallelIterations, "b_exit");
    loop->loopEnters.push_back(e);
    return e;
  });
  loop->exit(b);
  return Grads{entered};
}

// Sums the gradient of a loop invariant over the iterations.
Output accumulated(GraphBuilder& b, WhileContext& loop, int enterNode, Output grad) {
  auto* state = static_cast<GradLoopState*>(loop.gradient.get());
  FlowContext* around = loop.outerFlow();
  loop.exit(b);
  const Shape shape = b.shape(grad);
  const DType type = b.dtype(grad);
  Output acc;
  if (shape.isFullyKnown()) {
    if (around) around->enter(b);
    acc = b.constant(Tensor::zeros(type, shape), "b_acc");
    if (around) around->exit(b);
  } else {
    const Output value = b.nodeAt(enterNode).inputs[0];
    if (around && around->isWhile() && around->loopGradient()) {
      FlowContext* forwardAround = state->forwardContext()->outerFlow();
      forwardAround->enter(b);
      const Output dims = py::shape(b, value, DType::Int32, false);
      forwardAround->exit(b);
      GradLoopState* outer = state->outerState();
      const Output history = outer->addForwardAccumulator(b, dims);
      around->enter(b);
      const Output real = outer->addBackpropAccumulatedValue(b, history, dims);
      acc = py::zeros(b, real, type);
      around->exit(b);
    } else {
      if (around) around->enter(b);
      const Output dims = py::shape(b, value, DType::Int32, false);
      acc = py::zeros(b, dims, type);
      if (around) around->exit(b);
    }
  }
  loop.enter(b);
  loop.values.insert(acc);
  const Output enter = flow::enter(b, acc, loop.name, false, loop.parallelIterations, "b_acc");
  loop.loopEnters.push_back(enter);
  const Output merged = flow::merge(b, {enter, enter}, "b_acc");
  const auto both = flow::switchOn(b, merged, loop.pivot);
  if (both.size() != 2) return {};
  const Output sum = b.op("Add", {both[1], grad});
  b.updateInput(merged.node, 1, flow::nextIteration(b, sum));
  const Output result = flow::exit(b, both[0], "b_acc");
  loop.loopExits.push_back(result);
  loop.exitResult({result});
  return result;
}

// The same for a sparse gradient: its rows are appended to an initial row of zeros.
Output accumulatedSlices(GraphBuilder& b, WhileContext& loop, int enterNode, const IndexedSlices& grad) {
  FlowContext* around = loop.outerFlow();
  loop.exit(b);
  if (around) around->enter(b);
  const Shape rows = b.shape(grad.values);
  const DType type = b.dtype(grad.values), indexType = b.dtype(grad.indices);
  const Output invariant = b.nodeAt(enterNode).inputs[0];
  Output values, shape;
  if (rows.isFullyKnown()) {
    Shape first = rows;
    if (first.rank() > 0) first.setDim(0, 1);
    values = b.constant(Tensor::zeros(type, first), "b_acc");
  } else {
    Output dims;
    if (b.dtype(invariant) == DType::Resource) dims = b.op("VariableShape", {invariant});
    else dims = py::shape(b, invariant, DType::Int32, false);
    dims = py::sliceFrom(b, dims, 1);
    dims = py::concat(b, {std::vector<int64_t>{1}, dims}, 0);
    values = py::zeros(b, dims, type);
  }
  const Output indices = b.constant(indexType == DType::Int64 ? Tensor::vector<int64_t>({0}) : Tensor::vector<int32_t>({0}));
  if (grad.denseShape.valid()) {
    const Shape s = b.shape(grad.denseShape);
    if (s.isFullyKnown()) shape = b.constant(Tensor::zeros(b.dtype(grad.denseShape), s));
    else shape = b.op("ZerosLike", {py::shape(b, invariant, b.dtype(grad.denseShape), false)}, {}, "zeros_like");
  }
  if (around) around->exit(b);
  loop.enter(b);
  std::vector<Output> start = {indices, values};
  if (shape.valid()) start.push_back(shape);
  std::vector<Output> enters, merges, next, exits;
  std::vector<std::vector<Output>> switches;
  for (Output o : start) loop.values.insert(o);
  for (size_t i = 0; i < start.size(); ++i) {
    const Output e = flow::enter(b, start[i], loop.name, false, loop.parallelIterations, "b_acc");
    if (i < 2 && b.shape(e).hasRank()) {
      Shape grows = b.shape(e);
      if (grows.rank() > 0) grows.setDim(0, Shape::kUnknownDim);
      b.graph().setOutputShapes(e.node, {grows});
    }
    enters.push_back(e);
  }
  loop.loopEnters.insert(loop.loopEnters.end(), enters.begin(), enters.end());
  for (Output e : enters) merges.push_back(flow::merge(b, {e, e}, "b_acc"));
  for (Output m : merges) switches.push_back(flow::switchOn(b, m, loop.pivot));
  if (!b.ok()) return {};
  const Output added[] = {py::concat(b, {switches[0][1], grad.indices}, 0), py::concat(b, {switches[1][1], grad.values}, 0)};
  next = {added[0], added[1]};
  if (shape.valid()) next.push_back(b.op("Maximum", {grad.denseShape, switches[2][1]}));
  for (Output& o : next) o = flow::nextIteration(b, o);
  for (size_t i = 0; i < merges.size(); ++i) b.updateInput(merges[i].node, 1, next[i]);
  for (const auto& s : switches) exits.push_back(flow::exit(b, s[0], "b_acc"));
  loop.loopExits.insert(loop.loopExits.end(), exits.begin(), exits.end());
  loop.exitResult(exits);
  return makeSlices(b, exits[1], exits[0], shape.valid() ? exits[2] : Output{});
}

Result<Grads> enterGradient(GraphBuilder& b, int node, const Grads& grads) {
  auto* current = static_cast<FlowContext*>(b.controlFlowContext().get());
  WhileContext* loop = current ? current->whileContext() : nullptr;
  if (!loop || !loop->backProp || !loop->gradient) return Grads{grads[0]};
  if (b.nodeAt(node).attrs.flag("is_constant")) {
    const auto s = slicesOf(b, grads[0]);
    return Grads{s ? accumulatedSlices(b, *loop, node, *s) : accumulated(b, *loop, node, grads[0])};
  }
  return Grads{each(b, grads[0], [&](Output x) {
    const Output result = flow::exit(b, x);
    loop->loopExits.push_back(result);
    loop->exitResult({result});
    return result;
  })};
}

}  // namespace

bool controlFlowGradient(GraphBuilder& b, int node, const std::vector<Output>& grads, Result<std::vector<Output>>* out) {
  switch (roleOf(b.nodeAt(node))) {
    case OpRole::Switch: *out = switchGradient(b, node, grads); break;
    case OpRole::Merge: *out = mergeGradient(b, node, grads); break;
    case OpRole::Exit: *out = exitGradient(b, node, grads); break;
    case OpRole::Enter: *out = enterGradient(b, node, grads); break;
    case OpRole::NextIteration: *out = Grads{grads[0]}; break;
    default: return false;
  }
  return true;
}

}  // namespace weft
