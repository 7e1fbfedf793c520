#include <algorithm>

#include "base/parallel.h"
#include "base/pool.h"
#include "runtime/static_plan.h"
#include "weft/op_traits.h"

// Decides, from the times of some runs, which steps of a plan run side by side.

namespace weft {

// RULE side_by_side.order
//   pattern      two calls of a static plan, the second later in the list
//   condition    neither has effects other than reading variables and advancing random streams of its own; no border (a call with any other effect, a loop, a reference,
//                a handle) lies between them; no path of data or control edges leads from the first to the second; neither writes into memory that the other uses
//   replacement  they run at the same time, or the second first
/// Permits it; what runs side by side is decided when the plan has run some times.
Status allowSideBySide(PlanGraph& plan, PassContext&) {
  plan.sideBySide = !plan.hasControlFlow;
  return {};
}

}  // namespace weft

namespace weft::staticplan {

namespace {

constexpr int kTimedRuns = 6, kTrialRuns = 8;
constexpr double kLeastGain = 0.03;  ///< Of the time one by one, predicted and then measured; with less, the order stays.
constexpr double kLeastGainNs = 2000;
constexpr double kMoreMemory = 1.25;    ///< Most by which side by side may enlarge the arena, …
constexpr size_t kMoreBytes = 1 << 20;  ///< … with this for free.
constexpr size_t kMostControls = 64;    ///< A step that waits for more than so many others through NoOps stays where it is.

/// Whether a node's kernel may run while kernels of other such nodes do, in any order that edges allow.
bool canMove(const Step& s) {
  const PlanNode& p = *s.node;
  if (s.keepsTensors || p.loop || p.device->type() != "CPU") return false;
  if (any(effectsOf(*p.node) & ~(Effect::Random | Effect::Reads))) return false;
  return std::none_of(p.types.begin(), p.types.end(), [](DType t) { return isRef(t) || t == DType::Resource || t == DType::Variant; });
}

bool allKnown(const PlanNode& p) {
  return p.shapes.size() == p.types.size() && std::all_of(p.shapes.begin(), p.shapes.end(), [](const Shape& s) { return s.elements() >= 0; });
}

}  // namespace

std::vector<ScheduledCall> StaticPlan::scheduledCalls(const Layout& layout, const StepTimes& times) const {
  std::vector<int> callOf(graph_.nodes.size(), -1);
  for (size_t c = 0; c < working_.size(); ++c) callOf[size_t(steps_[size_t(working_[c])].node - graph_.nodes.data())] = int(c);
  // The calls behind a node: itself, or those that a NoOp waits for.
  std::vector<std::vector<int>> behind(graph_.nodes.size());
  const auto callsBehind = [&](int node) -> const std::vector<int>& {
    std::vector<int>& out = behind[size_t(node)];
    if (out.empty() && callOf[size_t(node)] >= 0) out = {callOf[size_t(node)]};
    return out;
  };
  for (const int s : all_) {  // NoOps come behind what they wait for
    const PlanNode& p = *steps_[size_t(s)].node;
    const size_t node = size_t(&p - graph_.nodes.data());
    if (callOf[node] >= 0) continue;
    for (const int control : p.controls) behind[node].insert(behind[node].end(), callsBehind(control).begin(), callsBehind(control).end());
    std::sort(behind[node].begin(), behind[node].end());
    behind[node].erase(std::unique(behind[node].begin(), behind[node].end()), behind[node].end());
    if (behind[node].size() > kMostControls) behind[node].resize(kMostControls + 1);  // enough to see that it is too much
  }
  std::vector<ScheduledCall> calls(working_.size());
  std::vector<std::vector<int>> users(layout.blocks.size());  // since the last call that wrote into the block
  for (size_t c = 0; c < working_.size(); ++c) {
    const Step& s = steps_[size_t(working_[c])];
    const PlanNode& p = *s.node;
    ScheduledCall& call = calls[c];
    call.ns = times.ns[size_t(working_[c])];
    bool known = allKnown(p);
    for (const Output& in : p.inputs) {
      known = known && (graph_.nodes[size_t(in.node)].isConstant() || allKnown(graph_.nodes[size_t(in.node)]));
      if (callOf[size_t(in.node)] >= 0) call.after.push_back(callOf[size_t(in.node)]);
    }
    call.border = !canMove(s);
    // With other shapes than those that were timed it might use several threads after all.
    call.narrow = !call.border && known && !times.several[size_t(working_[c])];
    for (const int control : p.controls) {
      const std::vector<int>& before = callsBehind(control);
      if (before.size() > kMostControls) call.border = true, call.narrow = false;
      call.after.insert(call.after.end(), before.begin(), before.end());
    }
    const auto uses = [&](int slot, bool writes) {
      const int block = slot >= 0 ? layout.slotBlock[size_t(slot)] : -1;
      if (block < 0) return;
      std::vector<int>& since = users[size_t(block)];
      if (writes) {
        call.after.insert(call.after.end(), since.begin(), since.end());
        since.clear();
      }
      since.push_back(int(c));
    };
    for (int k = 0; k < s.inputCount; ++k) uses(inputSlots_[s.firstInput + k], false);
    for (int k = 0; k < s.outputCount; ++k) uses(s.firstOutput + k, layout.slots[size_t(s.firstOutput + k)].kind == SlotKind::Forward);
    std::erase_if(call.after, [&](int before) { return before >= int(c); });
    std::sort(call.after.begin(), call.after.end());
    call.after.erase(std::unique(call.after.begin(), call.after.end()), call.after.end());
  }
  return calls;
}

std::shared_ptr<const Layout> StaticPlan::phasedLayout(const Layout& layout, Schedule schedule) const {
  auto order = std::make_shared<PhasedOrder>();
  std::vector<int> phaseOf(steps_.size(), -1), placeOf(steps_.size(), 0);
  order->endOf.assign(steps_.size(), -1);
  for (size_t p = 0; p < schedule.phases.size(); ++p) {
    for (int& call : schedule.phases[p].calls) {
      call = working_[size_t(call)];
      phaseOf[size_t(call)] = int(p);
      placeOf[size_t(call)] = int(order->steps.size());
      order->steps.push_back(call);
    }
    order->endOf[size_t(schedule.phases[p].calls.back())] = int(p);
  }
  // Steps that do no work follow the step before them.
  order->all = all_;
  int place = -1;
  for (const int s : all_) {
    if (phaseOf[size_t(s)] >= 0) place = placeOf[size_t(s)];
    else placeOf[size_t(s)] = place;
  }
  std::stable_sort(order->all.begin(), order->all.end(), [&](int a, int b) {
    if (placeOf[size_t(a)] != placeOf[size_t(b)]) return placeOf[size_t(a)] < placeOf[size_t(b)];
    return phaseOf[size_t(a)] >= 0 && phaseOf[size_t(b)] < 0;
  });
  // During a phase, everything that one of its calls needs stays where it is.
  std::vector<int> firstOf(schedule.phases.size(), INT_MAX), lastOf(schedule.phases.size(), 0);
  for (size_t at = 0; at < order->all.size(); ++at) {
    const int p = phaseOf[size_t(order->all[at])];
    if (p < 0) continue;
    firstOf[size_t(p)] = std::min(firstOf[size_t(p)], int(at));
    lastOf[size_t(p)] = std::max(lastOf[size_t(p)], int(at));
  }
  auto out = std::make_shared<Layout>(layout);
  std::vector<MemoryBlock> blocks = layout.blocks;
  for (MemoryBlock& b : blocks) b.first = INT_MAX, b.last = 0;
  std::vector<int> lastPhase(slots_.size(), -1);
  for (size_t s = 0; s < steps_.size(); ++s) {
    const int p = phaseOf[s];
    if (p < 0) continue;
    const auto uses = [&](int slot) {
      if (slot < 0) return;
      lastPhase[size_t(slot)] = std::max(lastPhase[size_t(slot)], p);
      if (const int b = layout.slotBlock[size_t(slot)]; b >= 0) {
        blocks[size_t(b)].first = std::min(blocks[size_t(b)].first, firstOf[size_t(p)]);
        blocks[size_t(b)].last = std::max(blocks[size_t(b)].last, lastOf[size_t(p)]);
      }
    };
    for (int k = 0; k < steps_[s].inputCount; ++k) uses(inputSlots_[steps_[s].firstInput + k]);
    for (int k = 0; k < steps_[s].outputCount; ++k) uses(steps_[s].firstOutput + k);
  }
  for (MemoryBlock& b : blocks)
    if (b.first > b.last) b.first = 0, b.last = int(order->all.size());
  order->released.resize(schedule.phases.size());
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (lastPhase[slot] >= 0 && slots_[slot].lastUse != kNever && !slots_[slot].isRef) order->released[size_t(lastPhase[slot])].push_back(int(slot));
  }
  out->arenaBytes = packBlocks(blocks);
  out->lowerBound = peakOf(blocks);
  for (size_t slot = 0; slot < slots_.size(); ++slot) {
    if (out->slotBlock[slot] < 0) continue;
    const MemoryBlock& b = blocks[size_t(out->slotBlock[slot])];
    SlotPlan& p = out->slots[slot];
    p.offset = b.offset;
    p.first = b.first;
    p.last = b.last;
  }
  order->schedule = std::move(schedule);
  out->order = std::move(order);
  return out;
}

