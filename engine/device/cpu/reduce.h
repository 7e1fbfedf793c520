#pragma once

#include <cstdint>

#include "device/cpu/small_ints.h"
#include "weft/dtype.h"
#include "weft/error.h"
#include "weft/tensor.h"

namespace weft::cpu {

enum class Reduction { Sum, Mean, Prod, Max, Min, All, Any };

/// A reduction with neighbouring dimensions of the same kind joined: sizes, kept and reduced by turns.
struct ReducePlan {
  SmallInts size;
  bool firstReduced = false;  ///< Whether size[0] is reduced; the others follow by turns.
  int64_t outElements = 1;
  int64_t reducedElements = 1;  ///< Inputs per output.
  bool reduces(size_t d) const { return (d % 2 == 0) == firstReduced; }
  /// Nothing is joined: the outputs are the inputs.
  bool isCopy() const { return reducedElements == 1; }
};

/// `axes`: int32 or int64 tensor of axes, negative ones from the end. INVALID_ARGUMENT "Invalid reduction dimension" for others.
WEFT_API Result<ReducePlan> planReduction(const Shape& input, const Tensor& axes, bool keepDims, Shape& result);

/// fn(plan, in, out) for dense arrays of the type; uses several threads where it pays, with the same result for any number of them.
using ReduceFunction = void (*)(const ReducePlan& plan, const void* in, void* out);

/// Null if the type has no such reduction.
WEFT_API ReduceFunction findReduction(Reduction kind, DType dtype);

// The parts of findReduction(), by file.
ReduceFunction findSum(Reduction kind, DType dtype);
ReduceFunction findProd(DType dtype);
ReduceFunction findExtreme(Reduction kind, DType dtype);

}  // namespace weft::cpu
