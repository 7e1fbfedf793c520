#pragma once

#include <string_view>

#include "device/cpu/elementwise.h"

// Shared by ops that add up rows: segments, scattered updates.
namespace weft {

/// Rows shorter than this are joined element by element.
inline constexpr int64_t kShortestJoin = 8;

/// to[k] = to[k] op from[k], by the element-wise function `op`. False if the type has none.
class RowJoin {
 public:
  RowJoin(std::string_view op, DType type) : entry_(cpu::findElementwise(op, type)) {}
  explicit operator bool() const { return entry_ != nullptr; }
  void operator()(void* to, const void* from, int64_t n) const {
    const void* const operands[] = {to, from};
    const bool scalar[] = {false, false};
    entry_->fn(operands, scalar, to, long(n));
  }

 private:
  const cpu::ElementwiseEntry* entry_;
};

}  // namespace weft
