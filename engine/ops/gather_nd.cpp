#include <string>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "graph/indexed_slices.h"
#include "ops/gathers.h"
#include "ops/grad_ops.h"
#include "ops/index_vectors.h"
#include "ops/registry.h"
#include "ops/row_join.h"
#include "ops/tensor_text.h"
#include "tensor/element_types.h"

// Slices read or written at index vectors: GatherNd, ScatterNd, TensorScatter….
namespace weft {

Error outsideOf(const Tensor& indices, int64_t i, const char* what, const Shape& shape) {
  const int outer = indices.rank() - 1;
  const int64_t depth = indices.dim(outer);
  std::string values;
  for (int64_t d = 0; d < depth; ++d) values += (d ? ", " : "") + std::to_string(indices.asInt(i * depth + d));
  return invalidArgument("indices", indexPosition(indices.shape().slice(0, outer), i), " = [", values, "] does not index into ", what, " ", shape.toString());
}

Status checkScatter(const Shape& shape, const Shape& indices, const Shape& updates) {
  if (indices.rank() < 1) return invalidArgument("Indices shape must have rank at least one. Found:", indices.toString());
  if (updates.rank() < 1) return invalidArgument("Updates shape must have rank at least one. Found:", updates.toString());
  if (shape.elements() == 0 && (indices.elements() > 0 || updates.elements() > 0))
    return invalidArgument("Indices and updates specified for empty output.  indices shape: ", indices.toString());
  const int outer = indices.rank() - 1;
  for (int d = 0; d < outer; ++d) {
    if (d >= updates.rank() || indices.dim(d) != updates.dim(d))
      return invalidArgument("Outer dimensions of indices and update must match. Indices shape: ", indices.toString(), ", updates shape:", updates.toString(),
                             ": dimensions [0,", outer, ") of indices[shape=", indices.toString(), "] must match dimensions [0,", outer,
                             ") of updates[shape=", updates.toString(), "]");
  }
  const int64_t depth = indices.dim(outer);
  if (depth > shape.rank() || updates.rank() - outer != shape.rank() - depth)
    return invalidArgument("Inner dimensions of output shape must match inner dimensions of updates shape. Output: ", shape.toString(),
                           " updates: ", updates.toString());
  if (!(updates.slice(outer) == shape.slice(int(depth))))
    return invalidArgument("The inner ", shape.rank() - depth, " dimensions of output.shape=", shape.toString(), " must match the inner ",
                           updates.rank() - outer, " dimensions of updates.shape=", updates.toString(), ": dimensions [", depth, ",", shape.rank(),
                           ") of the tensor must match dimensions [", outer, ",", updates.rank(), ") of updates");
  return {};
}

namespace {

using Grads = Result<std::vector<Output>>;

/// For each index vector, the number of its slice. Invalid vectors give -1, and `bad` gets the first of them.
std::vector<int64_t> slicesAt(const Tensor& indices, const Shape& params, int64_t* bad) {
  const int outer = indices.rank() - 1;
  const int64_t depth = indices.dim(outer), count = indices.shape().slice(0, outer).elements();
  std::vector<int64_t> at(static_cast<size_t>(count));
  *bad = -1;
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = 0;
    for (int64_t d = 0; d < depth; ++d) {
      const int64_t k = indices.asInt(i * depth + d);
      if (k < 0 || k >= params.dim(int(d))) {
        if (*bad < 0) *bad = i;
        position = -1;
        break;
      }
      position = position * params.dim(int(d)) + k;
    }
    at[size_t(i)] = position;
  }
  return at;
}

// GatherNd.

Status gatherNdShape(ShapeContext& c) {
  const Shape &params = c.input(0), &indices = c.input(1);
  WEFT_TRY(c.requireRankAtLeast(indices, 1));
  if (!params.hasRank() || !indices.hasRank()) return {};
  const int64_t depth = indices.dim(indices.rank() - 1);
  if (depth < 0) return {};
  if (depth > params.rank())
    return invalidArgument("indices.shape[-1] must be <= params.rank, but saw indices shape: ", indices.toString(), " and params shape: ", params.toString());
  Shape out = indices.slice(0, indices.rank() - 1);
  out.append(params.slice(int(depth)));
  c.setOutput(0, std::move(out));
  return {};
}

Status runGatherNd(KernelContext& c) {
  const Tensor &params = c.input(0), &indices = c.input(1);
  WEFT_LET(const GatherNdPlan g, planGatherNd(params.shape(), indices.shape()));
  int64_t bad = -1;
  const std::vector<int64_t> at = slicesAt(indices, params.shape(), &bad);
  if (bad >= 0) return outsideOf(indices, bad, "param shape", params.shape());
  WEFT_LET(Tensor* out, c.allocate(0, g.shape));
  cpu::withStorage(params.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    const S* x = static_cast<const S*>(params.raw());
    S* y = static_cast<S*>(out->mutableRaw());
    parallelFor(g.count, std::max<int64_t>(1, 32768 / std::max<int64_t>(g.row, 1)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) std::copy_n(x + at[size_t(i)] * g.row, g.row, y + i * g.row);
    });
  });
  return {};
}

