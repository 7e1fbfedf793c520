#pragma once

#include "kernel/kernel.h"

// Kernels of element-wise ops: they run the functions of device/cpu/elementwise.h over whole tensors.
namespace weft {

/// One operand, same shape. The function is that of the node's op (or of `op` if given) and input type.
KernelFactory unaryKernel(const char* op = nullptr);
/// Two operands that broadcast against each other. INVALID_ARGUMENT "Incompatible shapes" if they do not; with the attribute
/// incompatible_shape_error = false, the result is then a scalar that says whether the op is NotEqual.
KernelFactory binaryKernel(const char* op = nullptr);
/// Two operands of the same shape (or the second's elements taken in order): no broadcasting.
KernelFactory pairKernel(const char* op = nullptr);

}  // namespace weft
