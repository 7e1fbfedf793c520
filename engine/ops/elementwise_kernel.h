#pragma once

#include "kernel/kernel.h"

// Kernels of element-wise ops, which run the functions of device/cpu/elementwise.h over whole tensors.
namespace weft {

/// One operand; the result has its shape. The function is chosen by the node's op (or `op`, if given) and input type.
KernelFactory unaryKernel(const char* op = nullptr);
/// Two operands with broadcasting. INVALID_ARGUMENT "Incompatible shapes" if they do not broadcast; with the attribute incompatible_shape_error = false, the
/// result is then a scalar: true for NotEqual, false for Equal.
KernelFactory binaryKernel(const char* op = nullptr);
/// Two operands of the same shape (or with the second's elements taken in order), without broadcasting.
KernelFactory pairKernel(const char* op = nullptr);

}  // namespace weft
