#pragma once

#include <string>

#include "weft/graph.h"
#include "weft/session.h"

namespace weft::cli {

/// Restores a session's variables from a checkpoint: by the graph's own saver if it has one, else by their names.
/// NOT_FOUND and INVALID_ARGUMENT name the checkpoint, the variable, and what was expected.
Status restoreVariables(Session& session, const MetaGraph& meta, const std::string& prefix);

/// Saves them: by the graph's own saver if it has one, else every initialised variable under its name.
Status saveVariables(Session& session, const MetaGraph& meta, const std::string& prefix);

}  // namespace weft::cli
