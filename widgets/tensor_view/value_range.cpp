#include "tensor_view/value_range.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tensor_view/tensor_source.h"

namespace weft::widgets {
namespace {

constexpr qint64 kLooked = 8191;  // sampled values; a prime, so that samples are not all in one column
constexpr double kFar = 4;        // outliers lie this many times the range of most values away
constexpr std::size_t kFewest = 50;

}  // namespace

ValueRange colorRange(const TensorSource& source) {
  const TensorFacts& facts = source.facts();
  double low = facts.min, high = facts.max;
  ValueRange range;
  range.diverging = low < 0 && high > 0;
  std::vector<double> values;
  const qint64 looked = std::min(facts.elements, kLooked);
  for (qint64 i = 0; i < looked; ++i) {
    const double v = source.number(i * (facts.elements / looked));
    if (std::isfinite(v)) values.push_back(v);
  }
  if (values.size() >= kFewest) {
    const auto at = [&](double share) {
      const auto nth = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
      std::nth_element(values.begin(), nth, values.end());
      return *nth;
    };
    const double first = at(0.01), last = at(0.99);
    if (last > first && high - low > kFar * (last - first)) {
      low = first;
      high = last;
      range.clipped = true;
    }
  }
  if (range.diverging) {
    high = std::max(std::abs(low), std::abs(high));
    low = -high;
  }
  range.low = low;
  range.high = high > low ? high : low + 1;
  return range;
}

}  // namespace weft::widgets
