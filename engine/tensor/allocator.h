#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/tensor.h"

namespace weft {

/// Gives out buffers of one kind of memory. Thread-safe.
class WEFT_API Allocator {
 public:
  virtual ~Allocator() = default;
  /// At least `bytes` bytes, 64-byte aligned, not initialised. RESOURCE_EXHAUSTED names the size and the limit.
  virtual Result<BufferPtr> allocate(size_t bytes) = 0;
  /// Bytes given out and not yet returned, and the most that this ever was.
  virtual size_t bytesInUse() const = 0;
  virtual size_t peakBytes() const = 0;
  virtual void resetPeak() = 0;
  /// Most bytes that may be in use; 0: no limit.
  virtual void setLimit(size_t bytes) = 0;
  virtual size_t limit() const = 0;
};

/// Host memory. Blocks are kept in size classes and reused, so that a step does not go to the kernel for pages again and again.
WEFT_API Allocator& hostAllocator();

/// A tensor from `allocator`; object dtypes (String, Resource, Variant) always from the host, default-constructed.
/// INVALID_ARGUMENT for a shape that is not fully known or overflows.
WEFT_API Result<Tensor> allocateTensor(Allocator& allocator, DType dtype, const Shape& shape);

/// Copies the elements of a host tensor into another of the same dtype and number of elements.
WEFT_API void copyElements(const Tensor& from, Tensor& to);

}  // namespace weft
