#pragma once

#include <optional>
#include <vector>

#include "weft/op.h"

namespace weft {

/// What one execution of a node costs as its op's record states it, `type` being that of its elements. Nothing if the record states nothing, if a shape is
/// not known or counts more elements than 63 bits hold, or if the shapes do not fit the op: never a failure, whatever a file says.
WEFT_API std::optional<Cost> statedCost(const Node& node, const std::vector<Shape>& inputs, const std::vector<Shape>& outputs, DType type);

}  // namespace weft
