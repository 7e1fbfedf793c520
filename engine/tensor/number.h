#pragma once

#include "weft/error.h"
#include "weft/tensor.h"

namespace weft {

/// A scalar of any numeric type or bool, the value cut to the type; INVALID_ARGUMENT for other types.
Result<Tensor> numberOf(DType type, double value);

}  // namespace weft
