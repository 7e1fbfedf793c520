#pragma once

#include <cstdint>
#include <string>

namespace weft {

class StepReplay;  // weft/step_replay.h

/// What a training keeps so that its last steps can be computed again (Trainer::replay).
struct StepRecording {
  int64_t steps = 0;                      ///< The last so many; 0: none are kept, at no cost.
  int64_t limitBytes = int64_t(4) << 30;  ///< Of the copies of all variables. A quarter of the memory that is free when the training starts, if that is less.
  double secondsBetween = 0.25;           ///< Computing time between two copies; more where copies take over 3 % of the time or the limit is short.
};

/// What of a training can be computed again.
struct RecordedSteps {
  int64_t first = 0, last = 0;  ///< Steps, from 1; both 0: none yet.
  int64_t copies = 0;           ///< Of all variables, between which steps are computed again.
  int64_t bytes = 0;            ///< Of these copies.
  double longestSeconds = 0;    ///< Computing time of the steps after a copy, at most: what a replay costs.
  double copySeconds = 0;       ///< Time that the copies took so far.
  std::string whyNot;           ///< Why no step can be computed again; empty: they can.
};

}  // namespace weft
