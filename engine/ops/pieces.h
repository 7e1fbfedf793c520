#pragma once

#include <algorithm>
#include <cstring>
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
  const bool plain = cpu::isPlain(type);
  int64_t width = 0;
  for (const Pieces& p : all) width += p.length;
  constexpr int64_t kFewRows = 8;
  if (rows < kFewRows && width > 2 * kGrain) {  // long rows: threads share each
    for (int64_t row = 0; row < rows; ++row) {
      parallelFor(width, 2 * kGrain, [&](int64_t begin, int64_t end) {
        int64_t at = 0;
        for (const Pieces& p : all) {
          const int64_t from = std::max(begin, at) - at, n = std::min(end, at + p.length) - at - from;
          at += p.length;
          if (n <= 0) continue;
          cpu::BoxCopy box;
          box.add(n, 1, 1);
          cpu::copyBox(type, std::move(box), cpu::offsetBy(p.from, row * p.fromStride + from, size), cpu::offsetBy(p.to, row * p.toStride + from, size));
        }
      });
    }
    return;
  }
  // A few rows at a time keep the wider of the two sides in one stretch of memory.
  const int64_t block = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width));
  parallelFor(rows, block, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row += block) {
      const int64_t rowEnd = std::min(end, row + block);
      for (const Pieces& p : all) {
        const void* from = cpu::offsetBy(p.from, row * p.fromStride, size);
        void* to = cpu::offsetBy(p.to, row * p.toStride, size);
        const size_t bytes = size_t(p.length) * size;
        if (plain && bytes >= 64) {
          for (int64_t r = row; r < rowEnd; ++r) {
            std::memcpy(to, from, bytes);
            from = cpu::offsetBy(from, p.fromStride, size);
            to = cpu::offsetBy(to, p.toStride, size);
          }
          continue;
        }
        cpu::BoxCopy box;
        box.add(rowEnd - row, p.fromStride, p.toStride);
        box.add(p.length, 1, 1);
        cpu::copyBox(type, std::move(box), from, to);
      }
    }
  });
}

}  // namespace weft
