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
  out.memory = graph_.memory;
  const auto bytesOf = [&](Output o, bool* known) {
    const PlanNode& from = graph_.nodes[size_t(o.node)];
    const int64_t elements = size_t(o.index) < from.shapes.size() ? from.shapes[size_t(o.index)].elements() : -1;
    if (elements < 0) *known = false;
    return double(std::max<int64_t>(elements, 0)) * double(sizeOf(baseType(from.types[size_t(o.index)])));
  };
  std::shared_ptr<const Layout> layout;
  {
    const MutexLock lock(mutex_);
    layout = layout_;
  }
  for (const int index : layout && layout->order ? layout->order->all : all_) {
    const Step& s = steps_[size_t(index)];
    const PlanNode& p = *s.node;
    PlannedStep step;
    step.node = p.origin;
    step.name = p.node->name;
    step.op = p.node->op;
    step.merged = p.merged;
    step.inDouble = std::any_of(p.types.begin(), p.types.end(), [](DType t) { return baseType(t) == DType::Double || baseType(t) == DType::Complex128; });
    bool known = true;
    for (const Output& in : p.inputs) step.bytes += bytesOf(in, &known);
    const int self = int(&p - graph_.nodes.data());
    for (int k = 0; k < s.outputCount; ++k) step.bytes += bytesOf({self, k}, &known);
    if (!known) step.bytes = 0;
    out.steps.push_back(std::move(step));
  }
  for (const PlanNode& p : graph_.nodes)
    if (p.origin >= 0) out.shapes.emplace_back(p.origin, p.shapes);
  if (!layout) return out;
  const std::vector<int>& all = layout->order ? layout->order->all : all_;
  std::vector<int> placeOf(steps_.size(), 0);
  for (size_t at = 0; at < all.size(); ++at) placeOf[size_t(all[at])] = int(at);
  if (layout->times) {
    out.calls = scheduledCalls(*layout, *layout->times);
    for (const int s : working_) out.callSteps.push_back(placeOf[size_t(s)]);
  }
  if (layout->order) {
    for (const Phase& p : layout->order->schedule.phases) {
      if (p.calls.size() > 1) out.together.emplace_back(placeOf[size_t(p.calls.front())], placeOf[size_t(p.calls.back())] + 1);
    }
    size_t calls = 0;
    for (const auto& [from, to] : out.together) calls += size_t(to - from);
    out.passes.push_back(concat("side_by_side: ", calls, " nodes in ", out.together.size(), " groups"));
    out.oneByOneNs = layout->order->schedule.oneByOneNs;
    out.togetherNs = layout->order->schedule.ns;
  }
  out.arenaBytes = layout->arenaBytes;
  out.leastBytes = layout->lowerBound;
  for (size_t s = 0; s < layout->slots.size(); ++s) {
    const SlotPlan& p = layout->slots[s];
    if (p.kind == SlotKind::Arena) out.blocks.push_back({slotName(s), p.offset, p.bytes, p.first, p.last});
  }
  std::stable_sort(out.blocks.begin(), out.blocks.end(), [](const PlannedBlock& a, const PlannedBlock& b) { return a.first < b.first; });
  return out;
}

}  // namespace staticplan

Result<PlanReport> planReport(const Session& session, const SessionInternals::Wanted& wanted) {
  const auto plan = SessionInternals::plan(session, wanted);
  if (!plan) return notFound("nothing has run yet");
  PlanReport report = plan->report();
  if (const SessionState* state = SessionInternals::state(session)) report.rounded = state->roundedNodes();
  return report;
}

}  // namespace weft
