#pragma once

#include <utility>
#include <vector>

#include "weft/tensor.h"

// The arguments of pads, checked: shared by the kernels of all devices.
namespace weft {

using Paddings = std::vector<std::pair<int64_t, int64_t>>;  ///< Before and after each dim.

/// Paddings of each dimension of `x`. `name` begins errors about negative ones.
WEFT_API Result<Paddings> readPaddings(const Tensor& x, const Tensor& paddings, const char* name);
/// The shape of Pad's result; errors of the scalar `value` (null: none).
WEFT_API Result<Shape> paddedShape(const Tensor& x, const Paddings& paddings, const Tensor* value);
/// The shapes of results of MirrorPad and MirrorPadGrad. `offset` is 1 for REFLECT, which does not repeat the edge, else 0.
WEFT_API Result<Shape> mirroredShape(const Shape& in, const Paddings& paddings, int64_t offset);
WEFT_API Result<Shape> unmirroredShape(const Shape& padded, const Paddings& paddings, int64_t offset);

}  // namespace weft
