#include <algorithm>
#include <cmath>
#include <map>

#include "base/parallel.h"
#include "ops/grad_ops.h"
#include "ops/grad_transposes.h"
#include "ops/registry.h"
#include "ops/sparse_parts.h"
#include "ops/sparse_product.h"
#include "tensor/element_types.h"

// Arithmetic on sparse tensors: products with matrices, sums with dense tensors, element-wise ops, reductions; softmax of rows.
namespace weft {

Result<SparseProduct> sparseProductOf(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2), &b = c.input(3);
  if (b.rank() != 2) return invalidArgument("Tensor 'b' is not a matrix");
  if (shape.rank() != 1) return invalidArgument("Tensor 'a_shape' is not a vector");
  if (shape.elements() != 2) return invalidArgument("Tensor 'a_shape' must have 2 elements");
  if (values.rank() != 1) return invalidArgument("Tensor 'a_values' is not a vector");
  if (indices.rank() != 2) return invalidArgument("Tensor 'a_indices' is not a matrix");
  const int64_t n = indices.dim(0);
  if (values.elements() != n) return invalidArgument("Number of rows of a_indices does not match number of entries in a_values");
  if (indices.dim(1) != 2) return invalidArgument("Number of columns of a_indices does not match number of entries in a_shape");
  const bool adjointA = c.node().attrs.flag("adjoint_a"), adjointB = c.node().attrs.flag("adjoint_b");
  const int64_t rows = shape.asInt(adjointA ? 1 : 0), innerA = shape.asInt(adjointA ? 0 : 1);
  const int64_t innerB = b.dim(adjointB ? 1 : 0), cols = b.dim(adjointB ? 0 : 1);
  if (innerA != innerB)
    return invalidArgument("Cannot multiply A and B because inner dimension does not match: ", innerA, " vs. ", innerB,
                           ".  Did you forget a transpose?  Dimensions of A: [", rows, ", ", innerA, ").  Dimensions of B: ", b.shape().toString());
  if (rows < 0) return invalidArgument("a_shape must not be negative");
  return SparseProduct{n, rows, innerA, cols, adjointA, adjointB};
}
Error outsideProduct(const SparseProduct& p, const Tensor& indices, int64_t i) {
  const int64_t m = indices.asInt(2 * i + (p.adjointA ? 1 : 0)), k = indices.asInt(2 * i + (p.adjointA ? 0 : 1));
  if (k < 0 || k >= p.inner) return invalidArgument("k (", k, ") from index[", i, ",", p.adjointA ? 0 : 1, "] out of bounds (>=", p.inner, ")");
  return invalidArgument("m (", m, ") from index[", i, ",", p.adjointA ? 1 : 0, "] out of bounds (>=", p.rows, ")");
}

namespace {

using Grads = Result<std::vector<Output>>;

// SparseTensorDenseMatMul.

Status matMulShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_LET(const Shape a, c.constantAsShape(2));
  WEFT_TRY(c.requireRank(a, 2));
  const Shape& b = c.input(3);
  WEFT_TRY(c.requireRank(b, 2));
  const bool adjointA = c.attrs().flag("adjoint_a"), adjointB = c.attrs().flag("adjoint_b");
  const auto dim = [](const Shape& s, bool first) { return s.hasRank() ? s.dim(first ? 0 : 1) : Shape::kUnknownDim; };
  WEFT_TRY(c.mergeDims(dim(a, adjointA), dim(b, !adjointB)).status());
  c.setOutput(0, Shape{dim(a, !adjointA), dim(b, adjointB)});
  return {};
}

