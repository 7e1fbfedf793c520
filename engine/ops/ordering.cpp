#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/parallel.h"
#include "ops/grad_ops.h"
#include "ops/ordering.h"
#include "ops/registry.h"
#include "ops/row_sort.h"
#include "tensor/element_types.h"

// Ops based on the order of numbers: top k, n-th element, positions in sorted lists, buckets and histograms.
namespace weft {

Result<TopKShape> topKShapeOf(KernelContext& c) {
  const Tensor& in = c.input(0);
  int64_t k = c.node().attrs.integer("k");
  if (c.inputCount() == 2) {
    if (c.input(1).rank() != 0) return invalidArgument("k must be scalar, got shape ", c.input(1).shape().toString());
    k = c.input(1).asInt(0);
  }
  if (k < 0) return invalidArgument("Need k >= 0, got ", k);
  if (in.rank() < 1) return invalidArgument("input must be >= 1-D, got shape ", in.shape().toString());
  const int64_t cols = in.dim(in.rank() - 1);
  if (cols < k) return invalidArgument("input must have at least k columns. Had ", cols, ", needed ", k);
  TopKShape t;
  t.columns = cols;
  t.rows = cols > 0 ? in.elements() / cols : 0;
  t.k = k;
  t.out = in.shape();
  t.out.setDim(in.rank() - 1, k);
  return t;
}

Result<std::vector<float>> bucketBoundaries(const AttrMap& attrs) {
  const auto boundaries = attrs.list<float>("boundaries");
  if (!std::is_sorted(boundaries.begin(), boundaries.end())) return invalidArgument("Expected sorted boundaries");
  return std::vector<float>(boundaries.begin(), boundaries.end());
}

Result<int64_t> binsOf(KernelContext& c) {
  const Tensor &values = c.input(0), &size = c.input(1), &weights = c.input(2);
  if (size.elements() != 1) return invalidArgument("Shape must be rank 0 but is rank ", size.rank());
  const int64_t bins = size.asInt(0);
  if (bins < 0) return invalidArgument("size (", bins, ") must be non-negative");
  if (weights.elements() != 0 && weights.elements() != values.elements())
    return invalidArgument("If weights are passed, they must have the same shape (", weights.shape().toString(), ") as arr (", values.shape().toString(), ")");
  return bins;
}

Result<HistogramRange> histogramRange(KernelContext& c) {
  const Tensor &range = c.input(1), &bins = c.input(2);
  if (range.elements() != 2) return invalidArgument("value_range should be a vector of 2 elements, but has ", range.elements());
  if (bins.elements() != 1) return invalidArgument("nbins should be a scalar, but got shape ", bins.shape().toString());
  if (bins.asInt(0) <= 0) return invalidArgument("nbins should be a positive number, but got '", bins.asInt(0), "'");
  const HistogramRange r{range.asDouble(0), range.asDouble(1), bins.asInt(0)};
  if (!(r.low < r.high)) {
    return invalidArgument("value_range should satisfy value_range[0] < value_range[1], but got '[", r.low, ", ", r.high, "]'");
  }
  return r;
}

namespace {

using Grads = Result<std::vector<Output>>;

const std::vector<DType>& ordered() { return types::kCpuReal; }

// TopK, TopKV2.

Status topKShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 1));
  std::optional<int64_t> k;
  if (c.inputCount() == 2) {
    WEFT_TRY(c.requireRank(c.input(1), 0));
    k = c.constantInt(1);
    if (k && *k < 0) return invalidArgument("Dimension size, given by scalar input 1, must be non-negative but is ", *k);
  } else {
    k = c.attrs().integer("k");
    if (*k < 0) return invalidArgument("Need k >= 0, got ", *k);
  }
  if (!in.hasRank()) return {};
  const int64_t last = in.dim(in.rank() - 1);
  if (k && last >= 0 && last < *k) return invalidArgument("input must have last dimension >= k = ", *k, " but is ", last);
  Shape out = in;
  out.setDim(in.rank() - 1, k.value_or(Shape::kUnknownDim));
  c.setOutput(0, out);
  c.setOutput(1, std::move(out));
  return {};
}

