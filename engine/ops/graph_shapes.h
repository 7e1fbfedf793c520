#pragma once

#include "weft/graph.h"

namespace weft {

/// Infers all shapes anew without what `_output_shapes` states, if a node has that. A graph may be changed after these were written, and a run must not
/// believe them: TensorFlow takes them off when it imports a graph and keeps them for Python alone.
Status inferShapesForRuns(Graph& graph);

/// inferGraphShapes() for who has the graph's topological order already.
Status inferGraphShapes(Graph& graph, const std::vector<int>& order, std::vector<Error>* problems);

}  // namespace weft
