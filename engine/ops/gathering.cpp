#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "graph/indexed_slices.h"
#include "ops/gathers.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/tensor_text.h"

// Rows read or written by indices: Gather, DynamicStitch.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

// Gather and GatherV2.

Status gatherShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  const Shape &params = c.input(0), &indices = c.input(1);
  if (!params.hasRank() || !indices.hasRank()) return {};
  Shape out = indices;
  out.append(params.slice(1));
  c.setOutput(0, std::move(out));
  return {};
}

Status gatherV2Shape(ShapeContext& c) {
  const Shape &params = c.input(0), &indices = c.input(1);
  WEFT_TRY(c.requireRankAtLeast(params, 1));
  WEFT_TRY(c.requireRank(c.input(2), 0));
  int64_t batch = c.attrs().integer("batch_dims");
  const auto axis = c.constantInt(2);
  if (!axis) {
    if (params.hasRank() && indices.hasRank()) {
      if (batch < 0) batch += indices.rank();
      if (batch < 0 || batch > indices.rank()) return invalidArgument("batch_dims (", batch, ") must be less than rank(indices) (", indices.rank(), ")");
      c.setOutput(0, Shape::unknownOfRank(params.rank() + indices.rank() - 1 - int(std::max<int64_t>(batch, 0))));
    }
    return {};
  }
  if (*axis < -Shape::kMaxRank || *axis >= Shape::kMaxRank) return invalidArgument("the axis ", *axis, " is outside any rank");
  WEFT_TRY(c.requireRankAtLeast(params, int(*axis < 0 ? -*axis : *axis + 1)));
  if (!params.hasRank() || !indices.hasRank()) return {};
  if (batch < 0) batch += indices.rank();
  if (batch < 0 || batch > indices.rank() || batch >= params.rank())
    return invalidArgument("batch_dims (", batch, ") must be less than rank(indices) (", indices.rank(), ")");
  const int at = int(*axis < 0 ? *axis + params.rank() : *axis);
  if (batch > at) return invalidArgument("batch_dims (", batch, ") must be less than or equal to axis (", at, ")");
  Shape out;
  for (int d = 0; d < at; ++d) {
    if (d < batch) {
      WEFT_LET(const int64_t n, c.mergeDims(params.dim(d), indices.dim(d)));
      out.append(n);
    } else {
      out.append(params.dim(d));
    }
  }
  for (int d = int(batch); d < indices.rank(); ++d) out.append(indices.dim(d));
  for (int d = at + 1; d < params.rank(); ++d) out.append(params.dim(d));
  c.setOutput(0, std::move(out));
  return {};
}

template <typename I, typename S>
int64_t gatherRows(const S* params, const I* indices, S* out, int64_t batches, int64_t outer, int64_t limit, int64_t count, int64_t row) {
  std::atomic<int64_t> bad{-1};
  const int64_t total = batches * outer * count;
  parallelFor(total, std::max<int64_t>(1, 32768 / std::max<int64_t>(row, 1)), [&](int64_t begin, int64_t end) {
    int64_t o = begin / count, k = begin % count, first = o / outer * count;  // the slice, the index in it, and the slice's first index
    for (int64_t i = begin; i < end; ++i, ++k) {
      if (k == count) {
        k = 0;
        first = ++o / outer * count;
      }
      const int64_t where = first + k;
      const I index = indices[where];
      if (uint64_t(index) >= uint64_t(limit)) {
        bad = where;
        return;
      }
      const S* from = params + (o * limit + int64_t(index)) * row;
      S* to = out + i * row;
      if constexpr (std::is_trivially_copyable_v<S>) {
        if (row == 1) *to = *from;
        else std::memcpy(to, from, size_t(row) * sizeof(S));
      } else {
        std::copy(from, from + row, to);
      }
    }
  });
  return bad;
}

