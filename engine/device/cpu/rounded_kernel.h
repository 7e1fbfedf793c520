#pragma once

#include "device/cpu/convolution.h"
#include "device/cpu/rounded_convolution.h"
#include "kernel/kernel.h"

namespace weft {

/// What a kernel needs to convolve operands that are rounded to bfloat16, by the fastest way for the shape and the processor. Sums are float32, and depend on
/// neither the way nor the number of threads more than float32's do. Thread-safe.
class RoundedConvolutions {
 public:
  /// Writes the tensor chosen by the direction and reads the other two. REQUIRES: one group.
  Status run(KernelContext& c, cpu::ConvDirection direction, const cpu::ConvGeometry& g, float* input, float* filter, float* output);

 private:
  cpu::ConvolutionsOf<cpu::RoundedConvolution> rounded_;
  cpu::ConvolutionCache plain_;  ///< For operands that were rounded beforehand.
};

}  // namespace weft
