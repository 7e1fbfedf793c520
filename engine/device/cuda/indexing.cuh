#pragma once

#include <cstdint>

#include "device/cuda/cuda_device.h"

// Index arithmetic shared by kernels: places in tensors whose dims are permuted, broadcast, or cut.
namespace weft::cuda {

constexpr int kMostDims = 8;  ///< After joining neighbouring dims.

/// Maps the number of an output element to the index of the element that it reads: a sum over the output's coordinates.
struct Strided {
  int rank = 0;
  int64_t dims[kMostDims] = {}, stride[kMostDims] = {};
  int64_t start = 0;
  __device__ int64_t operator()(int64_t i) const {
    int64_t at = start;
    for (int d = rank - 1; d > 0; --d) {
      at += i % dims[d] * stride[d];
      i /= dims[d];
    }
    return rank ? at + i * stride[0] : at;
  }
};

/// Strides of two operands that are broadcast to `out`, with neighbouring dims joined where both allow it.
struct Broadcast {
  Strided a, b;
  bool plain = false;  ///< Each operand is a scalar or has the output's elements in order.
};
Result<Broadcast> broadcastOf(const Shape& out, const Shape& a, const Shape& b);

/// Strides of the row-major elements of `shape`.
void rowMajorStrides(const Shape& shape, int64_t* strides);
/// Removes dims of size 1 and joins neighbours that lie behind each other. UNIMPLEMENTED if more than kMostDims are left; `op` is named.
Result<Strided> joined(const std::string& op, const std::vector<int64_t>& dims, const std::vector<int64_t>& strides, int64_t start = 0);

}  // namespace weft::cuda
