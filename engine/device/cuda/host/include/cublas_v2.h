#pragma once

// The part of cuBLAS that libweft-cuda uses, for a processor (engine/device/cuda/host/blas.cpp).
#include <cuda_runtime.h>

enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_C_32F = 4, CUDA_C_64F = 5, CUDA_R_16BF = 14 };
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_NOT_SUPPORTED = 15 };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasComputeType_t { CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_64F = 70 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1 };
struct WeftHostBlas;
using cublasHandle_t = WeftHostBlas*;

const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasCreate(cublasHandle_t* handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
/// C = alpha op(A) op(B) + beta C, column-major, for `batch` matrices. alpha and beta are host numbers of the compute type (complex for complex matrices).
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const void* alpha,
                                          const void* a, cudaDataType_t typeA, int lda, long long strideA, const void* b, cudaDataType_t typeB, int ldb,
                                          long long strideB, const void* beta, void* c, cudaDataType_t typeC, int ldc, long long strideC, int batch,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
