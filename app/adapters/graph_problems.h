// The problems of a graph and their fixes.
#pragma once

#include "adapters/graph_contents.h"

namespace weft::app {

/// Fills `contents.problems` with what the engine finds (weft/graph_problems.h), in the window's language, and marks nodes and wires. Any thread.
void findProblems(GraphContents& contents);

}  // namespace weft::app
