#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/executable_plan.h"
#include "weft/side_by_side.h"

namespace weft::staticplan {

struct Layout;

/// An order in which steps run, other than the graph's, with some side by side.
struct PhasedOrder {
  Schedule schedule;                       ///< Its calls are ids of steps.
  std::vector<int> steps, all;             ///< One by one: the steps that do work, and all.
  std::vector<std::vector<int>> released;  ///< By phase: slots that it uses last.
  std::vector<int> endOf;                  ///< By step: the phase whose last call it is, or -1.
};

/// How long steps took.
struct StepTimes {
  std::vector<double> ns;        ///< By step: the shortest so far.
  std::vector<uint8_t> several;  ///< By step: whether it asked for several threads.
};

/// What the runs of a layout have shown, from its recording to the decision whether steps run side by side.
struct Observation {
  enum class Stage : uint8_t { Timing, Trial, Decided };
  Stage stage = Stage::Timing;
  int runs = 0;
  std::shared_ptr<StepTimes> times;
  double timedNs = 0, trialNs = 0;       ///< The shortest run of each stage.
  std::shared_ptr<const Layout> before;  ///< During the trial: the layout that may return.
};

/// Whether this run has several threads to itself.
bool canRunSideBySide(const RunState& state);

}  // namespace weft::staticplan
