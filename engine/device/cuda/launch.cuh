#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "device/cuda/cuda_device.h"

// Code shared by the .cu files: launching, index arithmetic for broadcasting, element types.
namespace weft::cuda {

constexpr int kThreads = 256;
inline unsigned blocksFor(int64_t n) {
  const int64_t blocks = (n + kThreads - 1) / kThreads;
  return unsigned(blocks < 1 ? 1 : blocks > 65535 ? 65535 : blocks);
}

/// Launches kernel<<<…>>>(arguments…) over n elements; kernels stride over the grid.
#define WEFT_LAUNCH(device, n, kernel, ...)                                                              \
  do {                                                                                                   \
    if ((n) > 0) {                                                                                       \
      kernel<<<::weft::cuda::blocksFor(n), ::weft::cuda::kThreads, 0, (device).stream()>>>(__VA_ARGS__); \
      WEFT_CUDA_TRY(cudaGetLastError());                                                                 \
    }                                                                                                    \
  } while (0)

#define WEFT_GRID_STRIDE(i, n) for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < (n); i += int64_t(gridDim.x) * blockDim.x)

/// Strides that map an output index to the index of a broadcast operand; up to 8 dims.
struct Broadcast {
  int rank = 0;
  int64_t dims[8] = {};
  int64_t strideA[8] = {}, strideB[8] = {};
};
inline Broadcast broadcastOf(const Shape& out, const Shape& a, const Shape& b) {
  Broadcast r;
  r.rank = out.rank();
  int64_t sa = 1, sb = 1;
  for (int i = r.rank - 1; i >= 0; --i) {
    r.dims[i] = out.dim(i);
    const int ia = i - (r.rank - a.rank()), ib = i - (r.rank - b.rank());
    const int64_t da = ia < 0 ? 1 : a.dim(ia), db = ib < 0 ? 1 : b.dim(ib);
    r.strideA[i] = da == 1 ? 0 : sa;
    r.strideB[i] = db == 1 ? 0 : sb;
    sa *= da;
    sb *= db;
  }
  return r;
}
__device__ inline void locate(const Broadcast& r, int64_t i, int64_t& a, int64_t& b) {
  a = b = 0;
  for (int d = r.rank - 1; d >= 0; --d) {
    const int64_t at = i % r.dims[d];
    i /= r.dims[d];
    a += at * r.strideA[d];
    b += at * r.strideB[d];
  }
}

/// Registers the CPU kernels of `op` for GPUs too, for ops that only pass buffers on or read shapes. `hostMemory` names the arguments whose values they read.
inline void shareWithCpu(OpRegistry& ops, const char* op, std::vector<std::string> hostMemory = {}) {
  OpRecord* record = ops.findMutable(op);
  if (!record) return;
  const std::vector<KernelRecord> kernels = record->kernels;
  for (const KernelRecord& k : kernels) {
    if (k.device == "CPU") record->kernel("GPU", k.constraints, hostMemory, k.create);
  }
}
/// Registers a GPU kernel without state for float32 (attribute `attr`).
inline void addFloat(OpRegistry& ops, const char* op, Status (*f)(KernelContext&), std::vector<std::string> hostMemory = {}, const char* attr = "T") {
  if (OpRecord* record = ops.findMutable(op)) record->kernel("GPU", {{attr, {DType::Float}}}, std::move(hostMemory), simpleKernel(f));
}

}  // namespace weft::cuda
