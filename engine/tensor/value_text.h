#pragma once

#include <string>

#include "weft/tensor.h"

namespace weft {

/// A value written as text (a number, true, false, a nested list as JSON, text for strings) as a tensor of type `dtype` that fits `shape`.
/// INVALID_ARGUMENT says what was expected.
Result<Tensor> tensorFromText(const std::string& text, DType dtype, const Shape& shape);

}  // namespace weft