Status runGather(KernelContext& c) {
  WEFT_LET(const GatherPlan g, planGather(c));
  const Tensor &params = c.input(0), &indices = c.input(1);
  WEFT_LET(Tensor* out, c.allocate(0, g.shape));
  if (out->elements() == 0) return {};
  int64_t bad = -1;
  cpu::withStorage(params.dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    const S* p = static_cast<const S*>(params.raw());
    S* y = static_cast<S*>(out->mutableRaw());
    bad = indices.dtype() == DType::Int64 ? gatherRows(p, indices.data<int64_t>(), y, g.batches, g.outer, g.limit, g.count, g.row)
                                          : gatherRows(p, indices.data<int32_t>(), y, g.batches, g.outer, g.limit, g.count, g.row);
  });
  return bad >= 0 ? Status(indexOutside(indices, bad, g.limit)) : Status();
}

/// The shape of params as int32, colocated with params.
Output paramsShapeOf(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto guard = b.colocateWith(c.input(0).node);
  return py::cast(b, py::shape(b, c.input(0), DType::Int64), DType::Int32);
}

Grads gatherGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output paramsShape = paramsShapeOf(c);
  const Output size = py::expandDims(b, py::size(b, c.input(1)), 0);
  const Output valuesShape = py::concat(b, {size, py::sliceFrom(b, paramsShape, 1)}, 0);
  const Output values = py::reshape(b, c.grad(), valuesShape);
  const Output indices = py::reshape(b, c.input(1), size);
  return std::vector{makeSlices(c, values, indices, paramsShape), Output{}};
}

/// Flat indices of a gather with batch dimensions: each batch begins after the rows of the previous ones.
Output batchIndices(GraphBuilder& b, Output paramsShape, Output indices, int64_t batch) {
  const DType type = b.dtype(indices);
  const int rank = b.shape(indices).rank();
  Output result = indices;
  const Output shape = py::cast(b, paramsShape, type);
  const auto one = [&](std::string_view name) { return b.number(type, 1, name); };
  Output accumulated = one("ones");
  for (int64_t d = batch; d > 0; --d) {
    const Output length = py::at(b, shape, d - 1);
    accumulated = py::mul(b, accumulated, py::at(b, shape, d));
    const Output start = b.number(type, 0, "zeros"), step = one("ones");
    Output positions;
    {
      const py::Scope s(b, "range");
      positions = b.op("Range", {start, length, step}, {}, s.name());
    }
    positions = py::mul(b, positions, accumulated);
    std::vector<py::Operand> dims;
    for (int64_t k = 0; k < d - 1; ++k) dims.push_back(1);
    dims.push_back(length);
    for (int64_t k = 0; k < rank - d; ++k) dims.push_back(1);
    const Output shaped = py::stack(b, dims, "stack", type);
    result = py::add(b, result, py::reshape(b, positions, shaped));
  }
  return result;
}