/// The k largest elements of a row; ties in order of occurrence.
template <typename T>
void largestOf(const T* row, int64_t n, int64_t k, T* values, int32_t* indices, SortRoom& room) {
  if constexpr (kHasSortKey<T>) {
    if (k > 16 && k >= n / 8 && largestByKeys(row, n, k, values, indices, room)) return;
  }
  if (k == 1) {
    T most = row[0];
    int64_t best = 0;
    for (int64_t i = 1; i < n; ++i) {
      if (row[i] > most) most = row[i], best = i;
    }
    values[0] = most, indices[0] = int32_t(best);
    return;
  }
  std::vector<int32_t>& order = room.order;
  order.resize(size_t(n));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [row](int32_t a, int32_t b) { return row[a] > row[b] || (!(row[b] > row[a]) && a < b); };
  if (k < n) std::partial_sort(order.begin(), order.begin() + k, order.end(), before);
  else std::sort(order.begin(), order.end(), before);
  for (int64_t i = 0; i < k; ++i) values[i] = row[order[size_t(i)]], indices[i] = order[size_t(i)];
}

Status runTopK(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_LET(const TopKShape t, topKShapeOf(c));
  const int64_t k = t.k, cols = t.columns;
  WEFT_LET(Tensor* values, c.allocate(0, t.out));
  WEFT_LET(Tensor* indices, c.allocate(1, t.out));
  if (k == 0 || in.elements() == 0) return {};
  const int64_t rows = t.rows;
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    parallelFor(rows, std::max<int64_t>(1, 4096 / cols), [&](int64_t begin, int64_t end) {
      SortRoom room;
      for (int64_t r = begin; r < end; ++r)
        largestOf(elementsOf<T>(in) + r * cols, cols, k, elementsOf<T>(*values) + r * k, indices->mutableData<int32_t>() + r * k, room);
    });
  });
  return {};
}

Grads topKGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const auto lastOf = [&](Output shape) {
    const Output wide = py::cast(b, shape, DType::Int64);
    return py::gather(b, wide, py::sub(b, py::size(b, shape), 1));
  };
  const Output inShape = py::shape(b, c.input(0)), indexShape = py::shape(b, c.output(1));
  const Output indexLast = lastOf(indexShape);
  const Output flat = py::reshape(b, c.output(1), py::stack(b, {-1, indexLast}, "stack", DType::Int64));
  const Output inLast = lastOf(inShape);
  const Output rows = py::cast(b, py::at(b, py::shape(b, flat), 0), DType::Int64);
  const Output all = py::mul(b, rows, inLast);
  Output starts;
  {
    const py::Scope s(b, "range");
    const Output start = py::cast(b, py::tensor(b, 0, DType::Int32, "start"), DType::Int64);
    starts = b.op("Range", {start, all, inLast}, {}, s.name());
  }
  const Output offsets = py::cast(b, py::expandDims(b, starts, -1), DType::Int32);
  const Output places = py::reshape(b, py::add(b, flat, offsets), std::vector<int64_t>{-1});
  const Output vectors = py::expandDims(b, places, -1);
  const Output grads = py::reshape(b, c.grad(), std::vector<int64_t>{-1});
  const Output count = py::stack(b, {py::reduceProd(b, inShape)}, "ScatterNd/shape");
  std::vector<Output> out{py::reshape(b, b.op("ScatterNd", {vectors, grads, count}), inShape)};
  if (c.inputCount() == 2) out.push_back(py::zeros(b, Shape(), DType::Int32));
  return out;
}

// NthElement.

Status nthElementShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 1));
  WEFT_TRY(c.requireRank(c.input(1), 0));
  const auto n = c.constantInt(1);
  if (n && *n < 0) return invalidArgument("Dimension size, given by scalar input 1, must be non-negative but is ", *n);
  if (!in.hasRank()) return {};
  const int64_t last = in.dim(in.rank() - 1);
  if (n && last >= 0 && last <= *n) return invalidArgument("Input must have last dimension > n = ", *n, " but is ", last);
  c.setOutput(0, in.slice(0, in.rank() - 1));
  return {};
}

