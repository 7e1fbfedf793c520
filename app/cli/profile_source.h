#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "support/step_plan.h"
#include "weft/profile.h"
#include "weft/profile_views.h"
#include "weft/session.h"

namespace weft::cli {

/// A step's predicted time on a machine of `threads` processors.
struct SimulatedTime {
  int threads = 1;
  double ns = 0, oneByOneNs = 0;
};

/// The input of `weft profile`: a trace from a file, or one recorded from steps run for it.
struct ProfileSource {
  Trace trace;
  std::string explained;  ///< The text of the step's plan; empty for files.
  bool isFile = false;
  // Only for steps that were run, on request:
  std::optional<StepPlan> plan;
  MachineRoof roof;
  std::vector<NodeFloor> floors;
  std::vector<SimulatedTime> simulated;  ///< The first is for one thread.
};

/// How to run a graph to trace it.
struct ProfileRun {
  std::string path, graphPath;  ///< The positional file; a graph that completes a trace's nodes.
  std::string eventRun;         ///< Of event files: the tag of the session run; empty: none named.
  std::vector<std::string> feeds, fetches, targets;
  std::string init, restore;
  int64_t steps = 5, warmup = 3;
  std::vector<std::string> given;  ///< The names of the options that were given: one without an effect is refused.
  bool explain = false;            ///< Get the plan, and measure the machine's limits.
  int simulate = 0;                ///< Predict the step's time on up to so many threads; 0: do not.
  SessionOptions options;

  bool precisionGiven() const { return std::find(given.begin(), given.end(), "--precision") != given.end(); }
};

/// Reads the trace, trains the document, or runs the graph's fetches and targets.
Result<ProfileSource> profileSource(const ProfileRun& run);

}  // namespace weft::cli
