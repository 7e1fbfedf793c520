#pragma once

#include <cstdint>
#include <vector>

#include "weft/export.h"
#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft {

/// How much of an activation's value is of no use: units that are 0 for every row, or outputs where the activation hardly changes.
struct Saturation {
  bool dead = false;  ///< Counts units; else outputs near an end of their range.
  int64_t counted = 0, all = 0;
};

/// Whether a node is an activation that can die or saturate.
WEFT_API bool canSaturate(const Node& node);
/// Marks the units that are above 0 for some row and place. A unit is an element of the last dim, or a channel of NCHW. `lives` is resized to their number; marks are
/// only added. REQUIRES: `value` is the output of `node` and has rank >= 2.
WEFT_API void markLiving(const Graph& graph, const Node& node, const Tensor& value, std::vector<char>* lives);
/// Relu and Relu6: units that are 0 everywhere, or outputs for a rank below 2. Elu and Selu: outputs within 5 % of their lower end. Tanh, Sigmoid, Softsign: outputs
/// within 1 % of the range at either end. REQUIRES: canSaturate(node).
WEFT_API Saturation saturationOf(const Graph& graph, const Node& node, const Tensor& value);

/// The input of an optimizer's op that holds its learning rate; -1: it has none of its own.
WEFT_API int learningRateInput(const Node& apply);

}  // namespace weft
