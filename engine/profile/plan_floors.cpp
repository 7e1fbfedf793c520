// Lower bounds for the times of a plan's steps, and their actual times.
#include <algorithm>
#include <unordered_map>

#include "profile/node_facts.h"
#include "weft/plan_report.h"
#include "weft/profile_views.h"

namespace weft {

void describePlan(Trace& trace, const Graph& graph, const PlanReport& plan) {
  NodeFacts facts(graph);
  for (const auto& [node, shapes] : plan.shapes) facts.knows(node, shapes);
  for (const PlannedStep& step : plan.steps) {
    const Node* root = graph.node(step.node);
    const auto known = root ? trace.nodes.find(root->name) : trace.nodes.end();
    if (known == trace.nodes.end()) continue;
    const TraceNode alone = facts.describe(*root);
    double flops = alone.flops;
    for (const int id : step.merged)
      if (const Node* member = graph.node(id)) flops += facts.describe(*member).flops;
    if (flops > 0) known->second.flops = flops;
    if (step.merged.empty()) known->second.movedBytes = alone.movedBytes;
    else if (step.bytes > 0) known->second.movedBytes = step.bytes;
  }
}

std::vector<NodeFloor> nodeFloors(const Trace& trace, const MachineRoof& roof) {
  std::vector<NodeFloor> out;
  std::unordered_map<int32_t, size_t> at;  // name -> position
  const double steps = std::max<double>(1, double(trace.steps.size()));
  for (const TraceSlice& s : trace.slices) {
    if (trace.tracks[size_t(s.track)].duplicate) continue;
    const auto [it, fresh] = at.try_emplace(s.name, out.size());
    if (fresh) out.push_back({trace.nameOf(s), trace.opOf(s), 0, 0, 0, 0});
    NodeFloor& f = out[it->second];
    f.ns += double(s.selfNs) / steps;
    const TraceNode* node = trace.node(f.name);
    if (!node) continue;
    f.flops += node->flops / steps;
    f.bytes += node->movedBytes / steps;
  }
  for (NodeFloor& f : out) {
    const double arithmetic = roof.gflopsPerSecond > 0 ? f.flops / roof.gflopsPerSecond : 0;
    const double traffic = roof.gigabytesPerSecond > 0 ? f.bytes / roof.gigabytesPerSecond : 0;
    f.floorNs = std::max(arithmetic, traffic);
  }
  std::stable_sort(out.begin(), out.end(), [](const NodeFloor& a, const NodeFloor& b) { return a.ns - a.floorNs > b.ns - b.floorNs; });
  return out;
}

}  // namespace weft
