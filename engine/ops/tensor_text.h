#pragma once

#include <string>

#include "weft/tensor.h"

namespace weft {

/// The first `limit` elements (negative: all) of a tensor as Assert and Print show them: "1 2 3...", "[1 2][3...".
std::string summarizeValue(const Tensor& t, int64_t limit);

/// The same as PrintV2 and StringFormat show them: rows below one another, the first and last `edge` elements of each dimension (negative: all)
/// with "..." between, strings in quotation marks.
std::string summarizeNested(const Tensor& t, int64_t edge);

/// Indices of element `flat` as messages name them: "[1,2]", nothing for a scalar.
std::string indexPosition(const Shape& shape, int64_t flat);

}  // namespace weft
