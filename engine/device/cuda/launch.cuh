#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "device/cuda/cuda_device.h"

// Launching device code. Nothing else in the .cu files uses the <<<…>>> syntax, so that they also compile as plain C++ for the host build (host/README.md).
namespace weft::cuda {

constexpr int kThreads = 256;  ///< Threads of a block, in every launch.
constexpr int kWarp = 32;

inline unsigned blocksFor(int64_t blocks) { return unsigned(blocks < 1 ? 1 : blocks > 65535 ? 65535 : blocks); }

#ifdef WEFT_CUDA_HOST

/// Queues f(i) for each i in [0, n), in no order. `f` is a lambda that copies what it captures: pointers to device memory and numbers.
template <typename F>
Status forEach(CudaDevice& device, int64_t n, F f) {
  if (n <= 0) return {};
  return check(host::launchThreads(device.stream(), n, host::rowsOf(f)), "forEach");
}
/// Queues f(block) for each block in [0, blocks). Each block is run by kThreads threads, which may share memory and wait for each other.
template <typename F>
Status forEachBlock(CudaDevice& device, int64_t blocks, F f) {
  if (blocks <= 0) return {};
  return check(host::launchBlocks(device.stream(), blocks, kThreads, [f](int64_t block) { f(block); }), "forEachBlock");
}

/// Memory of a block: an array of `count` elements of T, not initialised. Only inside of forEachBlock(), and before the first branch.
#define WEFT_SHARED(T, name, count)                                  \
  static ::weft::cuda::host::SharedArray<T, (count)> name##OfBlocks; \
  T* const name = name##OfBlocks.ofThisBlock()

#else

template <typename F>
__global__ void overThreads(int64_t n, F f) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += int64_t(gridDim.x) * blockDim.x) f(i);
}
template <typename F>
__global__ void overBlocks(int64_t blocks, F f) {
  for (int64_t b = blockIdx.x; b < blocks; b += gridDim.x) {
    f(b);
    __syncthreads();
  }
}

template <typename F>
Status forEach(CudaDevice& device, int64_t n, F f) {
  if (n <= 0) return {};
  overThreads<<<blocksFor((n + kThreads - 1) / kThreads), kThreads, 0, device.stream()>>>(n, f);
  return check(cudaGetLastError(), "forEach");
}
template <typename F>
Status forEachBlock(CudaDevice& device, int64_t blocks, F f) {
  if (blocks <= 0) return {};
  overBlocks<<<blocksFor(blocks), kThreads, 0, device.stream()>>>(blocks, f);
  return check(cudaGetLastError(), "forEachBlock");
}

#define WEFT_SHARED(T, name, count) __shared__ T name[count]

#endif

/// Combines one value of each thread of a block; every thread gets the result. `part` is shared memory for kThreads values.
template <typename T, typename Join>
__device__ T acrossBlock(T value, Join join, T* part) {
  part[threadIdx.x] = value;
  __syncthreads();
  for (unsigned half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] = join(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  const T result = part[0];
  __syncthreads();
  return result;
}

}  // namespace weft::cuda
