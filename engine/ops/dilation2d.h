#pragma once

#include "graph/window.h"
#include "kernel/kernel.h"

namespace weft {

/// Sizes of Dilation2D and of its gradients.
struct DilationGeometry {
  int64_t batch, depth, in[2], filter[2], stride[2], rate[2];
  WindowAxis axis[2];
  Shape outShape() const { return {batch, axis[0].output, axis[1].output, depth}; }
};
/// With TensorFlow's checks, which kernels on all devices share.
WEFT_API Result<DilationGeometry> dilationGeometry(const KernelContext& c);

}  // namespace weft
