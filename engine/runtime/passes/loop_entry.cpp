#include "runtime/passes/loop_entry.h"

#include <algorithm>
#include <iterator>

namespace weft {
namespace {

FlowRole roleOf(const PlanNode& p) { return p.node ? flowRole(*p.node) : FlowRole::None; }

int64_t ownCondition(int node) { return int64_t(node) << 10 | 1; }

/// The predicate behind Identities: tf.cond uses both the predicate and an Identity of it for its Switches.
Output predicateOf(const PlanGraph& g, Output o) {
  for (const PlanNode* p = &g.nodes[size_t(o.node)]; p->node && weft::roleOf(*p->node) == OpRole::Identity && p->inputs.size() == 1;
       p = &g.nodes[size_t(o.node)])
    o = p->inputs[0];
  return o;
}

/// Whether the two are the sides of one branch and otherwise have the same conditions, which are stored in `common`.
bool areTwoSides(const LiveWhen& a, const LiveWhen& b, LiveWhen& common) {
  common.clear();
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  if (a.size() != common.size() + 1 || b.size() != common.size() + 1) return false;
  LiveWhen left, right;
  std::set_difference(a.begin(), a.end(), common.begin(), common.end(), std::back_inserter(left));
  std::set_difference(b.begin(), b.end(), common.begin(), common.end(), std::back_inserter(right));
  return left.size() == 1 && right.size() == 1 && (left[0] ^ right[0]) == 2;
}

}  // namespace

void unite(LiveWhen& to, const LiveWhen& more) {
  if (more.empty()) return;
  LiveWhen all;
  std::set_union(to.begin(), to.end(), more.begin(), more.end(), std::back_inserter(all));
  to = std::move(all);
}

int64_t takenBranch(Output predicate, int side) { return ((int64_t(predicate.node) << 8 | predicate.index) << 1 | side) << 1; }

// RULE native_loops.live_when
//   pattern      a node, by its role in v1 control flow
//   condition    none
//   replacement  the conditions under which it is alive: those of all its inputs and control inputs. Switch: also that the output's branch is taken. Merge
//                (control inputs are ignored): the conditions common to its inputs if they are the two sides of one branch, else a new condition. Exit: without
//                the condition that its loop has ended
Liveness livenessOf(const PlanGraph& g) {
  Liveness out;
  out.when.resize(g.nodes.size());
  out.known.assign(g.nodes.size(), 0);
  const auto ofOutput = [&](Output o) {
    LiveWhen w = out.when[size_t(o.node)];
    const PlanNode& from = g.nodes[size_t(o.node)];
    if (roleOf(from) == FlowRole::Switch && from.inputs.size() == 2) unite(w, {takenBranch(predicateOf(g, from.inputs[1]), o.index)});
    return w;
  };
  for (const int i : g.order()) {
    const PlanNode& p = g.nodes[size_t(i)];
    LiveWhen& mine = out.when[size_t(i)];
    out.known[size_t(i)] = 1;
    if (p.node && weft::roleOf(*p.node) == OpRole::ControlTrigger) continue;
    const FlowRole role = roleOf(p);
    if (role == FlowRole::Merge) {
      std::vector<LiveWhen> inputs;
      for (const Output& in : p.inputs)
        if (roleOf(g.nodes[size_t(in.node)]) != FlowRole::NextIteration) inputs.push_back(ofOutput(in));
      LiveWhen common;
      const bool same = !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), [&](const LiveWhen& w) { return w == inputs[0]; });
      if (same) unite(mine, inputs[0]);
      else if (inputs.size() == 2 && areTwoSides(inputs[0], inputs[1], common)) unite(mine, common);
      else unite(mine, {ownCondition(i)});
      continue;
    }
    for (const int c : p.controls) unite(mine, out.when[size_t(c)]);
    for (const Output& in : p.inputs) unite(mine, ofOutput(in));
    if (role == FlowRole::Exit) {
      // A loop that began also ends, so its own predicate is no condition. Those of enclosing loops are.
      const PlanNode& from = g.nodes[size_t(p.inputs[0].node)];
      if (roleOf(from) == FlowRole::Switch && from.inputs.size() == 2) std::erase(mine, takenBranch(predicateOf(g, from.inputs[1]), p.inputs[0].index));
    }
  }
  return out;
}

std::vector<uint8_t> runsAfter(const PlanGraph& g, const std::vector<int>& from) {
  std::vector<std::vector<int>> next(g.nodes.size());
  for (size_t i = 0; i < g.nodes.size(); ++i) {
    const PlanNode& p = g.nodes[i];
    if (!p.alive) continue;
    const bool merge = roleOf(p) == FlowRole::Merge;
    for (const Output& in : p.inputs)
      if (!merge || roleOf(g.nodes[size_t(in.node)]) != FlowRole::NextIteration) next[size_t(in.node)].push_back(int(i));
    for (const int c : p.controls) next[size_t(c)].push_back(int(i));
  }
  std::vector<uint8_t> after(g.nodes.size(), 0);
  std::vector<int> stack(from);
  while (!stack.empty()) {
    const int i = stack.back();
    stack.pop_back();
    for (const int to : next[size_t(i)]) {
      if (after[size_t(to)]) continue;
      after[size_t(to)] = 1;
      stack.push_back(to);
    }
  }
  return after;
}

}  // namespace weft
