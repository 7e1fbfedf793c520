#pragma once

#include "kernel/kernel.h"

namespace weft {

/// What BatchMatMul and BatchMatMulV2 multiply: [m, k] · [k, n] for each matrix of `batch`, to which the batches of both operands are broadcast.
struct BatchProduct {
  Shape batchX, batchY, batch, out;
  int64_t m = 0, k = 0, n = 0;
};
WEFT_API Result<BatchProduct> batchProductOf(KernelContext& c);

}  // namespace weft