Grads gatherV2Gradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output paramsShape = paramsShapeOf(c);
  Output indices = c.input(1);
  const Output axis = c.input(2);
  const Output indicesSize = py::expandDims(b, py::size(b, indices), 0);
  const auto known = b.constantValue(axis);
  if (known && known->rank() != 0) return invalidArgument("axis must be scalar, but has shape ", known->shape().toString());
  int64_t batch = c.attrs().integer("batch_dims");
  const int indicesRank = b.shape(indices).rank();
  if (batch < 0) batch += std::max(indicesRank, 0);
  if (batch < 0 || batch > (indicesRank < 0 ? Shape::kMaxRank : indicesRank))
    return invalidArgument("Expected batch_dims in the range [", -indicesRank, ", ", indicesRank, "], but got ", c.attrs().integer("batch_dims"));
  if (known && known->asInt(0) == 0) {
    const Output valuesShape = py::concat(b, {indicesSize, py::sliceFrom(b, paramsShape, 1)}, 0);
    const Output values = py::reshape(b, c.grad(), valuesShape);
    indices = py::reshape(b, indices, indicesSize);
    return std::vector{makeSlices(c, values, indices, paramsShape), Output{}, Output{}};
  }
  // The axis is moved after the batch dimensions, summed by segments, and moved back.
  const Output outer = py::sliceTo(b, paramsShape, axis);
  const Output inner = py::sliceFrom(b, py::sliceFrom(b, paramsShape, axis), 1);
  const Output valuesShape = py::concat(b, {outer, std::vector<int64_t>{-1}, inner}, 0);
  const Output valuesDims = py::size(b, valuesShape), axisDims = py::size(b, outer);
  const Output batches = py::range(b, 0, int(batch));
  const Output between = py::range(b, int(batch), axisDims);
  const Output behind = py::add(b, axisDims, 1);
  const Output rest = py::range(b, behind, valuesDims);
  const Output values = py::reshape(b, c.grad(), valuesShape);
  Output order;
  {
    const py::Scope s(b, "concat");
    const Output axisList = py::stack(b, {axisDims}, "values_1");
    const Output dim = b.scalar(int32_t(0), "axis");
    order = b.op("ConcatV2", {batches, axisList, between, rest, dim}, {}, s.name());
  }
  Output moved = py::transpose(b, values, order);
  Output gatherSize = py::at(b, paramsShape, axis);

  const Output flatSize = py::expandDims(b, py::size(b, indices), 0);
  Output outerShape, flatShape;
  if (batch) {
    const Output movedShape = py::shape(b, moved);
    outerShape = py::sliceTo(b, movedShape, int(batch));
    const Output innerShape = py::sliceFrom(b, py::sliceFrom(b, movedShape, batch), 1);
    Output batchSize;
    {
      const py::Scope s(b, "Prod");
      const Output axes = b.ints({0}, "reduction_indices");
      batchSize = b.op("Prod", {outerShape, axes}, {}, s.name());
    }
    flatShape = py::concat(b, {std::vector<int64_t>{-1}, innerShape}, 0);
    gatherSize = py::mul(b, gatherSize, batchSize);
    indices = batchIndices(b, paramsShape, indices, batch);
    moved = py::reshape(b, moved, flatShape);
  }
  indices = py::reshape(b, indices, flatSize);
  Output grad = b.op("UnsortedSegmentSum", {moved, indices, gatherSize});
  if (batch) grad = py::reshape(b, grad, py::concat(b, {outerShape, flatShape}, 0));

  const Output shifted = py::add(b, between, 1);
  const Output back = py::concat(b, {batches, shifted, std::vector<int64_t>{batch}, rest}, 0);
  return std::vector{py::transpose(b, grad, back), Output{}, Output{}};
}

// DynamicStitch.

Status stitchShape(ShapeContext& c) {
  const int n = int(c.attrs().integer("N"));
  Shape rest = Shape::unknown();
  bool allKnown = true;
  int64_t highest = -1;  // without indices there are no rows; TensorFlow 1.15's shape function says one, which its kernel contradicts
  for (int i = 0; i < n; ++i) {
    const Shape &indices = c.input(i), &data = c.input(n + i);
    if (const Tensor* t = c.constant(i)) {
      for (int64_t k = 0; k < t->elements(); ++k) highest = std::max(highest, t->asInt(k));
    } else {
      allKnown = false;
    }
    if (!indices.hasRank() || !data.hasRank()) continue;
    if (data.rank() < indices.rank()) return invalidArgument("Shape must be at least rank ", indices.rank(), " but is rank ", data.rank());
    for (int d = 0; d < indices.rank(); ++d) WEFT_TRY(c.mergeDims(indices.dim(d), data.dim(d)));
    WEFT_LET(rest, c.merge(rest, data.slice(indices.rank())));
  }
  if (!rest.hasRank()) return {};
  Shape out{allKnown ? highest + 1 : Shape::kUnknownDim};
  out.append(rest);
  c.setOutput(0, std::move(out));
  return {};
}

