#include <algorithm>
#include <cmath>

#include "weft/sweep.h"

// Which runs of a sweep end early. Diverged values (NaN) count as the worst.
namespace weft {
namespace {

/// The best value up to and including `step`.
double bestUntil(const SweepPlan& plan, const SweepCurve& curve, int64_t step) {
  double best = std::nan("");
  for (const auto& [at, value] : curve.points)
    if (at <= step && plan.better(value, best)) best = value;
  return best;
}

bool median(const SweepPlan& plan, const SweepCurve& own, const std::vector<SweepCurve>& others, int64_t step) {
  std::vector<double> means;
  for (const SweepCurve& other : others) {
    if (other.points.empty() || (other.points.back().first < step)) continue;
    double sum = 0;
    int count = 0;
    for (const auto& [at, value] : other.points)
      if (at <= step) sum += value, ++count;
    if (count > 0) means.push_back(sum / count);
  }
  if (int(means.size()) < std::max(plan.stop.leastRuns, 1)) return false;
  std::sort(means.begin(), means.end(), [&](double a, double b) { return plan.better(a, b); });
  return plan.better(means[means.size() / 2], bestUntil(plan, own, step));
}

/// The first value at or after `step`; NaN if there is none.
double valueAt(const SweepCurve& curve, double step) {
  for (const auto& [at, value] : curve.points)
    if (double(at) >= step) return value;
  return std::nan("");
}

bool reached(const SweepCurve& curve, double step) { return !curve.points.empty() && double(curve.points.back().first) >= step; }

bool halving(const SweepPlan& plan, const SweepCurve& own, const std::vector<SweepCurve>& others, int64_t totalSteps) {
  const double eta = plan.stop.eta, total = double(totalSteps);
  const int most = std::max(0, int(std::floor(std::log(1 / std::max(plan.stop.firstShare, 1e-6)) / std::log(eta) + 1e-9)));
  const bool brackets = plan.stop.kind == StopRule::Kind::Hyperband;
  const auto bracketOf = [&](const SweepCurve& c) { return brackets ? int(c.run % (most + 1)) : 0; };
  const int bracket = bracketOf(own);
  const int64_t last = own.points.back().first, before = own.points.size() > 1 ? own.points[own.points.size() - 2].first : -1;
  for (int k = most - bracket; k >= 1; --k) {
    const double rung = total / std::pow(eta, k);
    if (!(double(last) >= rung && double(before) < rung)) continue;  // not the first point at this rung
    const double value = own.points.back().second;
    int seen = 1, better = 0;
    for (const SweepCurve& other : others) {
      if (bracketOf(other) != bracket || !reached(other, rung)) continue;
      ++seen;
      if (plan.better(valueAt(other, rung), value)) ++better;
    }
    if (better >= std::max(int(double(seen) / eta), 1)) return true;
  }
  return false;
}

}  // namespace

bool shouldStop(const SweepPlan& plan, const SweepCurve& own, const std::vector<SweepCurve>& others, int64_t totalSteps) {
  if (own.points.empty() || totalSteps <= 0) return false;
  const int64_t step = own.points.back().first;
  if (step >= totalSteps) return false;
  switch (plan.stop.kind) {
    case StopRule::Kind::None: return false;
    case StopRule::Kind::Median: return double(step) >= plan.stop.firstShare * double(totalSteps) && median(plan, own, others, step);
    case StopRule::Kind::Asha:
    case StopRule::Kind::Hyperband: return halving(plan, own, others, totalSteps);
  }
  return false;
}

}  // namespace weft
