#pragma once

#include "weft/graph.h"

namespace weft {

/// Infers all shapes anew without what `_output_shapes` states, if a node has that. A graph may be changed after these were written, and a run must not
/// believe them: TensorFlow takes them off when it imports a graph and keeps them for Python alone. The same for shapes that are misstated.
Status inferShapesForRuns(Graph& graph);

/// Whether the shape function says of this output what its kernel does not give, both as TensorFlow has them: graphs show it, runs must not go by it.
WEFT_API bool misstatesShape(const Node& node, int output);

/// inferGraphShapes() for who has the graph's topological order already.
Status inferGraphShapes(Graph& graph, const std::vector<int>& order, std::vector<Error>* problems);

}  // namespace weft
