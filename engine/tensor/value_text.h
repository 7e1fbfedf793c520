#pragma once

#include <string>

#include "weft/tensor.h"

namespace weft {

/// Parses a value (a number, true, false, a nested JSON list, plain text for strings) into a tensor of type `dtype` that fits `shape`. INVALID_ARGUMENT says
/// what was expected.
Result<Tensor> tensorFromText(const std::string& text, DType dtype, const Shape& shape);

}  // namespace weft
