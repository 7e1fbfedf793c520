#include "device/cpu/reduce.h"

namespace weft::cpu {

Result<ReducePlan> planReduction(const Shape& input, const Tensor& axes, bool keepDims, Shape& result) {
  const int rank = input.rank();
  SmallInts reduced(size_t(rank), 0);
  for (int64_t i = 0; i < axes.elements(); ++i) {
    const int64_t axis = axes.asInt(i);
    if (axis < -rank || axis >= rank) {
      return invalidArgument("Invalid reduction dimension (", axis, " for input with ", rank, " dimension(s)");
    }
    reduced[size_t(axis < 0 ? axis + rank : axis)] = 1;
  }
  ReducePlan plan;
  result = Shape();
  for (int d = 0; d < rank; ++d) {
    const int64_t n = input.dim(d);
    const bool r = reduced[size_t(d)] != 0;
    if (!r) result.append(n);
    else if (keepDims) result.append(1);
    (r ? plan.reducedElements : plan.outElements) *= n;
    if (n == 1) continue;
    if (plan.size.empty()) {
      plan.firstReduced = r;
      plan.size.push_back(n);
    } else if (plan.reduces(plan.size.size() - 1) == r) {
      plan.size.back() *= n;
    } else {
      plan.size.push_back(n);
    }
  }
  return plan;
}

ReduceFunction findReduction(Reduction kind, DType dtype) {
  switch (kind) {
    case Reduction::Sum:
    case Reduction::Mean: return findSum(kind, dtype);
    case Reduction::Prod: return findProd(dtype);
    default: return findExtreme(kind, dtype);
  }
}

}  // namespace weft::cpu