Grads gatherNdGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output indices = c.input(1);
  const Output dense = py::shape(b, c.input(0), b.dtype(indices));
  const Shape& s = b.shape(indices);
  if (s.hasRank() && s.rank() == 2 && s.dim(1) == 1) {
    const Output rows = b.op("Squeeze", {indices}, {{"squeeze_dims", std::vector<int64_t>{-1}}});
    return std::vector{makeSlices(c, c.grad(), rows, dense), Output{}};
  }
  return std::vector{b.op("ScatterNd", {indices, c.grad(), dense}), Output{}};
}

// ScatterNd and TensorScatter….

Status matchUpdates(const ShapeContext& c, const Shape& out, const Shape& indices, const Shape& updates) {
  if (!indices.hasRank() || !updates.hasRank()) return {};
  const int outer = indices.rank() - 1;
  const auto both = [&](const char* where, int n, const Shape& of, const char* name, const char* where2, int m, const Status& e) {
    return invalidArgument("The ", where, " ", n, " dimensions of ", name, ".shape=", of.toString(), " must match the ", where2, " ", m,
                           " dimensions of updates.shape=", updates.toString(), ": ", e.error().message);
  };
  const int64_t depth = indices.dim(outer);
  if (depth < 0) return {};
  const auto front = c.merge(indices.slice(0, outer), updates.slice(0, std::min(outer, updates.rank())));
  if (!front.ok()) return both("outer", outer, indices, "indices", "outer", outer, front.error());
  if (!out.hasRank() || updates.rank() < outer || depth > out.rank()) return {};
  const auto back = c.merge(out.slice(int(depth)), updates.slice(outer));
  if (!back.ok()) return both("inner", out.rank() - int(depth), out, "output", "inner", updates.rank() - outer, back.error());
  return {};
}

Status scatterShape(ShapeContext& c, const Shape& indices, const Shape& updates, Shape out) {
  WEFT_TRY(c.requireRankAtLeast(indices, 1));
  WEFT_TRY(c.requireRankAtLeast(updates, 1));
  if (out.elements() == 0 && (indices.elements() > 0 || updates.elements() > 0)) return invalidArgument("Indices and updates specified for empty output shape");
  WEFT_TRY(matchUpdates(c, out, indices, updates));
  c.setOutput(0, std::move(out));
  return {};
}
Status scatterNdShape(ShapeContext& c) {
  WEFT_LET(Shape out, c.constantAsShape(2));
  return scatterShape(c, c.input(0), c.input(1), std::move(out));
}
Status tensorScatterShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  return scatterShape(c, c.input(1), c.input(2), c.input(0));
}

enum class Combine { Replace, Add, Sub };

template <typename T>
T combined(Combine how, const T& old, const T& update) {
  if constexpr (std::is_same_v<T, std::string>) return how == Combine::Add ? old + update : update;
  else if constexpr (std::is_same_v<T, bool>) return how == Combine::Add ? old || update : update;
  else return how == Combine::Add ? T(old + update) : how == Combine::Sub ? T(old - update) : update;
}

template <typename T>
void scatterInto(Combine how, T* out, const T* updates, const std::vector<int64_t>& at, int64_t row) {
  for (size_t i = 0; i < at.size(); ++i) {
    T* to = out + at[i] * row;
    const T* from = updates + int64_t(i) * row;
    for (int64_t k = 0; k < row; ++k) to[k] = combined(how, to[k], from[k]);
  }
}

