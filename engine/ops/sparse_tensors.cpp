#include <algorithm>
#include <string>

#include "device/cpu/dtypes.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/sparse_parts.h"
#include "tensor/element_types.h"

// Sparse tensors as three tensors (indices [N, rank], values [N], shape [rank]): conversion to dense, reshape, reorder, fill, concatenate, slice.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

// SparseToDense.

Status toDenseShape(ShapeContext& c) {
  WEFT_LET(Shape out, c.constantAsShape(1));
  c.setOutput(0, std::move(out));
  return {};
}

Status runToDense(KernelContext& c) {
  const Tensor &indices = c.input(0), &dims = c.input(1), &values = c.input(2), &otherwise = c.input(3);
  if (indices.rank() > 2) return invalidArgument("sparse_indices should be a scalar, vector, or matrix, got shape ", indices.shape().toString());
  const int64_t n = indices.rank() > 0 ? indices.dim(0) : 1, rank = indices.rank() > 1 ? indices.dim(1) : 1;
  if (dims.rank() != 1) return invalidArgument("output_shape should be a vector, got shape ", dims.shape().toString());
  if (dims.elements() != rank) return invalidArgument("output_shape has incorrect number of elements: ", dims.elements(), " should be: ", rank);
  if (values.rank() != 0 && !(values.rank() == 1 && values.dim(0) == n))
    return invalidArgument("sparse_values has incorrect shape ", values.shape().toString(), ", should be [] or [", n, "]");
  if (otherwise.rank() != 0) return invalidArgument("default_value should be a scalar.");
  Shape shape;
  for (int64_t d = 0; d < rank; ++d) shape.append(dims.asInt(d));
  if (c.node().attrs.flag("validate_indices", true)) WEFT_TRY(checkOrder(indices, n, shape));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  Status status;
  cpu::withStorage(values.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    S* y = static_cast<S*>(out->mutableRaw());
    const S* v = static_cast<const S*>(values.raw());
    std::fill_n(y, out->elements(), *static_cast<const S*>(otherwise.raw()));
    for (int64_t i = 0; i < n; ++i) {
      const int64_t at = positionOf(indices, i, shape);
      if (at < 0) {
        status = invalidArgument("Indices are not valid (out of bounds).  Shape: ", shape.toString());
        return;
      }
      y[at] = v[values.rank() == 0 ? 0 : i];
    }
  });
  return status;
}

Grads toDenseGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output values = b.op("GatherNd", {c.grad(), c.input(0)});
  const Output all = sumOfAll(b, c.grad());
  const Output otherwise = py::sub(b, all, sumOfAll(b, values));
  const Output indices = py::zerosLike(b, c.input(0));
  return std::vector{indices, py::zerosLike(b, c.input(1)), values, otherwise};
}

// SparseReshape.

Status sparseReshapeShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  const int64_t n = c.input(0).hasRank() ? c.input(0).dim(0) : Shape::kUnknownDim, rank = c.input(2).hasRank() ? c.input(2).dim(0) : Shape::kUnknownDim;
  c.setOutput(0, Shape{n, rank});
  c.setOutput(1, Shape{rank});
  return {};
}
Status runSparseReshape(KernelContext& c) {
  const Tensor &indices = c.input(0), &from = c.input(1), &to = c.input(2);
  if (indices.rank() != 2) return invalidArgument("Input indices should be a matrix but received shape ", indices.shape().toString());
  if (from.rank() != 1) return invalidArgument("Input shape should be a vector but received shape ", from.shape().toString());
  if (to.rank() != 1) return invalidArgument("Target shape should be a vector but received shape ", to.shape().toString());
  if (indices.dim(1) != from.elements()) return invalidArgument("Input tensor rank must match input shape length");
  const Shape in(std::vector<int64_t>(from.flat<int64_t>().begin(), from.flat<int64_t>().end()));
  Shape out(std::vector<int64_t>{});
  int64_t unknown = -1, product = 1;
  for (int64_t d = 0; d < to.elements(); ++d) {
    const int64_t size = to.at<int64_t>(d);
    if (size == -1) {
      if (unknown >= 0) return invalidArgument("only one output dimension may be -1, not both ", unknown, " and ", d);
      unknown = d;
      out.append(1);
    } else {
      if (size < 0) return invalidArgument("size ", d, " must be non-negative, not ", size);
      if (__builtin_mul_overflow(product, size, &product)) return invalidArgument("the new shape ", to.toString(), " has more than 2^63 elements");
      out.append(size);
    }
  }
  const int64_t all = in.elements();
  if (all < 0) return invalidArgument("the input shape ", in.toString(), " is negative or has more than 2^63 elements");
  if (unknown >= 0) {
    if (product <= 0) return invalidArgument("reshape cannot infer the missing input size for an empty tensor unless all specified input sizes are non-zero");
    out.setDim(int(unknown), all / product);
    if (all % product != 0)
      return invalidArgument("Input to reshape is a SparseTensor with ", all, " dense values, but the requested shape requires a multiple of ", product,
                             ". input_shape=", in.toString(), " output_shape=", out.toString());
    product *= all / product;
  }
  if (product != all)
    return invalidArgument("Input to reshape is a tensor with ", all, " dense values, but the requested shape has ", product, ". input_shape=", in.toString(),
                           " output_shape=", out.toString());
  const int64_t n = indices.dim(0), rank = out.rank();
  WEFT_LET(Tensor* moved, c.allocate(0, Shape{n, rank}));
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = 0;
    for (int d = 0; d < in.rank(); ++d) at = at * in.dim(d) + indices.at<int64_t>(i * in.rank() + d);
    for (int64_t d = rank - 1; d >= 0; --d) {
      const int64_t size = std::max<int64_t>(out.dim(int(d)), 1);
      moved->mutableData<int64_t>()[i * rank + d] = at % size;
      at /= size;
    }
  }
  c.setOutput(1, Tensor::vector(out.toVector()));
  return {};
}

