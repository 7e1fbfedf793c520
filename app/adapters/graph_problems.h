// The problems of a graph and their fixes.
#pragma once

#include "adapters/graph_contents.h"

namespace weft::app {

/// Fills `contents.problems` from its engine graph: errors of loading and shape inference, open inputs, layers that wait or cannot be built, uninitialized
/// variables, nodes and layers that nothing reads, losses whose labels and logits do not match. Any thread.
void findProblems(GraphContents& contents);

}  // namespace weft::app
