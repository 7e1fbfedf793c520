#pragma once

#include "device/cpu/bfloat16_products.h"
#include "kernel/kernel.h"
#include "kernel/session_state.h"

namespace weft {

/// How a kernel computes a product of this shape, as its session asks. Notes the node if its operands are rounded, for profiles.
inline ProductPrecision precisionFor(KernelContext& c, const cpu::GemmShape& s, DType type = DType::Float) {
  if (type != DType::Float || c.session().products() == ProductPrecision::Float32 || !cpu::roundsProduct(s)) return ProductPrecision::Float32;
  c.session().noteRounded(c.node().name);
  return ProductPrecision::BFloat16;
}

/// The same for a convolution.
inline ProductPrecision precisionFor(KernelContext& c, cpu::ConvDirection direction, const cpu::ConvGeometry& g) {
  if (c.session().products() == ProductPrecision::Float32 || !cpu::roundsConvolution(direction, g)) return ProductPrecision::Float32;
  c.session().noteRounded(c.node().name);
  return ProductPrecision::BFloat16;
}

}  // namespace weft