// SparseReorder.

Status reorderShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  c.setOutput(0, c.input(0));
  c.setOutput(1, c.input(1));
  return {};
}
Status runReorder(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1);
  WEFT_TRY(requireSparse(indices, values, c.input(2)));
  const int64_t n = indices.dim(0), rank = indices.dim(1);
  const std::vector<int64_t> order = rowOrder(indices);
  WEFT_LET(Tensor* outIndices, c.allocate(0, indices.shape()));
  WEFT_LET(Tensor* outValues, c.allocate(1, values.shape()));
  for (int64_t i = 0; i < n; ++i) {
    std::copy_n(indices.data<int64_t>() + order[size_t(i)] * rank, rank, outIndices->mutableData<int64_t>() + i * rank);
    copyElements(*outValues, i, values, order[size_t(i)], 1);
  }
  return {};
}
Grads reorderGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output count = py::at(b, py::shape(b, c.input(0)), 0);
  const Output numbers = py::range(b, 0, count);
  const int ordered = b.node("SparseReorder", {c.input(0), numbers, c.input(2)});
  // The Python SparseTensor of the results adds a constant with the shape, if it is known.
  if (const auto dims = b.constantValue(c.input(2))) b.constant(*dims, "SparseTensor_1/dense_shape");
  const Output back = b.op("InvertPermutation", {Output{ordered, 1}});
  return std::vector{Output{}, py::gather(b, c.grad(1), back), Output{}};
}

// SparseFillEmptyRows.

