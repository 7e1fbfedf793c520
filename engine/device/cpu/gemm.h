#pragma once

#include <cstdint>

#include "weft/dtype.h"
#include "weft/error.h"
#include "weft/export.h"
#include "weft/precision.h"

namespace weft::cpu {

/// Sizes of C[m,n] = op(A)[m,k] op(B)[k,n]. A transposed operand is stored as [k,m] or [n,k].
struct GemmShape {
  int64_t m = 0, k = 0, n = 0;
  bool transposeA = false, transposeB = false;
  bool operator==(const GemmShape&) const = default;
};

/// C = op(A) op(B), dense row-major; uses the compute pool. With m*n > 0 and k = 0, C becomes zeros. `precision`: of the session; see roundsProduct().
WEFT_API void gemm(const GemmShape& s, const float* a, const float* b, float* c, ProductPrecision precision = ProductPrecision::Float32);
WEFT_API void gemm(const GemmShape& s, const double* a, const double* b, double* c);

/// C += op(A) op(B).
void gemmAdd(const GemmShape& s, const float* a, const float* b, float* c, ProductPrecision precision = ProductPrecision::Float32);

/// gemm() for any numeric dtype that MatMul takes; `conjugate`: a transposed operand is also conjugated. 16-bit floats are computed
/// in float32. UNIMPLEMENTED for other dtypes. `precision` concerns float32 only.
WEFT_API Status gemm(DType type, const GemmShape& s, bool conjugate, const void* a, const void* b, void* c,
                     ProductPrecision precision = ProductPrecision::Float32);

/// `count` products. Matrix i begins at element offset aOffset[i], bOffset[i] of its operand; results are stored one after another.
WEFT_API Status gemmBatch(DType type, const GemmShape& s, bool conjugate, int64_t count, const int64_t* aOffset, const int64_t* bOffset, const void* a,
                          const void* b, void* c, ProductPrecision precision = ProductPrecision::Float32);

}  // namespace weft::cpu
