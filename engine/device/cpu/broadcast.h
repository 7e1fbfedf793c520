#pragma once

#include <cstdint>

#include "device/cpu/elementwise.h"
#include "weft/shape.h"

namespace weft::cpu {

/// How up to three operands broadcast against one another. Neighbouring dimensions are merged if each operand either varies in both or repeats in both.
struct BroadcastPlan {
  static constexpr int kMaxOperands = 3;
  static constexpr int kMaxDims = 16;
  int operands = 0;
  int dims = 0;  ///< 0: one element.
  int64_t size[kMaxDims] = {};
  bool varies[kMaxOperands][kMaxDims] = {};
  int64_t stride[kMaxOperands][kMaxDims] = {};  ///< In elements; 0 where the operand repeats.
  int64_t elements = 1;
};

/// INVALID_ARGUMENT "Incompatible shapes: [2] vs. [3]" if they do not fit; `result` gets the common shape.
WEFT_API Result<BroadcastPlan> planBroadcast(const Shape* const* shapes, int operands, Shape& result);

/// Runs `entry.fn` over the plan, on several threads where that pays. Sizes are in bytes per element; `plain`: elements may be copied as bytes.
WEFT_API void runBroadcast(const ElementwiseEntry& entry, const BroadcastPlan& plan, const void* const* in, const size_t* inSize, void* out, size_t outSize,
                           bool plain);

/// The same for operands that all have n elements or one.
WEFT_API void runFlat(const ElementwiseEntry& entry, const void* const* in, const bool* scalar, const size_t* inSize, void* out, size_t outSize, int64_t n);

}  // namespace weft::cpu
