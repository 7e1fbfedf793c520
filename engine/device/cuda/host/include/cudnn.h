#pragma once

// The part of cuDNN that libweft-cuda uses, for a processor (engine/device/cuda/host/dnn.cpp).
#include <cuda_runtime.h>

enum cudnnStatus_t { CUDNN_STATUS_SUCCESS = 0, CUDNN_STATUS_BAD_PARAM = 2000, CUDNN_STATUS_NOT_SUPPORTED = 3000, CUDNN_STATUS_EXECUTION_FAILED = 5000 };
enum cudnnDataType_t { CUDNN_DATA_FLOAT = 0, CUDNN_DATA_DOUBLE = 1, CUDNN_DATA_HALF = 2 };
enum cudnnTensorFormat_t { CUDNN_TENSOR_NCHW = 0, CUDNN_TENSOR_NHWC = 1 };
enum cudnnConvolutionMode_t { CUDNN_CONVOLUTION = 0, CUDNN_CROSS_CORRELATION = 1 };
enum cudnnDeterminism_t { CUDNN_NON_DETERMINISTIC = 0, CUDNN_DETERMINISTIC = 1 };
enum cudnnMathType_t { CUDNN_DEFAULT_MATH = 0, CUDNN_TENSOR_OP_MATH = 1, CUDNN_FMA_MATH = 3 };
enum cudnnConvolutionFwdAlgo_t { CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM = 0 };
enum cudnnConvolutionBwdDataAlgo_t { CUDNN_CONVOLUTION_BWD_DATA_ALGO_0 = 0 };
enum cudnnConvolutionBwdFilterAlgo_t { CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0 = 0 };
struct WeftHostDnn;
struct WeftHostArray;  // a tensor's or filter's layout
struct WeftHostConvolution;
using cudnnHandle_t = WeftHostDnn*;
using cudnnTensorDescriptor_t = WeftHostArray*;
using cudnnFilterDescriptor_t = WeftHostArray*;
using cudnnConvolutionDescriptor_t = WeftHostConvolution*;
template <typename Algo>
struct WeftHostAlgorithm {
  Algo algo;
  cudnnStatus_t status;
  float time;
  size_t memory;
  cudnnDeterminism_t determinism;
  cudnnMathType_t mathType;
};
using cudnnConvolutionFwdAlgoPerf_t = WeftHostAlgorithm<cudnnConvolutionFwdAlgo_t>;
using cudnnConvolutionBwdDataAlgoPerf_t = WeftHostAlgorithm<cudnnConvolutionBwdDataAlgo_t>;
using cudnnConvolutionBwdFilterAlgoPerf_t = WeftHostAlgorithm<cudnnConvolutionBwdFilterAlgo_t>;

const char* cudnnGetErrorString(cudnnStatus_t status);
#define CUDNN_VERSION 90000
size_t cudnnGetVersion();
cudnnStatus_t cudnnCreate(cudnnHandle_t* handle);
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle);
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream);

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t* out);
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t d);
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t d, cudnnDataType_t type, int rank, const int* dims, const int* strides);
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t* out);
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t d);
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t d, cudnnDataType_t type, cudnnTensorFormat_t format, int rank, const int* dims);
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t* out);
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t d);
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t d, int dims, const int* pads, const int* strides, const int* dilations,
                                              cudnnConvolutionMode_t mode, cudnnDataType_t computeType);
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t d, cudnnMathType_t type);

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w, cudnnConvolutionDescriptor_t c,
                                                     cudnnTensorDescriptor_t y, int wanted, int* found, cudnnConvolutionFwdAlgoPerf_t* out);
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
                                                      cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t y, cudnnConvolutionFwdAlgo_t algo, size_t* bytes);
cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x, const void* xData, cudnnFilterDescriptor_t w,
                                      const void* wData, cudnnConvolutionDescriptor_t c, cudnnConvolutionFwdAlgo_t algo, void* workspace, size_t bytes,
                                      const void* beta, cudnnTensorDescriptor_t y, void* yData);
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t handle, cudnnFilterDescriptor_t w, cudnnTensorDescriptor_t dy,
                                                          cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t dx, int wanted, int* found,
                                                          cudnnConvolutionBwdDataAlgoPerf_t* out);
cudnnStatus_t cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t handle, cudnnFilterDescriptor_t w, cudnnTensorDescriptor_t dy,
                                                           cudnnConvolutionDescriptor_t c, cudnnTensorDescriptor_t dx, cudnnConvolutionBwdDataAlgo_t algo,
                                                           size_t* bytes);
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha, cudnnFilterDescriptor_t w, const void* wData, cudnnTensorDescriptor_t dy,
                                           const void* dyData, cudnnConvolutionDescriptor_t c, cudnnConvolutionBwdDataAlgo_t algo, void* workspace,
                                           size_t bytes, const void* beta, cudnnTensorDescriptor_t dx, void* dxData);
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t dy,
                                                            cudnnConvolutionDescriptor_t c, cudnnFilterDescriptor_t dw, int wanted, int* found,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t* out);
cudnnStatus_t cudnnGetConvolutionBackwardFilterWorkspaceSize(cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnTensorDescriptor_t dy,
                                                             cudnnConvolutionDescriptor_t c, cudnnFilterDescriptor_t dw, cudnnConvolutionBwdFilterAlgo_t algo,
                                                             size_t* bytes);
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha, cudnnTensorDescriptor_t x, const void* xData, cudnnTensorDescriptor_t dy,
                                             const void* dyData, cudnnConvolutionDescriptor_t c, cudnnConvolutionBwdFilterAlgo_t algo, void* workspace,
                                             size_t bytes, const void* beta, cudnnFilterDescriptor_t dw, void* dwData);