Status fillShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  WEFT_TRY(c.requireRank(c.input(3), 0));
  const int64_t n = c.input(0).hasRank() ? c.input(0).dim(0) : Shape::kUnknownDim;
  WEFT_LET(const Shape dense, c.constantAsShape(2));
  int64_t rank = c.input(0).hasRank() ? c.input(0).dim(1) : Shape::kUnknownDim;
  if (rank < 0 && c.input(2).hasRank()) rank = c.input(2).dim(0);
  c.setOutput(0, Shape{Shape::kUnknownDim, rank});
  c.setOutput(1, Shape{Shape::kUnknownDim});
  c.setOutput(2, Shape{dense.hasRank() && dense.rank() > 0 ? dense.dim(0) : Shape::kUnknownDim});
  c.setOutput(3, Shape{n});
  return {};
}
Status runFill(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2), &otherwise = c.input(3);
  if (shape.rank() != 1) return invalidArgument("dense_shape must be a vector, saw: ", shape.shape().toString());
  if (indices.rank() != 2) return invalidArgument("indices must be a matrix, saw: ", indices.shape().toString());
  if (values.rank() != 1) return invalidArgument("values must be a vector, saw: ", values.shape().toString());
  if (otherwise.rank() != 0) return invalidArgument("default_value must be a scalar, saw: ", otherwise.shape().toString());
  if (shape.elements() == 0) return invalidArgument("Dense shape cannot be empty.");
  const int64_t n = indices.dim(0), rank = shape.elements(), rows = shape.at<int64_t>(0);
  if (indices.dim(1) != rank || values.elements() != n)
    return invalidArgument("indices, values and dense_shape do not fit: ", indices.shape().toString(), ", ", values.shape().toString(), ", ",
                           shape.shape().toString());
  if (rows < 0) return invalidArgument("dense_shape must not be negative, saw: ", rows);
  if (rows == 0 && n != 0) return invalidArgument("Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = ", n);
  // Both have the length given by the shape, not by the inputs; allocation fails if memory does not suffice.
  WEFT_LET(Tensor* empty, c.allocate(2, Shape{rows}));
  WEFT_LET(Tensor counts, c.scratch(DType::Int64, Shape{rows}));
  int64_t* next = counts.mutableData<int64_t>();
  std::fill_n(next, rows, int64_t(0));
  const int64_t* at = indices.data<int64_t>();
  for (int64_t i = 0; i < n; ++i) {
    const int64_t row = at[i * rank];
    if (row < 0) return invalidArgument("indices(", i, ", 0) is invalid: ", row, " < 0");
    if (row >= rows) return invalidArgument("indices(", i, ", 0) is invalid: ", row, " >= ", rows);
    ++next[row];
  }
  WEFT_LET(Tensor* map, c.allocate(3, Shape{n}));
  int64_t total = 0;
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t count = next[r];
    empty->mutableData<bool>()[r] = count == 0;
    next[r] = total;
    total += std::max<int64_t>(count, 1);
  }
  WEFT_LET(Tensor* outIndices, c.allocate(0, Shape{total, rank}));
  WEFT_LET(Tensor* outValues, c.allocate(1, Shape{total}));
  int64_t* to = outIndices->mutableData<int64_t>();
  for (int64_t r = 0; r < rows; ++r) {
    if (!empty->data<bool>()[r]) continue;
    std::fill_n(to + next[r] * rank, rank, int64_t(0));
    to[next[r] * rank] = r;
    copyElements(*outValues, next[r], otherwise, 0, 1);
  }
  for (int64_t i = 0; i < n; ++i) {
    const int64_t k = next[at[i * rank]]++;
    std::copy_n(at + i * rank, rank, to + k * rank);
    copyElements(*outValues, k, values, i, 1);
    map->mutableData<int64_t>()[i] = k;
  }
  return {};
}

Grads fillGradient(GradContext& c) {
  const int grads = c.b().node("SparseFillEmptyRowsGrad", {c.output(3), c.grad(1)});
  return std::vector{Output{}, Output{grads, 0}, Output{}, Output{grads, 1}};
}

Status fillGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  c.setOutput(0, c.input(0));
  c.setOutput(1, Shape());
  return {};
}
Status runFillGrad(KernelContext& c) {
  const Tensor &map = c.input(0), &grads = c.input(1);
  if (map.rank() != 1) return invalidArgument("reverse_index_map must be a vector, saw: ", map.shape().toString());
  if (grads.rank() != 1) return invalidArgument("grad_values must be a vector, saw: ", grads.shape().toString());
  const int64_t n = map.elements(), full = grads.elements();
  WEFT_LET(Tensor* values, c.allocate(0, Shape{n}));
  WEFT_LET(Tensor* otherwise, c.allocate(1, Shape()));
  Status status;
  withNumber(grads.dtype(), [&]<typename T>(std::type_identity<T>) {
    std::vector<bool> taken(size_t(full), false);
    for (int64_t i = 0; i < n; ++i) {
      const int64_t k = map.at<int64_t>(i);
      if (k < 0 || k >= full) {
        status = invalidArgument("Elements in reverse index must be in [0, ", full, ") but got ", k);
        return;
      }
      elementsOf<T>(*values)[i] = elementsOf<T>(grads)[k];
      taken[size_t(k)] = true;
    }
    T sum(0);
    for (int64_t k = 0; k < full; ++k) {
      if (!taken[size_t(k)]) sum = T(sum + elementsOf<T>(grads)[k]);
    }
    elementsOf<T>(*otherwise)[0] = sum;
  });
  return status;
}

// SparseConcat, SparseSlice.

