#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/session.h"

namespace weft {

/// Starts a run of `session` whose feeds arrive piecemeal, and returns its handle (TensorFlow's partial_run_setup). Nodes that need none
/// of `feeds` are computed at once. Tensors are named as in Session::run. The run keeps a thread until all feeds are given and all
/// fetches taken, it fails, or the session ends. INVALID_ARGUMENT if there is neither fetch nor target, or if a tensor is both fed
/// and fetched.
WEFT_API Result<std::string> partialRunSetup(Session& session, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                             const std::vector<std::string>& targets = {});

/// Gives the run some of its feeds and waits for some of its fetches (TensorFlow's partial_run). No node is computed twice.
/// Thread-safe; `session` must outlive the call. INVALID_ARGUMENT, without changing the run, for a feed or fetch that the setup did not
/// name, that is repeated, or that cannot be computed yet. The run ends with an error, or with the call that leaves no feed and no
/// fetch, which also waits for the targets. After that the handle is unknown.
WEFT_API Result<std::vector<Tensor>> partialRun(Session& session, const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                                const std::vector<std::string>& fetches);

}  // namespace weft
