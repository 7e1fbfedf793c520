// Reports of plans, for profiles.
#include "weft/plan_report.h"

#include <algorithm>

#include "kernel/session_internals.h"
#include "runtime/static_plan.h"

namespace weft {

std::vector<size_t> PlanReport::bytesOverTime() const {
  std::vector<size_t> out(steps.size(), 0);
  for (const PlannedBlock& b : blocks)
    for (int s = std::max(0, b.first); s <= b.last && s < int(out.size()); ++s) out[size_t(s)] += b.bytes;
  return out;
}

namespace staticplan {

PlanReport StaticPlan::report() const {
  PlanReport out;
  out.passes = graph_.applied;
  const auto bytesOf = [&](Output o, bool* known) {
    const PlanNode& from = graph_.nodes[size_t(o.node)];
    const int64_t elements = size_t(o.index) < from.shapes.size() ? from.shapes[size_t(o.index)].elements() : -1;
    if (elements < 0) *known = false;
    return double(std::max<int64_t>(elements, 0)) * double(sizeOf(baseType(from.types[size_t(o.index)])));
  };
  for (const Step& s : steps_) {
    const PlanNode& p = *s.node;
    PlannedStep step;
    step.node = p.origin;
    step.name = p.node->name;
    step.op = p.node->op;
    step.merged = p.merged;
    bool known = true;
    for (const Output& in : p.inputs) step.bytes += bytesOf(in, &known);
    const int self = int(&p - graph_.nodes.data());
    for (int k = 0; k < s.outputCount; ++k) step.bytes += bytesOf({self, k}, &known);
    if (!known) step.bytes = 0;
    out.steps.push_back(std::move(step));
  }
  for (const PlanNode& p : graph_.nodes)
    if (p.origin >= 0) out.shapes.emplace_back(p.origin, p.shapes);
  const MutexLock lock(mutex_);
  if (!layout_) return out;
  out.arenaBytes = layout_->arenaBytes;
  out.leastBytes = layout_->lowerBound;
  for (size_t s = 0; s < layout_->slots.size(); ++s) {
    const SlotPlan& p = layout_->slots[s];
    if (p.kind == SlotKind::Arena) out.blocks.push_back({slotName(s), p.offset, p.bytes, p.first, p.last});
  }
  std::stable_sort(out.blocks.begin(), out.blocks.end(), [](const PlannedBlock& a, const PlannedBlock& b) { return a.first < b.first; });
  return out;
}

}  // namespace staticplan

Result<PlanReport> planReport(const Session& session, const SessionInternals::Wanted& wanted) {
  const auto plan = SessionInternals::plan(session, wanted);
  if (!plan) return notFound("nothing has run yet");
  return plan->report();
}

}  // namespace weft
