#pragma once

#include <algorithm>
#include <span>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "weft/shape.h"

// Shared by ops that join or split tensors along an axis.
namespace weft {

/// Number of elements before and after an axis.
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

/// Pieces of `length` elements, `fromStride` and `toStride` apart.
struct Pieces {
  const void* from;
  int64_t fromStride;
  void* to;
  int64_t toStride, length;
};

/// Copies `rows` pieces of each of `all`. Threads share the rows, because producers and consumers of the data do so too.
inline void copyPieces(DType type, std::span<const Pieces> all, int64_t rows) {
  constexpr int64_t kGrain = 8192;  // elements that are worth a thread
  const size_t size = cpu::storageSize(type);
  int64_t width = 0;
  for (const Pieces& p : all) width += p.length;
  parallelFor(rows, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width)), [&](int64_t begin, int64_t end) {
    for (const Pieces& p : all) {
      cpu::BoxCopy box;
      box.add(end - begin, p.fromStride, p.toStride);
      box.add(p.length, 1, 1);
      cpu::copyBox(type, std::move(box), cpu::offsetBy(p.from, begin * p.fromStride, size), cpu::offsetBy(p.to, begin * p.toStride, size));
    }
  });
}

}  // namespace weft
