#pragma once

#include "commands/script_queries.h"

namespace weft::app {

class Workspace;

/// Answers `print inspect`: the file in front, its tensors with what is known of them, the selected one, and the last comparison.
QueryResult printInspect(const Workspace& workspace);

}  // namespace weft::app
