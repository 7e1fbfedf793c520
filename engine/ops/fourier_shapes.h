#pragma once

#include "kernel/kernel.h"

// What the ops of discrete Fourier transforms compute, for the kernels of all devices.
namespace weft {

/// The parameters that distinguish the ops of the family.
struct FourierKind {
  int rank;   ///< Transformed dimensions: 1, 2 or 3.
  bool real;  ///< Between real numbers and half a spectrum.
  bool forward;
};
FourierKind fourierKindOf(std::string_view op);

/// Of one call: the output's shape and that of the full transform.
struct FourierCall {
  FourierKind kind;
  Shape out, full;
};
WEFT_API Result<FourierCall> fourierCallOf(KernelContext& c);

}  // namespace weft
