#pragma once

#include <memory>

#include "device/cpu/convolution.h"

namespace weft::cpu {

/// A convolution whose operands are rounded to bfloat16 and whose sums are float32, on a processor that multiplies bfloat16. The images are divided into parts
/// at places that depend on the geometry only, one oneDNN primitive of one thread for each part, so that the result does not depend on the number of threads.
/// Immutable; several threads may call run() at once.
class RoundedConvolution {
 public:
  /// UNIMPLEMENTED if oneDNN has no optimised code, or the processor no unit for bfloat16.
  static Result<std::shared_ptr<const RoundedConvolution>> make(ConvDirection direction, const ConvGeometry& g);
  ~RoundedConvolution();

  /// Bytes of scratch memory that run() needs, 64-byte aligned.
  size_t scratchBytes() const;
  /// As DnnlConvolution::run().
  Status run(float* input, float* filter, float* output, void* scratch) const;

 private:
  struct Impl;
  explicit RoundedConvolution(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::cpu
