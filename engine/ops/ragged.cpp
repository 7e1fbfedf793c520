#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/indexed_slices.h"
#include "ops/grad_ops.h"
#include "ops/registry.h"
#include "tensor/element_types.h"

// Ragged tensors: rows of different lengths, given by the values of all rows and the splits (the beginning of each row, and the end).
namespace weft {
namespace {

using Grads = Result<std::vector<Output>>;
using Splits = std::vector<int64_t>;

Splits numbersOf(const Tensor& t) {
  Splits out(static_cast<size_t>(t.elements()));
  for (size_t i = 0; i < out.size(); ++i) out[i] = t.asInt(int64_t(i));
  return out;
}

/// INVALID_ARGUMENT if a number does not fit into the type of the splits.
Status setSplits(KernelContext& c, int k, const Splits& splits) {
  WEFT_LET(Tensor* out, c.allocate(k, Shape{int64_t(splits.size())}));
  for (size_t i = 0; i < splits.size(); ++i) {
    if (out->dtype() == DType::Int64) {
      out->mutableData<int64_t>()[i] = splits[i];
    } else {
      if (splits[i] > std::numeric_limits<int32_t>::max()) return invalidArgument("The split ", splits[i], " does not fit into int32");
      out->mutableData<int32_t>()[i] = int32_t(splits[i]);
    }
  }
  return {};
}

// RaggedGather.

Status runGather(KernelContext& c) {
  const auto depth = int(c.node().attrs.integer("PARAMS_RAGGED_RANK")), outDepth = int(c.node().attrs.integer("OUTPUT_RAGGED_RANK"));
  const Tensor &values = c.input(depth), &indices = c.input(depth + 1);
  if (values.rank() == 0) return invalidArgument("params.rank must be nonzero");
  if (outDepth != indices.rank() - 1 + depth)
    return invalidArgument("OUTPUT_RAGGED_RANK must be indices.rank - 1 + PARAMS_RAGGED_RANK = ", indices.rank() - 1 + depth, ", got ", outDepth);
  const int64_t rows = c.input(0).rank() > 0 ? c.input(0).dim(0) - 1 : 0;
  for (int64_t i = 0; i < indices.elements(); ++i) {
    const int64_t k = indices.asInt(i);
    if (k < 0 || k >= rows) return invalidArgument("indices[", i, "] = ", k, " is not in [0, ", rows, ")");
  }
  std::vector<Splits> params;
  for (int d = 0; d < depth; ++d) {
    const Tensor& splits = c.input(d);
    if (splits.rank() != 1) return invalidArgument("Ragged splits must be vectors, but have shape ", splits.shape().toString());
    if (splits.elements() == 0) return invalidArgument("Ragged splits may not be empty");
    params.push_back(numbersOf(splits));
  }
  for (int d = 0; d < depth; ++d) {
    const Splits& s = params[size_t(d)];
    const int64_t last = d + 1 < depth ? int64_t(params[size_t(d) + 1].size()) - 1 : values.dim(0);
    if (s.front() < 0) return invalidArgument("Ragged splits must be non-negative");
    if (s.back() > last) return invalidArgument("Ragged splits must not point past values");
    if (!std::is_sorted(s.begin(), s.end())) return invalidArgument("Ragged splits must be sorted");
  }
  // The outer dimensions of the indices are rows of equal length.
  int out = 0;
  int64_t before = 1;
  for (int d = 0; d + 1 < indices.rank(); ++d) {
    before *= indices.dim(d);
    Splits even(static_cast<size_t>(before + 1));
    for (size_t i = 0; i < even.size(); ++i) even[i] = int64_t(i) * indices.dim(d + 1);
    WEFT_TRY(setSplits(c, out++, even));
  }
  // Each selected row is a range of rows of the next level, down to ranges of values.
  std::vector<std::pair<int64_t, int64_t>> ranges;
  for (int64_t i = 0; i < indices.elements(); ++i) ranges.emplace_back(indices.asInt(i), indices.asInt(i) + 1);
  for (int d = 0; d < depth; ++d) {
    const Splits& s = params[size_t(d)];
    Splits lengths{0};
    int64_t total = 0;
    for (auto& [begin, end] : ranges) {
      for (int64_t r = begin; r < end; ++r) lengths.push_back(total += s[size_t(r) + 1] - s[size_t(r)]);
      begin = s[size_t(begin)];
      end = s[size_t(end)];
    }
    // A scalar index selects a single row: the outermost level is dropped.
    if (indices.rank() > 0 || d > 0) WEFT_TRY(setSplits(c, out++, lengths));
  }
  int64_t count = 0;
  for (const auto& [begin, end] : ranges) count += end - begin;
  Shape shape{count};
  shape.append(values.shape().slice(1));
  WEFT_LET(Tensor* picked, c.allocate(outDepth, shape));
  const int64_t width = values.shape().slice(1).elements();
  int64_t at = 0;
  for (const auto& [begin, end] : ranges) {
    copyElements(*picked, at * width, values, begin * width, (end - begin) * width);
    at += end - begin;
  }
  return {};
}

Status gatherShape(ShapeContext& c) {
  const auto depth = int(c.attrs().integer("PARAMS_RAGGED_RANK"));
  for (int d = 0; d < depth; ++d) WEFT_TRY(c.requireRank(c.input(d), 1));
  const Shape& values = c.input(depth);
  WEFT_TRY(c.requireRankAtLeast(values, 1));
  for (int k = 0; k + 1 < c.outputCount(); ++k) c.setOutput(k, Shape::unknownOfRank(1));
  if (values.hasRank()) {
    Shape out{Shape::kUnknownDim};
    out.append(values.slice(1));
    c.setOutput(c.outputCount() - 1, std::move(out));
  }
  return {};
}

Grads gatherGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto depth = int(c.attrs().integer("PARAMS_RAGGED_RANK"));
  Output splits = c.input(0);
  for (int d = 1; d < depth; ++d) splits = py::gather(b, c.input(d), splits);
  const Output flat = py::reshape(b, c.input(depth + 1), std::vector<int64_t>{-1});
  const Output starts = py::gather(b, splits, flat);
  const Output limits = py::gather(b, py::sliceFrom(b, splits, 1), flat);
  Output places;
  {
    const py::Scope s(b, "RaggedRange");
    const Output deltas = py::cast(b, b.number(DType::Int32, 1, "deltas"), b.dtype(starts));
    places = Output{b.node("RaggedRange", {starts, limits, deltas}, {{"Tsplits", DType::Int64}}, s.name()), 1};
  }
  std::vector<Output> grads(static_cast<size_t>(depth));
  grads.push_back(makeSlices(c, c.grad(int(c.grads().size()) - 1), places, py::shape(b, c.input(depth))));
  grads.push_back(Output{});
  return grads;
}

// RaggedRange.

template <typename T>
Result<int64_t> rangeSize(T start, T limit, T delta) {
  if (delta == T(0)) return invalidArgument("Requires delta != 0");
  if ((delta > T(0) && limit < start) || (delta < T(0) && limit > start)) return 0;
  if constexpr (std::is_integral_v<T>) {
    using Wide = __int128;
    const Wide distance = Wide(limit) - Wide(start), step = delta,
               size = ((distance < 0 ? -distance : distance) + (step < 0 ? -step : step) - 1) / (step < 0 ? -step : step);
    if (size > Wide(std::numeric_limits<int64_t>::max())) return invalidArgument("Requires ((limit - start) / delta) <= 2^63");
    return int64_t(size);
  } else {
    const double size = std::ceil(std::abs(double((limit - start) / delta)));
    if (!(size < 9.2e18)) return invalidArgument("Requires ((limit - start) / delta) to be a number below 2^63, got ", size);
    return int64_t(size);
  }
}

template <typename T>
Status rangeOf(KernelContext& c) {
  const char* names[] = {"starts", "limits", "deltas"};
  int64_t rows = -1;
  for (int i = 0; i < 3; ++i) {
    if (c.input(i).rank() > 1) return invalidArgument(names[i], " must be a scalar or vector");
  }
  for (int i = 0; i < 3; ++i) {
    if (c.input(i).rank() == 0) continue;
    if (rows >= 0 && rows != c.input(i).dim(0)) return invalidArgument("starts, limits, and deltas must have the same shape");
    rows = c.input(i).dim(0);
  }
  if (rows < 0) rows = 1;
  const auto at = [&](int i, int64_t r) { return c.input(i).data<T>()[c.input(i).rank() == 0 ? 0 : r]; };
  Splits splits{0};
  for (int64_t r = 0; r < rows; ++r) {
    WEFT_LET(const int64_t size, rangeSize<T>(at(0, r), at(1, r), at(2, r)));
    int64_t end = 0;
    if (__builtin_add_overflow(splits.back(), size, &end)) return invalidArgument("The ranges have more than 2^63 values");
    splits.push_back(end);
  }
  WEFT_TRY(setSplits(c, 0, splits));
  WEFT_LET(Tensor* out, c.allocate(1, Shape{splits.back()}));
  T* y = out->mutableData<T>();
  for (int64_t r = 0; r < rows; ++r) {
    const int64_t n = splits[size_t(r) + 1] - splits[size_t(r)];
    T value = at(0, r);
    for (int64_t k = 0; k < n; ++k) {
      *y++ = value;
      if (k + 1 < n) value = T(value + at(2, r));
    }
  }
  return {};
}

Status runRange(KernelContext& c) {
  switch (c.input(0).dtype()) {
    case DType::Int32: return rangeOf<int32_t>(c);
    case DType::Int64: return rangeOf<int64_t>(c);
    case DType::Float: return rangeOf<float>(c);
    default: return rangeOf<double>(c);
  }
}

Status rangeShape(ShapeContext& c) {
  int64_t rows = Shape::kUnknownDim;
  bool vectors = false, unknown = false;
  for (int i = 0; i < 3; ++i) {
    WEFT_TRY(c.requireRankAtMost(c.input(i), 1));
    if (!c.input(i).hasRank()) unknown = true;
    if (!c.input(i).hasRank() || c.input(i).rank() == 0) continue;
    vectors = true;
    WEFT_LET(rows, c.mergeDims(rows, c.input(i).dim(0)));
  }
  if (!vectors && !unknown) rows = 1;
  c.setOutput(0, Shape{rows < 0 ? Shape::kUnknownDim : rows + 1});
  c.setOutput(1, Shape::unknownOfRank(1));
  return {};
}

// RaggedTensorToSparse.

Status runToSparse(KernelContext& c) {
  const auto depth = int(c.node().attrs.integer("RAGGED_RANK"));
  const Tensor& values = c.input(depth);
  std::vector<Splits> levels;
  for (int d = 0; d < depth; ++d) {
    const Tensor& splits = c.input(d);
    if (splits.rank() != 1) return invalidArgument("ragged splits must be vectors, but have shape ", splits.shape().toString());
    if (splits.elements() == 0) return invalidArgument("ragged splits may not be empty.");
    if (splits.asInt(0) != 0) return invalidArgument("First value of ragged splits must be 0.");
    levels.push_back(numbersOf(splits));
    if (!std::is_sorted(levels.back().begin(), levels.back().end())) return invalidArgument("Ragged splits must be sorted");
  }
  if (values.rank() < 1) return invalidArgument("ragged values must have at least one dimension.");
  for (int d = 0; d < depth; ++d) {
    const int64_t length = d + 1 < depth ? int64_t(levels[size_t(d) + 1].size()) - 1 : values.dim(0);
    if (levels[size_t(d)].back() != length) return invalidArgument("Final value of ragged splits must match the length the corresponding ragged values.");
  }
  const Shape inner = values.shape().slice(1);
  const int rank = depth + values.rank();
  const int64_t count = values.elements(), width = inner.elements(), rows = values.dim(0);
  WEFT_LET(Tensor* indices, c.allocate(0, Shape{count, rank}));
  int64_t* place = indices->mutableData<int64_t>();
  std::vector<size_t> row(static_cast<size_t>(depth), 0);  // for each level, the row that contains the value
  for (int64_t v = 0; v < rows; ++v) {
    int64_t at = v;
    for (int d = depth - 1; d >= 0; --d) {
      const Splits& s = levels[size_t(d)];
      while (s[row[size_t(d)] + 1] <= at) ++row[size_t(d)];
      at = int64_t(row[size_t(d)]);
    }
    for (int64_t k = 0; k < width; ++k, place += rank) {
      place[0] = int64_t(row[0]);
      for (int d = 0; d < depth; ++d) {
        const int64_t below = d + 1 < depth ? int64_t(row[size_t(d) + 1]) : v;
        place[d + 1] = below - levels[size_t(d)][row[size_t(d)]];
      }
      int64_t rest = k;
      for (int d = inner.rank() - 1; d >= 0; --d) {
        place[depth + 1 + d] = rest % inner.dim(d);
        rest /= inner.dim(d);
      }
    }
  }
  c.setOutput(1, values.reshaped(Shape{count}));
  std::vector<int64_t> shape{int64_t(levels[0].size()) - 1};
  for (const Splits& s : levels) {
    int64_t most = 0;
    for (size_t i = 1; i < s.size(); ++i) most = std::max(most, s[i] - s[i - 1]);
    shape.push_back(most);
  }
  for (int d = 0; d < inner.rank(); ++d) shape.push_back(inner.dim(d));
  c.setOutput(2, Tensor::vector(shape));
  return {};
}

Status toSparseShape(ShapeContext& c) {
  const auto depth = int(c.attrs().integer("RAGGED_RANK"));
  for (int d = 0; d < depth; ++d) WEFT_TRY(c.requireRank(c.input(d), 1));
  const Shape& values = c.input(depth);
  WEFT_TRY(c.requireRankAtLeast(values, 1));
  const int64_t rank = values.hasRank() ? depth + values.rank() : Shape::kUnknownDim, count = values.hasRank() ? values.elements() : Shape::kUnknownDim;
  c.setOutput(0, Shape{count, rank});
  c.setOutput(1, Shape{count});
  c.setOutput(2, Shape{rank});
  return {};
}

Grads toSparseGradient(GradContext& c) {
  const auto depth = size_t(c.attrs().integer("RAGGED_RANK"));
  std::vector<Output> grads(depth);
  const Output shape = py::shape(c.b(), c.input(int(depth)));
  grads.push_back(py::reshape(c.b(), c.grad(1), shape));
  return grads;
}

}  // namespace

