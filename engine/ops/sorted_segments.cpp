#include <algorithm>
#include <cmath>
#include <optional>

#include "base/parallel.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "ops/row_join.h"
#include "tensor/element_types.h"

// Reductions of rows by sorted segments: SegmentSum and similar ops, and SparseSegmentSum …, which select rows by indices.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

enum class Join { Sum, Mean, SqrtN, Prod, Min, Max };

// Segment….

Status segmentShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  if (!c.input(0).hasRank()) return {};
  Shape out{Shape::kUnknownDim};
  out.append(c.input(0).slice(1));
  c.setOutput(0, std::move(out));
  return {};
}

template <typename T, Join how>
void joinRow(T* to, const T* from, int64_t n) {
  for (int64_t k = 0; k < n; ++k) {
    if constexpr (how == Join::Prod) to[k] = T(to[k] * from[k]);
    else if constexpr (how == Join::Min) to[k] = from[k] < to[k] ? from[k] : to[k];
    else if constexpr (how == Join::Max) to[k] = to[k] < from[k] ? from[k] : to[k];
    else to[k] = T(to[k] + from[k]);
  }
}

/// Segments [first, last) by their first rows in `starts`, which ends with the number of rows.
template <typename T, Join how, typename I>
void joinSegments(const T* x, T* y, const I* ids, const std::vector<int64_t>& starts, int64_t row, DType type, int64_t first, int64_t last) {
  const T gap = how == Join::Prod ? T(1) : T(0);  // the value of segments without rows
  const RowJoin join(how == Join::Prod ? "Mul" : how == Join::Max ? "Maximum" : how == Join::Min ? "Minimum" : "Add", type);
  const bool byRows = join && row >= kShortestJoin;
  for (int64_t s = first; s < last; ++s) {
    const int64_t begin = starts[size_t(s)], end = starts[size_t(s + 1)], id = int64_t(ids[begin]), before = begin > 0 ? int64_t(ids[begin - 1]) : -1;
    std::fill(y + (before + 1) * row, y + id * row, gap);
    T* to = y + id * row;
    std::copy_n(x + begin * row, row, to);
    for (int64_t i = begin + 1; i < end; ++i) {
      if (byRows) join(to, x + i * row, row);
      else joinRow<T, how>(to, x + i * row, row);
    }
    if constexpr (how == Join::Mean) {
      for (int64_t k = 0; k < row; ++k) to[k] = T(to[k] / T(end - begin));
    }
  }
}

template <typename T, Join how, typename I>
Status joinSegments(const Tensor& data, const Tensor& idTensor, Tensor& out, int64_t segments) {
  const int64_t n = idTensor.elements(), row = data.elements() / std::max<int64_t>(n, 1);
  const I* ids = idTensor.data<I>();
  std::vector<int64_t> starts(n > 0 ? 1 : 0, 0);
  for (int64_t i = 1; i <= n; ++i) {  // where a segment ends
    const int64_t id = int64_t(ids[i - 1]);
    if (i < n && ids[i] == ids[i - 1]) continue;
    if (i < n && ids[i] < ids[i - 1]) return invalidArgument("segment ids are not increasing");
    if (id < 0 || id >= segments)
      return invalidArgument("Segment id ", id, " out of range [0, ", segments, "), possibly because 'segment_ids' input is not sorted.");
    starts.push_back(i);
  }
  const int64_t found = std::max<int64_t>(0, int64_t(starts.size()) - 1);
  const T* x = elementsOf<T>(data);
  T* y = elementsOf<T>(out);
  parallelFor(found, std::max<int64_t>(1, 16384 * found / std::max<int64_t>(1, data.elements())),
              [&](int64_t begin, int64_t end) { joinSegments<T, how>(x, y, ids, starts, row, data.dtype(), begin, end); });
  return {};
}

template <Join how>
Status runSegment(KernelContext& c) {
  const Tensor &data = c.input(0), &ids = c.input(1);
  if (data.rank() < 1) return invalidArgument("input must be at least rank 1");
  if (ids.rank() != 1) return invalidArgument("segment_ids should be a vector.");
  const int64_t n = ids.elements();
  if (n != data.dim(0)) return invalidArgument("segment_ids should be the same size as dimension 0 of input.");
  const int64_t segments = n > 0 ? ids.asInt(n - 1) + 1 : 0;
  if (n > 0 && segments <= 0) return invalidArgument("segment ids must be >= 0");
  Shape shape = data.shape();
  shape.setDim(0, segments);
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  Status status;
  const auto run = [&]<typename T>(std::type_identity<T>) {
    status = ids.dtype() == DType::Int32 ? joinSegments<T, how, int32_t>(data, ids, *out, segments) : joinSegments<T, how, int64_t>(data, ids, *out, segments);
  };
  if constexpr (how == Join::Min || how == Join::Max) withReal(data.dtype(), run);
  else withNumber(data.dtype(), run);
  return status;
}

