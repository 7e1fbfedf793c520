#pragma once

#include <string>

#include "weft/tensor.h"

namespace weft::app {

/// Parses a value typed in a command: a number, true, false, nan, a nested list as JSON, text for strings, or the name of a file with one array (.npy, a picture, a
/// sound). INVALID_ARGUMENT says what is wrong.
Result<Tensor> tensorFromWord(const std::string& text, DType dtype);

/// Parses a value for a tensor of that shape: one number fills it if the shape is fully known. INVALID_ARGUMENT for values of another shape.
Result<Tensor> tensorFromWord(const std::string& text, DType dtype, const Shape& shape);

}  // namespace weft::app
