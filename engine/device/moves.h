#pragma once

#include <cstdint>
#include <span>

#include "device/cpu/move.h"
#include "kernel/kernel.h"

// Moves of elements, for kernels that are the same on all devices: they work in the memory of the tensor that they are given.
namespace weft {

/// Pieces of `length` elements, one per row; rows are `fromStride` and `toStride` apart.
struct Pieces {
  const void* from;
  int64_t fromStride;
  void* to;
  int64_t toStride, length;
};

/// What a device with memory of its own offers. Elements are plain bytes. Calls queue work, like kernels.
class WEFT_API ElementMover {
 public:
  virtual ~ElementMover();
  virtual Status moveBox(DType type, const cpu::BoxCopy& box, const void* source, void* target) = 0;
  virtual Status movePieces(DType type, std::span<const Pieces> all, int64_t rows) = 0;
  virtual Status fillWithZeros(void* to, size_t bytes) = 0;
  /// In place. REQUIRES: a complex type.
  virtual Status conjugate(DType type, void* data, int64_t n) = 0;
};

/// Copies a box between two arrays in the memory of `like`, which gives the type of the elements.
WEFT_API Status moveBox(KernelContext& c, const Tensor& like, cpu::BoxCopy box, const void* source, void* target);
/// Copies `rows` pieces of each of `all`.
WEFT_API Status movePieces(KernelContext& c, const Tensor& like, std::span<const Pieces> all, int64_t rows);
/// Sets all elements to 0 (strings to "").
WEFT_API Status fillWithZeros(KernelContext& c, Tensor& t);
/// Conjugates all elements. REQUIRES: a complex type.
WEFT_API Status conjugate(KernelContext& c, Tensor& t);

}  // namespace weft
