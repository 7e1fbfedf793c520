#include "graph/window.h"

#include <algorithm>

#include "graph/shape_context.h"

namespace weft {

Result<WindowAxis> windowAxis(int64_t input, int64_t window, int64_t dilation, int64_t stride, std::string_view padding, int64_t explicitBefore,
                              int64_t explicitAfter) {
  if (stride <= 0) return invalidArgument("Stride must be > 0, but got ", stride);
  if (dilation < 1) return invalidArgument("Dilation rate must be >= 1, but got ", dilation);
  const int64_t effective = (window - 1) * dilation + 1;
  WindowAxis axis;
  if (padding == "SAME") {
    axis.output = (input + stride - 1) / stride;
    const int64_t needed = std::max<int64_t>(0, (axis.output - 1) * stride + effective - input);
    axis.before = needed / 2;
    axis.after = needed - axis.before;
  } else {
    if (padding == "EXPLICIT") {
      axis.before = explicitBefore;
      axis.after = explicitAfter;
    }
    // A window one step too large gives zero outputs, as in TensorFlow; only larger ones are an error.
    axis.output = (input + axis.before + axis.after - effective + stride) / stride;
    if (axis.output < 0) {
      return invalidArgument("Computed output size would be negative: ", axis.output, " [input_size: ", input, ", effective_filter_size: ", effective,
                             ", stride: ", stride, "]");
    }
  }
  return axis;
}

Status shapeFromInput(ShapeContext& c, int i) {
  WEFT_TRY(c.requireRank(c.input(i), 1));
  WEFT_LET(Shape s, c.constantAsShape(i));
  WEFT_TRY(c.requireRank(s, 4));
  c.setOutput(0, s.hasRank() ? s : Shape::unknownOfRank(4));
  return {};
}

Result<std::vector<int64_t>> smallIntegers(const AttrMap& attrs, std::string_view name) {
  std::vector<int64_t> out = attrs.integers(name);
  for (const int64_t v : out) {
    if (v != int64_t(int32_t(v))) return invalidArgument("Attr ", name, " has value ", v, " out of range for an int32");
  }
  return out;
}

}  // namespace weft