Status concatShape(ShapeContext& c) {
  const int n = int(c.attrs().integer("N"));
  int64_t total = 0, rank = Shape::kUnknownDim;
  for (int i = 0; i < n; ++i) {
    WEFT_TRY(c.requireRank(c.input(i), 2));
    WEFT_TRY(c.requireRank(c.input(n + i), 1));
    WEFT_TRY(c.requireRank(c.input(2 * n + i), 1));
    const int64_t count = c.input(i).hasRank() ? c.input(i).dim(0) : Shape::kUnknownDim;
    total = total < 0 || count < 0 ? Shape::kUnknownDim : total + count;
    if (c.input(2 * n + i).hasRank() && rank < 0) rank = c.input(2 * n + i).dim(0);
    if (c.input(i).hasRank() && rank < 0) rank = c.input(i).dim(1);
  }
  c.setOutput(0, Shape{total, rank});
  c.setOutput(1, Shape{total});
  c.setOutput(2, Shape{rank});
  return {};
}
Status runConcat(KernelContext& c) {
  const int n = c.inputCount() / 3;
  const Tensor& first = c.input(2 * n);
  const int64_t rank = first.elements();
  const int64_t named = c.node().attrs.integer("concat_dim"), axis = named < 0 ? named + rank : named;
  if (axis < 0 || axis >= rank) return invalidArgument("Concat dimension must be in range [", -rank, ", ", rank, "), got ", named);
  std::vector<int64_t> shape(first.flat<int64_t>().begin(), first.flat<int64_t>().end()), offsets{0};
  int64_t total = 0;
  for (int i = 0; i < n; ++i) {
    const Tensor& s = c.input(2 * n + i);
    WEFT_TRY(requireSparse(c.input(i), c.input(n + i), s));
    if (s.elements() != rank) return invalidArgument("Ranks of all input tensors must match: expected ", rank, " but got ", s.elements(), " at position ", i);
    for (int64_t d = 0; d < rank; ++d) {
      if (d != axis && s.at<int64_t>(d) != first.at<int64_t>(d))
        return invalidArgument("Input shapes must match: expected ", first.at<int64_t>(d), " for dimension ", d, " but got ", s.at<int64_t>(d), " at position ",
                               i);
    }
    int64_t next = 0;
    if (__builtin_add_overflow(offsets.back(), s.at<int64_t>(axis), &next))
      return invalidArgument("Dimension ", axis, " of the inputs together is beyond 2**63 - 1");
    offsets.push_back(next);
    total += c.input(i).dim(0);
  }
  shape[size_t(axis)] = offsets.back();
  std::vector<std::pair<int, int64_t>> entries;  // tensor and entry
  for (int i = 0; i < n; ++i)
    for (int64_t k = 0; k < c.input(i).dim(0); ++k) entries.emplace_back(i, k);
  const auto coordinate = [&](const std::pair<int, int64_t>& e, int64_t d) {
    // Indices may be arbitrary and outside their shapes.
    return int64_t(uint64_t(c.input(e.first).at<int64_t>(e.second * rank + d)) + (d == axis ? uint64_t(offsets[size_t(e.first)]) : 0));
  };
  std::stable_sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) {
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t x = coordinate(a, d), y = coordinate(b, d);
      if (x != y) return x < y;
    }
    return false;
  });
  WEFT_LET(Tensor* indices, c.allocate(0, Shape{total, rank}));
  WEFT_LET(Tensor* values, c.allocate(1, Shape{total}));
  for (int64_t k = 0; k < total; ++k) {
    const auto& e = entries[size_t(k)];
    for (int64_t d = 0; d < rank; ++d) indices->mutableData<int64_t>()[k * rank + d] = coordinate(e, d);
    copyElements(*values, k, c.input(n + e.first), e.second, 1);
  }
  c.setOutput(2, Tensor::vector(shape));
  return {};
}