Status runStitch(KernelContext& c) {
  WEFT_LET(const Shape shape, stitchedShape(c));
  const int n = c.inputCount() / 2;
  const int64_t rows = shape.dim(0);
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  if (out->elements() == 0) return {};
  const int64_t row = out->elements() / rows;
  Status status;
  cpu::withStorage(out->dtype(), [&](auto tag) {
    using S = typename decltype(tag)::type;
    S* y = static_cast<S*>(out->mutableRaw());
    // Rows without an index are undefined in TensorFlow. They are zero here, so that runs are reproducible.
    std::vector<uint8_t> written(size_t(rows), 0);
    for (int i = 0; i < n; ++i) {
      const Tensor& indices = c.input(i);
      const S* x = static_cast<const S*>(c.input(n + i).raw());
      const int32_t* places = indices.data<int32_t>();
      const int64_t count = indices.elements();
      for (int64_t k = 0; k < count; ++k) {
        const int64_t at = places[k];
        if (at < 0 || at >= rows) {
          status = invalidArgument("indices[", i, "] is out of range");
          return;
        }
        written[size_t(at)] = 1;
        if (row == 1) y[at] = x[k];
        else std::copy(x + k * row, x + (k + 1) * row, y + at * row);
      }
    }
    for (int64_t r = 0; r < rows; ++r) {
      if (!written[size_t(r)]) std::fill(y + r * row, y + (r + 1) * row, S());
    }
  });
  return status;
}

Grads stitchGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const int n = c.inputCount() / 2;
  Output grad = c.grad();
  if (const auto s = slicesOf(b, grad)) {
    const Output rows = py::at(b, py::shape(b, c.output(0)), 0);
    grad = b.op("UnsortedSegmentSum", {s->values, s->indices, rows});
  }
  std::vector<Output> out(size_t(2 * n));
  for (int i = 0; i < n; ++i) out[size_t(n + i)] = py::gather(b, grad, c.input(i));
  return out;
}

}  // namespace

GatherPlan planGather(const Shape& params, const Shape& indices, int64_t axis, int64_t batch) {
  GatherPlan g;
  for (int d = 0; d < axis; ++d) {
    g.shape.append(params.dim(d));
    (d < batch ? g.batches : g.outer) *= params.dim(d);
  }
  for (int d = int(batch); d < indices.rank(); ++d) {
    g.shape.append(indices.dim(d));
    g.count *= indices.dim(d);
  }
  for (int d = int(axis) + 1; d < params.rank(); ++d) {
    g.shape.append(params.dim(d));
    g.row *= params.dim(d);
  }
  g.limit = params.dim(int(axis));
  return g;
}

Result<GatherPlan> planGather(KernelContext& c) {
  const Tensor &params = c.input(0), &indices = c.input(1);
  if (params.rank() < 1) return invalidArgument("params must be at least 1 dimensional");
  if (c.inputCount() == 2) return planGather(params.shape(), indices.shape(), 0, 0);
  const Tensor& axisTensor = c.input(2);
  if (axisTensor.rank() != 0) return invalidArgument("axis must be scalar");
  int64_t axis = axisTensor.asInt(0), batch = c.node().attrs.integer("batch_dims");
  if (axis < -params.rank() || axis >= params.rank()) {
    // Same wording as in the shape function.
    return invalidArgument("Expected axis in the range [", -params.rank(), ", ", params.rank(), "), but got ", axis, ": Shape must be at least rank ",
                           axis < 0 ? -uint64_t(axis) : uint64_t(axis) + 1, " but is rank ", params.rank());
  }
  if (axis < 0) axis += params.rank();
  if (batch != 0) {
    if (batch < -indices.rank() || batch > indices.rank())
      return invalidArgument("Expected batch_dims in the range [", -indices.rank(), ", ", indices.rank(), "], but got ", batch);
    if (batch < 0) batch += indices.rank();
    if (batch >= params.rank()) return invalidArgument("batch_dims (", batch, ") must be less than rank(params) (", params.rank(), ").");
    if (axis < batch) return invalidArgument("batch_dims (", batch, ") must be less than or equal to axis (", axis, ").");
    for (int d = 0; d < batch; ++d) {
      if (params.dim(d) != indices.dim(d)) {
        return invalidArgument("params.shape[", d, "]: ", params.dim(d), " should be equal to indices.shape[", d, "]: ", indices.dim(d));
      }
    }
  }
  return planGather(params.shape(), indices.shape(), axis, batch);
}

