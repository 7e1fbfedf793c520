#pragma once

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Matrix products by cuBLAS, for row-major matrices. Row-major C = A·B is column-major Cᵀ = Bᵀ·Aᵀ, so the operands are swapped.
namespace weft::cuda {

struct ProductShape {
  int64_t m = 0, k = 0, n = 0;                               ///< [m, k] · [k, n], after transposing.
  bool transposeA = false, transposeB = false;               ///< Stored as [k, m], [n, k].
  bool conjugate = false;                                    ///< With the transposition, for complex matrices.
  int64_t batch = 1, strideA = 0, strideB = 0, strideC = 0;  ///< Elements from one matrix to the next.
};

template <typename T>
constexpr cudaDataType_t kBlasType = CUDA_R_32F;
template <>
constexpr cudaDataType_t kBlasType<Half> = CUDA_R_16F;
template <>
constexpr cudaDataType_t kBlasType<BFloat16> = CUDA_R_16BF;
template <>
constexpr cudaDataType_t kBlasType<double> = CUDA_R_64F;
template <>
constexpr cudaDataType_t kBlasType<Complex64> = CUDA_C_32F;
template <>
constexpr cudaDataType_t kBlasType<Complex128> = CUDA_C_64F;

/// c = a · b, for each matrix of the batch. INTERNAL if a size exceeds what cuBLAS takes.
template <typename T>
Status product(CudaDevice& d, const ProductShape& p, const T* a, const T* b, T* c) {
  if (p.m == 0 || p.n == 0 || p.batch == 0) return {};
  if (p.k == 0) {
    for (int64_t i = 0; i < p.batch; ++i) WEFT_CUDA_TRY(cudaMemsetAsync(c + i * p.strideC, 0, size_t(p.m * p.n) * sizeof(T), d.stream()));
    return {};
  }
  constexpr int64_t kLimit = INT32_MAX;
  if (p.m > kLimit || p.n > kLimit || p.k > kLimit || p.batch > kLimit) {
    return unimplemented("cuBLAS multiplies matrices of up to ", kLimit, " rows and columns, got [", p.m, ",", p.k, "] and [", p.k, ",", p.n, "]");
  }
  constexpr bool wide = std::is_same_v<T, double> || std::is_same_v<T, Complex128>;
  const auto op = [&](bool transposed) { return !transposed ? CUBLAS_OP_N : p.conjugate ? CUBLAS_OP_C : CUBLAS_OP_T; };
  const Wide<T> one = 1, zero = 0;
  const MutexLock lock(d.mutex());
  return check(cublasGemmStridedBatchedEx(d.blas(), op(p.transposeB), op(p.transposeA), int(p.n), int(p.m), int(p.k), &one, b, kBlasType<T>,
                                          int(p.transposeB ? p.k : p.n), p.strideB, a, kBlasType<T>, int(p.transposeA ? p.m : p.k), p.strideA, &zero, c,
                                          kBlasType<T>, int(p.n), p.strideC, int(p.batch), wide ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
               "cublasGemmStridedBatchedEx");
}

}  // namespace weft::cuda
