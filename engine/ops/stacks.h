#pragma once

#include "weft/tensor.h"

namespace weft {

/// For a handle of a stack: a handle of another stack with the same elements. Any other tensor as it is.
Tensor withOwnStack(const Tensor& handle);

}  // namespace weft
