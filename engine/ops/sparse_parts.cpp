#include "ops/sparse_parts.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace weft {
namespace {

int64_t width(const Tensor& indices) { return indices.rank() > 1 ? indices.dim(1) : 1; }

std::string vectorText(const Tensor& indices, int64_t i) {
  std::string out;
  for (int64_t d = 0, n = width(indices); d < n; ++d) out += (d ? "," : "") + std::to_string(indices.asInt(i * n + d));
  return "[" + out + "]";
}

}  // namespace

int64_t positionOf(const Tensor& indices, int64_t i, const Shape& shape) {
  const int64_t n = width(indices);
  int64_t at = 0;
  for (int64_t d = 0; d < n; ++d) {
    const int64_t k = indices.asInt(i * n + d);
    if (k < 0 || k >= shape.dim(int(d))) return -1;
    at = at * shape.dim(int(d)) + k;
  }
  return at;
}

Status checkOrder(const Tensor& indices, int64_t n, const Shape& shape) {
  const int64_t rank = width(indices);
  for (int64_t i = 0; i < n; ++i) {
    if (positionOf(indices, i, shape) < 0)
      return invalidArgument("indices[", i, "] = ", vectorText(indices, i), " is out of bounds: need 0 <= index < ", shape.toString());
    if (i == 0) continue;
    int64_t order = 0;
    for (int64_t d = 0; order == 0 && d < rank; ++d) order = indices.asInt(i * rank + d) - indices.asInt((i - 1) * rank + d);
    if (order == 0) return invalidArgument("indices[", i, "] = ", vectorText(indices, i), " is repeated");
    if (order < 0)
      return invalidArgument("indices[", i, "] = ", vectorText(indices, i),
                             " is out of order. Many sparse ops require sorted indices.\n    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n");
  }
  return {};
}

Status requireSparse(const Tensor& indices, const Tensor& values, const Tensor& shape) {
  if (indices.rank() != 2) return invalidArgument("Input indices should be a matrix but received shape ", indices.shape().toString());
  if (values.rank() != 1) return invalidArgument("Input values should be a vector but received shape ", values.shape().toString());
  if (shape.rank() != 1) return invalidArgument("Input shape should be a vector but received shape ", shape.shape().toString());
  if (indices.dim(0) != values.elements())
    return invalidArgument("Number of values must match first dimension of indices. Got ", values.elements(),
                           " values, indices shape: ", indices.shape().toString());
  if (indices.dim(1) != shape.elements())
    return invalidArgument("Number of dimensions must match second dimension of indices. Got ", shape.elements(),
                           " dimensions, indices shape: ", indices.shape().toString());
  return {};
}

std::vector<int64_t> rowOrder(const Tensor& indices) {
  const int64_t n = indices.dim(0), rank = indices.dim(1);
  const int64_t* at = indices.data<int64_t>();
  std::vector<int64_t> order(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return std::lexicographical_compare(at + a * rank, at + (a + 1) * rank, at + b * rank, at + (b + 1) * rank); });
  return order;
}

Output sumOfAll(GraphBuilder& b, Output x) {
  const Shape& s = b.shape(x);
  if (s.hasRank()) {
    std::vector<int32_t> axes;
    for (int d = 0; d < s.rank(); ++d) axes.push_back(d);
    return py::reduceSum(b, x, b.ints(axes));
  }
  const Output rank = py::rank(b, x);
  return py::reduceSum(b, x, py::range(b, 0, rank));
}

Output columnOf(GraphBuilder& b, Output x, int column) {
  const py::Scope s(b, "strided_slice");
  const Output begin = b.ints({0, column}, "stack"), end = b.ints({0, column + 1}, "stack_1"), step = b.ints({1, 1}, "stack_2");
  return b.op("StridedSlice", {x, begin, end, step}, {{"begin_mask", int64_t(1)}, {"end_mask", int64_t(1)}, {"shrink_axis_mask", int64_t(2)}}, s.name());
}

}  // namespace weft
