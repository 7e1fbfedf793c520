#include "ops/grad_transposes.h"

#include "ops/grad_ops.h"

namespace weft::py {
namespace {

/// The op Range as its generated Python function builds it.
Output rangeTo(GraphBuilder& b, Output limit) {
  const Scope s(b, "Range");
  const Output start = b.scalar(int32_t(0), "start"), delta = b.scalar(int32_t(1), "delta");
  return b.op("Range", {start, limit, delta}, {}, s.name());
}

Output minus(GraphBuilder& b, Output x, int y) { return sub(b, x, y); }

}  // namespace

Output transposeAll(GraphBuilder& b, Output x) {
  const Scope s(b, "transpose");
  Output perm;
  if (b.shape(x).hasRank()) {
    std::vector<int32_t> axes;
    for (int d = b.shape(x).rank(); d-- > 0;) axes.push_back(d);
    perm = b.ints(axes, "perm");
  } else {
    const Output rank = b.op("Rank", {x});
    const Output last = minus(b, rank, 1);
    perm = sub(b, last, rangeTo(b, rank));
  }
  return b.op("Transpose", {x, perm}, {}, s.name());
}

Output matrixTranspose(GraphBuilder& b, Output x, bool conjugate) {
  const Scope s(b, "matrix_transpose");
  if (b.shape(x).hasRank()) {
    const int rank = b.shape(x).rank();
    std::vector<int32_t> axes;
    for (int d = 0; d < rank - 2; ++d) axes.push_back(d);
    axes.push_back(rank - 1);
    axes.push_back(rank - 2);
    return transpose(b, x, b.ints(axes, "transpose/perm"), conjugate);
  }
  const Output rank = b.op("Rank", {x});
  const Output before = rangeTo(b, minus(b, rank, 2));
  const Output last = minus(b, rank, 1), next = minus(b, rank, 2);
  Output perm;
  {
    const Scope joined(b, "concat");
    const Output turned = stack(b, {last, next}, "values_1");
    const Output axis = b.scalar(int32_t(0), "axis");
    perm = b.op("ConcatV2", {before, turned, axis}, {}, joined.name());
  }
  return transpose(b, x, perm, conjugate);
}

Output adjoint(GraphBuilder& b, Output x) {
  const Scope s(b, "adjoint");
  return matrixTranspose(b, x, true);
}

}  // namespace weft::py
