#include "graph/flow_context.h"

#include <algorithm>

#include "weft/op_traits.h"

namespace weft {

void FlowContext::exitResult(const std::vector<Output>& results) {
  if (FlowContext* o = outerFlow()) o->values.insert(results.begin(), results.end());
}

void FlowContext::enter(GraphBuilder& b) {
  stack_.push_back(b.controlFlowContext());
  b.setControlFlow(shared_from_this());
}

void FlowContext::exit(GraphBuilder& b) {
  b.setControlFlow(stack_.empty() ? nullptr : stack_.back());
  if (!stack_.empty()) stack_.pop_back();
}

std::vector<int> FlowContext::removeExternalControls(GraphBuilder& b, int id) {
  WhileContext* loop = whileContext();
  if (!loop) return {};
  std::vector<int> inside, outside;
  for (int c : b.nodeAt(id).controls) {
    FlowContext* context = flow::outputContext(b, c);
    (context && context->whileContext() == loop ? inside : outside).push_back(c);
  }
  if (!outside.empty()) {
    if (Status s = b.graph().change(id, [&](Node& n) { n.controls = inside; }); !s.ok()) b.fail(s.error());
  }
  return outside;
}

std::shared_ptr<CondContext> CondContext::make(GraphBuilder& b, Output pred, Output pivot, int branch) {
  auto c = std::make_shared<CondContext>();
  c->name = b.uniqueName("cond_text");
  c->outer = b.controlFlowContext().get();
  keepContext(b, c);
  if (FlowContext* o = c->outerFlow()) o->nested.push_back(c);
  c->pred = pred;
  c->pivot = pivot;
  c->branch = branch;
  c->values.insert(pred);
  c->external[pred] = pred;
  c->values.insert(pivot);
  b.setContextOf(pivot.node, c);
  return c;
}

LoopGradient* CondContext::loopGradient() {
  WhileContext* loop = whileContext();
  return loop ? loop->loopGradient() : nullptr;
}

Output CondContext::addValue(GraphBuilder& b, Output value) {
  if (values.contains(value)) {
    const auto it = external.find(value);
    return it == external.end() ? value : it->second;
  }
  values.insert(value);
  Output result = value;
  if (FlowContext* o = outerFlow()) {
    result = o->addValue(b, value);
    values.insert(result);
    external[result] = result;
  }
  {
    const auto clear = b.clearControlDependencies();
    const auto both = flow::switchColocated(b, result, pred);
    if (both.size() != 2) return value;
    result = both[size_t(branch)];
  }
  b.setContextOf(result.node, shared_from_this());
  for (FlowContext* c = this; c; c = c->outerFlow()) c->values.insert(result);
  external[value] = result;
  return result;
}

void CondContext::addOpInternal(GraphBuilder& b, int id) {
  if (b.nodeAt(id).inputs.empty()) {
    removeExternalControls(b, id);
    const auto inThis = [&](int c) {
      for (FlowContext* at = flow::contextOf(b, c); at; at = at->outerFlow()) {
        if (at == this) return true;
      }
      return false;
    };
    const auto& controls = b.nodeAt(id).controls;
    if (std::none_of(controls.begin(), controls.end(), inThis)) b.addControlInputs(id, {pivot.node});
  } else {
    for (int i = 0; i < int(b.nodeAt(id).inputs.size()); ++i) {
      const Output x = b.nodeAt(id).inputs[size_t(i)];
      if (isBackEdge(b.nodeAt(x.node), b.nodeAt(id))) continue;
      const Output inner = addValue(b, x);
      if (inner != x) b.updateInput(id, i, inner);
    }
    removeExternalControls(b, id);
  }
  for (Output o : b.outputsOf(id)) {
    for (FlowContext* c = this; c; c = c->outerFlow()) c->values.insert(o);
  }
}

Output CondContext::outputTensor(GraphBuilder& b, Output value) {
  if (values.contains(value)) {
    const auto it = external.find(value);
    return it == external.end() ? value : it->second;
  }
  values.insert(value);
  Output inner = value;
  if (FlowContext* o = outerFlow()) {
    inner = o->addValue(b, value);
    values.insert(inner);
    external[inner] = inner;
  }
  const auto both = flow::switchColocated(b, inner, pred);
  if (both.size() != 2) return value;
  inner = both[size_t(branch)];
  external[value] = inner;
  return inner;
}

namespace flow {

namespace {
bool isRefOutput(GraphBuilder& b, Output o) {
  const Node& n = b.nodeAt(o.node);
  return o.index < int(n.outputTypes.size()) && isRef(n.outputTypes[size_t(o.index)]);
}
}  // namespace

Output enter(GraphBuilder& b, Output x, const std::string& frame, bool isConstant, int64_t parallelIterations, std::string_view name) {
  return b.op(isRefOutput(b, x) ? "RefEnter" : "Enter", {x}, {{"frame_name", frame}, {"is_constant", isConstant}, {"parallel_iterations", parallelIterations}},
              name);
}
Output exit(GraphBuilder& b, Output x, std::string_view name) { return b.op(isRefOutput(b, x) ? "RefExit" : "Exit", {x}, {}, name); }
Output nextIteration(GraphBuilder& b, Output x, std::string_view name) { return b.op(isRefOutput(b, x) ? "RefNextIteration" : "NextIteration", {x}, {}, name); }
Output merge(GraphBuilder& b, const std::vector<Output>& inputs, std::string_view name) {
  const bool refs = std::all_of(inputs.begin(), inputs.end(), [&](Output o) { return isRefOutput(b, o); });
  return b.op(refs ? "RefMerge" : "Merge", Inputs(inputs), {}, name.empty() ? "Merge" : name);
}
std::vector<Output> switchOn(GraphBuilder& b, Output data, Output pred, std::string_view name) { return b.outputsOf(b.node("Switch", {data, pred}, {}, name)); }
std::vector<Output> switchColocated(GraphBuilder& b, Output data, Output pred, std::string_view name) {
  const auto where = b.colocateWith(data.node, true);
  return b.outputsOf(b.node(isRefOutput(b, data) ? "RefSwitch" : "Switch", {data, pred}, {}, name));
}

bool isSwitch(const Node& n) { return roleOf(n) == OpRole::Switch; }
bool isLoopEnter(const Node& n) { return roleOf(n) == OpRole::Enter; }
bool isLoopExit(const Node& n) { return roleOf(n) == OpRole::Exit; }
bool isLoopConstantEnter(const Node& n) { return isLoopEnter(n) && n.attrs.flag("is_constant"); }

FlowContext* contextOf(GraphBuilder& b, int node) { return static_cast<FlowContext*>(b.contextOf(node).get()); }

FlowContext* outputContext(GraphBuilder& b, int node) {
  FlowContext* c = contextOf(b, node);
  return c && isLoopExit(b.nodeAt(node)) ? c->outerFlow() : c;
}

WhileContext* whileContextOf(GraphBuilder& b, int node) {
  FlowContext* c = contextOf(b, node);
  return c ? c->whileContext() : nullptr;
}

bool isLoopSwitch(GraphBuilder& b, int node) {
  if (!isSwitch(b.nodeAt(node))) return false;
  FlowContext* c = contextOf(b, node);
  if (!c || !c->isWhile()) return false;
  // A switch of a cond lies in its branch's context if all its consumers do; one without consumers counts as such, as in TensorFlow.
  bool cond = true;
  const Graph& g = b.graph();
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n) continue;
    const bool uses = std::any_of(n->inputs.begin(), n->inputs.end(), [&](Output o) { return o.node == node; });
    if (!uses) continue;
    FlowContext* theirs = contextOf(b, id);
    if (theirs && isLoopEnter(*n)) theirs = theirs->outerFlow();
    cond = cond && theirs && !theirs->isWhile();
  }
  return !cond;
}

int loopConstantEnter(GraphBuilder& b, Output value) {
  int id = value.node;
  while (true) {
    const Node& n = b.nodeAt(id);
    if ((!isSwitch(n) && !isIdentity(n)) || n.inputs.empty()) return isLoopConstantEnter(n) ? id : -1;
    id = n.inputs[0].node;
  }
}

}  // namespace flow
}  // namespace weft
