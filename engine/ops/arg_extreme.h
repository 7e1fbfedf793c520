#pragma once

#include "weft/error.h"
#include "weft/export.h"
#include "weft/tensor.h"

namespace weft {

/// The axis that ArgMax and ArgMin search: `n` elements, with `before` and `after` in the dims around them.
struct SearchedAxis {
  Shape out;
  int64_t before = 1, n = 0, after = 1;
};
WEFT_API Result<SearchedAxis> searchedAxis(const Tensor& x, const Tensor& axis);

}  // namespace weft
