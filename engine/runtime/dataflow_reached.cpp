#include <algorithm>
#include <unordered_set>

#include "runtime/dataflow_run.h"

// A run ends when no node is ready. It may still be incomplete: a node whose inputs never arrive has neither run nor died.
namespace weft::dataflow {

/// The node's fate. REQUIRES: its inputs lie in the outermost frame, or it is an Exit into that frame.
DataflowRun::NodeOutcome DataflowRun::outcomeOf(int node, const Iteration* base) const {
  const DataNode& d = s_.nodes[size_t(node)];
  if (!d.plan) return NodeOutcome::Ran;  // a constant without a node in the structure
  const size_t local = size_t(d.local);
  if (d.role == FlowRole::Exit) return exitOutcomes_[size_t(node)];
  if (d.role == FlowRole::Merge) return base->done[local] == 0 ? NodeOutcome::Waits : base->liveInput[local] < 0 ? NodeOutcome::Dead : NodeOutcome::Ran;
  return base->pending[local] > 0 ? NodeOutcome::Waits : base->deadInput[local] ? NodeOutcome::Dead : NodeOutcome::Ran;
}

/// INTERNAL if a target or fetch was never reached. Dead ones count as reached: a dead target is fine, a dead fetch is reported by fetch().
Status DataflowRun::checkReached(const Iteration* base) const {
  const auto isInOutermostFrame = [&](int node) { return s_.nodes[size_t(node)].outputFrame == 0; };
  for (const int t : s_.graph.targets)
    if (isInOutermostFrame(t) && outcomeOf(t, base) == NodeOutcome::Waits) return unreached(t, base);
  for (const Output& f : s_.graph.fetches)
    if (isInOutermostFrame(f.node) && outcomeOf(f.node, base) == NodeOutcome::Waits) return unreached(f.node, base);
  return {};
}

Status DataflowRun::unreached(int node, const Iteration* base) const {
  const auto nameOfNode = [&](int i) { return s_.nodes[size_t(i)].plan->node ? s_.nodes[size_t(i)].plan->node->name : std::string("feed"); };
  // Follows the chain of unfinished producers until it leaves the frame or closes a cycle.
  std::string chain;
  std::unordered_set<int> seen;
  int at = node;
  for (int length = 0; length < 12 && seen.insert(at).second; ++length) {
    const PlanNode& p = *s_.nodes[size_t(at)].plan;
    int missing = -1, count = 0;
    const auto look = [&](int from) {
      if (s_.nodes[size_t(from)].outputFrame != 0 || outcomeOf(from, base) != NodeOutcome::Waits) return;
      if (missing < 0) missing = from;
      ++count;
    };
    if (s_.nodes[size_t(at)].frame == 0) {
      for (const Output& in : p.inputs) look(in.node);
      for (const int c : p.controls) look(c);
    }
    if (missing < 0) {
      if (s_.nodes[size_t(at)].role == FlowRole::Exit) chain += concat("; ", nameOfNode(at), " waits for a loop that did not end");
      break;
    }
    chain += concat("; ", nameOfNode(at), " waits for ", nameOfNode(missing));
    if (count > 1) chain += concat(" and ", count - 1, " more");
    at = missing;
  }
  return internalError("The run ended although ", nameOfNode(node), " neither ran nor lies on a branch that was not taken", chain).atNode(nameOfNode(node));
}

}  // namespace weft::dataflow
