#pragma once

#include "device/cpu/move.h"
#include "weft/shape.h"

// What joining tensors along an axis and cutting them there have in common.
namespace weft {

/// Lengths before and behind an axis.
struct Around {
  int64_t before = 1, after = 1;
};
inline Around around(const Shape& s, int64_t axis) {
  Around a;
  for (int d = 0; d < s.rank(); ++d) {
    if (d < axis) a.before *= s.dim(d);
    if (d > axis) a.after *= s.dim(d);
  }
  return a;
}

/// Copies `rows` pieces of `length` elements, which lie `fromStride` and `toStride` apart.
inline void copyPieces(DType type, const void* from, int64_t fromStride, void* to, int64_t toStride, int64_t rows, int64_t length) {
  cpu::BoxCopy box;
  box.add(rows, fromStride, toStride);
  box.add(length, 1, 1);
  cpu::copyBox(type, std::move(box), from, to);
}

}  // namespace weft
