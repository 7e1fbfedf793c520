#include "ops/example_specs.h"

#include <algorithm>

#include "tensor/element_types.h"

namespace weft {

Result<std::vector<DenseSpec>> denseSpecs(const std::vector<DType>& types, const std::vector<Shape>& shapes, bool mayVary) {
  if (types.size() != shapes.size()) return invalidArgument("len(dense_keys) != len(dense_shapes)");
  std::vector<DenseSpec> out;
  for (size_t i = 0; i < types.size(); ++i) {
    DenseSpec spec;
    spec.type = types[i];
    spec.shape = shapes[i];
    if (!mayVary && !spec.shape.isFullyKnown()) return invalidArgument("Shape ", spec.shape.toString(), " is not fully defined");
    spec.variable = spec.shape.hasRank() && spec.shape.rank() > 0 && spec.shape.dim(0) < 0;
    const Shape step = spec.variable ? spec.shape.slice(1) : spec.shape;
    if (!step.isFullyKnown()) return invalidArgument("dense_shapes[", int64_t(i), "] has unknown rank or unknown inner dimensions: ", spec.shape.toString());
    spec.stride = step.elements();
    if (spec.stride < 0) return invalidArgument("dense_shapes[", int64_t(i), "] is too large: ", spec.shape.toString());
    out.push_back(std::move(spec));
  }
  return out;
}

std::vector<SparseSpec> sparseSpecs(const std::vector<DType>& types) {
  std::vector<SparseSpec> out;
  for (const DType t : types) out.push_back({{}, t});
  return out;
}

void SparseRows::endRow(int64_t outer, int64_t inner) { rows_.push_back({outer, inner, values_.size()}); }

Status SparseRows::write(KernelContext& c, int k, int step, int64_t outer, int64_t inner) const {
  const int64_t n = values_.size(), rank = depth_ + 1;
  WEFT_LET(Tensor* indices, c.allocate(k, Shape{n, rank}));
  WEFT_LET(Tensor* out, c.allocate(k + step, Shape{n}));
  int64_t* place = indices->mutableData<int64_t>();
  int64_t at = 0, most = 0;
  for (const Row& row : rows_) {
    most = std::max(most, row.end - at);
    for (int64_t i = 0; at < row.end; ++at, ++i) {
      if (depth_ > 0) *place++ = row.outer;
      if (depth_ > 1) *place++ = row.inner;
      *place++ = i;
    }
  }
  values_.store(*out, 0);
  std::vector<int64_t> shape;
  if (depth_ > 0) shape.push_back(outer);
  if (depth_ > 1) shape.push_back(inner);
  shape.push_back(most);
  c.setOutput(k + 2 * step, Tensor::vector(shape));
  return {};
}

void fillWith(Tensor& t, const Tensor* value) {
  const auto fill = [&]<typename T>(T zero) { std::fill_n(t.mutableData<T>(), t.elements(), value ? value->data<T>()[0] : zero); };
  switch (t.dtype()) {
    case DType::String: fill(std::string()); break;
    case DType::Float: fill(0.0f); break;
    default: fill(int64_t(0));
  }
}

OpRecord& withSparseOutputs(OpRecord& r, const std::string& prefix, const std::string& number, const std::string& types, const char* what) {
  return r.output(prefix + "sparse_indices: " + number + " * int64", std::string("Indices of each sparse feature, rows of ") + what)
      .output(prefix + "sparse_values: list(" + types + ")", "The corresponding values.")
      .output(prefix + "sparse_shapes: " + number + " * int64", "Dense shapes of the sparse features, as long as the longest value list.");
}

}  // namespace weft
