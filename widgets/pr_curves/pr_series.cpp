#include "pr_curves/pr_series.h"

#include <cmath>

namespace weft::widgets {

double areaUnder(const PrCurve& curve) {
  double area = 0;
  for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
    const double part = std::abs(curve.recall[i] - curve.recall[i + 1]) * (curve.precision[i] + curve.precision[i + 1]) / 2;
    if (std::isfinite(part)) area += part;
  }
  return area;
}

}  // namespace weft::widgets
