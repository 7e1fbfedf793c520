#pragma once

#include <string>
#include <vector>

#include "weft/profile_views.h"

namespace weft {

/// A node's totals in a trace, over the requested steps.
struct NodeTotals {
  int32_t name = 0, op = 0;
  int device = -1;                ///< One of its device's tracks.
  ProfileNumbers numbers;         ///< Per step.
  std::vector<double> durations;  ///< Self time of each execution.
  const TraceNode* facts = nullptr;
};

/// Totals of the nodes that ran, in order of first appearance; duplicate tracks are left out. `steps` receives the number of steps.
std::vector<NodeTotals> nodeTotals(const Trace& trace, int step, bool critical, int* steps = nullptr);

/// The `p` quantile (0…1) of values, which are reordered; 0 if there are none.
double percentile(std::vector<double>& values, double p);

}  // namespace weft
