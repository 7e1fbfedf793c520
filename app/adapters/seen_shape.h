#pragma once

#include "weft/graph.h"

namespace weft::app {

/// The shape of a tensor for display. Unlike TensorFlow's inference, it knows that flattening, `Reshape(x, [Shape(x)[0], -1])`, keeps the product of the other
/// dims. Otherwise it is the graph's shape.
Shape seenShape(const Graph& graph, Output tensor);

}  // namespace weft::app
