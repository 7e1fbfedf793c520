#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/cpu/convolution.h"
#include "kernel/kernel.h"
#include "weft/op.h"

namespace weft {

/// Attributes of Conv2D and its gradients.
struct ConvolutionSettings {
  std::vector<int64_t> strides, dilations, explicitPaddings;
  std::string padding, format;

  static ConvolutionSettings of(const AttrMap& a) {
    ConvolutionSettings s{a.integers("strides"), a.integers("dilations"), a.integers("explicit_paddings"), a.text("padding"), a.text("data_format", "NHWC")};
    if (s.dilations.empty()) s.dilations = {1, 1, 1, 1};
    return s;
  }
  bool channelsFirst() const { return format == "NCHW"; }
  int axis(char dim) const { return int(format.find(dim)); }
  int64_t before(int axis) const { return padding == "EXPLICIT" ? explicitPaddings[size_t(2 * axis)] : 0; }
  int64_t after(int axis) const { return padding == "EXPLICIT" ? explicitPaddings[size_t(2 * axis + 1)] : 0; }

  Status checkPaddings() const {
    if (padding != "EXPLICIT") {
      if (!explicitPaddings.empty()) return invalidArgument("explicit_paddings attribute must be empty if the padding attribute is not EXPLICIT");
      return {};
    }
    if (explicitPaddings.size() != 8) {
      return invalidArgument("explicit_paddings attribute must contain 8 values, but got: ", explicitPaddings.size());
    }
    for (int64_t p : explicitPaddings) {
      if (p < 0) return invalidArgument("All elements of explicit_paddings must be nonnegative");
    }
    for (int a : {axis('N'), axis('C')}) {
      if (before(a) != 0 || after(a) != 0) return invalidArgument("Nonzero explicit padding in the batch or depth dimensions is not supported");
    }
    return {};
  }

  /// The checks of TensorFlow's kernel constructors.
  Status checkKernel() const {
    if (strides.size() != 4) return invalidArgument("Sliding window strides field must specify 4 dimensions");
    if (dilations.size() != 4) return invalidArgument("Sliding window dilations field must specify 4 dimensions");
    const size_t n = size_t(axis('N')), c = size_t(axis('C'));
    if (strides[n] != 1 || strides[c] != 1) {
      return invalidArgument("Current implementation does not yet support strides in the batch and depth dimensions.");
    }
    if (dilations[n] != 1 || dilations[c] != 1) {
      return invalidArgument("Current implementation does not yet support dilations in the batch and depth dimensions.");
    }
    if (strides[size_t(axis('H'))] <= 0 || strides[size_t(axis('W'))] <= 0) return invalidArgument("Row and column strides should be larger than 0.");
    if (dilations[size_t(axis('H'))] <= 0 || dilations[size_t(axis('W'))] <= 0) return invalidArgument("Dilated rates should be larger than 0.");
    return checkPaddings();
  }
};

/// Kernels of Conv2D, Conv2DBackpropInput and Conv2DBackpropFilter.
KernelFactory convolutionKernel();

// Geometry, which kernels on all devices share, with TensorFlow's checks. `onCpu`: with the limits of TensorFlow's CPU kernels.
/// Conv2D with images and filters of these shapes.
WEFT_API Result<cpu::ConvGeometry> conv2dGeometry(const ConvolutionSettings& settings, const Shape& input, const Shape& filter, bool onCpu = true);
/// Gradient of Conv2D with respect to its input (`ofInput`) or its filter. `sizes` holds the shape of the result, which `wanted` gets; `other` is the shape of the
/// filter or the input.
WEFT_API Result<cpu::ConvGeometry> conv2dGradientGeometry(const ConvolutionSettings& settings, bool ofInput, const Tensor& sizes, const Shape& other,
                                                          const Shape& grad, Shape& wanted, bool onCpu = true);
/// DepthwiseConv2dNative.
WEFT_API Result<cpu::ConvGeometry> depthwiseGeometry(const AttrMap& attrs, const Shape& input, const Shape& filter, bool onCpu = true);
/// Gradients of DepthwiseConv2dNative, as above.
WEFT_API Result<cpu::ConvGeometry> depthwiseGradientGeometry(const Node& node, bool ofInput, const Tensor& sizes, const Shape& other, const Shape& grad,
                                                             Shape& wanted, bool onCpu = true);

}  // namespace weft
