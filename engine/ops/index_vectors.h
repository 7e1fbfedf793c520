#pragma once

#include "weft/error.h"
#include "weft/export.h"
#include "weft/tensor.h"

// Checks of ops that write rows or slices at given indices, for the kernels of all devices.
namespace weft {

/// "indices[2] = [4, 1] does not index into shape [3,3]": the error for vector `i`. `what`: "shape" or "param shape".
WEFT_API Error outsideOf(const Tensor& indices, int64_t i, const char* what, const Shape& shape);

/// Whether slices of `updates` fit those that `indices` select from a tensor of this shape (ScatterNd, TensorScatter…).
WEFT_API Status checkScatter(const Shape& shape, const Shape& indices, const Shape& updates);
/// The same for variables, whose ops have other texts (ScatterNdUpdate …).
WEFT_API Status checkScatterUpdate(const Shape& params, const Shape& indices, const Shape& updates);
/// Whether updates fit the rows of a variable (ScatterAdd …), which a reference or a resource gives.
WEFT_API Status checkRowUpdate(bool resource, const Shape& params, const Shape& indices, const Shape& updates);

/// The shape of an UnsortedSegment op's output: [num_segments, the dims of data behind those of the ids]. `count` is in host memory.
WEFT_API Result<Shape> unsortedSegmentShape(const Tensor& data, const Tensor& ids, const Tensor& count);

}  // namespace weft
