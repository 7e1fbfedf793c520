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

namespace {

constexpr double kReached = 1.25;       ///< Of the floor, and still called reached.
constexpr double kShortNs = 4000;       ///< A call below it mostly consists of its overhead.
constexpr double kLeastShareNs = 3000;  ///< Less work than this is not divided among threads.

NodeFloor::Gap gapOf(const NodeFloor& f, bool oneThread, bool isDouble) {
  if (f.ns <= kReached * f.floorNs) return NodeFloor::Gap::None;
  if (f.ns / std::max(1., f.calls) < kShortNs) return NodeFloor::Gap::Short;
  if (oneThread) return NodeFloor::Gap::OneThread;
  if (isDouble && f.bound == NodeFloor::Bound::Arithmetic) return NodeFloor::Gap::Double;
  return NodeFloor::Gap::Unknown;
}

}  // namespace

std::string NodeFloor::reason() const {
  switch (gap) {
    case Gap::Short: return "too little work: the call itself takes the time";
    case Gap::OneThread: return "used one thread";
    case Gap::Double: return "double precision";
    case Gap::Unknown: return flops == 0 && bytes == 0 ? "no floor is known for it" : "its kernel is below this machine's limits";
    case Gap::None: break;
  }
  return {};
}

std::string NodeFloor::help() const {
  if (gap == Gap::Short) return "larger batches, or fewer and larger ops";
  if (gap == Gap::OneThread) return "independent ops beside it, or a larger batch";
  if (gap == Gap::Double) return "float32";
  if (gap == Gap::None && bound == Bound::Arithmetic) return "less arithmetic: it is at the floor";
  if (gap == Gap::None && bound == Bound::Memory) return "smaller tensors: memory is the limit";
  return {};
}

std::vector<NodeFloor> nodeFloors(const Trace& trace, const MachineRoof& roof, const PlanReport* plan) {
  std::vector<NodeFloor> out;
  std::unordered_map<int32_t, size_t> at;  // name -> position
  std::unordered_map<std::string_view, bool> oneThread, inDouble;
  for (size_t c = 0; plan && c < plan->calls.size(); ++c) oneThread[plan->steps[size_t(plan->callSteps[c])].name] = plan->calls[c].narrow;
  for (size_t s = 0; plan && s < plan->steps.size(); ++s) inDouble[plan->steps[s].name] = plan->steps[s].inDouble;
  const double steps = std::max<double>(1, double(trace.steps.size()));
  for (const TraceSlice& s : trace.slices) {
    if (!trace.counts(s)) continue;
    const auto [it, fresh] = at.try_emplace(s.name, out.size());
    if (fresh) {
      out.emplace_back();
      out.back().name = trace.nameOf(s);
      out.back().op = trace.opOf(s);
    }
    NodeFloor& f = out[it->second];
    f.ns += double(s.selfNs) / steps;
    f.calls += 1 / steps;
    const TraceNode* node = trace.node(f.name);
    if (!node) continue;
    f.flops += node->flops / steps;
    f.bytes += node->movedBytes / steps;
  }
  for (NodeFloor& f : out) {
    f.rounded = plan && std::binary_search(plan->rounded.begin(), plan->rounded.end(), f.name);
    const double gflops = f.rounded && roof.bfloat16GflopsPerSecond > 0 ? roof.bfloat16GflopsPerSecond : roof.gflopsPerSecond;
    const double arithmetic = gflops > 0 ? f.flops / gflops : 0;
    const double traffic = roof.gigabytesPerSecond > 0 ? f.bytes / roof.gigabytesPerSecond : 0;
    f.floorNs = std::max(arithmetic, traffic);
    if (f.floorNs > 0) f.bound = arithmetic >= traffic ? NodeFloor::Bound::Arithmetic : NodeFloor::Bound::Memory;
    const auto isIn = [&](const auto& set) { return set.contains(f.name) && set.at(f.name); };
    f.gap = gapOf(f, isIn(oneThread), isIn(inDouble));
  }
  std::stable_sort(out.begin(), out.end(), [](const NodeFloor& a, const NodeFloor& b) { return a.ns - a.floorNs > b.ns - b.floorNs; });
  return out;
}

Schedule simulatedSchedule(const PlanReport& plan, const std::vector<double>& oneThreadNs, int threads) {
  std::vector<ScheduledCall> calls = plan.calls;
  for (size_t c = 0; c < calls.size() && c < oneThreadNs.size(); ++c) {
    if (calls[c].narrow || calls[c].border) continue;
    calls[c].ns = std::min(oneThreadNs[c], std::max(kLeastShareNs, oneThreadNs[c] / std::max(1, threads)));
  }
  return sideBySide(calls, threads);
}

}  // namespace weft