Status scatter(Tensor& out, const Tensor& indices, const Tensor& updates, Combine how) {
  int64_t bad = -1;
  const std::vector<int64_t> at = slicesAt(indices, out.shape(), &bad);
  if (bad >= 0) return outsideOf(indices, bad, "shape", out.shape());
  const int64_t row = out.shape().slice(int(indices.dim(indices.rank() - 1))).elements();
  if (out.dtype() == DType::String) scatterInto(how, out.mutableData<std::string>(), updates.data<std::string>(), at, row);
  else if (out.dtype() == DType::Bool) scatterInto(how, out.mutableData<bool>(), updates.data<bool>(), at, row);
  else if (const RowJoin join(how == Combine::Sub ? "Sub" : "Add", out.dtype()); join && how != Combine::Replace && row >= kShortestJoin) {
    const size_t bytes = sizeOf(out.dtype());
    for (size_t i = 0; i < at.size(); ++i)
      join(static_cast<char*>(out.mutableRaw()) + size_t(at[i] * row) * bytes, static_cast<const char*>(updates.raw()) + i * size_t(row) * bytes, row);
  } else withNumber(out.dtype(), [&]<typename T>(std::type_identity<T>) { scatterInto(how, elementsOf<T>(out), elementsOf<T>(updates), at, row); });
  return {};
}

Status runScatterNd(KernelContext& c) {
  const Tensor &indices = c.input(0), &updates = c.input(1), &dims = c.input(2);
  if (dims.rank() != 1) return invalidArgument("Shape must be a vector");
  Shape shape;
  for (int64_t i = 0; i < dims.elements(); ++i) {
    if (dims.asInt(i) < 0) return invalidArgument("Dimension ", dims.asInt(i), " must be >= 0");
    shape.append(dims.asInt(i));
  }
  WEFT_TRY(checkScatter(shape, indices.shape(), updates.shape()));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (out->dtype() != DType::String) std::fill_n(static_cast<char*>(out->mutableRaw()), out->bytes(), char(0));
  return scatter(*out, indices, updates, Combine::Add);
}

template <Combine how>
Status runTensorScatter(KernelContext& c) {
  const Tensor &input = c.input(0), &indices = c.input(1), &updates = c.input(2);
  WEFT_TRY(checkScatter(input.shape(), indices.shape(), updates.shape()));
  WEFT_LET(Tensor* out, c.allocateOrForward(0, input.shape(), {0}));
  if (out->raw() != input.raw()) copyElements(*out, 0, input, 0, input.elements());
  return scatter(*out, indices, updates, how);
}

Output gatherNd(GraphBuilder& b, Output params, Output indices) { return b.op("GatherNd", {params, indices}); }

Grads scatterNdGradient(GradContext& c) { return std::vector{Output{}, gatherNd(c.b(), c.grad(), c.input(0)), Output{}}; }
Grads tensorUpdateGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output updates = gatherNd(b, c.grad(), c.input(1));
  const Output copy = b.op("Identity", {c.grad()});
  const Output zeros = py::zerosLike(b, c.input(2));
  return std::vector{b.op("TensorScatterUpdate", {copy, c.input(1), zeros}), Output{}, updates};
}
Grads tensorAddGradient(GradContext& c) {
  const Output updates = gatherNd(c.b(), c.grad(), c.input(1));
  return std::vector{c.b().op("Identity", {c.grad()}), Output{}, updates};
}
Grads tensorSubGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output updates = gatherNd(b, c.grad(), c.input(1));
  const Output same = b.op("Identity", {c.grad()});
  return std::vector{same, Output{}, py::neg(b, updates)};
}
Grads nonAliasingGradient(GradContext& c) { return std::vector{c.grad(), Output{}, gatherNd(c.b(), c.grad(), c.input(1))}; }

