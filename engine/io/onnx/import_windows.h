#pragma once

#include "io/onnx/import_node.h"

namespace weft::onnx_io {

/// The windows of a convolution or a pool: one entry for each spatial dimension.
struct Windows {
  Ints kernel, strides, dilations, before, after;
  bool same = false;  ///< TensorFlow's SAME: the padding follows from the input's size.

  int spatial() const { return int(kernel.size()); }
  bool padded() const;
  int64_t reach(int d) const { return (kernel[size_t(d)] - 1) * dilations[size_t(d)] + 1; }
};

/// Reads kernel_shape, strides, dilations, pads and auto_pad. `kernel` is used where the attribute is absent. `input`: the input's shape, channels first.
Result<Windows> windowsOf(const ImportNode& n, Ints kernel, const Shape& input);
/// Adds to `after` what ceil_mode asks for, so that the last window that begins inside fits. UNIMPLEMENTED if the input's size is not known.
Status roundUp(const Shape& input, Windows* windows);

/// [1, …, 1], with the values in the spatial places of a tensor with channels last.
Ints spatialOnly(const Ints& values, int64_t others = 1);

/// round(x) + zero, saturated to a quantized type.
Result<Output> quantizedTo(ImportNode& n, Output x, Output zero, DType to);

}  // namespace weft::onnx_io
