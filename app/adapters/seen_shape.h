#pragma once

#include "weft/graph.h"

namespace weft::app {

/// The shape of a tensor as people may know it. TensorFlow's inference forgets what flattening keeps, `Reshape(x, [Shape(x)[0], -1])`: all other sizes
/// multiplied. Everywhere else it is what the graph says.
Shape seenShape(const Graph& graph, Output tensor);

}  // namespace weft::app