Status sliceShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  const int64_t rank = c.input(2).hasRank() && c.input(2).rank() == 1 ? c.input(2).dim(0) : Shape::kUnknownDim;
  c.setOutput(0, Shape{Shape::kUnknownDim, rank});
  c.setOutput(1, Shape{Shape::kUnknownDim});
  c.setOutput(2, c.input(2));
  return {};
}
Status runSlice(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2), &start = c.input(3), &size = c.input(4);
  WEFT_TRY(requireSparse(indices, values, shape));
  const int64_t rank = shape.elements();
  if (start.rank() != 1 || size.rank() != 1)
    return invalidArgument("Input start and size should be vectors but received shapes ", start.shape().toString(), " and ", size.shape().toString());
  if (start.elements() != rank) return invalidArgument("Expected start to be a vector of length ", rank, " but got length ", start.elements());
  if (size.elements() != rank) return invalidArgument("Expected size to be a vector of length ", rank, " but got length ", size.elements());
  std::vector<int64_t> kept, out;
  for (int64_t d = 0; d < rank; ++d)
    out.push_back(std::clamp<int64_t>(shape.at<int64_t>(d) - start.at<int64_t>(d), 0, std::max<int64_t>(size.at<int64_t>(d), 0)));
  for (int64_t i = 0; i < indices.dim(0); ++i) {
    bool inside = true;
    for (int64_t d = 0; inside && d < rank; ++d) {
      const int64_t k = indices.at<int64_t>(i * rank + d) - start.at<int64_t>(d);
      inside = k >= 0 && k < size.at<int64_t>(d);
    }
    if (inside) kept.push_back(i);
  }
  const int64_t n = int64_t(kept.size());
  WEFT_LET(Tensor* outIndices, c.allocate(0, Shape{n, rank}));
  WEFT_LET(Tensor* outValues, c.allocate(1, Shape{n}));
  for (int64_t k = 0; k < n; ++k) {
    for (int64_t d = 0; d < rank; ++d)
      outIndices->mutableData<int64_t>()[k * rank + d] = indices.at<int64_t>(kept[size_t(k)] * rank + d) - start.at<int64_t>(d);
    copyElements(*outValues, k, values, kept[size_t(k)], 1);
  }
  c.setOutput(2, Tensor::vector(out));
  return {};
}

Status sliceGradShape(ShapeContext& c) {
  c.setOutput(0, Shape{c.input(1).hasRank() && c.input(1).rank() > 0 ? c.input(1).dim(0) : Shape::kUnknownDim});
  return {};
}
Status runSliceGrad(KernelContext& c) {
  const Tensor &grads = c.input(0), &indices = c.input(1), &start = c.input(2), &kept = c.input(3);
  if (indices.rank() != 2 || kept.rank() != 2)
    return invalidArgument("Input indices should be a matrix but received shapes: ", indices.shape().toString(), " and ", kept.shape().toString());
  if (grads.rank() != 1) return invalidArgument("Input backprop_val_grad should be a vector but received shape: ", grads.shape().toString());
  const int64_t n = indices.dim(0), rank = indices.dim(1), count = kept.dim(0);
  if (kept.dim(1) != rank || start.elements() != rank || grads.elements() != count)
    return invalidArgument("# elements of backprop_val_grad and # rows of output_indices should match (#nnz of sum): got ", grads.elements(), " and ", count);
  WEFT_LET(Tensor* out, c.allocate(0, Shape{n}));
  int64_t next = 0;
  withNumber(grads.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < n; ++i) {
      bool same = next < count;
      for (int64_t d = 0; same && d < rank; ++d) same = kept.at<int64_t>(next * rank + d) + start.at<int64_t>(d) == indices.at<int64_t>(i * rank + d);
      elementsOf<T>(*out)[i] = same ? elementsOf<T>(grads)[next++] : T(0);
    }
  });
  if (next != count) return invalidArgument("Elements of backprop_val_grad aren't all propagated. Num elements:", count, ", used: ", next);
  return {};
}

OpRecord& addSparse(OpRegistry& ops, const char* name, const char* summary) { return ops.add(name).category("Sparse").summary(summary); }
constexpr const char* kIndicesDoc = "[N, rank]: indices of the values.";

}  // namespace

