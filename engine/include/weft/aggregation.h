#pragma once

#include "weft/builder.h"

namespace weft {

/// How gradients that arrive at one tensor are summed (tf.AggregationMethod): values are the same, nodes and the memory they need are not.
enum class Aggregation {
  AddN,        ///< One AddN on each device, then one of these.
  Tree,        ///< A running sum of AddNs of two, in a scope of the op: what is summed is let go.
  Accumulate,  ///< AccumulateNV2 of more than two whose shape is known; else Tree.
};

/// addGradients (weft/builder.h) with sums made otherwise.
WEFT_API Result<std::vector<Gradient>> addGradients(GraphBuilder& builder, const std::vector<Output>& ys, const std::vector<Output>& xs,
                                                    const GradientsOptions& options, Aggregation aggregation);

}  // namespace weft
