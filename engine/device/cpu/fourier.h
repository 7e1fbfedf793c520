#pragma once

#include <cstdint>

#include "weft/dtype.h"
#include "weft/export.h"

namespace weft::cpu {

/// What lines hold before and after their transform.
enum class FourierKind : int {
  Complex,   ///< n complex numbers before and after
  FromReal,  ///< n real numbers before, n / 2 + 1 complex numbers after
  ToReal,    ///< n / 2 + 1 complex numbers before, n real numbers after
};

/// Where lines begin: line l at (l / inner) * outerStride + (l % inner) * lineStride; its elements are `step` apart. All in elements.
struct FourierPlaces {
  int64_t outerStride = 0, lineStride = 0, step = 1;
};

/// Transforms of many lines of one length. An inverse transform divides by n.
struct FourierLines {
  FourierKind kind = FourierKind::Complex;
  bool inverse = false;
  int64_t n = 1, lines = 0, inner = 1;
  int64_t given = 0;  ///< Elements that an input line has; those after them count as 0.
  FourierPlaces from, to;
};

/// Transforms float (complex64) lines or, with `wide`, double (complex128) ones; uses the compute pool. `in` and `out` may be the same array if their places are.
/// REQUIRES: n > 0.
WEFT_API void transformLines(const FourierLines& job, bool wide, const void* in, void* out);

/// Bytes that transformLines() takes for itself, at most: work memory of all threads and what it computes once for a length. `real`: before or after.
WEFT_API int64_t transformBytes(int64_t n, int64_t lines, bool real, bool wide);

}  // namespace weft::cpu
