#pragma once

#include <string>

#include "weft/tensor.h"

namespace weft {

/// The first `limit` elements (negative: all) of a tensor as Assert and Print show them: "1 2 3...", "[1 2][3...".
std::string summarizeValue(const Tensor& t, int64_t limit);

}  // namespace weft