Status runMatMul(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &b = c.input(3);
  WEFT_LET(const SparseProduct p, sparseProductOf(c));
  const int64_t n = p.count, rows = p.rows, innerB = p.inner, cols = p.columns;
  const bool adjointA = p.adjointA, adjointB = p.adjointB;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t m = indices.asInt(2 * i + (adjointA ? 1 : 0)), k = indices.asInt(2 * i + (adjointA ? 0 : 1));
    if (k < 0 || k >= p.inner || m < 0 || m >= rows) return outsideProduct(p, indices, i);
  }
  WEFT_LET(Tensor* out, c.allocate(0, Shape{rows, cols}));
  withNumber(values.dtype(), [&]<typename T>(std::type_identity<T>) {
    const T *v = elementsOf<T>(values), *x = elementsOf<T>(b);
    T* y = elementsOf<T>(*out);
    std::fill_n(y, out->elements(), T(0));
    const auto conjugate = [](T t) {
      if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) return std::conj(t);
      else return t;
    };
    for (int64_t i = 0; i < n; ++i) {
      const int64_t m = indices.asInt(2 * i + (adjointA ? 1 : 0)), k = indices.asInt(2 * i + (adjointA ? 0 : 1));
      const T a = adjointA ? conjugate(v[i]) : v[i];
      T* to = y + m * cols;
      if (adjointB) {
        for (int64_t j = 0; j < cols; ++j) to[j] = T(to[j] + a * conjugate(x[j * innerB + k]));
      } else {
        for (int64_t j = 0; j < cols; ++j) to[j] = T(to[j] + a * x[k * cols + j]);
      }
    }
  });
  return {};
}

Grads matMulGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const bool adjointA = c.attrs().flag("adjoint_a"), adjointB = c.attrs().flag("adjoint_b");
  if (isComplex(b.dtype(c.input(1)))) return unimplemented("SparseTensorDenseMatMul op does not support complex gradients.");
  Output dense = b.op("SparseTensorDenseMatMul", {c.input(0), c.input(1), c.input(2), c.grad()}, {{"adjoint_a", !adjointA}});
  if (adjointB) dense = py::transposeAll(b, dense);
  const Output rows = columnOf(b, c.input(0), 0), cols = columnOf(b, c.input(0), 1);
  const Output left = py::gather(b, c.grad(), adjointA ? cols : rows);
  const Output other = adjointB ? py::transposeAll(b, c.input(3)) : c.input(3);
  const Output right = py::gather(b, other, adjointA ? rows : cols);
  return std::vector{Output{}, py::reduceSum(b, py::mul(b, left, right), 1), Output{}, dense};
}

// SparseTensorDenseAdd.

Status runDenseAdd(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2), &b = c.input(3);
  WEFT_TRY(requireSparse(indices, values, shape));
  if (b.rank() == 0 && shape.elements() == 0) return invalidArgument("Only tensors with ranks between 1 and 5 are currently supported.  Tensor rank: 0");
  if (shape.elements() != b.rank()) return invalidArgument("Two operands have different ranks; received: ", shape.elements(), " and ", b.rank());
  for (int d = 0; d < b.rank(); ++d) {
    if (shape.asInt(d) != b.dim(d))
      return invalidArgument("Dimension ", d, " does not equal (no broadcasting is supported): sparse side ", shape.asInt(d), " vs dense side ", b.dim(d));
  }
  for (int64_t i = 0; i < indices.dim(0); ++i) {
    if (positionOf(indices, i, b.shape()) < 0) return invalidArgument("Sparse tensor has some invalid index on dimension 0");
  }
  WEFT_LET(Tensor* out, c.allocateOrForward(0, b.shape(), {3}));
  if (out->raw() != b.raw()) copyElements(*out, 0, b, 0, b.elements());
  withNumber(values.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < indices.dim(0); ++i) {
      T& to = elementsOf<T>(*out)[positionOf(indices, i, b.shape())];
      to = T(to + elementsOf<T>(values)[i]);
    }
  });
  return {};
}

// SparseDenseCwiseAdd, Mul, Div.

