#pragma once

#include <cstdint>
#include <optional>

#include "device/cpu/convolution.h"
#include "device/cpu/gemm.h"

// Products of float32 matrices whose operands are rounded to bfloat16.
namespace weft::cpu {

/// The processor's unit for products of bfloat16. WEFT_ISA (hot.h) v2 and v3 mean None.
enum class BFloat16Unit { None, Amx };
BFloat16Unit bfloat16UnitOfProcessor();

/// Whether a session with ProductPrecision::BFloat16 rounds the operands of this product. Says yes where an AMX unit is faster than float32. Depends on the
/// sizes only: every machine rounds the same products.
WEFT_API bool roundsProduct(const GemmShape& s);
WEFT_API bool roundsConvolution(ConvDirection direction, const ConvGeometry& g);

/// The matrix product that a convolution by a filter of one pixel is: of input and filter, of output and filter, or of input and output.
std::optional<GemmShape> productOf(ConvDirection direction, const ConvGeometry& g);

/// C = op(A) op(B), or C += with `add`, of operands rounded to bfloat16; the sums are float32. The result does not depend on the number of threads.
/// REQUIRES: m, k, n > 0.
void bfloat16Product(const GemmShape& s, const float* a, const float* b, float* c, bool add);

/// The gradient of a filter from operands rounded to bfloat16, by im2col and products: faster than oneDNN's where there is an AMX unit. REQUIRES: one group.
void roundedFilterGradient(const ConvGeometry& g, const float* input, float* filter, const float* output);

/// out[i] = x[i] rounded to bfloat16. `out` may be x.
void roundToBFloat16(const float* x, float* out, int64_t n);

}  // namespace weft::cpu
