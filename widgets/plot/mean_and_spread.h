#pragma once

#include <span>
#include <vector>

#include "plot/series_store.h"

namespace weft::widgets {

/// A run's curve: its samples, and optionally other values for them (one each; null: the samples' values).
struct RunCurve {
  const SeriesStore* samples = nullptr;
  const std::vector<double>* values = nullptr;
};

/// Mean and standard deviation over the runs that cover a point of the x axis.
struct SpreadPoint {
  double x = 0, mean = 0;
  double deviation = 0;  ///< of a sample (n - 1); 0 for a single run
  int runs = 0;
};

/// At most about `most` points between `x0` and `x1`: all of the longest run's samples if few enough, else an even selection. Between its samples a run is
/// interpolated linearly; values that are not finite are skipped.
std::vector<SpreadPoint> meanAndSpread(std::span<const RunCurve> curves, double x0, double x1, SeriesStore::X axis, std::size_t most);

}  // namespace weft::widgets