template <char op>
Status runCwise(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2), &dense = c.input(3);
  WEFT_TRY(requireSparse(indices, values, shape));
  const int rank = int(shape.elements()), missing = rank - dense.rank();
  bool fits = missing >= 0;
  for (int d = 0; fits && d < dense.rank(); ++d) fits = dense.dim(d) == 1 || dense.dim(d) == shape.at<int64_t>(d + missing);
  if (!fits)
    return invalidArgument("SparseDenseBinaryOpShared broadcasts dense to sparse only; got incompatible shapes: ",
                           Shape(std::vector<int64_t>(shape.flat<int64_t>().begin(), shape.flat<int64_t>().end())).toString(), " vs. ",
                           dense.shape().toString());
  WEFT_LET(Tensor* out, c.allocate(0, values.shape()));
  Status status;
  withReal(values.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < values.elements(); ++i) {
      int64_t at = 0;
      for (int d = 0; d < dense.rank(); ++d) {
        const int64_t k = indices.at<int64_t>(i * rank + d + missing);
        if (k < 0 || k >= shape.at<int64_t>(d + missing)) {
          status = invalidArgument("Provided indices are out-of-bounds w.r.t. dense side with broadcasted shape");
          return;
        }
        at = at * dense.dim(d) + (dense.dim(d) == 1 ? 0 : k);
      }
      const T x = elementsOf<T>(values)[i], y = elementsOf<T>(dense)[at];
      if constexpr (op == '/') {
        if constexpr (std::is_integral_v<T>) {
          if (y == T(0)) {
            status = invalidArgument("Integer division by zero");
            return;
          }
        }
        elementsOf<T>(*out)[i] = T(x / y);
      } else {
        elementsOf<T>(*out)[i] = op == '+' ? T(x + y) : T(x * y);
      }
    }
  });
  return status;
}

GradientFunction cwiseGradient(bool product) {
  return [product](GradContext& c) -> Grads {
    GraphBuilder& b = c.b();
    const Output y = c.input(3);
    const Output yShape = py::cast(b, py::shape(b, y), DType::Int64);
    const Output xRank = py::size(b, c.input(2)), yRank = py::size(b, yShape);
    const Output added = py::expandDims(b, py::sub(b, xRank, yRank), 0);
    const Output one = b.number(DType::Int64, 1, "ones/Const");
    const Output augmented = py::concat(b, {b.op("Fill", {added, one}, {}, "ones"), yShape}, 0, DType::Int64);
    const Output scaling = py::floordiv(b, c.input(2), augmented);
    const Output scaled = py::floordiv(b, c.input(0), scaling);
    const Output from = py::concat(b, {std::vector<int64_t>{0}, added}, 0);
    const Output places = b.op("Slice", {scaled, from, b.ints({-1, -1}, "Slice/size")});
    const Output dense = b.op("GatherNd", {y, places});
    Output dx, dy;
    if (product) {
      dx = py::mul(b, c.grad(), dense);
      dy = py::mul(b, c.grad(), c.input(1));
    } else {
      dx = py::truediv(b, c.grad(), dense);
      const Output minus = py::neg(b, c.input(1));
      dy = py::mul(b, c.grad(), py::truediv(b, minus, b.op("Square", {dense})));
    }
    const Output zeros = py::zerosLike(b, y);
    return std::vector{Output{}, dx, Output{}, b.op("SparseTensorDenseAdd", {places, dy, yShape, zeros})};
  };
}

// SparseReduceSum, SparseReduceMax, and their results as sparse tensors.

struct Reduced {
  std::vector<bool> axes;
  Shape kept, shape;  ///< Lengths of the kept dimensions; the result's shape.
};
Result<Reduced> reducedBy(const Tensor& shape, const Tensor& axes, bool keepDims) {
  const int64_t rank = shape.elements();
  Reduced r;
  r.axes.assign(size_t(rank), false);
  for (int64_t i = 0; i < axes.elements(); ++i) {
    const int64_t a = axes.asInt(i);
    if (a < -rank || a >= rank) return invalidArgument("Invalid reduction dimension ", a, ", for input with ", rank, " dimensions.");
    r.axes[size_t(a < 0 ? a + rank : a)] = true;
  }
  for (int64_t d = 0; d < rank; ++d) {
    if (!r.axes[size_t(d)]) r.kept.append(shape.asInt(d)), r.shape.append(shape.asInt(d));
    else if (keepDims) r.shape.append(1);
  }
  return r;
}

Status reduceShape(ShapeContext& c) {
  const Tensor* axes = c.constant(3);
  WEFT_LET(const Shape in, c.constantAsShape(2));
  if (!axes || !in.hasRank()) return {};
  Shape out;
  for (int d = 0; d < in.rank(); ++d) {
    bool reduced = false;
    for (int64_t i = 0; i < axes->elements(); ++i) reduced = reduced || axes->asInt(i) == d || axes->asInt(i) + in.rank() == d;
    if (!reduced) out.append(in.dim(d));
    else if (c.attrs().flag("keep_dims")) out.append(1);
  }
  c.setOutput(0, std::move(out));
  return {};
}

