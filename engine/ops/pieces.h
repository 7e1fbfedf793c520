#pragma once

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

}  // namespace weft
