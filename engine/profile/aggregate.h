#pragma once

#include <string>
#include <vector>

#include "weft/profile_views.h"

namespace weft {

/// A node's totals in a trace, over the requested steps.
struct NodeTotals {
  int32_t name = 0, op = 0;
  int device = -1;                ///< A track of its device.
  ProfileNumbers numbers;         ///< Per step.
  std::vector<double> durations;  ///< Self time of each execution.
  const TraceNode* facts = nullptr;
};

/// Totals of the nodes that ran (tracks that repeat others left out), in order of first appearance. `steps` becomes their number.
std::vector<NodeTotals> nodeTotals(const Trace& trace, int step, bool critical, int* steps = nullptr);

/// Value at `p` (0…1) of values, which are reordered; 0 without any.
double percentile(std::vector<double>& values, double p);

}  // namespace weft
