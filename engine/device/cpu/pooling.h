#pragma once

#include <string>
#include <vector>

#include "device/cpu/hot_nn.h"
#include "kernel/kernel.h"
#include "weft/tensor.h"

namespace weft {

/// Attributes of a pooling node, with window and strides per NHWC axis, whatever the order of the images' dims.
struct WEFT_API PoolSettings {
  std::vector<int64_t> window, strides;
  std::string padding, format;

  static PoolSettings of(const AttrMap& attrs);
  /// The checks of TensorFlow's kernel constructors; `op` is the name in their messages ("MaxPoolingOp"). The CPU takes NHWC only.
  Status check(const char* op) const;
  Status checkWindows() const;
  bool channelsFirst() const { return format == "NCHW"; }
  /// Sizes for an input of shape `in`. Errors for wrong ranks and pooling over channels have TensorFlow's wording.
  Result<cpu::PoolGeometry> geometry(const Shape& in) const;
  /// The pool's shape for an input of shape `in`.
  Shape outputShape(const Shape& in, const cpu::PoolGeometry& g) const;
  /// Whether windows run over channels (each window covers adjacent channels) instead of over the image.
  bool overChannels() const { return window[3] > 1; }
};

// Gradients of the pools, shared by the ops whose windows are attributes and those whose windows are inputs.
Status averagePoolGradKernel(KernelContext& c);
Status maxPoolGradKernel(KernelContext& c);
Status maxPoolGradGradKernel(KernelContext& c);

/// MaxPoolGrad of float images combined with the gradient of the Relu before the pool; inputs as MaxPoolGrad's. Used by rewrite passes.
std::shared_ptr<Kernel> makeReluMaxPoolGrad(const AttrMap& attrs);

// Geometry of the gradients, which kernels on all devices share, with the checks of their inputs' shapes.
/// AvgPoolGrad; `in` gets the image's shape.
WEFT_API Result<cpu::PoolGeometry> averagePoolGradGeometry(const KernelContext& c, const PoolSettings& s, Shape& in);
/// MaxPoolGrad, or MaxPoolGradGrad (`second`).
WEFT_API Result<cpu::PoolGeometry> maxPoolGradGeometry(const KernelContext& c, const PoolSettings& s, bool second);
/// MaxPoolWithArgmax and its gradients, which are for NHWC.
WEFT_API Result<cpu::PoolGeometry> argmaxPoolGeometry(const KernelContext& c);
WEFT_API Result<cpu::PoolGeometry> argmaxGradGeometry(const KernelContext& c, bool second);

/// The settings of this call: from the attributes, or from the last two inputs (ksize, strides) of the V2 ops.
WEFT_API Result<PoolSettings> poolSettings(const KernelContext& c, int firstWindowInput);

}  // namespace weft
