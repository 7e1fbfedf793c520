#include <algorithm>

#include "runtime/plan_graph.h"

namespace weft {
namespace {

/// Whether removing the op has no effect beyond the loss of its results.
bool isPure(const PlanGraph& plan, const PlanNode& p) {
  if (!p.node || p.isConstant() || p.kernel || p.types.empty() || p.inputs.empty()) return false;
  // Reading a variable without a value fails.
  if (std::any_of(p.inputs.begin(), p.inputs.end(), [&](const Output& in) { return isRef(plan.nodes[size_t(in.node)].types[size_t(in.index)]); })) return false;
  return weft::isPure(*p.node) && !touchesHandles(*p.node);
}

}  // namespace

// RULE unread_removal.waiters_inherit
//   pattern      op u that others wait for by control edges
//   condition    no control flow; u is not read, fetched or a target; it has inputs and outputs, no state, no check, no reference or resource, and reads no
//                variable; an error in its computation may be lost, as in TensorFlow's own pruning of such ops
//   replacement  u is removed; nodes that waited for it wait for its inputs and control inputs
/// Removes ops whose results are unused and that run only because others wait for them: tf.gradients ties the gradients of an op's inputs together,
/// so the gradient of a fed image would be computed along with the filter's.
Status removeUnread(PlanGraph& plan, PassContext&) {
  if (plan.hasControlFlow) return {};  // there, control edges carry deadness
  const size_t n = plan.nodes.size();
  const std::vector<int> order = plan.order();
  std::vector<int> readers(n, 0);
  std::vector<std::vector<int>> waiting(n);
  for (const Output& f : plan.fetches) ++readers[size_t(f.node)];
  for (int t : plan.targets) ++readers[size_t(t)];
  for (int i : order) {
    for (const Output& in : plan.nodes[size_t(i)].inputs) ++readers[size_t(in.node)];
    for (int c : plan.nodes[size_t(i)].controls) waiting[size_t(c)].push_back(i);
  }
  int removed = 0;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    PlanNode& p = plan.nodes[size_t(*it)];
    if (!p.alive || readers[size_t(*it)] > 0 || waiting[size_t(*it)].empty() || !isPure(plan, p)) continue;
    std::vector<int> before = p.controls;
    for (const Output& in : p.inputs) {
      before.push_back(in.node);
      --readers[size_t(in.node)];
    }
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    for (int w : waiting[size_t(*it)]) {
      std::vector<int>& controls = plan.nodes[size_t(w)].controls;
      controls.erase(std::remove(controls.begin(), controls.end(), *it), controls.end());
      for (int b : before) {
        if (std::find(controls.begin(), controls.end(), b) != controls.end()) continue;
        controls.push_back(b);
        waiting[size_t(b)].push_back(w);
      }
    }
    p.alive = false;
    ++removed;
  }
  if (removed) plan.applied.push_back("unread_removal: " + std::to_string(removed) + " nodes");
  return {};
}

}  // namespace weft
