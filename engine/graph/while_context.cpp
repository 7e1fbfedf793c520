#include <algorithm>

#include "graph/flow_context.h"
#include "weft/op_traits.h"

namespace weft {

std::shared_ptr<WhileContext> WhileContext::make(GraphBuilder& b, std::string_view name) {
  auto c = std::make_shared<WhileContext>();
  c->outer = b.controlFlowContext().get();
  keepContext(b, c);
  if (FlowContext* o = c->outerFlow()) o->nested.push_back(c);
  c->name = b.uniqueName(name);
  return c;
}

Output WhileContext::addValue(GraphBuilder& b, Output value) {
  const bool isNew = !values.contains(value) && flow::contextOf(b, value.node) != this;
  if (!isNew) {
    const auto it = external.find(value);
    return it == external.end() ? value : it->second;
  }
  values.insert(value);
  // In a gradient loop, a value of the forward loop comes from its stack.
  auto* current = static_cast<FlowContext*>(b.controlFlowContext().get());
  if (WhileContext* loop = current ? current->whileContext() : nullptr; loop && loop->gradient) {
    const auto keep = loop->shared_from_this();
    WhileContext* forward = flow::whileContextOf(b, value.node);
    if (forward && flow::isLoopExit(b.nodeAt(value.node))) {
      FlowContext* around = forward->outerFlow();
      forward = around ? around->whileContext() : nullptr;
    }
    if (forward == loop->gradient->forwardContext()) {
      const Output real = loop->gradient->realValue(b, value);
      external[value] = real;
      return real;
    }
  }
  Output result = value;
  if (FlowContext* o = outerFlow()) result = o->addValue(b, value);
  {
    const auto clear = b.clearControlDependencies();
    result = flow::enter(b, result, name, true, parallelIterations);
  }
  fixControlInputsAndContext(b, {result});
  values.insert(result);
  external[value] = result;
  return result;
}

void WhileContext::addedNode(GraphBuilder& b, int id) {
  // The shape of a forward value is computed in the forward loop, so that only the shape, not the value, is pushed to a stack.
  const std::string& op = b.nodeAt(id).op;
  if (op == "Shape" || op == "Size" || op == "Rank") {
    auto* current = static_cast<FlowContext*>(b.controlFlowContext().get());
    if (WhileContext* loop = current ? current->whileContext() : nullptr; loop && loop->gradient) {
      const int from = b.nodeAt(id).inputs[0].node;
      if (flow::whileContextOf(b, from) == loop->gradient->forwardContext() && loop->gradient->forwardContext()) {
        const auto theirs = b.contextOf(from);
        b.setContextOf(id, theirs);
        static_cast<FlowContext*>(theirs.get())->addOpInternal(b, id);
        return;
      }
    }
  }
  addOpInternal(b, id);
}

void WhileContext::addOpInternal(GraphBuilder& b, int id) {
  std::vector<int> outside;
  if (b.nodeAt(id).inputs.empty()) {
    outside = removeExternalControls(b, id);
    if (b.nodeAt(id).controls.empty() && controlPivot() >= 0) b.addControlInputs(id, {controlPivot()});
  } else {
    for (int i = 0; i < int(b.nodeAt(id).inputs.size()); ++i) {
      const Output x = b.nodeAt(id).inputs[size_t(i)];
      if (isBackEdge(b.nodeAt(x.node), b.nodeAt(id))) continue;  // the back edge of an imported loop
      const Output inner = addValue(b, x);
      if (inner != x) b.updateInput(id, i, inner);
    }
    outside = removeExternalControls(b, id);
    // An op that depends only on invariants would run outside all iterations.
    const Node& n = b.nodeAt(id);
    const bool isFree =
        n.controls.empty() && std::all_of(n.inputs.begin(), n.inputs.end(), [&](Output o) { return flow::isLoopConstantEnter(b.nodeAt(o.node)); });
    if (isFree && controlPivot() >= 0) b.addControlInputs(id, {controlPivot()});
  }
  for (Output o : b.outputsOf(id)) values.insert(o);
  if (outside.empty()) return;
  std::vector<int> twins;
  {
    const auto clear = b.clearControlDependencies();
    enter(b);
    for (int c : outside) {
      if (!b.nodeAt(c).outputTypes.empty()) twins.push_back(b.identity({c, 0}).node);
    }
    exit(b);
  }
  b.addControlInputs(id, twins);
}

void WhileContext::fixControlInputsAndContext(GraphBuilder& b, const std::vector<Output>& enters) {
  for (Output e : enters) {
    if (!e.valid()) continue;
    std::vector<int> keep;
    for (int c : b.pendingControls(b.nodeAt(e.node).inputs)) {
      FlowContext* theirs = flow::outputContext(b, c);
      FlowContext* around = outerFlow();
      WhileContext* loop = around ? around->whileContext() : nullptr;
      bool stays = true;
      while (around != theirs) {
        if (!around || around == loop) {
          stays = false;
          break;
        }
        around = around->outerFlow();
      }
      if (stays) keep.push_back(c);
    }
    b.setContextOf(e.node, shared_from_this());
    if (!keep.empty()) b.addControlInputs(e.node, keep);
    b.markSeenByControls(e.node);
  }
}

}  // namespace weft
