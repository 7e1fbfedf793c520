#pragma once

#include <span>
#include <vector>

#include "plot/series_store.h"

namespace weft::widgets {

/// A run's curve: its samples, or what stands for their values (one for each; null: the values themselves).
struct RunCurve {
  const SeriesStore* samples = nullptr;
  const std::vector<double>* values = nullptr;
};

/// Mean and standard deviation of the runs that reach over a place of the x axis.
struct SpreadPoint {
  double x = 0, mean = 0;
  double deviation = 0;  ///< of a sample (n - 1); 0 for a single run
  int runs = 0;
};

/// At most about `most` places between `x0` and `x1`: all samples' places of the longest run while they are few enough, else evenly chosen
/// ones of them. Between its samples a run counts with the straight line from one to the next; values that are not finite are left out.
std::vector<SpreadPoint> meanAndSpread(std::span<const RunCurve> curves, double x0, double x1, SeriesStore::X axis, std::size_t most);

}  // namespace weft::widgets
