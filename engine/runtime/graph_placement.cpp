#include "runtime/graph_placement.h"

#include <algorithm>

#include "weft/op.h"

namespace weft {
namespace {

/// All nodes with an op that the engine knows, as a plan.
PlanGraph wholeGraph(const Graph& graph) {
  PlanGraph plan;
  std::vector<int> id(size_t(graph.size()), -1);
  for (int i = 0; i < graph.size(); ++i) {
    const Node* n = graph.node(i);
    if (!n || !n->record) continue;
    id[size_t(i)] = int(plan.nodes.size());
    PlanNode p;
    p.node = n;
    p.origin = i;
    p.types = n->outputTypes;
    plan.nodes.push_back(std::move(p));
  }
  for (PlanNode& p : plan.nodes) {
    for (const Output& in : p.node->inputs) {
      if (id[size_t(in.node)] >= 0) p.inputs.push_back({id[size_t(in.node)], in.index});
    }
    if (p.inputs.size() != p.node->inputs.size()) p.inputs.clear();
  }
  return plan;
}

bool oneKind(const std::vector<Device*>& devices) {
  return std::all_of(devices.begin(), devices.end(), [&](const Device* d) { return d->type() == devices.front()->type(); });
}

}  // namespace

Result<PlanGraph> GraphPlacement::placeWhole(const Graph& graph, const std::vector<Device*>& devices, const SessionOptions& options,
                                             std::vector<std::string>& reasons) {
  PlanGraph whole = wholeGraph(graph);
  WEFT_TRY(placeNodes(graph, whole, devices, options, &reasons, &kept_));
  devices_.clear();
  for (size_t i = 0; i < whole.nodes.size(); ++i) {
    const PlanNode& p = whole.nodes[i];
    devices_[p.node->name] = p.device;
    if (!p.node->record->isStateful) continue;
    kept_[p.node->name] = p.device;
    reasons[i] = whyKept_.try_emplace(p.node->name, reasons[i]).first->second;
  }
  return whole;
}

Status GraphPlacement::place(const Graph& graph, PlanGraph& plan, const std::vector<Device*>& devices, const SessionOptions& options) {
  if (oneKind(devices)) return placeNodes(graph, plan, devices, options, nullptr);
  const MutexLock lock(mutex_);
  const auto placed = [&](const PlanNode& p) {
    this->mutex_.assertHeld();
    return !p.node || devices_.count(p.node->name) > 0;
  };
  std::vector<std::string> reasons;
  if (!std::all_of(plan.nodes.begin(), plan.nodes.end(), placed)) WEFT_TRY(placeWhole(graph, devices, options, reasons).status());
  for (PlanNode& p : plan.nodes) {
    const auto it = p.node ? devices_.find(p.node->name) : devices_.end();
    p.device = it == devices_.end() ? devices.front() : it->second;  // feeds are on the host
  }
  return {};
}

Result<std::vector<Placement>> GraphPlacement::all(const Graph& graph, const std::vector<Device*>& devices, const SessionOptions& options) {
  const MutexLock lock(mutex_);
  std::vector<std::string> reasons;
  PlanGraph whole;
  if (oneKind(devices)) {
    whole = wholeGraph(graph);
    WEFT_TRY(placeNodes(graph, whole, devices, options, &reasons));
  } else {
    WEFT_LET(whole, placeWhole(graph, devices, options, reasons));
  }
  std::vector<Placement> out;
  for (size_t i = 0; i < whole.nodes.size(); ++i) out.push_back({whole.nodes[i].node->name, whole.nodes[i].device->name(), reasons[i]});
  return out;
}

}  // namespace weft
