#pragma once

#include <string>

#include "weft/tensor.h"

namespace weft {

/// The first `limit` elements (negative: all) of a tensor in the format of Assert and Print: "1 2 3...", "[1 2][3...".
std::string summarizeValue(const Tensor& t, int64_t limit);

/// A tensor in the format of PrintV2 and StringFormat: one row per line, the first and last `edge` elements of each dimension (negative: all) with "..."
/// between, strings in quotation marks.
std::string summarizeNested(const Tensor& t, int64_t edge);

/// Indices of element `flat` as in messages: "[1,2]"; empty for a scalar.
WEFT_API std::string indexPosition(const Shape& shape, int64_t flat);

}  // namespace weft