Error indexOutside(const Tensor& indices, int64_t i, int64_t limit) {
  return invalidArgument("indices", indexPosition(indices.shape(), i), " = ", indices.asInt(i), " is not in [0, ", limit, ")");
}

Result<Shape> stitchedShape(KernelContext& c) {
  const int n = c.inputCount() / 2;
  int64_t rows = 0;
  Shape rest;
  for (int i = 0; i < n; ++i) {
    const Tensor &indices = c.input(i), &data = c.input(n + i);
    const int32_t* at = indices.data<int32_t>();
    for (int64_t k = 0; k < indices.elements(); ++k) rows = std::max<int64_t>(rows, int64_t(at[k]) + 1);
    bool starts = data.rank() >= indices.rank();
    for (int d = 0; starts && d < indices.rank(); ++d) starts = indices.dim(d) == data.dim(d);
    if (!starts) {
      return invalidArgument("data[", i, "].shape = ", data.shape().toString(), " does not start with indices[", i, "].shape = ", indices.shape().toString());
    }
    const Shape tail = data.rank() > indices.rank() ? data.shape().slice(indices.rank()) : Shape();
    if (i == 0) {
      rest = tail;
    } else if (!(tail == rest)) {
      return invalidArgument("Need data[0].shape[", c.input(0).rank(), ":] = data[", i, "].shape[", indices.rank(),
                             ":], got data[0].shape = ", c.input(n).shape().toString(), ", data[", i, "].shape = ", data.shape().toString(),
                             ", indices[0].shape = ", c.input(0).shape().toString(), ", indices[", i, "].shape = ", indices.shape().toString());
    }
  }
  Shape shape{rows};
  shape.append(rest);
  return shape;
}

void registerGathering(OpRegistry& ops) {
  ops.add("Gather")
      .category("Arrays")
      .summary("Gathers rows of a tensor by index.")
      .input("params: Tparams", "Tensor to gather from.")
      .input("indices: Tindices", "Row indices, in any shape.")
      .output("output: Tparams", "The rows; shape indices.shape + params.shape[1:].")
      .attr("validate_indices: bool = true", "No effect.")
      .attr("Tparams: type", "Type of the elements.")
      .attr("Tindices: {int32, int64}", "Type of the indices.")
      .shape(gatherShape)
      .gradient(gatherGradient)
      .cpu({}, simpleKernel(runGather));
  ops.add("GatherV2")
      .category("Arrays")
      .summary("Gathers slices of a tensor along an axis by index.")
      .description("With batch_dims > 0, the leading dimensions of both inputs are batch dimensions, and each batch has its own indices.")
      .input("params: Tparams", "Tensor to gather from.")
      .input("indices: Tindices", "Slice indices, in any shape.")
      .input("axis: Taxis", "The axis; negative values count from the end.")
      .output("output: Tparams", "The slices; the shape of `indices` replaces the axis in the shape of `params`.")
      .attr("batch_dims: int = 0", "Number of leading batch dimensions.")
      .attr("Tparams: type", "Type of the elements.")
      .attr("Tindices: {int32, int64}", "Type of the indices.")
      .attr("Taxis: {int32, int64}", "Type of the axis.")
      .shape(gatherV2Shape)
      .gradient(gatherV2Gradient)
      .cpu({}, simpleKernel(runGather));
  for (const char* name : {"DynamicStitch", "ParallelDynamicStitch"}) {
    ops.add(name)
        .category("Arrays")
        .summary("Interleaves the rows of several tensors into one tensor by index.")
        .description("If an index occurs more than once, its last row is used.")
        .input("indices: N * int32", "Destination index of each row.")
        .input("data: N * T", "The rows; the shape of each tensor starts with the shape of its indices.")
        .output("merged: T", "The merged rows; as many as the largest index plus one.")
        .attr("N: int >= 1", "Number of pairs of indices and data.")
        .attr("T: type", "Type of the elements.")
        .shape(stitchShape)
        .gradient(stitchGradient)
        .cpu({}, simpleKernel(runStitch));
  }
  makeFresh(ops, "Gather GatherV2");
}

}  // namespace weft
