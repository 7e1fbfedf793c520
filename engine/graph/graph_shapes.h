#pragma once

#include "weft/graph.h"

namespace weft {

/// Infers all shapes anew by shape functions alone, if the graph says more than they do: what `_output_shapes` or a program states of a tensor (set_shape,
/// gradients, layers), of a variable to which an Assign may give any shape, or what TensorFlow's shape functions misstate. A run must not believe that:
/// TensorFlow keeps it for Python alone, and gives what the values have. Says whether there was such.
Result<bool> inferShapesForRuns(Graph& graph);

/// Whether the shape function may say of this output what its kernel does not give, both as TensorFlow has them: graphs show it, runs must not go by it.
/// `input`: the shape of the node's first input, as far as it is known.
WEFT_API bool misstatesShape(const Node& node, int output, const Shape& input);

/// inferGraphShapes() for who has the graph's topological order already.
Status inferGraphShapes(Graph& graph, const std::vector<int>& order, std::vector<Error>* problems);

}  // namespace weft