void registerRagged(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name).category("Arrays").summary(summary).keywords("ragged nested rows splits");
  };
  const std::vector<DType> gathered = {DType::Float, DType::Double, DType::Half,   DType::BFloat16, DType::Int8,   DType::Int16,     DType::Int32,
                                       DType::Int64, DType::UInt8,  DType::UInt16, DType::UInt32,   DType::UInt64, DType::Bool,      DType::String,
                                       DType::QInt8, DType::QUInt8, DType::QInt16, DType::QUInt16,  DType::QInt32, DType::Complex64, DType::Complex128};
  add("RaggedGather", "Gathers rows of a ragged tensor by index.")
      .input("params_nested_splits: PARAMS_RAGGED_RANK * Tsplits", "Row splits of the tensor, outermost first.")
      .input("params_dense_values: Tvalues", "Flat values of the tensor.")
      .input("indices: Tindices", "Row indices into the outermost dimension, in any shape.")
      .output("output_nested_splits: OUTPUT_RAGGED_RANK * Tsplits", "Row splits of the result; the dimensions of `indices` come first.")
      .output("output_dense_values: Tvalues", "Flat values of the gathered rows.")
      .attr("Tvalues: type", "Type of the values.")
      .attr("Tindices: {int32, int64}")
      .attr("Tsplits: {int32, int64} = DT_INT64", "Type of the splits.")
      .attr("PARAMS_RAGGED_RANK: int >= 1", "Ragged rank of the tensor (number of its row splits).")
      .attr("OUTPUT_RAGGED_RANK: int >= 0", "Ragged rank of the result: PARAMS_RAGGED_RANK plus the rank of `indices`, minus 1.")
      .shape(gatherShape)
      .gradient(gatherGradient)
      .cpu({{"Tvalues", gathered}, {"Tindices", types::kIndex}, {"Tsplits", types::kIndex}}, simpleKernel(runGather));
  add("RaggedRange", "A ragged tensor whose rows are ranges of numbers.")
      .input("starts: T", "First number of each row; a vector, or a scalar for all rows.")
      .input("limits: T", "End of each row, excluded; a vector, or a scalar for all rows.")
      .input("deltas: T", "Increment of each row; a vector, or a scalar for all rows.")
      .output("rt_nested_splits: Tsplits", "[rows + 1]: row splits.")
      .output("rt_dense_values: T", "Flat values of the result.")
      .attr("T: {bfloat16, float, double, int32, int64} = DT_INT32", "Type of the numbers.")
      .attr("Tsplits: {int32, int64} = DT_INT64", "Type of the splits.")
      .shape(rangeShape)
      .noGradient("TensorFlow defines no gradient: the number of values is discrete.")
      .cpu({{"T", {DType::Int32, DType::Int64, DType::Float, DType::Double}}, {"Tsplits", types::kIndex}}, simpleKernel(runRange));
  add("RaggedTensorToSparse", "Converts a ragged tensor to a sparse tensor.")
      .input("rt_nested_splits: RAGGED_RANK * Tsplits", "Row splits, outermost first.")
      .input("rt_dense_values: T", "The values.")
      .output("sparse_indices: int64", "[N, rank]: indices of the values.")
      .output("sparse_values: T", "[N]: the values.")
      .output("sparse_dense_shape: int64", "Dense shape: [rows, length of the longest row, …].")
      .attr("RAGGED_RANK: int >= 1", "Ragged rank (number of row splits).")
      .attr("T: type", "Type of the values.")
      .attr("Tsplits: {int32, int64} = DT_INT64", "Type of the splits.")
      .shape(toSparseShape)
      .gradient(toSparseGradient)
      .cpu({{"Tsplits", types::kIndex}}, simpleKernel(runToSparse));
}

}  // namespace weft
