#pragma once

#include <vector>

#include "weft/session.h"

namespace weft::cli {

/// Steps that are taken before the measured ones; their values are compared between engines.
inline constexpr int kFirstSteps = 5;
/// Fewer measured steps than this are not taken, however long they last.
inline constexpr size_t kLeastSteps = 5;

/// What a series of steps took.
struct StepTimes {
  size_t steps = 0;
  double minimum = 0, median = 0, p95 = 0;  ///< Milliseconds.
};
StepTimes timesOf(std::vector<double> milliseconds);
double medianOf(std::vector<double> values);

/// Durations of steps, in milliseconds, taken for some seconds.
Result<std::vector<double>> timeSteps(const Callable& step, const std::vector<Tensor>& feeds, double seconds);

/// Peak memory of this program in megabytes.
double peakMegabytes();

}  // namespace weft::cli
