#pragma once

#include <optional>
#include <vector>

#include "weft/op.h"

namespace weft {

/// The cost of one execution of a node, from its op's record. `type` is the element type. Empty if the record has no cost function, if a shape is unknown or
/// has more elements than 63 bits hold, or if the shapes do not fit the op. Never fails, whatever a file contains.
WEFT_API std::optional<Cost> statedCost(const Node& node, const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, DType type);

}  // namespace weft
