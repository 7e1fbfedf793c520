// Facts for the layout on the loops, branches and gradients of a graph.
#pragma once

#include <vector>

#include "layout/flow_facts.h"
#include "weft/loops.h"

namespace weft::app {

/// `indexOf`: the node's number in the drawing, by id; -1: not shown.
inline layout::FlowFacts flowFactsOf(const Graph& graph, const std::vector<int>& indexOf, size_t nodes) {
  static_assert(int(FlowOp::Exit) == int(layout::FlowOp::Exit) && int(FlowOp::Switch) == int(layout::FlowOp::Switch) &&
                int(FlowOp::LoopCond) == int(layout::FlowOp::LoopCond));
  const ControlFlow found = controlFlowOf(graph);
  layout::FlowFacts out;
  for (const ControlFlow::Loop& loop : found.loops) out.loops.push_back({loop.parent, loop.frame});
  for (const ControlFlow::Branch& branch : found.branches) out.branches.push_back({branch.parent, branch.conditional, branch.whenTrue});
  out.nodes.resize(nodes);
  const auto shown = [&](int id) { return id < 0 ? -1 : indexOf[size_t(id)]; };
  for (const int id : found.losses)
    if (const int index = shown(id); index >= 0) out.losses.push_back(index);
  for (size_t id = 0; id < found.nodes.size(); ++id) {
    const ControlFlow::Place& p = found.nodes[id];
    if (const int index = shown(int(id)); index >= 0)
      out.nodes[size_t(index)] = {layout::FlowOp(int(p.op)), p.loop, p.branch, p.conditional, p.outputs, shown(p.source), shown(p.forward)};
  }
  return out;
}

}  // namespace weft::app
