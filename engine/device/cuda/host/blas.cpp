#include <Eigen/Core>
#include <complex>
#include <vector>

#include "cublas_v2.h"
#include "device/cuda/host/machine.h"

// cuBLAS by Eigen. Half precision is computed in float and rounded once, as cuBLAS does with CUBLAS_COMPUTE_32F.
struct WeftHostBlas {
  cudaStream_t stream = nullptr;
};

namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <typename T>
using View = Eigen::Map<Matrix<T>, 0, Eigen::OuterStride<>>;
template <typename T>
using ConstView = Eigen::Map<const Matrix<T>, 0, Eigen::OuterStride<>>;

struct Product {
  cublasOperation_t opA, opB;
  int m, n, k, lda, ldb, ldc;
  long long strideA, strideB, strideC;
  int batch;
  const void *a, *b;
  void* c;
};

template <typename Wide, typename T>
Matrix<Wide> operand(const T* data, cublasOperation_t op, int rows, int columns, int leading) {
  const ConstView<T> stored(data, op == CUBLAS_OP_N ? rows : columns, op == CUBLAS_OP_N ? columns : rows, Eigen::OuterStride<>(leading));
  if (op == CUBLAS_OP_N) return stored.template cast<Wide>();
  if (op == CUBLAS_OP_T) return stored.transpose().template cast<Wide>();
  return stored.adjoint().template cast<Wide>();
}

template <typename T, typename Wide>
void multiply(const Product& p, Wide alpha, Wide beta) {
  for (int i = 0; i < p.batch; ++i) {
    const Matrix<Wide> a = operand<Wide>(static_cast<const T*>(p.a) + i * p.strideA, p.opA, p.m, p.k, p.lda);
    const Matrix<Wide> b = operand<Wide>(static_cast<const T*>(p.b) + i * p.strideB, p.opB, p.k, p.n, p.ldb);
    View<T> c(static_cast<T*>(p.c) + i * p.strideC, p.m, p.n, Eigen::OuterStride<>(p.ldc));
    Matrix<Wide> product = alpha * (a * b);
    if (beta != Wide(0)) product += beta * c.template cast<Wide>();  // C is not read if beta is 0
    c = product.template cast<T>();
  }
}

template <typename T, typename Wide>
std::function<void()> work(const Product& p, const void* alpha, const void* beta) {
  return [p, alpha = *static_cast<const Wide*>(alpha), beta = *static_cast<const Wide*>(beta)] { multiply<T, Wide>(p, alpha, beta); };
}

}  // namespace

const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED: return cudaGetErrorString(cudaErrorIllegalAddress);
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
  }
  return "unknown";
}
cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  *handle = new WeftHostBlas;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType_t typeA, int lda, long long strideA, const void* b, cudaDataType_t typeB, int ldb,
                                          long long strideB, const void* beta, void* c, cudaDataType_t typeC, int ldc, long long strideC, int batch,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  const bool leadingFits = lda >= (opA == CUBLAS_OP_N ? m : k) && ldb >= (opB == CUBLAS_OP_N ? k : n) && ldc >= m;
  if (m < 0 || n < 0 || k < 0 || batch < 0 || !leadingFits || lda < 1 || ldb < 1 || ldc < 1) return CUBLAS_STATUS_INVALID_VALUE;
  if (typeA != typeB || typeA != typeC) return CUBLAS_STATUS_NOT_SUPPORTED;
  const Product p{opA, opB, m, n, k, lda, ldb, ldc, strideA, strideB, strideC, batch, a, b, c};
  const bool wide = compute == CUBLAS_COMPUTE_64F;
  std::function<void()> f;
  if (typeA == CUDA_R_32F && !wide) f = work<float, float>(p, alpha, beta);
  else if (typeA == CUDA_R_64F && wide) f = work<double, double>(p, alpha, beta);
  else if (typeA == CUDA_R_16F && !wide) f = work<Eigen::half, float>(p, alpha, beta);
  else if (typeA == CUDA_R_16BF && !wide) f = work<Eigen::bfloat16, float>(p, alpha, beta);
  else if (typeA == CUDA_C_32F && !wide) f = work<std::complex<float>, std::complex<float>>(p, alpha, beta);
  else if (typeA == CUDA_C_64F && wide) f = work<std::complex<double>, std::complex<double>>(p, alpha, beta);
  else return CUBLAS_STATUS_NOT_SUPPORTED;
  return weft::cuda::host::launchOther(handle->stream, "cublasGemmStridedBatchedEx", std::move(f)) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                                                                  : CUBLAS_STATUS_EXECUTION_FAILED;
}
