#pragma once

#include "kernel/kernel.h"

// Checks of batch normalization that kernels on all devices share.
namespace weft {

/// Images as [outer, channels, inner]; with channels last, inner is 1.
struct BatchNormSizes {
  int64_t outer = 1, channels = 1, inner = 1;
};

/// FusedBatchNorm in its versions. The CPU takes NHWC only.
WEFT_API Result<BatchNormSizes> batchNormSizes(const KernelContext& c, bool onCpu = true);
WEFT_API Result<BatchNormSizes> batchNormGradSizes(const KernelContext& c, bool onCpu = true);

/// BatchNormWithGlobalNormalization and its gradient.
WEFT_API Status checkGlobalNorm(const KernelContext& c);
WEFT_API Status checkGlobalNormGrad(const KernelContext& c);

}  // namespace weft
