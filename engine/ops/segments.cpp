#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/dtypes.h"
#include "device/cpu/move.h"
#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"
#include "ops/index_vectors.h"
#include "ops/registry.h"
#include "ops/row_join.h"
#include "ops/tensor_text.h"

// Reductions of rows by segment: UnsortedSegmentSum and similar ops.
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;

Status unsortedSegmentShape(ShapeContext& c) {
  const Shape &data = c.input(0), &ids = c.input(1);
  WEFT_TRY(c.requireRank(c.input(2), 0));
  int64_t segments = Shape::kUnknownDim;
  if (const auto n = c.constantInt(2)) {
    if (*n < 0) return invalidArgument("Dimension size, given by scalar input 2, must be non-negative but is ", *n);
    segments = *n;
  }
  if (!data.hasRank() || !ids.hasRank()) return {};
  if (data.rank() < ids.rank()) return invalidArgument("Shape must be at least rank ", ids.rank(), " but is rank ", data.rank());
  for (int d = 0; d < ids.rank(); ++d) WEFT_TRY(c.mergeDims(data.dim(d), ids.dim(d)));
  Shape out{segments};
  for (int d = ids.rank(); d < data.rank(); ++d) out.append(data.dim(d));
  c.setOutput(0, std::move(out));
  return {};
}

struct SumSegments {
  static constexpr const char* kOp = "Add";
  template <typename T>
  static T start() {
    return T(0);
  }
  template <typename T>
  static T join(T a, T b) {
    if constexpr (std::is_integral_v<T>) return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
    else return T(cpu::Compute<T>(a) + cpu::Compute<T>(b));
  }
};
struct ProdSegments {
  static constexpr const char* kOp = "Mul";
  template <typename T>
  static T start() {
    return T(1);
  }
  template <typename T>
  static T join(T a, T b) {
    if constexpr (std::is_integral_v<T>) return T(uint64_t(a) * uint64_t(b));
    else return T(cpu::Compute<T>(a) * cpu::Compute<T>(b));
  }
};
/// Empty segments get the lowest (highest) finite number.
struct MaxSegments {
  static constexpr const char* kOp = "Maximum";
  template <typename T>
  static T start() {
    if constexpr (std::is_same_v<T, cpu::Half>) return T(-65504.0f);
    else if constexpr (std::is_same_v<T, cpu::BFloat16>) return T(-3.3895314e38f);
    else return std::numeric_limits<T>::lowest();
  }
  template <typename T>
  static T join(T a, T b) {
    return a < b ? b : a;
  }
};
struct MinSegments {
  static constexpr const char* kOp = "Minimum";
  template <typename T>
  static T start() {
    if constexpr (std::is_same_v<T, cpu::Half>) return T(65504.0f);
    else if constexpr (std::is_same_v<T, cpu::BFloat16>) return T(3.3895314e38f);
    else return std::numeric_limits<T>::max();
  }
  template <typename T>
  static T join(T a, T b) {
    return b < a ? b : a;
  }
};

constexpr int64_t kWorkPerThread = 16384;  // elements

template <typename R>
Status runUnsortedSegment(KernelContext& c) {
  const Tensor &data = c.input(0), &ids = c.input(1), &countTensor = c.input(2);
  WEFT_LET(const Shape shape, unsortedSegmentShape(data, ids, countTensor));
  const int64_t segments = shape.dim(0);
  WEFT_LET(Tensor* out, c.allocate(0, shape));
  const int64_t n = ids.elements(), row = segments > 0 ? out->elements() / segments : 0;
  Status status;
  cpu::withNumber(data.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (!cpu::kIsComplex<T> || std::is_same_v<R, SumSegments> || std::is_same_v<R, ProdSegments>) {
      T* y = static_cast<T*>(out->mutableRaw());
      const T* x = static_cast<const T*>(data.raw());
      const T start = R::template start<T>();
      cpu::fillElements(data.dtype(), &start, y, out->elements());
      const auto idAt = [&](int64_t i) { return ids.dtype() == DType::Int64 ? ids.data<int64_t>()[i] : int64_t(ids.data<int32_t>()[i]); };
      for (int64_t i = 0; i < n; ++i) {
        if (idAt(i) < segments) continue;
        status = invalidArgument("segment_ids", indexPosition(ids.shape(), i), " = ", idAt(i), " is out of range [0, ", segments, ")");
        return;
      }
      const RowJoin join(R::kOp, data.dtype());
      const bool byRows = join && row >= kShortestJoin;
      // Threads share the columns: each segment's rows are joined in their order.
      const int64_t grain = std::max<int64_t>(32, kWorkPerThread / std::max<int64_t>(1, n));
      parallelFor(row, grain, [&](int64_t begin, int64_t end) {
        for (int64_t i = 0; i < n; ++i) {
          const int64_t id = idAt(i);
          if (id < 0) continue;  // dropped
          T* to = y + id * row;
          const T* from = x + i * row;
          if (byRows) join(to + begin, from + begin, end - begin);
          else
            for (int64_t j = begin; j < end; ++j) to[j] = R::join(to[j], from[j]);
        }
      });
    }
  });
  return status;
}

/// Rows of params by id, zero for negative ids; `clipped` and `positive` may come from an earlier call.
Output gatherDropNegatives(GraphBuilder& b, Output params, Output ids, Output* clipped, Output* positive) {
  if (!clipped->valid()) *clipped = b.op("Maximum", {ids, py::zerosLike(b, ids)});
  const Output gathered = py::gather(b, params, *clipped);
  if (!positive->valid()) {
    Output mask = py::call(b, "GreaterEqual", ids, 0);
    const int missing = b.shape(gathered).rank() - b.shape(mask).rank();
    for (int i = 0; i < missing; ++i) mask = py::expandDims(b, mask, -1);
    *positive = py::binary(b, "and", "LogicalAnd", mask, py::onesLike(b, gathered, DType::Bool));
  }
  const Output zeros = py::zerosLike(b, gathered);
  return b.op("Select", {*positive, gathered, zeros});
}