Status runNthElement(KernelContext& c) {
  const Tensor& in = c.input(0);
  if (c.input(1).rank() != 0) return invalidArgument("N must be scalar, got shape ", c.input(1).shape().toString());
  int64_t n = c.input(1).asInt(0);
  if (n < 0) return invalidArgument("Need n >= 0, got ", n);
  if (in.rank() < 1) return invalidArgument("Input must be >= 1-D, got shape ", in.shape().toString());
  const int64_t cols = in.dim(in.rank() - 1);
  if (cols <= n) return invalidArgument("Input must have at least n+1 columns");
  if (c.node().attrs.flag("reverse")) n = cols - n - 1;
  WEFT_LET(Tensor* out, c.allocate(0, in.shape().slice(0, in.rank() - 1)));
  withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T* x = elementsOf<T>(in);
    T* y = elementsOf<T>(*out);
    parallelFor(out->elements(), std::max<int64_t>(1, 8192 / cols), [&](int64_t begin, int64_t end) {
      std::vector<T> row;
      for (int64_t r = begin; r < end; ++r) {
        row.assign(x + r * cols, x + (r + 1) * cols);
        std::nth_element(row.begin(), row.begin() + n, row.end());
        y[r] = row[size_t(n)];
      }
    });
  });
  return {};
}

Grads nthElementGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const DType type = b.dtype(c.grad());
  const Output same = py::cast(b, b.op("Equal", {py::expandDims(b, c.output(0), -1), c.input(0)}), type);
  const Output grad = py::expandDims(b, c.grad(), -1);
  const Output count = py::expandDims(b, py::reduceSum(b, same, -1), -1);
  const Output share = py::binary(b, "div", "RealDiv", same, count);
  return std::vector{py::mul(b, share, grad), Output{}};
}

// LowerBound, UpperBound.

Status boundShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 2));
  c.setOutput(0, c.input(1));
  return {};
}

template <bool upper>
Status runBound(KernelContext& c) {
  const Tensor &sorted = c.input(0), &values = c.input(1);
  if (sorted.rank() < 2 || values.rank() < 2) return invalidArgument("Shape must be rank 2 but is rank ", std::min(sorted.rank(), values.rank()));
  if (sorted.dim(0) != values.dim(0)) return invalidArgument("Leading dim_size of both tensors must match.");
  WEFT_LET(Tensor* out, c.allocate(0, values.shape()));
  const int64_t n = sorted.dim(1), m = values.dim(1);
  withReal(sorted.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < values.elements(); ++i) {
      const T* begin = elementsOf<T>(sorted) + i / m * n;
      const T value = elementsOf<T>(values)[i];
      const int64_t at = (upper ? std::upper_bound(begin, begin + n, value) : std::lower_bound(begin, begin + n, value)) - begin;
      if (out->dtype() == DType::Int64) out->mutableData<int64_t>()[i] = at;
      else out->mutableData<int32_t>()[i] = int32_t(at);
    }
  });
  return {};
}

// Bucketize, Bincount, HistogramFixedWidth.

Result<std::unique_ptr<Kernel>> makeBucketize(KernelInit& init) {
  WEFT_LET(const std::vector<float> boundaries, bucketBoundaries(init.attrs()));
  return functionKernel([boundaries](KernelContext& c) -> Status {
    const Tensor& in = c.input(0);
    WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
    int32_t* y = out->mutableData<int32_t>();
    withReal(in.dtype(), [&]<typename T>(std::type_identity<T>) {
      const T* x = elementsOf<T>(in);
      for (int64_t i = 0; i < in.elements(); ++i) y[i] = int32_t(std::upper_bound(boundaries.begin(), boundaries.end(), float(x[i])) - boundaries.begin());
    });
    return {};
  });
}

