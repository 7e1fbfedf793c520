#pragma once

#include "commands/script_queries.h"

namespace weft::app {

class Workspace;

/// Answers `print inspect`: the file in front, its tensors and their known facts, the selected one, and the last comparison.
QueryResult printInspect(const Workspace& workspace);

}  // namespace weft::app
