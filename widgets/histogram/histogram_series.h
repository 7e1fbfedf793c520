// Histograms over the steps of a run, and the values derived for drawing.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "common/step_list.h"

namespace weft::widgets {

/// A histogram as stored in event files: `counts[i]` values lie below `limits[i]` and at or above the previous limit; the first bucket starts at `min`, the
/// last one ends at `max`.
struct Histogram {
  double step = 0;
  double wall = 0;  ///< seconds since the epoch
  double min = 0, max = 0, num = 0, sum = 0, sumOfSquares = 0;
  std::vector<double> limits, counts;

  double mean() const { return num > 0 ? sum / num : 0; }
  double deviation() const;
};

using HistogramSeries = StepList<Histogram>;

/// The percentiles of a distribution, in hundredths of a per cent: minimum, maximum, and the normal distribution's mean with 1, 1.5 and 2 standard deviations
/// on either side.
inline constexpr std::array<int, 9> kPercentiles{0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000};

/// Values at kPercentiles, as TensorBoard's compressor computes them: linear between the limits of a bucket, clamped to `min` and `max`; all 0 for an empty
/// histogram.
std::array<double, 9> percentiles(const Histogram& histogram);

/// Counts in `bins` equal bins from `low` to `high` (the last one closed): each bucket's count is spread evenly over its width.
std::vector<double> rebinned(const Histogram& histogram, double low, double high, int bins);

/// The range that covers all histograms; {0, 1} if there is nothing finite; never empty.
std::pair<double, double> rangeOf(std::span<const Histogram* const> histograms);

}  // namespace weft::widgets
