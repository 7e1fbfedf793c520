// Checked conversion of user-supplied numbers to sizes or positions, without truncation.
#pragma once

#include <limits>
#include <string_view>

#include "weft/builder.h"

namespace weft::api {

/// Converts to the 32 bits that an op takes. If the value does not fit, the builder fails and names it.
inline int32_t fit32(GraphBuilder& b, int64_t value, std::string_view what) {
  constexpr int64_t kLeast = std::numeric_limits<int32_t>::min(), kMost = std::numeric_limits<int32_t>::max();
  if (value >= kLeast && value <= kMost) return int32_t(value);
  b.fail(outOfRange(what, " is ", value, ", expected ", kLeast, " to ", kMost));
  return 0;
}

/// Whether `value` can be the size of a dimension, window or stride; otherwise the builder fails and names it.
inline bool requireSize(GraphBuilder& b, int64_t value, std::string_view what) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (value >= 1 && value <= kMost) return true;
  b.fail(outOfRange(what, " is ", value, ", expected 1 to ", kMost));
  return false;
}

}  // namespace weft::api