OpRecord& addTensorScatter(OpRegistry& ops, const char* name, const char* first, const char* types, std::vector<DType> kernels, KernelFactory create,
                           GradientFunction gradient, const char* summary) {
  return ops.add(name)
      .category("Arrays")
      .summary(summary)
      .input(std::string(first) + ": T", "The tensor; it is not modified.")
      .input("indices: Tindices", "Index vectors, along the last dimension.")
      .input("updates: T", "Update values, of shape indices.shape[:-1] + tensor.shape[indices.shape[-1]:].")
      .output("output: T", "The updated copy.")
      .attr(types, "Type of the elements.")
      .attr("Tindices: {int32, int64}", "Type of the indices.")
      .shape(tensorScatterShape)
      .gradient(std::move(gradient))
      .cpu({{"T", std::move(kernels)}}, std::move(create));
}

}  // namespace

Result<GatherNdPlan> planGatherNd(const Shape& params, const Shape& indices) {
  if (params.rank() < 1) return invalidArgument("params must be at least a vector");
  if (indices.rank() < 1) return invalidArgument("indices must be at least a vector");
  GatherNdPlan g;
  g.depth = indices.dim(indices.rank() - 1);
  if (g.depth > params.rank()) return invalidArgument("index innermost dimension length must be <= params rank; saw: ", g.depth, " vs. ", params.rank());
  g.shape = indices.slice(0, indices.rank() - 1);
  g.count = g.shape.elements();
  g.row = params.slice(int(g.depth)).elements();
  g.shape.append(params.slice(int(g.depth)));
  if (g.count > 0 && params.elements() == 0) {
    return invalidArgument("Requested more than 0 entries, but params is empty.  Params shape: ", params.toString());
  }
  return g;
}

void registerGatherNd(OpRegistry& ops) {
  ops.add("GatherNd")
      .category("Arrays")
      .summary("Gathers slices of a tensor by index vectors.")
      .input("params: Tparams", "The tensor.")
      .input("indices: Tindices", "Index vectors along the last dimension; their length is the number of leading dimensions of `params` that they index.")
      .output("output: Tparams", "Gathered slices, of shape indices.shape[:-1] + params.shape[indices.shape[-1]:].")
      .attr("Tparams: type", "Type of the elements.")
      .attr("Tindices: {int32, int64}", "Type of the indices.")
      .shape(gatherNdShape)
      .gradient(gatherNdGradient)
      .cpu({}, simpleKernel(runGatherNd));
  std::vector<DType> all = types::kCpuNumber, adding = types::kCpuNumber;
  all.push_back(DType::Bool);
  all.push_back(DType::String);
  ops.add("ScatterNd")
      .category("Arrays")
      .summary("Scatters slices into a tensor of zeros by index vectors; slices with the same index are added.")
      .input("indices: Tindices", "Index vectors, along the last dimension.")
      .input("updates: T", "Values to scatter, of shape indices.shape[:-1] + shape[indices.shape[-1]:].")
      .input("shape: Tindices", "Shape of the result.")
      .output("output: T", "The result, in the given shape.")
      .attr("T: type", "Type of the elements.")
      .attr("Tindices: {int32, int64}", "Type of the indices.")
      .shape(scatterNdShape)
      .gradient(scatterNdGradient)
      .cpu({{"T", all}}, simpleKernel(runScatterNd));
  addTensorScatter(ops, "TensorScatterUpdate", "tensor", "T: type", all, simpleKernel(runTensorScatter<Combine::Replace>), tensorUpdateGradient,
                   "Copies a tensor and replaces the slices selected by index vectors.");
  addTensorScatter(ops, "TensorScatterAdd", "tensor", "T: type", adding, simpleKernel(runTensorScatter<Combine::Add>), tensorAddGradient,
                   "Copies a tensor and adds updates to the slices selected by index vectors.");
  addTensorScatter(ops, "TensorScatterSub", "tensor", "T: type", adding, simpleKernel(runTensorScatter<Combine::Sub>), tensorSubGradient,
                   "Copies a tensor and subtracts updates from the slices selected by index vectors.");
  adding.push_back(DType::Bool);
  addTensorScatter(ops, "ScatterNdNonAliasingAdd", "input", "T: {numbertype, bool}", adding, simpleKernel(runTensorScatter<Combine::Add>), nonAliasingGradient,
                   "Adds updates to the slices of a tensor selected by index vectors; reuses the input's memory if it has no other consumer.");
}

}  // namespace weft
