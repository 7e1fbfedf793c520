#pragma once

#include <cstdint>

#include "device/cpu/small_ints.h"
#include "weft/dtype.h"
#include "weft/shape.h"

namespace weft::cpu {

/// Copies a box of elements between two arrays. All strides are in elements and may be zero or negative in the source.
struct BoxCopy {
  SmallInts size, from, to;
  void add(int64_t n, int64_t fromStride, int64_t toStride) {
    size.push_back(n);
    from.push_back(fromStride);
    to.push_back(toStride);
  }
};

/// Copies elements of `type` (objects are assigned), on several threads where that pays. `source` and `target` point at the first element of each side.
WEFT_API void copyBox(DType type, BoxCopy box, const void* source, void* target);

/// Sets n elements to one value.
void fillElements(DType type, const void* value, void* to, int64_t n);

/// Strides of a dense row-major array, in elements.
WEFT_API SmallInts denseStrides(const Shape& shape);

/// `p` advanced by `elements` elements of `size` bytes.
inline const void* offsetBy(const void* p, int64_t elements, size_t size) { return static_cast<const char*>(p) + elements * int64_t(size); }
inline void* offsetBy(void* p, int64_t elements, size_t size) { return static_cast<char*>(p) + elements * int64_t(size); }

}  // namespace weft::cpu
