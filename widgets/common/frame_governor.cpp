#include "common/frame_governor.h"

#include <algorithm>
#include <vector>

namespace weft::widgets {
namespace {

constexpr double kSlackMs = 2;      // a frame that comes slightly early counts as on time
constexpr double kTogether = 0.5;   // members due within this part of the frame interval are drawn along: the window is painted once for all
constexpr double kCushionMs = 0.4;  // of processor time: a member in debt waits until a little allowance has built up, else checking would spend it all
constexpr double kSavedMs = 250;    // maximum saved allowance
constexpr double kActiveMs = 1000;  // members that wanted a frame within this time share the allowance
constexpr double kCheapMs = 1;
constexpr double kLeastPart = 0.25;  // of the allowance is always for drawing

}  // namespace

FrameGovernor::FrameGovernor(const Rules& rules) : rules_(rules), rate_(rules.share * std::max(1, rules.processors)) {}

int FrameGovernor::add(Stage stage, double fastestMs) {
  Member member;
  member.stage = stage;
  member.fastest = std::max(fastestMs, rules_.fastestMs);
  members_.emplace(nextId_, member);
  return nextId_++;
}

void FrameGovernor::remove(int member) { members_.erase(member); }

void FrameGovernor::want(int member) {
  if (const auto it = members_.find(member); it != members_.end()) it->second.wanted = true;
}

bool FrameGovernor::wants(int member) const {
  const auto it = members_.find(member);
  return it != members_.end() && it->second.wanted;
}

bool FrameGovernor::anyPending() const {
  return std::any_of(members_.begin(), members_.end(), [](const auto& m) { return m.second.wanted; });
}

void FrameGovernor::charge(int member, double costMs) {
  const auto it = members_.find(member);
  if (it == members_.end()) return;
  it->second.charged += costMs;
  if (it->second.stage == Stage::Drawing) charged_ += costMs;
}

void FrameGovernor::account(double nowMs, double usedMs) {
  if (!started_) {
    started_ = true;
    now_ = nowMs;
    used_ = usedMs;
    charged_ = 0;
    return share();
  }
  // Debt is limited to what the slowest rate pays off in its interval, so that a long dialog does not stop the curves for a minute.
  allowance_ = std::clamp(allowance_ + (nowMs - now_) * rate_ - (usedMs - used_), -rate_ * rules_.slowestMs, rate_ * kSavedMs);
  if (nowMs > now_) {
    const double weight = std::min(1.0, (nowMs - now_) / kActiveMs);
    otherRate_ += (std::max(0.0, usedMs - used_ - charged_) / (nowMs - now_) - otherRate_) * weight;
    charged_ = 0;
  }
  now_ = nowMs;
  used_ = usedMs;
  share();
}

bool FrameGovernor::isCheap(const Member& member) const {
  return member.stage == Stage::Drawing && member.cost <= kCheapMs && member.fastest <= rules_.fastestMs;
}

/// Members that need less than an equal part get what they need; the rest is split among the others. Cheap members are drawn together and count as one demand
/// with their number of heads.
void FrameGovernor::share() {
  struct Demand {
    double rate, heads;
  };
  std::vector<Demand> demands;
  double cheapCost = 0, cheapHeads = 0;
  for (const auto& [id, m] : members_) {
    if (m.stage != Stage::Drawing || m.cost <= 0 || (!m.wanted && now_ - m.lastWanted >= kActiveMs)) continue;
    if (!isCheap(m)) {
      demands.push_back({m.cost / m.fastest, 1});
      continue;
    }
    cheapCost += m.cost;
    ++cheapHeads;
  }
  if (cheapHeads > 0) demands.push_back({cheapCost / rules_.fastestMs, cheapHeads});
  std::sort(demands.begin(), demands.end(), [](const Demand& a, const Demand& b) { return a.rate * b.heads < b.rate * a.heads; });
  double left = std::max(rate_ * kLeastPart, rate_ - otherRate_), heads = 0;
  for (const Demand& demand : demands) heads += demand.heads;
  part_ = rate_;  // if there is enough for all
  for (const Demand& demand : demands) {
    const double part = left / heads;
    if (demand.rate > part * demand.heads) {
      part_ = part;
      break;
    }
    left -= demand.rate;
    heads -= demand.heads;
  }
  cheapMs_ = cheapHeads > 0 ? cheapCost / std::max(part_ * cheapHeads, 1e-9) : 0;
}

double FrameGovernor::interval(const Member& member) const {
  if (member.stage == Stage::Source) {
    // New data is useless before the next drawing.
    return std::clamp(shortest(), member.fastest, std::max(member.fastest, rules_.slowestMs));
  }
  if (member.cost <= 0) return member.fastest;
  if (isCheap(member)) return std::clamp(cheapMs_, rules_.fastestMs, std::max(rules_.fastestMs, rules_.slowestMs));
  return std::clamp(member.cost / std::max(part_, 1e-9), member.fastest, std::max(member.fastest, rules_.slowestMs));
}

double FrameGovernor::intervalMs(int member) const {
  const auto it = members_.find(member);
  return it == members_.end() ? rules_.fastestMs : interval(it->second);
}

void FrameGovernor::begin(double nowMs, double usedMs) {
  account(nowMs, usedMs);
  asked_ = false;
}

double FrameGovernor::shortest() const {
  double soonest = -1;
  for (const auto& [id, m] : members_) {
    if (m.stage != Stage::Drawing || (!m.wanted && now_ - m.lastWanted >= kActiveMs)) continue;
    soonest = soonest < 0 ? interval(m) : std::min(soonest, interval(m));
  }
  return soonest;
}

int FrameGovernor::next() {
  int best = -1;
  const double along = asked_ ? kTogether * std::max(0.0, shortest()) : 0;
  const Member* chosen = nullptr;
  for (const auto& [id, member] : members_) {
    if (!member.wanted) continue;
    const double since = now_ - member.last + kSlackMs, wanted = interval(member);
    if (since + std::min(along, wanted / 2) < wanted || (allowance_ < 0 && since < std::max(member.fastest, rules_.slowestMs))) continue;
    const bool before = !chosen || member.stage < chosen->stage || (member.stage == chosen->stage && member.last < chosen->last);
    if (!before) continue;
    best = id;
    chosen = &member;
  }
  if (best < 0) return -1;
  Member& member = members_[best];
  asked_ = true;
  member.wanted = false;
  if (member.charged > 0) member.cost = member.cost < 0 ? member.charged : 0.7 * member.cost + 0.3 * member.charged;
  member.charged = 0;
  member.last = member.lastWanted = now_;
  return best;
}

double FrameGovernor::waitMs(double nowMs, double usedMs) {
  account(nowMs, usedMs);
  double wait = -1;
  for (const auto& [id, member] : members_) {
    if (!member.wanted) continue;
    const double due = member.last + interval(member), slowest = member.last + std::max(member.fastest, rules_.slowestMs);
    const double solvent = allowance_ < 0 ? std::min(now_ + (kCushionMs - allowance_) / rate_, slowest) : now_;
    const double own = std::max({0.0, due - now_, solvent - now_});
    wait = wait < 0 ? own : std::min(wait, own);
  }
  return wait;
}

}  // namespace weft::widgets