Grads unsortedSumGradient(GradContext& c) {
  Output clipped, positive;
  return std::vector{gatherDropNegatives(c.b(), c.grad(), c.input(1), &clipped, &positive), Output{}, Output{}};
}

Grads unsortedExtremeGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  Output clipped, positive;
  const Output gathered = gatherDropNegatives(b, c.output(0), c.input(1), &clipped, &positive);
  Output selected = b.op("Equal", {c.input(0), gathered});
  selected = b.op("LogicalAnd", {selected, positive});
  const Output count = b.op("UnsortedSegmentSum", {py::cast(b, selected, b.dtype(c.grad())), c.input(1), c.input(2)});
  const Output weighted = py::truediv(b, c.grad(), count);
  const Output grads = gatherDropNegatives(b, weighted, Output{}, &clipped, &positive);
  const Output zeros = py::zerosLike(b, grads);
  return std::vector{b.op("Select", {selected, grads, zeros}), Output{}, Output{}};
}

Grads unsortedProdGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output isZero = py::call(b, "Equal", c.input(0), 0);
  const Output zeros = b.op("UnsortedSegmentSum", {py::cast(b, isZero, DType::Int32), c.input(1), c.input(2)});
  // If a segment has more than one zero, all its gradients are zero.
  const Output several = py::call(b, "Greater", zeros, 1);
  const Output grad = b.op("Select", {several, py::zerosLike(b, c.grad()), c.grad()});
  const Output nonZero = b.op("Select", {isZero, py::onesLike(b, c.input(0)), c.input(0)});
  const Output product = b.op("UnsortedSegmentProd", {nonZero, c.input(1), c.input(2)});
  Output clipped = b.op("Maximum", {c.input(1), py::zerosLike(b, c.input(1))});
  const Output gatheredProd = py::gather(b, c.output(0), clipped);
  const Output gatheredNonZero = py::gather(b, product, clipped);
  const Output divided = py::truediv(b, gatheredProd, c.input(0));
  const Output partial = b.op("Select", {isZero, gatheredNonZero, divided});
  Output positive;
  const Output gathered = gatherDropNegatives(b, grad, c.input(1), &clipped, &positive);
  return std::vector{py::mul(b, gathered, partial), Output{}, Output{}};
}

OpRecord& addUnsortedSegment(OpRegistry& ops, const char* name, const char* types, const std::vector<DType>& kernels, const char* summary) {
  return ops.add(name)
      .category("Segments")
      .summary(summary)
      .description("Rows with a negative segment id are ignored.")
      .input("data: T", "The elements.")
      .input("segment_ids: Tindices", "Segment id of each row; its shape is a prefix of the shape of `data`.")
      .input("num_segments: Tnumsegments", "Number of segments.")
      .output("output: T", "One row per segment.")
      .attr(types, "Type of the elements.")
      .attr("Tindices: {int32, int64}", "Type of the segment ids.")
      .attr("Tnumsegments: {int32, int64} = DT_INT32", "Type of `num_segments`.")
      .shape(unsortedSegmentShape)
      .cpu({{"T", kernels}}, nullptr);
}

}  // namespace

Result<Shape> unsortedSegmentShape(const Tensor& data, const Tensor& ids, const Tensor& count) {
  if (count.rank() != 0) return invalidArgument("num_segments should be a scalar, not shape ", count.shape().toString());
  const int64_t segments = count.asInt(0);
  if (segments < 0) return invalidArgument("Input num_segments == ", segments, " must not be negative.");
  bool starts = data.rank() >= ids.rank();
  for (int d = 0; starts && d < ids.rank(); ++d) starts = data.dim(d) == ids.dim(d);
  if (!starts) {
    return invalidArgument("data.shape = ", data.shape().toString(), " does not start with segment_ids.shape = ", ids.shape().toString());
  }
  Shape shape{segments};
  for (int d = ids.rank(); d < data.rank(); ++d) shape.append(data.dim(d));
  return shape;
}

void registerSegments(OpRegistry& ops) {
  const std::vector<DType> real = {DType::Float, DType::Double, DType::Int32,    DType::UInt8,  DType::Int16,
                                   DType::Int8,  DType::Int64,  DType::BFloat16, DType::UInt16, DType::Half};
  std::vector<DType> all = real;
  all.push_back(DType::Complex64);
  all.push_back(DType::Complex128);
  addUnsortedSegment(ops, "UnsortedSegmentSum", "T: numbertype", all, "Sums the rows of each segment.").gradient(unsortedSumGradient).kernels.back().create =
      simpleKernel(runUnsortedSegment<SumSegments>);
  addUnsortedSegment(ops, "UnsortedSegmentProd", "T: numbertype", all, "Multiplies the rows of each segment.")
      .gradient(unsortedProdGradient)
      .kernels.back()
      .create = simpleKernel(runUnsortedSegment<ProdSegments>);
  addUnsortedSegment(ops, "UnsortedSegmentMax", "T: realnumbertype", real, "Element-wise maximum of the rows of each segment.")
      .gradient(unsortedExtremeGradient)
      .kernels.back()
      .create = simpleKernel(runUnsortedSegment<MaxSegments>);
  addUnsortedSegment(ops, "UnsortedSegmentMin", "T: realnumbertype", real, "Element-wise minimum of the rows of each segment.")
      .gradient(unsortedExtremeGradient)
      .kernels.back()
      .create = simpleKernel(runUnsortedSegment<MinSegments>);
}

}  // namespace weft
