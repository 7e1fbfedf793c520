#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/attr.h"
#include "weft/error.h"
#include "weft/export.h"

namespace weft {

class ShapeContext;

/// One axis of a window op with known sizes: number of windows, and padding before and after the data.
struct WindowAxis {
  int64_t output = 0, before = 0, after = 0;
};

/// As TensorFlow's kernels compute it. `padding`: "SAME" (ceil(input / stride) outputs, the odd padding element after the data), "VALID" or
/// "EXPLICIT". INVALID_ARGUMENT "Computed output size would be negative: …" if the window is larger than the padded data and one step.
WEFT_API Result<WindowAxis> windowAxis(int64_t input, int64_t window, int64_t dilation, int64_t stride, std::string_view padding, int64_t explicitBefore = 0,
                                       int64_t explicitAfter = 0);

/// Shape function of input gradients: the result has the 4-D shape given by the value of input `i`.
Status shapeFromInput(ShapeContext& c, int i);

/// A list attribute of a window op; INVALID_ARGUMENT for numbers that do not fit TensorFlow's kernels.
WEFT_API Result<std::vector<int64_t>> smallIntegers(const AttrMap& attrs, std::string_view name);

}  // namespace weft