Grads segmentSumGradient(GradContext& c) { return std::vector{py::gather(c.b(), c.grad(), c.input(1)), Output{}}; }

Grads segmentMeanGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output inputRank = py::rank(b, c.input(0));
  const Output rows = py::shape(b, c.input(1));
  const Output one = py::expandDims(b, py::sub(b, inputRank, 1), 0);
  const Output onesShape = py::concat(b, {rows, py::fill(b, one, 1)}, 0);
  const Output unit = b.number(b.dtype(c.grad()), 1, "Const");
  const Output ones = b.op("Fill", {onesShape, unit});
  const Output scaled = py::truediv(b, c.grad(), b.op("SegmentSum", {ones, c.input(1)}));
  return std::vector{py::gather(b, scaled, c.input(1)), Output{}};
}

Grads segmentExtremeGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output zeros = py::zerosLike(b, c.input(0));
  const Output gathered = py::gather(b, c.output(0), c.input(1));
  const Output selected = b.op("Equal", {c.input(0), gathered});
  const Output count = b.op("SegmentSum", {py::cast(b, selected, b.dtype(c.grad())), c.input(1)});
  const Output weighted = py::truediv(b, c.grad(), count);
  return std::vector{b.op("Select", {selected, py::gather(b, weighted, c.input(1)), zeros}), Output{}};
}

// SparseSegment….

Status sparseSegmentShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  WEFT_TRY(c.merge(c.input(1), c.input(2)).status());
  int64_t segments = Shape::kUnknownDim;
  if (c.inputCount() == 4) {
    WEFT_TRY(c.requireRank(c.input(3), 0));
    if (const auto n = c.constantInt(3)) {
      if (*n < 0) return invalidArgument("Cannot specify a negative value for num_segments");
      segments = *n;
    }
  }
  if (!c.input(0).hasRank()) return {};
  Shape out{segments};
  out.append(c.input(0).slice(1));
  c.setOutput(0, std::move(out));
  return {};
}

template <typename T>
Status joinPicked(const Tensor& data, const Tensor& indices, const Tensor& ids, Tensor& out, Join how) {
  using Sum = std::conditional_t<std::is_same_v<T, Eigen::half> || std::is_same_v<T, Eigen::bfloat16>, float, T>;
  const int64_t n = ids.elements(), rows = data.dim(0), segments = out.dim(0), row = rows > 0 ? data.elements() / rows : 0;
  const T* x = elementsOf<T>(data);
  T* y = elementsOf<T>(out);
  std::fill_n(y, out.elements(), T(0));
  std::vector<Sum> sum(static_cast<size_t>(row));
  for (int64_t begin = 0; begin < n;) {
    const int64_t id = ids.asInt(begin);
    int64_t end = begin + 1;
    while (end < n && ids.asInt(end) == id) ++end;
    if (end < n && ids.asInt(end) < id) return invalidArgument("segment ids are not increasing");
    if (id < 0 || id >= segments)
      return invalidArgument("Segment id ", id, " out of range [0, ", segments, "), possibly because 'segment_ids' input is not sorted.");
    std::fill(sum.begin(), sum.end(), Sum(0));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t index = indices.asInt(i);
      if (index < 0 || index >= rows) return invalidArgument("Bad: indices[", i, "] == ", index, " out of range [0, ", rows, ")");
      for (int64_t k = 0; k < row; ++k) sum[size_t(k)] += Sum(x[index * row + k]);
    }
    const double count = double(end - begin);
    const Sum scale = how == Join::Mean ? Sum(count) : how == Join::SqrtN ? Sum(std::sqrt(count)) : Sum(1);
    for (int64_t k = 0; k < row; ++k) y[id * row + k] = T(sum[size_t(k)] / scale);
    begin = end;
  }
  return {};
}

