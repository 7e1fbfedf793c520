#pragma once

#include "weft/graph.h"

namespace weft {

/// Infers all shapes again by shape functions alone if the graph has shapes that runs must not rely on: those declared by `_output_shapes` or a program
/// (set_shape, gradients, layers), those of variables to which an Assign may give any shape, and those that TensorFlow's shape functions misstate.
/// TensorFlow uses them only in Python; its runs use the shapes of the values. Returns whether there were any.
Result<bool> inferShapesForRuns(Graph& graph);

/// Whether the shape function may differ from the kernel for this output, as in TensorFlow. Graphs show such shapes, but runs must not rely on them.
/// `input`: the known shape of the node's first input.
WEFT_API bool misstatesShape(const Node& node, int output, const Shape& input);

/// inferGraphShapes() with the graph's topological order given.
Status inferGraphShapes(Graph& graph, const std::vector<int>& order, std::vector<Error>* problems);

}  // namespace weft
