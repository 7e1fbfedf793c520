#pragma once

#include <complex>
#include <cstdint>

#include "device/cpu/hot_products.h"
#include "weft/export.h"

// Matrix products with any strides of the operands, for gemm.h and for the algorithms of linear algebra.
namespace weft::cpu {

/// C[m, n] (op)= A[m, k] B[k, n] on the compute pool, by the engine's own loops. The rows of C are `ldc` elements apart. `lowerOnly`: elements above the diagonal
/// of C may be left as they are. C must not overlap A or B. With k = 0, Update::Set writes zeros. The result does not depend on the number of threads.
WEFT_API void product(ProductType type, int64_t m, int64_t k, int64_t n, const MatrixView& a, const MatrixView& b, void* c, int64_t ldc, Update update,
                      bool lowerOnly = false);

template <typename T>
constexpr ProductType productTypeOf();
template <>
constexpr ProductType productTypeOf<float>() {
  return ProductType::Float;
}
template <>
constexpr ProductType productTypeOf<double>() {
  return ProductType::Double;
}
template <>
constexpr ProductType productTypeOf<int32_t>() {
  return ProductType::Int32;
}
template <>
constexpr ProductType productTypeOf<int64_t>() {
  return ProductType::Int64;
}
template <>
constexpr ProductType productTypeOf<std::complex<float>>() {
  return ProductType::Complex64;
}
template <>
constexpr ProductType productTypeOf<std::complex<double>>() {
  return ProductType::Complex128;
}

}  // namespace weft::cpu
