#pragma once

#include "api/convert.h"

// Weights of losses and metrics: how they fit what they weigh.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api::weights {

/// weights_broadcast_ops.assert_broadcastable: the node to wait for. INVALID_ARGUMENT if it is known that they do not fit.
int assertBroadcastable(GraphBuilder& b, const Argument& weights, const Argument& values);
/// weights_broadcast_ops.broadcast_weights: in the shape of the values.
Output broadcast(GraphBuilder& b, const Argument& weights, const Argument& values);
/// confusion_matrix.remove_squeezable_dimensions: labels and predictions without a last dimension of 1 that only one of them has.
std::pair<Output, Output> removeSqueezable(GraphBuilder& b, const Argument& labels, const Argument& predictions, int expectedDifference = 0);

}  // namespace weft::api::weights
#pragma GCC visibility pop
