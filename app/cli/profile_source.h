#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "weft/profile.h"
#include "weft/session.h"

namespace weft::cli {

/// What `weft profile` looks at: a trace from a file, or one of steps that were run for it.
struct ProfileSource {
  Trace trace;
  std::string explained;  ///< What the plan of a step became; empty for files.
  bool isFile = false;
};

/// How a graph is run for its trace.
struct ProfileRun {
  std::string path, graphPath;  ///< The positional file; a graph that completes a trace's nodes.
  std::vector<std::string> feeds, fetches, targets;
  std::string init, restore;
  int64_t steps = 5, warmup = 3;
  SessionOptions options;
};

/// Reads the trace, trains the document, or runs the graph's fetches and targets.
Result<ProfileSource> profileSource(const ProfileRun& run);

}  // namespace weft::cli
