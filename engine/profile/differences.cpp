// The difference of two traces, with Welch's intervals over the steps.
#include <algorithm>
#include <cmath>
#include <map>

#include "weft/scopes.h"
#include "weft/trace_questions.h"

namespace weft {
namespace {

/// Self times and executions of one name, by step.
struct OfSteps {
  std::vector<double> ns;
  double count = 0;
};

/// The 97.5 % quantile of Student's distribution (Cornish-Fisher; exact values where it is too coarse).
double studentQuantile(double freedom) {
  constexpr double kExact[] = {12.706, 4.303, 3.182, 2.776};
  if (freedom < 4.5) return kExact[std::clamp(int(freedom + 0.5) - 1, 0, 3)];
  const double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * freedom * freedom * freedom);
}

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return values.empty() ? 0 : sum / double(values.size());
}

/// Of the mean.
double varianceOf(const std::vector<double>& values) {
  const double mean = meanOf(values);
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  return squares / double(values.size() - 1) / double(values.size());
}

void setInterval(TraceDifference& d, const std::vector<double>& before, const std::vector<double>& after) {
  if (before.size() < 2 || after.size() < 2) return;
  const double a = varianceOf(before), b = varianceOf(after), both = a + b;
  const double freedom = both > 0 ? both * both / (a * a / double(before.size() - 1) + b * b / double(after.size() - 1)) : 1e9;
  const double half = studentQuantile(freedom) * std::sqrt(both);
  d.lowNs = d.deltaNs() - half;
  d.highNs = d.deltaNs() + half;
}

std::map<std::string, OfSteps> sumsOf(const Trace& trace, TraceKey key) {
  std::map<std::string, OfSteps> out;
  std::map<std::pair<int32_t, int32_t>, OfSteps*> known;  // by name and op
  for (const TraceSlice& s : trace.slices) {
    if (!trace.counts(s)) continue;
    OfSteps*& sums = known[{s.name, s.op}];
    if (!sums) {
      const std::string& name = trace.nameOf(s);
      sums = &out[key == TraceKey::Node ? name : key == TraceKey::Op ? (s.op ? trace.opOf(s) : name) : std::string(shownScopeOf(name)) + "/"];
      sums->ns.resize(trace.steps.size());
    }
    sums->ns[size_t(s.step)] += double(s.selfNs);
    ++sums->count;
  }
  return out;
}

std::vector<double> durationsOf(const Trace& trace) {
  std::vector<double> out;
  for (const TraceStep& s : trace.steps) out.push_back(double(s.endNs - s.startNs));
  return out;
}

}  // namespace

std::vector<TraceDifference> differenceOfTraces(const Trace& before, const Trace& after, TraceKey key) {
  std::map<std::string, OfSteps> first = sumsOf(before, key), second = sumsOf(after, key);
  for (const auto& [name, sums] : first) second[name].ns.resize(after.steps.size());
  std::vector<TraceDifference> out;
  for (auto& [name, sums] : second) {
    OfSteps& earlier = first[name];
    earlier.ns.resize(before.steps.size());
    TraceDifference d;
    d.name = name;
    d.beforeNs = meanOf(earlier.ns);
    d.afterNs = meanOf(sums.ns);
    d.beforeCount = earlier.count / double(before.steps.size());
    d.afterCount = sums.count / double(after.steps.size());
    setInterval(d, earlier.ns, sums.ns);
    out.push_back(std::move(d));
  }
  std::stable_sort(out.begin(), out.end(), [](const TraceDifference& a, const TraceDifference& b) { return std::fabs(a.deltaNs()) > std::fabs(b.deltaNs()); });
  const std::vector<double> a = durationsOf(before), b = durationsOf(after);
  TraceDifference step;
  step.beforeNs = meanOf(a);
  step.afterNs = meanOf(b);
  step.beforeCount = step.afterCount = 1;
  setInterval(step, a, b);
  out.insert(out.begin(), std::move(step));
  return out;
}

}  // namespace weft