template <Join how>
Status runSparseSegment(KernelContext& c) {
  const Tensor &data = c.input(0), &indices = c.input(1), &ids = c.input(2);
  if (indices.rank() != 1) return invalidArgument("indices should be a vector.");
  if (ids.rank() != 1) return invalidArgument("segment_ids should be a vector.");
  const int64_t n = indices.elements();
  if (n != ids.elements()) return invalidArgument("segment_ids and indices should have same size.");
  if (data.rank() < 1) return invalidArgument("Shape must be at least rank 1");
  int64_t segments = n > 0 ? ids.asInt(n - 1) + 1 : 0;
  if (c.inputCount() == 4) {
    if (c.input(3).elements() != 1) return invalidArgument("num_segments should be a scalar, not shape ", c.input(3).shape().toString());
    if (c.input(3).asInt(0) < segments) return invalidArgument("segment ids must be < num_segments");
    segments = c.input(3).asInt(0);
  }
  if (segments < 0 || (n > 0 && segments == 0)) return invalidArgument("segment ids must be >= 0");
  Shape shape = data.shape();
  shape.setDim(0, segments);
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  Status status;
  withReal(data.dtype(), [&]<typename T>(std::type_identity<T>) { status = joinPicked<T>(data, indices, ids, *out, how); });
  return status;
}

Status sparseGradShape(ShapeContext& c) {
  WEFT_TRY(c.requireRankAtLeast(c.input(0), 1));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.merge(c.input(2), c.input(1)).status());
  WEFT_TRY(c.requireRank(c.input(3), 0));
  if (!c.input(0).hasRank()) return {};
  const auto rows = c.constantInt(3);
  if (rows && *rows < 0) return invalidArgument("Cannot specify a negative value for output_dim0");
  Shape out{rows.value_or(Shape::kUnknownDim)};
  out.append(c.input(0).slice(1));
  c.setOutput(0, std::move(out));
  return {};
}

template <typename T>
Status spreadPicked(const Tensor& grad, const Tensor& indices, const Tensor& ids, Tensor& out, Join how) {
  const int64_t n = ids.elements(), segments = grad.dim(0), rows = out.dim(0), row = segments > 0 ? grad.elements() / segments : 0;
  std::vector<double> scale(static_cast<size_t>(segments), 0);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t id = ids.asInt(i);
    if (id < 0 || id >= segments) return invalidArgument("Segment id ", id, " out of range [0, ", segments, ").");
    scale[size_t(id)] += 1;
  }
  for (double& s : scale) s = how == Join::Mean ? 1 / std::max(s, 1.0) : 1 / std::sqrt(std::max(s, 1.0));
  T* y = out.mutableData<T>();
  std::fill_n(y, out.elements(), T(0));
  for (int64_t i = 0; i < n; ++i) {
    const int64_t index = indices.asInt(i), id = ids.asInt(i);
    if (index < 0 || index >= rows) return invalidArgument("Index ", index, " out of range [0, ", rows, ").");
    for (int64_t k = 0; k < row; ++k) y[index * row + k] += grad.data<T>()[id * row + k] * T(scale[size_t(id)]);
  }
  return {};
}

template <Join how>
Status runSparseGrad(KernelContext& c) {
  const Tensor &grad = c.input(0), &indices = c.input(1), &ids = c.input(2), &rows = c.input(3);
  if (indices.rank() != 1) return invalidArgument("indices should be a vector.");
  if (ids.rank() != 1) return invalidArgument("segment_ids should be a vector.");
  if (rows.rank() != 0) return invalidArgument("output_dim0 should be a scalar.");
  if (ids.elements() != indices.elements()) return invalidArgument("segment_ids and indices should have same size.");
  if (rows.asInt(0) < 0) return invalidArgument("output_dim0 must be >= 0, got ", rows.asInt(0));
  Shape shape = grad.shape();
  shape.setDim(0, rows.asInt(0));
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  return grad.dtype() == DType::Double ? spreadPicked<double>(grad, indices, ids, *out, how) : spreadPicked<float>(grad, indices, ids, *out, how);
}

/// The number of rows of input 0, as computed by the Python functions.
Output rowsOf(GradContext& c) { return py::at(c.b(), py::shape(c.b(), c.input(0)), 0); }

GradientFunction sparseGradient(const char* gradOp) {
  return [gradOp](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const Output rows = rowsOf(c);
    std::vector<Output> grads(size_t(c.inputCount()));
    // Graphs of TensorFlow 2 may have 64-bit ids, which the op for the gradient does not take.
    if (gradOp) grads[0] = b.op(gradOp, {c.grad(), c.input(1), b.dtype(c.input(2)) == DType::Int32 ? c.input(2) : py::cast(b, c.input(2), DType::Int32), rows});
    else grads[0] = b.op("UnsortedSegmentSum", {py::gather(b, c.grad(), c.input(2)), c.input(1), rows});
    return grads;
  };
}

}  // namespace