Status bincountShape(ShapeContext& c) {
  const auto size = c.constantInt(1);
  WEFT_TRY(c.requireRank(c.input(1), 0));
  if (size && *size < 0) return invalidArgument("size (", *size, ") must be non-negative");
  c.setOutput(0, Shape{size.value_or(Shape::kUnknownDim)});
  return {};
}
/// Tables for counting so many values: four, so that runs of one value need not wait for the last addition.
int64_t countTables(int64_t values, int64_t bins) { return bins <= 4096 && values > 4 * bins ? 4 : 1; }
/// Counts values below `bins` into `counts`, the sum into its first table; false if one is negative.
bool countValues(const int32_t* begin, const int32_t* end, int64_t bins, int64_t* counts) {
  const size_t tables = size_t(countTables(end - begin, bins)), width = size_t(bins);
  std::fill_n(counts, tables * width, int64_t(0));
  int32_t signs = 0;
  const auto count = [&](int32_t v, size_t table) {
    signs |= v;
    if (uint32_t(v) < uint64_t(bins)) ++counts[table * width + size_t(v)];
  };
  const int32_t* v = begin;
  if (tables == 4) {
    for (; v + 4 <= end; v += 4) {
      for (size_t t = 0; t < 4; ++t) count(v[t], t);
    }
  }
  for (; v < end; ++v) count(*v, 0);
  for (size_t t = 1; t < tables; ++t) {
    for (size_t b = 0; b < width; ++b) counts[b] += counts[t * width + b];
  }
  return signs >= 0;
}
Status runBincount(KernelContext& c) {
  const Tensor &values = c.input(0), &weights = c.input(2);
  WEFT_LET(const int64_t bins, binsOf(c));
  const int32_t* x = values.data<int32_t>();
  const int64_t n = values.elements();
  const bool weighted = weights.elements() != 0;
  // Integers may be counted in any order. Each part of the values has its own table.
  const int64_t parts = weighted || bins > n / 8 ? 1 : std::clamp<int64_t>(n / 16384, 1, parallelism());
  const int64_t each = countTables(n / parts + 1, bins) * bins;
  Tensor room;
  if (!weighted) {
    WEFT_LET(room, c.scratch(DType::Int64, Shape{parts, each}));
  }
  int64_t* const counts = weighted ? nullptr : room.mutableData<int64_t>();
  std::atomic<bool> negative = false;
  if (weighted) {
    negative = std::any_of(x, x + n, [](int32_t v) { return v < 0; });
  } else {
    parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        if (!countValues(x + n * p / parts, x + n * (p + 1) / parts, bins, counts + p * each)) negative = true;
      }
    });
  }
  if (negative) return invalidArgument("Input arr must be non-negative!");
  WEFT_LET(Tensor* out, c.allocate(0, Shape{bins}));
  withNumber(out->dtype(), [&]<typename T>(std::type_identity<T>) {
    T* y = elementsOf<T>(*out);
    if (weighted) {
      std::fill_n(y, bins, T(0));
      const T* w = elementsOf<T>(weights);
      for (int64_t i = 0; i < n; ++i) {
        if (x[i] < bins) y[x[i]] = T(y[x[i]] + w[i]);
      }
      return;
    }
    for (int64_t b = 0; b < bins; ++b) {
      int64_t sum = 0;
      for (int64_t p = 0; p < parts; ++p) sum += counts[p * each + b];
      // A float that counts in steps of 1 stops where the next number is 2 away.
      if constexpr (std::is_same_v<T, float>) sum = std::min<int64_t>(sum, 1 << 24);
      y[b] = T(sum);
    }
  });
  return {};
}

Status histogramShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(1), 1));
  if (c.input(1).elements() >= 0 && c.input(1).dim(0) != 2) return invalidArgument("Dimension must be 2 but is ", c.input(1).dim(0));
  WEFT_TRY(c.requireRank(c.input(2), 0));
  const auto bins = c.constantInt(2);
  if (bins && *bins <= 0) return invalidArgument("Requires nbins > 0: ", *bins);
  c.setOutput(0, Shape{bins.value_or(Shape::kUnknownDim)});
  return {};
}
template <typename T>
Status countInto(KernelContext& c, const Tensor& values, const HistogramRange& range, Tensor& out) {
  const double low = range.low, high = range.high;
  const int64_t bins = range.bins;
  const double step = (high - low) / double(bins);
  WEFT_LET(Tensor room, c.scratch(DType::Int64, Shape{bins}));
  int64_t* counts = room.mutableData<int64_t>();
  std::fill_n(counts, bins, int64_t(0));
  const T* x = elementsOf<T>(values);
  for (int64_t i = 0; i < values.elements(); ++i) {
    const double v = double(x[i]);
    const double at = v < low ? 0 : v >= high ? double(bins - 1) : std::floor((v - low) / step);
    ++counts[int64_t(std::clamp<double>(std::isnan(at) ? 0 : at, 0, double(bins - 1)))];
  }
  for (int64_t i = 0; i < bins; ++i) {
    if (out.dtype() == DType::Int64) out.mutableData<int64_t>()[i] = counts[i];
    else out.mutableData<int32_t>()[i] = int32_t(counts[i]);
  }
  return {};
}
Status runHistogram(KernelContext& c) {
  const Tensor& values = c.input(0);
  WEFT_LET(const HistogramRange range, histogramRange(c));
  WEFT_LET(Tensor* out, c.allocate(0, Shape{range.bins}));
  Status status;
  withReal(values.dtype(), [&]<typename T>(std::type_identity<T>) { status = countInto<T>(c, values, range, *out); });
  return status;
}