template <typename T>
std::map<int64_t, T> groups(const Tensor& indices, const Tensor& values, const Reduced& r, bool largest) {
  std::map<int64_t, T> out;
  const int64_t rank = indices.dim(1);
  for (int64_t i = 0; i < indices.dim(0); ++i) {
    int64_t at = 0;
    for (int64_t d = 0, k = 0; d < rank; ++d) {
      if (!r.axes[size_t(d)]) at = at * r.kept.dim(int(k++)) + indices.at<int64_t>(i * rank + d);
    }
    const T v = elementsOf<T>(values)[i];
    const auto [it, fresh] = out.emplace(at, v);
    if (fresh) continue;
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) it->second += v;
    else it->second = largest ? std::max(it->second, v) : T(it->second + v);
  }
  return out;
}

template <bool largest, bool sparse>
Status runReduce(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2), &axes = c.input(3);
  WEFT_TRY(requireSparse(indices, values, shape));
  WEFT_LET(const Reduced r, reducedBy(shape, axes, c.node().attrs.flag("keep_dims")));
  Shape whole;
  for (int64_t d = 0; d < shape.elements(); ++d) whole.append(shape.asInt(d));
  for (int64_t i = 0; i < indices.dim(0); ++i) {
    if (positionOf(indices, i, whole) < 0) return invalidArgument("indices[", i, "] lies outside of the shape ", whole.toString());
  }
  Status status;
  const auto run = [&]<typename T>(std::type_identity<T>) {
    status = [&]() -> Status {
      const auto found = groups<T>(indices, values, r, largest);
      if constexpr (sparse) {
        const int64_t n = int64_t(found.size()), rank = r.shape.rank();
        WEFT_LET(Tensor* outIndices, c.allocate(0, Shape{n, rank}));
        WEFT_LET(Tensor* outValues, c.allocate(1, Shape{n}));
        int64_t k = 0;
        for (const auto& [position, value] : found) {
          int64_t rest = position;
          for (int64_t d = rank - 1; d >= 0; --d) {
            const int64_t size = std::max<int64_t>(r.shape.dim(int(d)), 1);
            outIndices->mutableData<int64_t>()[k * rank + d] = rest % size;
            rest /= size;
          }
          elementsOf<T>(*outValues)[k++] = value;
        }
        c.setOutput(2, Tensor::vector(r.shape.toVector()));
      } else {
        WEFT_LET(Tensor* out, c.allocate(0, r.shape));
        std::fill_n(elementsOf<T>(*out), out->elements(), T(0));
        for (const auto& [position, value] : found) elementsOf<T>(*out)[position] = value;
      }
      return {};
    }();
  };
  if constexpr (largest) withReal(values.dtype(), run);
  else withNumber(values.dtype(), run);
  return status;
}

Grads reduceSumGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output kept = py::reducedShape(b, c.input(2), c.input(3));
  const Output grad = py::reshape(b, c.grad(), kept);
  const Output scale = py::floordiv(b, c.input(2), py::cast(b, kept, DType::Int64));
  return std::vector{Output{}, b.op("GatherNd", {grad, py::floordiv(b, c.input(0), scale)}), Output{}, Output{}};
}

// SparseSoftmax: over the entries of each row of the last dimension.

