#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "support/step_plan.h"
#include "weft/profile.h"
#include "weft/profile_views.h"
#include "weft/session.h"

namespace weft::cli {

/// What `weft profile` looks at: a trace from a file, or one of steps that were run for it.
struct ProfileSource {
  Trace trace;
  std::string explained;  ///< What the plan of a step became; empty for files.
  bool isFile = false;
  // Of steps that were run, if asked for:
  std::optional<StepPlan> plan;
  MachineRoof roof;
  std::vector<NodeFloor> floors;
};

/// How a graph is run for its trace.
struct ProfileRun {
  std::string path, graphPath;  ///< The positional file; a graph that completes a trace's nodes.
  std::vector<std::string> feeds, fetches, targets;
  std::string init, restore;
  int64_t steps = 5, warmup = 3;
  bool explain = false;  ///< Ask for the plan, and measure what the machine can do.
  SessionOptions options;
};

/// Reads the trace, trains the document, or runs the graph's fetches and targets.
Result<ProfileSource> profileSource(const ProfileRun& run);

}  // namespace weft::cli
