#pragma once

#include <cstdint>
#include <vector>

#include "runtime/step_memory.h"

namespace weft {

/// Which nodes of a plan are computed again for their readers behind node `boundary`.
struct RecomputationChoice {
  StepSequence sequence;
  StepPeak peak;
  size_t bytes = 0;  ///< Of an arena that holds the sequence's blocks, and of fetched tensors.
  bool fits = false;
};

/// The choice with the least extra time by which arena and fetched tensors take at most `room` bytes; without one, that with the least bytes. `allowed`: the nodes that
/// may be computed again. REQUIRES: the plan as it is takes more than `room`.
RecomputationChoice chooseRecomputation(const StepModel& model, const std::vector<uint8_t>& allowed, size_t room);

/// Every node that may be is computed again, if that makes the peak lower: for each boundary worth trying, the lowest.
RecomputationChoice recomputeAll(const StepModel& model, const std::vector<uint8_t>& allowed);

/// The plan as it is.
RecomputationChoice keepAll(const StepModel& model);

}  // namespace weft