void StaticPlan::observed(const std::shared_ptr<const Layout>& layout, std::unique_ptr<Observation> times, double ns) {
  std::shared_ptr<const Layout> next;
  double& shortest = times->stage == Observation::Stage::Timing ? times->timedNs : times->trialNs;
  shortest = times->runs++ == 0 ? ns : std::min(shortest, ns);
  if (times->stage == Observation::Stage::Timing && times->runs == kTimedRuns) {
    times->stage = Observation::Stage::Decided;
    auto timed = std::make_shared<Layout>(*layout);
    timed->times = times->times;
    Schedule schedule = sideBySide(scheduledCalls(*timed, *times->times), parallelism());
    if (schedule.oneByOneNs - schedule.ns > std::max(kLeastGainNs, kLeastGain * schedule.oneByOneNs)) {
      next = phasedLayout(*timed, std::move(schedule));
      if (double(next->arenaBytes) > kMoreMemory * double(layout->arenaBytes) + double(kMoreBytes) || !fitsLimit(*next)) next.reset();
    }
    if (next) {
      times->stage = Observation::Stage::Trial;
      times->before = std::move(timed);
      times->runs = 0;
    } else {
      next = std::move(timed);
    }
  } else if (times->stage == Observation::Stage::Trial && times->runs == kTrialRuns) {
    times->stage = Observation::Stage::Decided;
    if (times->trialNs > (1 - kLeastGain) * times->timedNs) next = times->before;
  }
  const MutexLock lock(mutex_);
  if (layout_ != layout) return;
  if (next) {
    layout_ = std::move(next);
    idle_.clear();
  }
  if (times->stage != Observation::Stage::Decided) observation_ = std::move(times);
}

bool canRunSideBySide(const RunState& state) {
  return parallelism() > 1 && !pool::inTeam() && (!state.activeRuns || state.activeRuns->load(std::memory_order_relaxed) <= 1);
}

}  // namespace weft::staticplan