void registerSparseTensors(OpRegistry& ops) {
  addSparse(ops, "SparseToDense", "Converts a sparse tensor to a dense one, with a default value elsewhere.")
      .input("sparse_indices: Tindices", "[N, rank], [N] or a scalar: indices of the values, ordered and without duplicates.")
      .input("output_shape: Tindices", "Shape of the result.")
      .input("sparse_values: T", "One value per index, or a scalar for all.")
      .input("default_value: T", "Value elsewhere.")
      .output("dense: T", "Dense tensor.")
      .attr("validate_indices: bool = true", "Check that indices are ordered, unique and within bounds.")
      .attr("T: type", "Type of the values.")
      .attr("Tindices: {int32, int64}")
      .shape(toDenseShape)
      .gradient(toDenseGradient)
      .cpu({}, simpleKernel(runToDense));
  addSparse(ops, "SparseReshape", "Indices of a sparse tensor after reshaping it.")
      .input("input_indices: int64", kIndicesDoc)
      .input("input_shape: int64", "Current dense shape.")
      .input("new_shape: int64", "New dense shape; one dimension may be -1.")
      .output("output_indices: int64", "[N, new rank].")
      .output("output_shape: int64", "The new dense shape, with -1 resolved.")
      .shape(sparseReshapeShape)
      .noGradient("Indices are not differentiable.")
      .cpu({}, simpleKernel(runSparseReshape));
  addSparse(ops, "SparseReorder", "Sorts the entries of a sparse tensor into row-major order.")
      .input("input_indices: int64", kIndicesDoc)
      .input("input_values: T", "[N].")
      .input("input_shape: int64", "[rank].")
      .output("output_indices: int64", "The sorted indices.")
      .output("output_values: T", "The values in the same order.")
      .attr("T: type", "Type of the values.")
      .shape(reorderShape)
      .gradient(reorderGradient)
      .cpu({}, simpleKernel(runReorder));
  addSparse(ops, "SparseFillEmptyRows", "Adds an entry with a default value to each empty row of a sparse tensor.")
      .input("indices: int64", kIndicesDoc)
      .input("values: T", "[N].")
      .input("dense_shape: int64", "[rank].")
      .input("default_value: T", "Default value, placed in the first column of empty rows.")
      .output("output_indices: int64", "The indices, including those of new entries.")
      .output("output_values: T", "The values.")
      .output("empty_row_indicator: bool", "For each row, whether it was empty.")
      .output("reverse_index_map: int64", "Position in the output of each input entry.")
      .attr("T: type", "Type of the values.")
      .shape(fillShape)
      .gradient(fillGradient)
      .cpu({}, simpleKernel(runFill));
  addSparse(ops, "SparseFillEmptyRowsGrad", "Gradient of SparseFillEmptyRows.")
      .input("reverse_index_map: int64", "Position in the output of each input entry.")
      .input("grad_values: T", "Gradient with respect to the output values.")
      .output("d_values: T", "Gradient with respect to the input values.")
      .output("d_default_value: T", "Gradient with respect to the default value.")
      .attr("T: type", "Type of the values.")
      .shape(fillGradShape)
      .noGradient("TensorFlow defines no second derivative for it.")
      .cpu({{"T", types::kCpuNumber}}, simpleKernel(runFillGrad))
      .gradientIsError = true;
  addSparse(ops, "SparseConcat", "Concatenates sparse tensors along an axis.")
      .input("indices: N * int64", kIndicesDoc)
      .input("values: N * T", "[N] each.")
      .input("shapes: N * int64", "[rank] each.")
      .output("output_indices: int64", "Indices of the result, in row-major order.")
      .output("output_values: T", "Values of the result.")
      .output("output_shape: int64", "Dense shape of the result.")
      .attr("concat_dim: int", "The axis; negative values count from the end.")
      .attr("N: int >= 2", "Number of tensors.")
      .attr("T: type", "Type of the values.")
      .shape(concatShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({}, simpleKernel(runConcat));
  addSparse(ops, "SparseSlice", "Extracts a contiguous slice of a sparse tensor.")
      .input("indices: int64", kIndicesDoc)
      .input("values: T", "[N].")
      .input("shape: int64", "[rank].")
      .input("start: int64", "First index of the slice in each dimension.")
      .input("size: int64", "Size of the slice in each dimension; parts outside the tensor are dropped.")
      .output("output_indices: int64", "Indices within the slice.")
      .output("output_values: T", "The corresponding values.")
      .output("output_shape: int64", "Dense shape of the slice.")
      .attr("T: type", "Type of the values.")
      .shape(sliceShape)
      .gradient([](GradContext& c) -> Grads {
        const Output g = c.b().op("SparseSliceGrad", {c.grad(1), c.input(0), c.input(3), c.output(0)});
        return std::vector{Output{}, g, Output{}, Output{}, Output{}};
      })
      .cpu({}, simpleKernel(runSlice));
  addSparse(ops, "SparseSliceGrad", "Gradient of SparseSlice.")
      .input("backprop_val_grad: T", "Gradient with respect to the values of the slice.")
      .input("input_indices: int64", "Indices of the input tensor.")
      .input("input_start: int64", "First index of the slice in each dimension.")
      .input("output_indices: int64", "Indices within the slice.")
      .output("val_grad: T", "Gradient with respect to the values of the input tensor.")
      .attr("T: numbertype", "Type of the values.")
      .shape(sliceGradShape)
      .noGradient("TensorFlow defines no second derivative for it.")
      .cpu({{"T", types::kCpuNumber}}, simpleKernel(runSliceGrad))
      .gradientIsError = true;
}

}  // namespace weft
