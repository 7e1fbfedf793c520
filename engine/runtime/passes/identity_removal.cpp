#include <algorithm>

#include "runtime/plan_graph.h"

namespace weft {

// RULE identity_removal.looked_through
//   pattern      f(i) with i = Identity, StopGradient or PreventGradient of x
//   condition    no control flow; i is not fetched, fed, a target or a constant, and has no control edges in or out; x is on the same device, is no
//                reference and no ReadVariableOp (reading either fixes a point in time)
//   replacement  f(x), for all readers
/// Lets consumers of Identity, StopGradient and PreventGradient read the input of these directly. Kept: reads of variables (they fix the time of the
/// read), fetches and targets, nodes with control edges in or out, and all nodes in graphs with control flow, where an Identity can carry deadness.
Status removeIdentities(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};
  const int n = int(plan.nodes.size());
  std::vector<char> keep(n, 0);
  for (const Output& f : plan.fetches) keep[f.node] = 1;
  for (int t : plan.targets) keep[t] = 1;
  for (const PlanNode& p : plan.nodes) {
    if (!p.alive) continue;
    for (int c : p.controls) keep[c] = 1;
  }
  std::vector<Output> instead(n);
  int removed = 0;
  for (int i : plan.order()) {
    PlanNode& p = plan.nodes[i];
    for (Output& in : p.inputs) {
      if (in.index == 0 && instead[in.node].valid()) in = instead[in.node];
    }
    if (!p.node || keep[i] || p.isConstant() || !p.controls.empty() || p.inputs.size() != 1) continue;
    // PreventGradient checks nothing when it runs.
    if (roleOf(*p.node) != OpRole::Identity || any(effectsOf(*p.node) & ~Effect::Check)) continue;
    const PlanNode& from = plan.nodes[p.inputs[0].node];
    if (isRef(from.types[p.inputs[0].index]) || from.device != p.device) continue;
    // Reading a resource variable fixes a point in time too.
    if (from.node && roleOf(*from.node) == OpRole::ReadVariable) continue;
    instead[i] = p.inputs[0];
    p.alive = false;
    ++removed;
  }
  if (removed) plan.applied.push_back("identity_removal: " + std::to_string(removed) + " nodes");
  return {};
}

}  // namespace weft