void registerSortedSegments(OpRegistry& ops) {
  const auto segment = [&](const char* name, const std::vector<DType>& kernels, KernelFactory create, GradientFunction gradient, const char* summary) {
    OpRecord& r = ops.add(name)
                      .category("Segments")
                      .summary(summary)
                      .input("data: T", "The rows.")
                      .input("segment_ids: Tindices", "Segment id of each row; must not decrease.")
                      .output("output: T", "One row per segment, up to the last id.")
                      .attr(kernels.size() == types::kCpuReal.size() ? "T: realnumbertype" : "T: numbertype", "Type of the elements.")
                      .attr("Tindices: {int32, int64}", "Type of the segment ids.")
                      .shape(segmentShape)
                      .cpu({{"T", kernels}}, std::move(create));
    if (gradient) r.gradient(std::move(gradient));
    else r.noGradient("TensorFlow 1.15 defines no gradient for it.").gradientIsError = true;
  };
  segment("SegmentSum", types::kCpuNumber, simpleKernel(runSegment<Join::Sum>), segmentSumGradient, "Sums the rows of each segment.");
  segment("SegmentMean", types::kCpuNumber, simpleKernel(runSegment<Join::Mean>), segmentMeanGradient, "Averages the rows of each segment.");
  segment("SegmentProd", types::kCpuNumber, simpleKernel(runSegment<Join::Prod>), nullptr, "Multiplies the rows of each segment.");
  segment("SegmentMin", types::kCpuReal, simpleKernel(runSegment<Join::Min>), segmentExtremeGradient, "Element-wise minimum of the rows of each segment.");
  segment("SegmentMax", types::kCpuReal, simpleKernel(runSegment<Join::Max>), segmentExtremeGradient, "Element-wise maximum of the rows of each segment.");

  const std::vector<DType> floats = {DType::Float, DType::Double};
  const auto sparse = [&](const std::string& name, bool real, KernelFactory create, const char* gradOp, const char* summary) {
    for (const bool counted : {false, true}) {
      OpRecord& r = ops.add(name + (counted ? "WithNumSegments" : ""))
                        .category("Segments")
                        .summary(summary)
                        .input("data: T", "The rows.")
                        .input("indices: Tidx", "Indices of the selected rows.")
                        .input("segment_ids: int32", "Segment id of each selected row; must not decrease.");
      if (counted) r.input("num_segments: Tnumsegments", "Number of segments.");
      r.output("output: T", "One row per segment; zeros for empty segments.")
          .attr(real ? "T: realnumbertype" : "T: {float, double}", "Type of the elements.")
          .attr("Tidx: {int32, int64} = DT_INT32", "Type of the indices.");
      if (counted) r.attr("Tnumsegments: {int32, int64} = DT_INT32", "Type of the number of segments.");
      r.shape(sparseSegmentShape).gradient(sparseGradient(gradOp)).cpu({{"T", real ? types::kCpuReal : floats}}, create);
    }
  };
  sparse("SparseSegmentSum", true, simpleKernel(runSparseSegment<Join::Sum>), nullptr, "Sums selected rows by segment.");
  sparse("SparseSegmentMean", false, simpleKernel(runSparseSegment<Join::Mean>), "SparseSegmentMeanGrad", "Averages selected rows by segment.");
  sparse("SparseSegmentSqrtN", false, simpleKernel(runSparseSegment<Join::SqrtN>), "SparseSegmentSqrtNGrad",
         "Sums selected rows by segment and divides by the square root of their number.");
  const auto grad = [&](const char* name, KernelFactory create, const char* summary) {
    ops.add(name)
        .category("Segments")
        .summary(summary)
        .input("grad: T", "Gradient with respect to the result: one row per segment.")
        .input("indices: Tidx", "Indices of the selected rows.")
        .input("segment_ids: int32", "Segment id of each selected row.")
        .input("output_dim0: int32", "Number of rows of the data.")
        .output("output: T", "Gradient with respect to the data.")
        .attr("T: {float, double}", "Type of the elements.")
        .attr("Tidx: {int32, int64} = DT_INT32", "Type of the indices.")
        .shape(sparseGradShape)
        .noGradient("TensorFlow 1.15 defines no second derivative for it.")
        .cpu({{"T", floats}}, std::move(create))
        .gradientIsError = true;
  };
  grad("SparseSegmentMeanGrad", simpleKernel(runSparseGrad<Join::Mean>), "Gradient of SparseSegmentMean.");
  grad("SparseSegmentSqrtNGrad", simpleKernel(runSparseGrad<Join::SqrtN>), "Gradient of SparseSegmentSqrtN.");
}

}  // namespace weft
