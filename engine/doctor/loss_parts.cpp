#include "doctor/loss_parts.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "weft/op.h"
#include "weft/saturation.h"

namespace weft::doctor {
namespace {

constexpr size_t kMostParts = 16;
constexpr double kOutweighs = 10;                     // penalties over what compares with data
constexpr double kUnequal = 1e4;                      // a distance over a cross entropy, and the least such distance
constexpr double kRateFell = 1e-3, kRateGone = 1e-4;  // of the largest learning rate
constexpr double kRateDropped = 0.5;                  // of the first learning rate
constexpr size_t kMostRates = 4;                      // of a schedule with boundaries
constexpr int64_t kEarlySteps = 300, kEarly = 12;     // steps; times the steps until it dropped for the last time
constexpr int kPartsInARow = 2;                       // measured steps

}  // namespace

bool LossParts::drawn(int node) const {
  std::vector<int> work{node};
  std::set<int> seen;
  while (!work.empty()) {
    const int now = work.back();
    work.pop_back();
    if (now < 0 || !seen.insert(now).second) continue;
    const Node& n = *net_.graph().node(now);
    if (isVariable(n)) continue;
    const Shape& s = net_.graph().shape({now, 0});
    if (roleOf(n) == OpRole::Random || roleOf(n) == OpRole::SoftmaxLoss || (isConstant(n) && (!s.hasRank() || s.rank() > 1))) return true;
    for (const Output in : n.inputs) work.push_back(in.node);
  }
  return false;
}

LossParts::Part::Kind LossParts::kindOfPart(int node) const {
  if (!net_.hasData(node)) return drawn(node) ? Part::Kind::Other : Part::Kind::Penalty;
  std::vector<int> queue{node};
  for (size_t i = 0; i < queue.size() && i < 40; ++i) {
    const Node& n = *net_.graph().node(queue[i]);
    if (roleOf(n) == OpRole::SoftmaxLoss || kindOf(n) == OpKind::LogarithmOfSum || kindOf(n) == OpKind::Logarithm) return Part::Kind::Classes;
    if (isDistance(kindOf(n))) return Part::Kind::Distance;
    for (const Output o : n.inputs)
      if (net_.learns(o.node)) queue.push_back(o.node);
  }
  return Part::Kind::Other;
}

std::vector<std::string> LossParts::tensors(const std::function<bool(int)>& fetches) {
  const Graph& g = net_.graph();
  std::vector<std::string> out;
  const auto loss = g.findOutput(net_.settings() ? net_.settings()->loss : std::string());
  std::vector<Output> queue;
  if (loss.ok()) queue.push_back(*loss);
  for (size_t i = 0; i < queue.size() && i < 64; ++i) {
    const Node* n = net_.origin(queue[i]);
    if (!n || !net_.learns(n->id)) continue;
    if (roleOf(*n) == OpRole::Sum && net_.hasData(n->id)) {
      queue.insert(queue.end(), n->inputs.begin(), n->inputs.end());
      continue;
    }
    const Shape& s = g.shape({n->id, 0});
    if (!fetches(n->id) || !s.hasRank() || s.rank() != 0 || parts_.size() == kMostParts) {
      parts_.clear();
      break;
    }
    parts_.push_back({n->name, kindOfPart(n->id)});
  }
  if (parts_.size() < 2) parts_.clear();
  for (const Part& p : parts_) out.push_back(p.name + ":0");
  for (const int id : net_.trained()) {
    const Node& n = *g.node(id);
    const int at = learningRateInput(n);
    if (at < 0 || net_.scalar(n.inputs[size_t(at)]) || !fetches(n.inputs[size_t(at)].node)) continue;
    const Node& rate = *g.node(n.inputs[size_t(at)].node);
    if (isFeedPoint(rate) || isVariable(rate)) continue;
    hasRate_ = true;
    rateName_ = rate.name;
    out.push_back(g.tensorName(n.inputs[size_t(at)]));
    break;
  }
  return out;
}

void LossParts::rate(int64_t step, double now, const Report& report) {
  mostRate_ = std::max(mostRate_, now);
  if (now > kRateFell * mostRate_) fellAt_ = 0;
  else if (fellAt_ == 0) fellAt_ = step;
  // A schedule may well end near 0, but not in the middle of a training.
  if (fellAt_ > 0 && now < kRateGone * mostRate_ && step >= 2 * fellAt_)
    report(finding("rate-decayed", rateName_, {number(mostRate_), number(now), number(double(step)), number(double(fellAt_))}));
  if (firstRate_ < 0) firstRate_ = now;
  if (now != lastRate_) changedAt_ = step;
  lastRate_ = now;
  if (rates_.size() <= kMostRates) rates_.insert(now);
  // A smooth decay with a lowest rate is meant to be fast.
  if (rates_.size() <= kMostRates && changedAt_ <= kEarlySteps && now < kRateDropped * firstRate_ && step >= kEarlySteps && step >= kEarly * changedAt_)
    report(finding("rate-drops-early", rateName_, {number(firstRate_), number(now), number(double(changedAt_)), number(double(step))}));
}

void LossParts::values(int64_t step, const std::vector<Tensor>& t, const Report& report) {
  if (hasRate_ && t.back().hasValue() && t.back().elements() == 1) rate(step, t.back().asDouble(0), report);
  double penalty = 0, data = 0;
  const Part *largest = nullptr, *classes = nullptr;
  double distance = 0, entropy = 0;
  for (size_t i = 0; i < parts_.size(); ++i) {
    if (!t[i].hasValue() || t[i].elements() != 1 || !std::isfinite(t[i].asDouble(0))) return;
    const double v = std::abs(t[i].asDouble(0));
    (parts_[i].kind == Part::Kind::Penalty ? penalty : data) += v;
    if (parts_[i].kind == Part::Kind::Distance && v > distance) distance = v, largest = &parts_[i];
    if (parts_[i].kind == Part::Kind::Classes && (!classes || v < entropy)) entropy = v, classes = &parts_[i];
  }
  outweighed_ = data > 0 && penalty > kOutweighs * data ? outweighed_ + 1 : 0;
  if (outweighed_ >= kPartsInARow) {
    const auto at = std::find_if(parts_.begin(), parts_.end(), [](const Part& p) { return p.kind == Part::Kind::Penalty; });
    report(finding("penalty-outweighs", at->name, {number(penalty), number(data)}));
  }
  unequal_ = largest && classes && distance > kUnequal && entropy > 0.01 && distance > kUnequal * entropy ? unequal_ + 1 : 0;
  if (unequal_ >= kPartsInARow) report(finding("parts-unequal", largest->name, {largest->name, classes->name, number(distance), number(entropy)}));
}

}  // namespace weft::doctor