constexpr const char* kCounts = "The result is an integer count or index.";

}  // namespace

void registerOrdering(OpRegistry& ops) {
  for (const bool v2 : {false, true}) {
    OpRecord& r = ops.add(v2 ? "TopKV2" : "TopK")
                      .category("Arrays")
                      .keywords("largest best sort")
                      .summary("The k largest elements along the last dimension, in descending order; ties keep their order.")
                      .input("input: T", "A tensor of rank 1 or more.");
    if (v2) r.input("k: int32", "Number of elements per row.");
    r.output("values: T", "The k largest elements.").output("indices: int32", "Indices of these elements in the last dimension.");
    if (!v2) r.attr("k: int >= 0", "Number of elements per row.").deprecated(7, "Use TopKV2 instead");
    r.attr("sorted: bool = true", "Whether the result must be sorted; it always is.")
        .attr("T: realnumbertype", "Type of the elements.")
        .shape(topKShape)
        .gradient(topKGradient)
        .cpu({{"T", ordered()}}, simpleKernel(runTopK));
  }
  ops.add("NthElement")
      .category("Arrays")
      .keywords("median quantile")
      .summary("The n-th smallest element along the last dimension.")
      .input("input: T", "A tensor of rank 1 or more.")
      .input("n: int32", "n, a scalar; 0 selects the smallest element.")
      .output("values: T", "The selected element of each row.")
      .attr("reverse: bool = false", "Count from the largest element instead.")
      .attr("T: realnumbertype", "Type of the elements.")
      .shape(nthElementShape)
      .gradient(nthElementGradient)
      .cpu({{"T", ordered()}}, simpleKernel(runNthElement));
  for (const bool upper : {false, true}) {
    ops.add(upper ? "UpperBound" : "LowerBound")
        .category("Arrays")
        .keywords("searchsorted")
        .summary(upper ? "For each value, the first position in a sorted row whose element is greater (upper bound)."
                       : "For each value, the first position in a sorted row whose element is not less (lower bound).")
        .input("sorted_inputs: T", "[rows, n]: rows in ascending order.")
        .input("values: T", "[rows, m]: values to search for.")
        .output("output: out_type", "[rows, m]: positions from 0 to n.")
        .attr("T: type", "Type of the numbers.")
        .attr("out_type: {int32, int64} = DT_INT32", "Type of the positions.")
        .shape(boundShape)
        .noGradient(kCounts)
        .cpu({{"T", ordered()}}, upper ? simpleKernel(runBound<true>) : simpleKernel(runBound<false>));
  }
  ops.add("Bucketize")
      .category("Arrays")
      .summary("Bucketizes elements by given boundaries.")
      .input("input: T", "Numbers, in any shape.")
      .output("output: int32", "Bucket index: the number of boundaries that are not above the element.")
      .attr("T: {int32, int64, float, double}", "Type of the elements.")
      .attr("boundaries: list(float)", "Bucket boundaries, ascending.")
      .shape(shapes::unchanged)
      .noGradient(kCounts)
      .cpu({}, makeBucketize);
  ops.add("Bincount")
      .category("Arrays")
      .keywords("histogram count")
      .summary("Counts how often each integer occurs, or sums the weights of its occurrences.")
      .input("arr: int32", "Non-negative integers.")
      .input("size: int32", "Number of bins; larger integers are ignored.")
      .input("weights: T", "A weight per integer, or empty for counts.")
      .output("bins: T", "One count or sum per bin.")
      .attr("T: {int32, int64, float, double}", "Type of the weights.")
      .shape(bincountShape)
      .noGradient("TensorFlow defines no gradient for it.")
      .cpu({{"T", types::kCpuNumber}}, simpleKernel(runBincount));
  ops.add("HistogramFixedWidth")
      .category("Arrays")
      .summary("Histogram with bins of equal width.")
      .input("values: T", "Numbers, in any shape.")
      .input("value_range: T", "[2]: start of the first bin and end of the last; values outside go into these bins.")
      .input("nbins: int32", "Number of bins.")
      .output("out: dtype", "Number of values per bin.")
      .attr("T: {int32, int64, float, double}", "Type of the elements.")
      .attr("dtype: {int32, int64} = DT_INT32", "Type of the counts.")
      .shape(histogramShape)
      .noGradient(kCounts)
      .cpu({{"T", ordered()}}, simpleKernel(runHistogram));
}

}  // namespace weft
