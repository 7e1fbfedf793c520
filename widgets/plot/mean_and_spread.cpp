#include "plot/mean_and_spread.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace weft::widgets {
namespace {

double valueOf(const RunCurve& c, std::size_t i) { return c.values ? (*c.values)[i] : (*c.samples)[i].value; }

std::optional<double> valueAt(const RunCurve& c, double x, SeriesStore::X axis) {
  const SeriesStore& s = *c.samples;
  const std::size_t i = s.lowerBound(x, axis);
  if (i == s.size()) return std::nullopt;
  const double right = s.x(i, axis), value = valueOf(c, i);
  if (right == x) return value;
  if (i == 0) return std::nullopt;
  const double left = s.x(i - 1, axis), before = valueOf(c, i - 1);
  return before + (value - before) * (x - left) / (right - left);
}

}  // namespace

std::vector<SpreadPoint> meanAndSpread(std::span<const RunCurve> curves, double x0, double x1, SeriesStore::X axis, std::size_t most) {
  std::vector<SpreadPoint> result;
  const RunCurve* longest = nullptr;
  for (const RunCurve& c : curves)
    if (!c.samples->empty() && (!longest || c.samples->size() > longest->samples->size())) longest = &c;
  if (!longest || most == 0) return result;
  const SeriesStore& s = *longest->samples;
  std::size_t first = s.lowerBound(x0, axis), last = s.lowerBound(x1, axis);
  if (last < s.size()) ++last;
  if (first > 0) --first;
  const std::size_t count = last - first, stride = std::max<std::size_t>(1, (count + most - 1) / most);
  for (std::size_t i = first; i < last; i = i + stride < last || i == last - 1 ? i + stride : last - 1) {
    SpreadPoint point{s.x(i, axis), 0, 0, 0};
    double sum = 0, squares = 0;
    for (const RunCurve& c : curves) {
      const auto value = c.samples->empty() ? std::nullopt : valueAt(c, point.x, axis);
      if (!value || !std::isfinite(*value)) continue;
      // Welford's algorithm: exact for values close together and far from 0.
      ++point.runs;
      const double off = *value - sum;
      sum += off / point.runs;
      squares += off * (*value - sum);
    }
    if (point.runs == 0) continue;
    point.mean = sum;
    point.deviation = point.runs > 1 ? std::sqrt(squares / (point.runs - 1)) : 0;
    result.push_back(point);
  }
  return result;
}

}  // namespace weft::widgets
