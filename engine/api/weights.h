#pragma once

#include "api/convert.h"

// Compatibility of weights with the values of losses and metrics.
#pragma GCC visibility push(default)  // the whole module is part of the exported API
namespace weft::api::weights {

/// weights_broadcast_ops.assert_broadcastable; returns the node to wait for. INVALID_ARGUMENT if they are known not to fit.
int assertBroadcastable(GraphBuilder& b, const Argument& weights, const Argument& values);
/// weights_broadcast_ops.broadcast_weights: the weights in the shape of the values.
Output broadcast(GraphBuilder& b, const Argument& weights, const Argument& values);
/// confusion_matrix.remove_squeezable_dimensions: removes a last dimension of 1 that only labels or only predictions have.
std::pair<Output, Output> removeSqueezable(GraphBuilder& b, const Argument& labels, const Argument& predictions, int expectedDifference = 0);

}  // namespace weft::api::weights
#pragma GCC visibility pop
