#pragma once

#include "weft/builder.h"

namespace weft {

/// How several gradients of one tensor are summed (tf.AggregationMethod). The values are equal; nodes and memory differ.
enum class Aggregation {
  AddN,        ///< One AddN per device, then one over these.
  Tree,        ///< A running sum of two-input AddNs in a scope of the op, so that summands are freed early.
  Accumulate,  ///< AccumulateNV2 for more than two of known shape; otherwise Tree.
};

/// addGradients (weft/builder.h) with another aggregation.
WEFT_API Result<std::vector<Gradient>> addGradients(GraphBuilder& builder, const std::vector<Output>& ys, const std::vector<Output>& xs,
                                                    const GradientsOptions& options, Aggregation aggregation);

}  // namespace weft
