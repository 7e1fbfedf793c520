#pragma once

#include <string>
#include <vector>

#include "device/cpu/hot_nn.h"
#include "kernel/kernel.h"
#include "weft/tensor.h"

namespace weft {

/// Attributes of a pooling node, with window and strides per NHWC axis.
struct PoolSettings {
  std::vector<int64_t> window, strides;
  std::string padding, format;

  static PoolSettings of(const AttrMap& attrs);
  /// What TensorFlow's kernels check when they are made; `op` as their messages name it ("MaxPoolingOp").
  Status check(const char* op) const;
  /// Sizes for an input of shape `in`. Errors in TensorFlow's words for ranks and pooling over channels.
  Result<cpu::PoolGeometry> geometry(const Shape& in) const;
  /// Windows run over channels (each `depth` adjacent ones to one) instead of over the image.
  bool overChannels() const { return window[3] > 1; }
};

// Gradients of the pools; shared by the ops whose windows are attributes and those whose windows are inputs.
Status averagePoolGradKernel(KernelContext& c);
Status maxPoolGradKernel(KernelContext& c);
Status maxPoolGradGradKernel(KernelContext& c);

/// MaxPoolGrad of float images and, in the same pass, the gradient of the Relu that made them; inputs as MaxPoolGrad's. What rewrite passes use.
std::shared_ptr<Kernel> makeReluMaxPoolGrad(const AttrMap& attrs);

/// The settings of this call: from the attributes, or from the last two inputs (ksize, strides) of the V2 ops.
Result<PoolSettings> poolSettings(KernelContext& c, int firstWindowInput);

}  // namespace weft