template <typename T>
void softmaxRows(const Tensor& indices, const Tensor& values, Tensor& out) {
  const int64_t n = indices.dim(0), rank = indices.dim(1);
  const int64_t* at = indices.data<int64_t>();
  std::map<std::vector<int64_t>, std::vector<int64_t>> rows;
  for (int64_t i = 0; i < n; ++i) rows[std::vector<int64_t>(at + i * rank, at + (i + 1) * rank - 1)].push_back(i);
  for (const auto& [row, entries] : rows) {
    T most = values.data<T>()[entries[0]], sum = 0;
    for (int64_t i : entries) most = std::max(most, values.data<T>()[i]);
    for (int64_t i : entries) sum += out.mutableData<T>()[i] = std::exp(values.data<T>()[i] - most);
    for (int64_t i : entries) out.mutableData<T>()[i] /= sum;
  }
}
Status runSoftmax(KernelContext& c) {
  const Tensor &indices = c.input(0), &values = c.input(1), &shape = c.input(2);
  WEFT_TRY(requireSparse(indices, values, shape));
  if (shape.elements() < 2) {
    std::string text;
    for (int64_t d = 0; d < shape.elements(); ++d) text += (d ? " " : "") + std::to_string(shape.at<int64_t>(d));
    return invalidArgument("Input should have rank >= 2, but received shape: ", text);
  }
  WEFT_LET(Tensor* out, c.allocate(0, values.shape()));
  if (values.dtype() == DType::Double) softmaxRows<double>(indices, values, *out);
  else softmaxRows<float>(indices, values, *out);
  return {};
}
Grads softmaxGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output product = py::mul(b, c.output(0), c.grad());
  const Output last = b.ints({-1}, "SparseReduceSum/reduction_axes");
  const Output sum = py::neg(b, b.op("SparseReduceSum", {c.input(0), product, c.input(2), last}, {{"keep_dims", true}}));
  const Output added = b.op("SparseDenseCwiseAdd", {c.input(0), c.grad(), c.input(2), sum});
  return std::vector{Output{}, py::mul(b, added, c.output(0)), Output{}};
}

Status valuesShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  WEFT_TRY(c.requireRank(c.input(1), 1));
  WEFT_TRY(c.requireRank(c.input(2), 1));
  c.setOutput(0, c.input(1).hasRank() ? c.input(1) : Shape::unknownOfRank(1));
  return {};
}
/// One value for each row of the indices.
Status cwiseShape(ShapeContext& c) {
  WEFT_TRY(c.requireRank(c.input(0), 2));
  c.setOutput(0, Shape{c.input(0).hasRank() ? c.input(0).dim(0) : Shape::kUnknownDim});
  return {};
}
Status sparseReduceShape(ShapeContext& c) {
  c.setOutput(0, Shape::unknown());
  return {};
}

}  // namespace

