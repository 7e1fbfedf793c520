#include "summary/histogram.h"

#include <algorithm>
#include <cfloat>

namespace weft {
namespace {

std::vector<double> makeLimits() {
  std::vector<double> positive;
  for (double v = 1.0e-12; v < 1.0e20; v *= 1.1) positive.push_back(v);
  positive.push_back(DBL_MAX);
  std::vector<double> limits;
  limits.reserve(2 * positive.size() + 1);
  for (auto it = positive.rbegin(); it != positive.rend(); ++it) limits.push_back(-*it);
  limits.push_back(0.0);
  limits.insert(limits.end(), positive.begin(), positive.end());
  return limits;
}

const std::vector<double>& limits() {
  static const std::vector<double> edges = makeLimits();
  return edges;
}

}  // namespace

HistogramCounter::HistogramCounter() : counts_(limits().size()), min_(DBL_MAX), max_(-DBL_MAX) {}

void HistogramCounter::add(double value) {
  const auto& edges = limits();
  const auto above = std::upper_bound(edges.begin(), edges.end(), value);
  counts_[size_t(std::min<ptrdiff_t>(above - edges.begin(), ptrdiff_t(edges.size()) - 1))] += 1;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  num_ += 1;
  sum_ += value;
  sumOfSquares_ += value * value;
}

HistogramValue HistogramCounter::value() const {
  HistogramValue out{min_, max_, num_, sum_, sumOfSquares_, {}, {}};
  const auto& edges = limits();
  for (size_t i = 0; i < counts_.size(); ++i) {
    // A run of empty buckets becomes one bucket with the limit of the last.
    if (counts_[i] <= 0)
      while (i + 1 < counts_.size() && counts_[i + 1] <= 0) ++i;
    out.limits.push_back(edges[i]);
    out.counts.push_back(counts_[i]);
  }
  return out;
}

}  // namespace weft
