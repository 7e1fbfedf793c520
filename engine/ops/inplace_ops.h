#pragma once

#include "kernel/kernel.h"

// Checks of ops on rows and tiles: shared by the kernels of all devices.
namespace weft {

/// Of InplaceUpdate, InplaceAdd and InplaceSub.
WEFT_API Status checkInplace(KernelContext& c);
/// Output 0 as a copy of input `i`, in its memory if no other op uses it.
WEFT_API Result<Tensor*> copyToOutput(KernelContext& c, int i);
/// The shape of TileGrad's result.
WEFT_API Result<Shape> untiledShape(const Shape& in, const Tensor& multiples);

}  // namespace weft