void registerSparseMath(OpRegistry& ops) {
  const auto add = [&](const std::string& name, const char* summary) -> OpRecord& { return ops.add(name).category("Sparse").summary(summary); };
  add("SparseTensorDenseMatMul", "Product of a sparse and a dense matrix; the result is dense.")
      .input("a_indices: Tindices", "[N, 2]: indices of the sparse matrix's values.")
      .input("a_values: T", "[N].")
      .input("a_shape: int64", "[2]: rows and columns of the sparse matrix.")
      .input("b: T", "Dense matrix.")
      .output("product: T", "The product, a dense matrix.")
      .attr("T: type", "Type of the elements.")
      .attr("Tindices: {int32, int64} = DT_INT64")
      .attr("adjoint_a: bool = false", "Use the adjoint (conjugate transpose) of the sparse matrix.")
      .attr("adjoint_b: bool = false", "Use the adjoint (conjugate transpose) of the dense matrix.")
      .shape(matMulShape)
      .gradient(matMulGradient)
      .cpu({{"T", {DType::BFloat16, DType::Complex64, DType::Complex128, DType::Double, DType::Float, DType::Half, DType::Int32, DType::Int64}}},
           simpleKernel(runMatMul));
  add("SparseTensorDenseAdd", "Sum of a sparse and a dense tensor of the same shape; the result is dense.")
      .input("a_indices: Tindices", "[N, rank]: indices of the sparse tensor's values.")
      .input("a_values: T", "[N].")
      .input("a_shape: Tindices", "[rank].")
      .input("b: T", "Dense tensor.")
      .output("output: T", "A dense tensor.")
      .attr("T: numbertype", "Type of the elements.")
      .attr("Tindices: {int32, int64}")
      .shape([](ShapeContext& c) -> Status {
        c.setOutput(0, c.input(3));
        return {};
      })
      .gradient([](GradContext& c) -> Grads {
        return std::vector{Output{}, c.b().op("GatherNd", {c.grad(), c.input(0)}), Output{}, c.grad()};
      })
      .cpu({{"T", types::kCpuNumber}}, simpleKernel(runDenseAdd));
  const auto cwise = [&](const char* name, KernelFactory create, const char* summary) -> OpRecord& {
    return add(name, summary)
        .input("sp_indices: int64", "[N, rank]: indices of the sparse tensor's values.")
        .input("sp_values: T", "[N].")
        .input("sp_shape: int64", "[rank].")
        .input("dense: T", "Dense tensor, broadcastable to the shape of the sparse one.")
        .output("output: T", "[N]: the resulting values of the sparse tensor.")
        .attr("T: numbertype", "Type of the elements.")
        .shape(cwiseShape)
        .cpu({{"T", types::kCpuReal}}, std::move(create));
  };
  cwise("SparseDenseCwiseAdd", simpleKernel(runCwise<'+'>), "Adds a dense tensor to a sparse one, at the sparse tensor's indices only.")
      .noGradient("TensorFlow defines no gradient for it.")
      .gradientIsError = true;
  cwise("SparseDenseCwiseMul", simpleKernel(runCwise<'*'>), "Multiplies a sparse tensor by a dense one, element-wise.").gradient(cwiseGradient(true));
  cwise("SparseDenseCwiseDiv", simpleKernel(runCwise<'/'>), "Divides a sparse tensor by a dense one, element-wise, at the sparse tensor's indices only.")
      .gradient(cwiseGradient(false));
  const auto reduce = [&](const char* name, bool largest, bool sparse, KernelFactory create, const char* summary) -> OpRecord& {
    OpRecord& r = add(name, summary)
                      .input("input_indices: int64", "[N, rank]: indices of the values.")
                      .input("input_values: T", "[N].")
                      .input("input_shape: int64", "[rank].")
                      .input("reduction_axes: int32", "Axes to reduce; empty: the input is returned unchanged.");
    if (sparse)
      r.output("output_indices: int64", "Indices of the results.").output("output_values: T", "The results.").output("output_shape: int64", "Their shape.");
    else r.output("output: T", "The result, a dense tensor; zero where there are no entries.");
    return r.attr("keep_dims: bool = false", "Keep reduced axes with length 1.")
        .attr(largest ? "T: realnumbertype" : "T: numbertype", "Type of the elements.")
        .shape(sparse ? ShapeFunction(sparseReduceShape) : ShapeFunction(reduceShape))
        .cpu({{"T", largest ? types::kCpuReal : types::kCpuNumber}}, std::move(create));
  };
  reduce("SparseReduceSum", false, false, simpleKernel(runReduce<false, false>), "Sum of a sparse tensor along axes; the result is dense.")
      .gradient(reduceSumGradient);
  const char* none = "TensorFlow defines no gradient for it.";
  reduce("SparseReduceMax", true, false, simpleKernel(runReduce<true, false>),
         "Maximum of a sparse tensor along axes, over stored entries only; the result is dense.")
      .noGradient(none)
      .gradientIsError = true;
  reduce("SparseReduceSumSparse", false, true, simpleKernel(runReduce<false, true>), "Sum of a sparse tensor along axes; the result is sparse.")
      .noGradient(none)
      .gradientIsError = true;
  reduce("SparseReduceMaxSparse", true, true, simpleKernel(runReduce<true, true>),
         "Maximum of a sparse tensor along axes, over stored entries only; the result is sparse.")
      .noGradient(none)
      .gradientIsError = true;
  add("SparseSoftmax", "Softmax along the last dimension of a sparse tensor; missing entries count as minus infinity.")
      .input("sp_indices: int64", "[N, rank]: indices of the values, in row-major order.")
      .input("sp_values: T", "[N].")
      .input("sp_shape: int64", "[rank]: dense shape, rank 2 or more.")
      .output("output: T", "[N]: the resulting values.")
      .attr("T: {float, double}", "Type of the elements.")
      .shape(valuesShape)
      .gradient(softmaxGradient)
      .cpu({}, simpleKernel(runSoftmax));
}

}  // namespace weft
