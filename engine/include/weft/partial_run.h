#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/session.h"

namespace weft {

/// Begins a run of `session` whose feeds come bit by bit, and returns its handle (TensorFlow's partial_run_setup). What needs none
/// of `feeds` is computed at once. Tensors are named as in Session::run. The run keeps a thread until all feeds are given and all
/// fetches taken, it fails, or the session ends. INVALID_ARGUMENT if there is neither fetch nor target, or if a tensor is both fed
/// and fetched.
WEFT_API Result<std::string> partialRunSetup(Session& session, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                             const std::vector<std::string>& targets = {});

/// Gives the run some of its feeds and waits for some of its fetches (TensorFlow's partial_run). No node is computed twice.
/// Thread-safe; `session` outlives the call. INVALID_ARGUMENT, and the run stays as it was, for a feed or fetch that the setup did
/// not name, that comes a second time, or that cannot be computed yet. An error of the run itself ends it, and so does the call
/// after which no feed and no fetch is left, which waits for the targets as well: from then on the handle is unknown.
WEFT_API Result<std::vector<Tensor>> partialRun(Session& session, const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                                const std::vector<std::string>& fetches);

}  // namespace weft
