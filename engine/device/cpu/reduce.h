#pragma once

#include <cstdint>

#include "device/cpu/small_ints.h"
#include "weft/dtype.h"
#include "weft/error.h"
#include "weft/tensor.h"

namespace weft::cpu {

enum class Reduction { Sum, Mean, Prod, Max, Min, All, Any };

/// A reduction in which neighbouring dimensions of the same kind are merged, so that kept and reduced dimensions alternate.
struct ReducePlan {
  SmallInts size;
  bool firstReduced = false;  ///< Whether size[0] is reduced; the others alternate.
  int64_t outElements = 1;
  int64_t reducedElements = 1;  ///< Inputs per output.
  bool reduces(size_t d) const { return (d % 2 == 0) == firstReduced; }
  /// Nothing is reduced: the output equals the input.
  bool isCopy() const { return reducedElements == 1; }
};

/// `axes`: int32 or int64 tensor; negative axes count from the end. INVALID_ARGUMENT "Invalid reduction dimension" if out of range.
WEFT_API Result<ReducePlan> planReduction(const Shape& input, const Tensor& axes, bool keepDims, Shape& result);

/// fn(plan, in, out) for dense arrays of the type. Uses several threads where that pays; the result does not depend on their number.
using ReduceFunction = void (*)(const ReducePlan& plan, const void* in, void* out);

/// Null if the type has no such reduction.
WEFT_API ReduceFunction findReduction(Reduction kind, DType dtype);

// Parts of findReduction(), one per file.
ReduceFunction findSum(Reduction kind, DType dtype);
ReduceFunction findProd(DType dtype);
ReduceFunction findExtreme(Reduction kind, DType dtype);

}  // namespace weft::cpu
