// What is not in order in a graph, and what would mend it.
#pragma once

#include "adapters/graph_contents.h"

namespace weft::app {

/// Fills `contents.problems` from its engine graph: what loading and shape inference found, open inputs, layers that wait or cannot be built,
/// variables that nothing initialises, nodes and layers that nothing reads, losses whose labels and logits do not go together. Any thread.
void findProblems(GraphContents& contents);

}  // namespace weft::app
