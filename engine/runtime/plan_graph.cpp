#include "runtime/plan_graph.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <unordered_map>

#include "runtime/frames.h"

namespace weft {

FlowRole flowRole(const Node& node) {
  switch (roleOf(node)) {
    case OpRole::Switch: return FlowRole::Switch;
    case OpRole::Merge: return FlowRole::Merge;
    case OpRole::Enter: return FlowRole::Enter;
    case OpRole::Exit: return FlowRole::Exit;
    case OpRole::NextIteration: return FlowRole::NextIteration;
    case OpRole::LoopCond: return FlowRole::LoopCond;
    default: return FlowRole::None;
  }
}

std::vector<int> PlanGraph::order() const {
  const int n = int(nodes.size());
  std::vector<int> pending(n, 0);
  const auto isBackEdge = [&](int from, int to) {
    return nodes[from].node && nodes[to].node && flowRole(*nodes[from].node) == FlowRole::NextIteration && flowRole(*nodes[to].node) == FlowRole::Merge;
  };
  const auto eachEdge = [&](auto&& f) {
    for (int i = 0; i < n; ++i) {
      if (!nodes[i].alive) continue;
      const auto edge = [&](int from) {
        if (!(hasControlFlow && isBackEdge(from, i))) f(from, i);
      };
      for (const Output& in : nodes[i].inputs) edge(in.node);
      for (int c : nodes[i].controls) edge(c);
    }
  };
  // The successors of node i are targets[first[i] .. first[i + 1]). One block for speed: each pass computes this order, also in large graphs.
  std::vector<int> first(size_t(n) + 1, 0);
  eachEdge([&](int from, int to) {
    ++first[size_t(from) + 1];
    ++pending[to];
  });
  for (int i = 0; i < n; ++i) first[size_t(i) + 1] += first[size_t(i)];
  std::vector<int> targets, fill(first.begin(), first.end() - 1);
  targets.resize(size_t(first.back()));
  eachEdge([&](int from, int to) { targets[size_t(fill[size_t(from)]++)] = to; });
  // The smallest ready id first: creation order keeps forward before backward, and readers before the updates that follow them.
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (int i = 0; i < n; ++i) {
    if (nodes[i].alive && pending[i] == 0) ready.push(i);
  }
  std::vector<int> out;
  out.reserve(n);
  while (!ready.empty()) {
    const int i = ready.top();
    ready.pop();
    out.push_back(i);
    for (int k = first[size_t(i)]; k < first[size_t(i) + 1]; ++k) {
      const int to = targets[size_t(k)];
      if (--pending[to] == 0) ready.push(to);
    }
  }
  return out;
}

Result<PlanGraph> pruneGraph(const Graph& graph, const Signature& signature) {
  PlanGraph plan;
  std::map<Output, int> fed;
  for (size_t i = 0; i < signature.feeds.size(); ++i) {
    auto out = graph.findOutput(signature.feeds[i]);
    if (!out.ok()) {
      return Error{out.error().code, "FeedInputs: unable to find feed output " + signature.feeds[i] + ": " + out.error().message, {}, {}, {}};
    }
    if (!fed.emplace(*out, int(i)).second) {
      return invalidArgument("Endpoint \"", signature.feeds[i], "\" fed more than once.");
    }
  }
  std::vector<Output> fetches;
  for (const std::string& name : signature.fetches) {
    auto out = graph.findOutput(name);
    if (!out.ok()) return Error{out.error().code, "FetchOutputs node " + name + ": not found: " + out.error().message, {}, {}, {}};
    fetches.push_back(*out);
  }
  std::vector<int> targets;
  for (const std::string& name : signature.targets) {
    const std::string_view node = std::string_view(name).substr(0, name.find(':'));
    const Node* t = graph.find(node);
    if (!t) return notFound("PruneForTargets: Some target nodes not found: ", name);
    targets.push_back(t->id);
  }

  // Backwards from fetches and targets; a fed tensor hides its producer.
  std::vector<char> needed(graph.size(), 0);
  std::vector<int> stack;
  const auto need = [&](int id) {
    if (!needed[id]) {
      needed[id] = 1;
      stack.push_back(id);
    }
  };
  // What waits for a placeholder that is fed waits for the feed: the placeholder itself would fail.
  const auto isFedPlaceholder = [&](int id) { return !fed.empty() && fed.count({id, 0}) && isPlaceholder(*graph.node(id)); };
  for (const Output& f : fetches) {
    if (!fed.count(f)) need(f.node);
  }
  for (int t : targets) need(t);
  while (!stack.empty()) {
    const Node& n = *graph.node(stack.back());
    stack.pop_back();
    for (const Output& in : n.inputs) {
      if (fed.empty() || !fed.count(in)) need(in.node);
    }
    for (int c : n.controls) {
      if (!isFedPlaceholder(c)) need(c);
    }
  }

  std::map<std::string, int> unknown;
  for (int id = 0; id < graph.size(); ++id) {
    if (needed[id] && !graph.node(id)->record) ++unknown[graph.node(id)->op];
  }
  if (!unknown.empty()) {
    std::string list;
    for (const auto& [op, count] : unknown) list += (list.empty() ? "" : ", ") + op + " (" + std::to_string(count) + (count == 1 ? " node)" : " nodes)");
    Error e =
        notFound("Op type not registered '", unknown.begin()->first, "' in this version of Weft. Ops that this run needs and the engine does not have: ", list);
    for (int id = 0; id < graph.size(); ++id) {
      if (needed[id] && !graph.node(id)->record) return e.atNode(graph.node(id)->name);
    }
  }

  std::vector<int> planId(graph.size(), -1);
  plan.feedNodes.assign(signature.feeds.size(), -1);
  for (const auto& [out, index] : fed) {
    PlanNode p;
    p.origin = out.node;
    p.feed = index;
    p.types = {baseType(graph.dtype(out))};
    p.shapes = {graph.shape(out)};
    plan.feedNodes[index] = int(plan.nodes.size());
    plan.nodes.push_back(std::move(p));
  }
  bool hasFrames = false;
  for (int id = 0; id < graph.size(); ++id) {
    if (!needed[id]) continue;
    const Node& n = *graph.node(id);
    planId[id] = int(plan.nodes.size());
    PlanNode p;
    p.node = &n;
    p.origin = id;
    p.types = n.outputTypes;
    p.shapes = n.outputShapes;
    plan.nodes.push_back(std::move(p));
    const FlowRole role = flowRole(n);
    plan.hasControlFlow |= role != FlowRole::None || roleOf(n) == OpRole::Receive;
    hasFrames |= role == FlowRole::Enter || role == FlowRole::Exit;
  }
  const auto translate = [&](Output o) {
    const auto it = fed.find(o);
    return it == fed.end() ? Output{planId[o.node], o.index} : Output{plan.feedNodes[it->second], 0};
  };
  for (PlanNode& p : plan.nodes) {
    if (!p.node) continue;
    p.inputs.reserve(p.node->inputs.size());
    for (const Output& in : p.node->inputs) p.inputs.push_back(translate(in));
    for (int c : p.node->controls) p.controls.push_back(isFedPlaceholder(c) ? translate({c, 0}).node : planId[c]);
  }
  for (const Output& f : fetches) plan.fetches.push_back(translate(f));
  for (int t : targets) plan.targets.push_back(planId[t]);
  if (hasFrames) WEFT_TRY(Frames().find(plan, Frames::Anywhere::Nothing));  // before rewrites, which could remove the invalid edges
  return plan;
}

// RULE plan.unused
//   pattern      a node
//   condition    no fetch or target needs it, by data or control edges
//   replacement  none
void removeUnused(PlanGraph& plan) {
  std::vector<char> used(plan.nodes.size(), 0);
  std::vector<int> stack;
  const auto need = [&](int i) {
    if (!used[i]) {
      used[i] = 1;
      stack.push_back(i);
    }
  };
  for (const Output& f : plan.fetches) need(f.node);
  for (int t : plan.targets) need(t);
  while (!stack.empty()) {
    const PlanNode& p = plan.nodes[stack.back()];
    stack.pop_back();
    if (!p.isConstant()) {
      for (const Output& in : p.inputs) need(in.node);
    }
    for (int c : p.controls) need(c);
  }
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    if (!used[i]) plan.nodes[i].alive = false;
  }
}

}  // namespace weft
