#pragma once

// The part of the CUDA runtime that libweft-cuda uses, for a processor (engine/device/cuda/host/README.md). Names and meanings are CUDA's; what CUDA leaves open (when
// queued work runs, in which order threads run) changes from call to call.
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#include "device/cuda/host/launches.h"

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline

enum cudaError_t : int {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorLaunchFailure = 719
};
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
constexpr unsigned cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2;
using cudaStream_t = weft::cuda::host::Stream*;
using cudaEvent_t = weft::cuda::host::Event*;
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem;
  int major, minor;
  int multiProcessorCount;
  char pciBusId[16];
};

const char* cudaGetErrorString(cudaError_t e);
const char* cudaGetErrorName(cudaError_t e);
cudaError_t cudaGetLastError();
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);

cudaError_t cudaMalloc(void** data, size_t bytes);
cudaError_t cudaFree(void* data);
cudaError_t cudaMallocHost(void** data, size_t bytes);
cudaError_t cudaFreeHost(void* data);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice, size_t bytes, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void* data, int value, size_t bytes, cudaStream_t stream);

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);

// What device code uses.
struct uint3 {
  unsigned x = 0, y = 0, z = 0;
};
extern uint3 threadIdx, blockIdx, blockDim, gridDim;
inline void __syncthreads() { weft::cuda::host::syncBlock(); }
inline void __syncwarp(unsigned mask = 0xffffffffu) { weft::cuda::host::exchangeInWarp(mask, 0, 0); }

template <typename T>
T __shfl_sync(unsigned mask, T value, int lane) {
  static_assert(sizeof(T) <= 8);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = weft::cuda::host::exchangeInWarp(mask, bits, lane & 31);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename T>
T __shfl_xor_sync(unsigned mask, T value, int other) {
  return __shfl_sync(mask, value, int(threadIdx.x & 31) ^ other);
}
template <typename T>
T __shfl_down_sync(unsigned mask, T value, unsigned by) {
  const unsigned from = (threadIdx.x & 31) + by;
  return __shfl_sync(mask, value, int(from > 31 ? threadIdx.x & 31 : from));
}
template <typename T>
T __shfl_up_sync(unsigned mask, T value, unsigned by) {
  const unsigned lane = threadIdx.x & 31;
  return __shfl_sync(mask, value, int(lane < by ? lane : lane - by));
}

// One thread runs at a time, so plain operations are atomic.
template <typename T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
  const T old = *at;
  *at = old + value;
  return old;
}
template <typename T>
T atomicMax(T* at, std::type_identity_t<T> value) {
  const T old = *at;
  if (value > old) *at = value;
  return old;
}
template <typename T>
T atomicMin(T* at, std::type_identity_t<T> value) {
  const T old = *at;
  if (value < old) *at = value;
  return old;
}
template <typename T>
T atomicExch(T* at, T value) {
  const T old = *at;
  *at = value;
  return old;
}
template <typename T>
T atomicCAS(T* at, T expected, T value) {
  const T old = *at;
  if (old == expected) *at = value;
  return old;
}
inline void __threadfence() {}

inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((uint64_t(a) * b) >> 32); }
inline int __popc(unsigned x) { return std::popcount(x); }
inline int __clz(unsigned x) { return std::countl_zero(x); }
template <typename T>
T __ldg(const T* at) {
  return *at;
}
// As overloaded for device code, where std::min is not available.
template <typename T>
constexpr T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
constexpr T max(T a, T b) {
  return a < b ? b : a;
}
