#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/tensor.h"

namespace weft {

/// Allocates buffers in one kind of memory. Thread-safe.
class WEFT_API Allocator {
 public:
  virtual ~Allocator() = default;
  /// At least `bytes` bytes, 64-byte aligned, not initialised. RESOURCE_EXHAUSTED names the size and the limit.
  virtual Result<BufferPtr> allocate(size_t bytes) = 0;
  /// Bytes allocated and not yet freed, and the peak of that number.
  virtual size_t bytesInUse() const = 0;
  virtual size_t peakBytes() const = 0;
  virtual void resetPeak() = 0;
  /// Upper limit of bytesInUse(); 0: no limit.
  virtual void setLimit(size_t bytes) = 0;
  virtual size_t limit() const = 0;
};

/// Host memory. Freed blocks are kept in size classes and reused, so that steps do not keep asking the kernel for pages.
WEFT_API Allocator& hostAllocator();

/// A tensor from `allocator`; object dtypes (String, Resource, Variant) always from the host, default-constructed.
/// INVALID_ARGUMENT for a shape that is not fully known or overflows.
WEFT_API Result<Tensor> allocateTensor(Allocator& allocator, DType dtype, const Shape& shape);

/// Copies the elements of a host tensor into another of the same dtype and number of elements.
WEFT_API void copyElements(const Tensor& from, Tensor& to);

}  // namespace weft
