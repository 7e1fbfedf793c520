#pragma once

#include <vector>

#include "common/step_list.h"

namespace weft::widgets {

/// Precision and recall of a classifier at rising thresholds, at one step of its training. All lists have one entry per threshold.
struct PrCurve {
  double step = 0;
  double wall = 0;  ///< seconds since the epoch
  std::vector<double> truePositives, falsePositives, trueNegatives, falseNegatives, precision, recall;

  std::size_t size() const { return precision.size(); }
  /// The threshold of an entry: they divide 0…1 evenly.
  double threshold(std::size_t i) const { return size() > 1 ? static_cast<double>(i) / static_cast<double>(size() - 1) : 0; }
};

using PrSeries = StepList<PrCurve>;

/// The area under the curve: its trapezoids over recall.
double areaUnder(const PrCurve& curve);

}  // namespace weft::widgets
