#pragma once

#include <string>
#include <vector>

#include "weft/debug_control.h"
#include "weft/graph.h"
#include "weft/tensor.h"

namespace weft {

/// How an op produced a non-finite value from finite inputs.
/// `position`: flat index in output `k`. Inputs without a value are allowed.
NonFiniteReason nonFiniteReason(const Node& node, const std::vector<Tensor>& inputs, const Tensor& output, int64_t position);

/// "[11,0]": position of element `flat`; "" for scalars.
std::string positionText(const Shape& shape, int64_t flat);

}  // namespace weft
