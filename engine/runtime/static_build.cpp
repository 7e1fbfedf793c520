#include <algorithm>

#include "kernel/names_variable.h"
#include "runtime/static_plan.h"

// Makes the flat list of kernel calls of a plan.

namespace weft::staticplan {

namespace {

/// INTERNAL if the order lacks a node: it depends on itself and would never run.
Status checkComplete(const PlanGraph& g, const std::vector<int>& order) {
  const auto alive = std::count_if(g.nodes.begin(), g.nodes.end(), [](const PlanNode& p) { return p.alive; });
  if (size_t(alive) == order.size()) return {};
  std::vector<uint8_t> runs(g.nodes.size(), 0);
  for (int i : order) runs[size_t(i)] = 1;
  std::string names, first;
  int count = 0;
  for (size_t i = 0; i < g.nodes.size(); ++i) {
    const PlanNode& p = g.nodes[i];
    if (!p.alive || runs[i]) continue;
    const std::string name = p.node ? p.node->name : "feed";
    if (count == 0) first = name;
    if (++count <= 5) names += (count > 1 ? ", " : "") + name;
  }
  return internalError(count, " nodes of the plan would never run, for they wait for one another or for those that do: ", names, count > 5 ? ", …" : "")
      .atNode(first);
}

}  // namespace

Result<std::unique_ptr<ExecutablePlan>> StaticPlan::build(PlanGraph graph, SessionState& session) {
  auto plan = std::make_unique<StaticPlan>();
  plan->graph_ = std::move(graph);
  PlanGraph& g = plan->graph_;
  const int n = int(g.nodes.size());
  plan->slotOf_.assign(n, -1);
  // Slots for everything that is not constant.
  for (int i = 0; i < n; ++i) {
    const PlanNode& p = g.nodes[i];
    if (!p.alive || p.isConstant()) continue;
    plan->slotOf_[i] = int(plan->slots_.size());
    for (DType t : p.types) {
      plan->slots_.push_back({baseType(t), -1, isRef(t)});
      plan->slotNode_.push_back(i);
    }
  }
  const auto slotOf = [&](Output o) { return plan->slotOf_[o.node] + o.index; };
  const std::vector<uint8_t> watched = watchedNodes(g);
  bool waits = false;
  const std::vector<int> order = g.order();
  WEFT_TRY(checkComplete(g, order));
  for (int i : order) {
    PlanNode& p = g.nodes[i];
    if (p.isConstant() || !p.node) continue;
    std::shared_ptr<Kernel> kernel = p.kernel;
    if (!kernel) {
      WEFT_LET(kernel, makeKernel(*p.node, *p.device, session));
      p.kernel = kernel;
    }
    waits |= dynamic_cast<AsyncKernel*>(kernel.get()) != nullptr;
    const int index = int(plan->steps_.size());
    Step s{};
    s.kernel = kernel.get();
    s.node = &p;
    s.firstInput = int(plan->inputSlots_.size());
    s.inputCount = int(p.inputs.size());
    s.firstOutput = plan->slotOf_[i];
    s.outputCount = int(p.types.size());
    s.firstRef = int(plan->refInputs_.size());
    s.allowsUninitialized = p.node->record->allowsUninitializedInput;
    for (int k = 0; k < s.inputCount; ++k) {
      const Output in = p.inputs[k];
      if (g.nodes[in.node].isConstant()) {
        plan->inputSlots_.push_back(~int(plan->constants_.size()));
        plan->constants_.push_back(&g.nodes[in.node].constants[in.index]);
        continue;
      }
      const int slot = slotOf(in);
      plan->inputSlots_.push_back(slot);
      plan->slots_[slot].lastUse = std::max(plan->slots_[slot].lastUse, index);
      if (plan->slots_[slot].isRef) plan->refInputs_.push_back({k, slot});
    }
    s.refCount = int(plan->refInputs_.size()) - s.firstRef;
    s.firstWatched = int(plan->watched_.size());
    for (int k = 0; watched[size_t(i)] && !p.loop && k < s.outputCount; ++k) {
      const Slot& slot = plan->slots_[s.firstOutput + k];
      if (!slot.isRef && (isFloating(slot.type) || isComplex(slot.type))) plan->watched_.push_back(s.firstOutput + k);
    }
    s.watchedCount = int(plan->watched_.size()) - s.firstWatched;
    s.keepsTensors = p.loop || retainsTensors(*p.node);
    const auto* names = dynamic_cast<const NamesVariable*>(kernel.get());
    if (names) plan->named_.emplace_back(s.firstOutput, &names->named());
    if (!names && roleOf(*p.node) != OpRole::Group) plan->working_.push_back(index);
    plan->all_.push_back(index);
    plan->kernels_.push_back(std::move(kernel));
    plan->steps_.push_back(s);
  }
  // One node may wait for the effect of another, so a fixed order could deadlock.
  if (waits) return makeDataflowPlan(std::move(g), session);
  for (const Output& f : g.fetches) {
    if (!g.nodes[f.node].isConstant()) plan->slots_[slotOf(f)].lastUse = kNever;
  }
  std::vector<std::vector<int>> release(plan->steps_.size());
  for (size_t s = 0; s < plan->steps_.size(); ++s) {
    const Step& step = plan->steps_[s];
    for (int k = 0; k < step.outputCount; ++k) {
      Slot& slot = plan->slots_[step.firstOutput + k];
      const int last = slot.lastUse < 0 ? int(s) : slot.lastUse;
      if (last != kNever) release[last].push_back(step.firstOutput + k);
    }
  }
  for (int f : g.feedNodes) {
    if (f < 0 || !g.nodes[f].alive) continue;
    const int slot = plan->slotOf_[f];
    const int last = plan->slots_[slot].lastUse;
    if (last >= 0 && last != kNever) release[last].push_back(slot);
  }
  for (size_t s = 0; s < release.size(); ++s) {
    plan->steps_[s].firstRelease = int(plan->released_.size());
    plan->steps_[s].releaseCount = int(release[s].size());
    plan->released_.insert(plan->released_.end(), release[s].begin(), release[s].end());
  }
  return std::unique_ptr<ExecutablePlan>(std::move(plan));
}

}  // namespace weft::staticplan
