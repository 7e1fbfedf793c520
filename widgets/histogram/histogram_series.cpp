#include "histogram/histogram_series.h"

#include <algorithm>
#include <cmath>

namespace weft::widgets {

double Histogram::deviation() const {
  if (num <= 0) return 0;
  const double m = mean();
  return std::sqrt(std::max(0.0, sumOfSquares / num - m * m));
}

std::array<double, 9> percentiles(const Histogram& h) {
  std::array<double, 9> result{};
  if (h.num == 0) return result;
  double total = 0;
  for (const double count : h.counts) total += count;
  if (total == 0) total = 1;
  std::vector<double> below;
  below.reserve(h.counts.size());
  double sum = 0;
  for (const double count : h.counts) below.push_back(sum += count * kPercentiles.back() / total);
  std::size_t j = 0;
  while (j < result.size()) {
    auto i = static_cast<std::size_t>(std::upper_bound(below.begin(), below.end(), double(kPercentiles[j])) - below.begin());
    // Empty buckets carry no information about where a percentile lies.
    while (i < below.size() && below[i] == (i > 0 ? below[i - 1] : 0)) ++i;
    if (i >= below.size()) break;
    const double before = i > 0 ? below[i - 1] : 0;
    const double left = before == 0 ? h.min : std::max(h.limits[i - 1], h.min);
    const double right = std::min(h.limits[i], h.max);
    result[j] = left + (kPercentiles[j] - before) * (right - left) / (below[i] - before);
    ++j;
  }
  for (; j < result.size(); ++j) result[j] = h.max;
  return result;
}

std::vector<double> rebinned(const Histogram& h, double low, double high, int bins) {
  std::vector<double> result(static_cast<std::size_t>(std::max(1, bins)), 0.0);
  const double width = (high - low) / double(result.size());
  if (!(width > 0)) return result;
  const auto last = static_cast<double>(result.size() - 1);
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    if (h.counts[i] <= 0) continue;
    const double left = std::clamp(i == 0 ? h.min : std::max(h.limits[i - 1], h.min), low, high);
    const double right = std::clamp(std::min(h.limits[i], h.max), low, high);
    const double from = std::clamp((left - low) / width, 0.0, last + 1), to = std::clamp((right - low) / width, 0.0, last + 1);
    if (std::isnan(from) || std::isnan(to)) continue;  // a bucket with NaN limits has no position
    if (!(to > from)) {                                // a single value
      result[static_cast<std::size_t>(std::min(from, last))] += h.counts[i];
      continue;
    }
    for (double b = std::floor(from); b < to && b <= last; ++b) {
      result[static_cast<std::size_t>(b)] += h.counts[i] * (std::min(to, b + 1) - std::max(from, b)) / (to - from);
    }
  }
  return result;
}

std::pair<double, double> rangeOf(std::span<const Histogram* const> histograms) {
  double low = 0, high = 0;
  bool any = false;
  for (const Histogram* h : histograms) {
    if (h->num <= 0 || !std::isfinite(h->min) || !std::isfinite(h->max)) continue;
    low = any ? std::min(low, h->min) : h->min;
    high = any ? std::max(high, h->max) : h->max;
    any = true;
  }
  if (!any) return {0, 1};
  if (high > low) return {low, high};
  const double room = low == 0 ? 0.5 : std::abs(low) * 0.05;
  return {low - room, high + room};
}

}  // namespace weft::widgets
