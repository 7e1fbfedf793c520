#include <algorithm>
#include <map>

#include "runtime/loop_products.h"

namespace weft {

// RULE native_loops.controls
//   pattern      the control edges of a loop's part
//   condition    no control flow in it
//   replacement  control edges from ops with effects only, each from the last such ops before it on any path; ops with effects are the targets
/// In a body without branches, control edges only order effects. Each edge is moved back to the effects that it stands for, and ops that no effect
/// depends on lose theirs. This separates gradients, which tf.gradients ties together in groups, so that rewrites can fuse them.
void simplifyControls(PlanGraph& g) {
  if (g.hasControlFlow) return;
  const std::vector<int> order = g.order();
  const auto effect = [&](int i) {
    const PlanNode& p = g.nodes[size_t(i)];
    return p.loop || (p.node && !isPure(*p.node));
  };
  std::vector<uint8_t> before(g.nodes.size(), 0);  // whether this op, or one after it, has an effect
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (effect(*it)) before[size_t(*it)] = 1;
    if (!before[size_t(*it)]) continue;
    for (const Output& in : g.nodes[size_t(*it)].inputs) before[size_t(in.node)] = 1;
    for (int c : g.nodes[size_t(*it)].controls) before[size_t(c)] = 1;
  }
  // The last ops with effects on each path to an op; the op itself if it has one.
  std::map<int, std::vector<int>> frontier;
  for (int i : order) {
    PlanNode& p = g.nodes[size_t(i)];
    std::vector<int> waits;
    for (int c : p.controls) waits.insert(waits.end(), frontier[c].begin(), frontier[c].end());
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    p.controls = before[size_t(i)] ? waits : std::vector<int>();
    if (effect(i)) {
      frontier[i] = {i};
      continue;
    }
    for (const Output& in : p.inputs) waits.insert(waits.end(), frontier[in.node].begin(), frontier[in.node].end());
    std::sort(waits.begin(), waits.end());
    waits.erase(std::unique(waits.begin(), waits.end()), waits.end());
    frontier[i] = std::move(waits);
  }
  // Every op with an effect runs; ops that the loop's frame only waited for need not.
  g.targets.clear();
  for (int i : order)
    if (effect(i)) g.targets.push_back(i);
  removeUnused(g);
}

}  // namespace weft
