#pragma once

#include <vector>

#include "weft/events.h"

namespace weft {

/// Counts numbers in TensorFlow's default buckets, whose edges are 0 and ±1e-12·1.1^k up to 1e20.
class HistogramCounter {
 public:
  HistogramCounter();
  void add(double value);
  /// The counts; runs of empty buckets are merged.
  HistogramValue value() const;

 private:
  std::vector<double> counts_;
  double min_, max_, num_ = 0, sum_ = 0, sumOfSquares_ = 0;
};

}  // namespace weft
