#include "ops/grad_ops.h"
#include "ops/grad_transposes.h"
#include "ops/linear_matrices.h"

// Linear systems and products with tridiagonal matrices, given by three diagonals: above, on and below the main one.
namespace weft {

namespace linear {
namespace {
Status requireSameBatch(const Tensor& a, const Tensor& b) {
  if (a.rank() == b.rank() && a.shape().slice(0, a.rank() - 2) == b.shape().slice(0, b.rank() - 2)) return {};
  return invalidArgument("All input tensors must have the same outer dimensions: ", a.shape().toString(), " vs. ", b.shape().toString());
}
}  // namespace

Error unsolvable(bool pivoting) {
  return invalidArgument(pivoting ? "The matrix is not invertible."
                                  : "The matrix is either not invertible, or requires pivoting. Try setting partial_pivoting = True.");
}

Status checkTridiagonalSolve(const Tensor& diagonals, const Tensor& rhs) {
  if (diagonals.rank() < 2 || rhs.rank() < 2) return invalidArgument("Input tensor ", diagonals.rank() < 2 ? 0 : 1, " must have rank >= 2");
  WEFT_TRY(requireSameBatch(diagonals, rhs));
  const Batch d = batchOf(diagonals), r = batchOf(rhs);
  if (d.rows != 3) return invalidArgument("Expected diagonals to be provided as a matrix with 3 rows, got ", d.rows, " rows.");
  if (d.cols != r.rows) return invalidArgument("Expected the same number of left-hand sides and right-hand sides, got ", d.cols, " and ", r.rows, ".");
  return {};
}

Status checkTridiagonalProduct(KernelContext& c) {
  const char* const names[] = {"superdiagonal", "main diagonal", "subdiagonal"};
  const Tensor& rhs = c.input(3);
  for (int i = 0; i < 4; ++i)
    if (c.input(i).rank() < 2) return invalidArgument("Input tensor ", i, " must have rank >= 2");
  const Batch r = batchOf(rhs);
  for (int i = 0; i < 3; ++i) {
    WEFT_TRY(requireSameBatch(c.input(i), rhs));
    const Batch d = batchOf(c.input(i));
    if (d.rows != 1 || d.cols != r.rows) return invalidArgument("Invalid ", names[i], " shape: [", d.rows, ",", d.cols, "], expected [1,", r.rows, "]");
  }
  return {};
}

}  // namespace linear

namespace {

using namespace linear;
using Grads = Result<std::vector<Output>>;

/// Solves one system for all columns of `rhs`. With pivoting, the larger of two rows goes first, as in LAPACK's gtsv.
template <typename T>
Status solveOne(const Matrix<T>& diagonals, Matrix<T>& rhs, bool pivoting) {
  const int64_t n = diagonals.cols();
  std::vector<T> below(static_cast<size_t>(n)), main(static_cast<size_t>(n)), above(static_cast<size_t>(n)), second(static_cast<size_t>(n), T(0));
  for (int64_t i = 0; i < n; ++i) {
    above[size_t(i)] = i + 1 < n ? diagonals(0, i) : T(0);
    main[size_t(i)] = diagonals(1, i);
    below[size_t(i)] = i > 0 ? diagonals(2, i) : T(0);
  }
  for (int64_t i = 0; i + 1 < n; ++i) {
    const auto k = size_t(i);
    if (pivoting && std::abs(below[k + 1]) > std::abs(main[k])) {
      // Swap rows i and i + 1.
      const T factor = main[k] / below[k + 1];
      main[k] = below[k + 1];
      const T nextMain = main[k + 1], nextAbove = above[k + 1];
      main[k + 1] = above[k] - factor * nextMain;
      above[k] = nextMain;
      second[k] = nextAbove;
      above[k + 1] = -factor * nextAbove;
      const auto upper = rhs.row(i).eval();
      rhs.row(i) = rhs.row(i + 1);
      rhs.row(i + 1) = upper - factor * rhs.row(i);
      continue;
    }
    if (main[k] == T(0)) return unsolvable(pivoting);
    const T factor = below[k + 1] / main[k];
    main[k + 1] -= factor * above[k];
    rhs.row(i + 1) -= factor * rhs.row(i);
  }
  if (n > 0 && main[size_t(n - 1)] == T(0)) return unsolvable(pivoting);
  for (int64_t i = n - 1; i >= 0; --i) {
    const auto k = size_t(i);
    if (i + 1 < n) rhs.row(i) -= above[k] * rhs.row(i + 1);
    if (i + 2 < n) rhs.row(i) -= second[k] * rhs.row(i + 2);
    rhs.row(i) /= main[k];
  }
  return {};
}

Status runSolve(KernelContext& c) {
  const Tensor &diagonals = c.input(0), &rhs = c.input(1);
  WEFT_TRY(checkTridiagonalSolve(diagonals, rhs));
  const Batch r = batchOf(rhs);
  const bool pivoting = c.node().attrs.flag("partial_pivoting", true);
  WEFT_LET(Tensor * out, c.allocate(0, rhs.shape()));
  Status status;
  withField(rhs.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < r.count && status.ok(); ++i) {
      Matrix<T> x = matrixAt<T>(rhs, i);
      status = solveOne<T>(matrixAt<T>(diagonals, i), x, pivoting);
      if (status.ok()) storeMatrix(*out, i, x);
    }
  });
  return status;
}

Status runProduct(KernelContext& c) {
  WEFT_TRY(checkTridiagonalProduct(c));
  const Tensor& rhs = c.input(3);
  const Batch r = batchOf(rhs);
  WEFT_LET(Tensor * out, c.allocate(0, rhs.shape()));
  withField(rhs.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < r.count; ++i) {
      const Matrix<T> above = matrixAt<T>(c.input(0), i), main = matrixAt<T>(c.input(1), i), below = matrixAt<T>(c.input(2), i), x = matrixAt<T>(rhs, i);
      Matrix<T> y(r.rows, r.cols);
      for (int64_t k = 0; k < r.rows; ++k) {
        y.row(k) = main(0, k) * x.row(k);
        if (k > 0) y.row(k) += below(0, k) * x.row(k - 1);
        if (k + 1 < r.rows) y.row(k) += above(0, k) * x.row(k + 1);
      }
      storeMatrix(*out, i, y);
    }
  });
  return {};
}

/// The common batch dims of all inputs.
Result<Shape> commonBatch(ShapeContext& c) {
  Shape batch = Shape::unknown();
  for (int i = 0; i < c.inputCount(); ++i) {
    const Shape& s = c.input(i);
    WEFT_TRY(c.requireRankAtLeast(s, 2));
    if (!s.hasRank()) continue;
    WEFT_LET(batch, c.merge(batch, s.slice(0, s.rank() - 2)));
  }
  return batch;
}
int64_t lastDim(const Shape& s, int back) { return s.hasRank() ? s.dim(s.rank() - back) : Shape::kUnknownDim; }

Status solveShape(ShapeContext& c) {
  WEFT_LET(Shape out, commonBatch(c));
  const Shape &d = c.input(0), &r = c.input(1);
  WEFT_LET(const int64_t n, c.mergeDims(lastDim(d, 1), lastDim(r, 2)));
  if (lastDim(d, 2) >= 0 && lastDim(d, 2) != 3) return invalidArgument("Dimension must be 3 but is ", lastDim(d, 2));
  if (!out.hasRank()) return {};
  out.append(n);
  out.append(lastDim(r, 1));
  c.setOutput(0, std::move(out));
  return {};
}
Status productShape(ShapeContext& c) {
  WEFT_LET(Shape out, commonBatch(c));
  WEFT_LET(Shape diagonal, c.merge(c.input(0), c.input(1)));
  WEFT_LET(diagonal, c.merge(diagonal, c.input(2)));
  if (lastDim(diagonal, 2) >= 0 && lastDim(diagonal, 2) != 1) return invalidArgument("Dimension must be 1 but is ", lastDim(diagonal, 2));
  WEFT_LET(const int64_t n, c.mergeDims(lastDim(diagonal, 1), lastDim(c.input(3), 2)));
  if (!out.hasRank()) return {};
  out.append(n);
  out.append(lastDim(c.input(3), 1));
  c.setOutput(0, std::move(out));
  return {};
}

// ---- gradients

struct Masks {
  int begin = 0, end = 0, shrink = 0;
};
/// x[..., a, b] with the bounds and masks that Python creates for it.
Output lastTwo(GraphBuilder& b, Output x, std::vector<int64_t> from, std::vector<int64_t> to, Masks m) {
  const py::Scope s(b, "strided_slice");
  const Output begin = b.ints({0, int32_t(from[0]), int32_t(from[1])}, "stack"), end = b.ints({0, int32_t(to[0]), int32_t(to[1])}, "stack_1"),
               step = b.ints({1, 1, 1}, "stack_2");
  return b.op("StridedSlice", {x, begin, end, step}, {{"ellipsis_mask", 1}, {"begin_mask", m.begin}, {"end_mask", m.end}, {"shrink_axis_mask", m.shrink}},
              s.name());
}

/// Zero paddings for all dimensions of x but the last two: two zeros each, with the same nodes as Python's tf.zeros of a tensor shape.
Output noPaddings(GraphBuilder& b, Output x) {
  const Output outer = py::sub(b, py::rank(b, x), 2);
  const py::Scope s(b, "zeros");
  py::call(b, "Less", py::mul(b, outer, 2), 1000);
  const Output shape = py::stack(b, {outer, 2}, "packed"), zero = b.scalar(int32_t(0));
  return b.op("Fill", {shape, zero}, {}, s.name());
}
/// `outer`, followed by the paddings of the last dimensions.
Output paddings(GraphBuilder& b, Output outer, const std::vector<int32_t>& last) {
  const Output sides = b.constant(Tensor::of(last, {int64_t(last.size()) / 2, 2}));
  return py::concat(b, {outer, sides}, 0);
}

/// x[..., 1:, :] and a row of zeros.
Output rowsFrom1(GraphBuilder& b, Output x, Output outer) {
  const Output sides = paddings(b, outer, {0, 1, 0, 0}), rows = lastTwo(b, x, {1, 0}, {0, 0}, {4, 6, 0});
  return b.op("Pad", {rows, sides});
}
Output rowsFrom1(GraphBuilder& b, Output x) { return rowsFrom1(b, x, noPaddings(b, x)); }
/// A row of zeros and x[..., :-1, :].
Output rowsTo1(GraphBuilder& b, Output x, Output outer) {
  const Output sides = paddings(b, outer, {1, 0, 0, 0}), rows = lastTwo(b, x, {0, 0}, {-1, 0}, {6, 4, 0});
  return b.op("Pad", {rows, sides});
}
Output rowsTo1(GraphBuilder& b, Output x) { return rowsTo1(b, x, noPaddings(b, x)); }

Output sumOfLast(GraphBuilder& b, Output x) { return py::reduceSum(b, x, -1); }
Output stacked(GraphBuilder& b, Output first, Output second, Output third) { return b.op("Pack", {first, second, third}, {{"axis", -2}}, "stack"); }

/// The three diagonals of the transposed matrix.
Output transposedDiagonals(GraphBuilder& b, Output diagonals) {
  const Output main = lastTwo(b, diagonals, {1, 0}, {2, 0}, {4, 4, 2});
  const auto above = [&] { return lastTwo(b, diagonals, {2, 1}, {3, 0}, {0, 4, 2}); };
  const auto below = [&] { return lastTwo(b, diagonals, {0, 0}, {1, -1}, {4, 0, 2}); };
  if (const Shape known = b.shape(diagonals); known.isFullyKnown()) {
    Shape one = known.slice(0, known.rank() - 2);
    one.append(1);
    const Output zero = py::zeros(b, one, b.dtype(diagonals)), upper = py::concat(b, {above(), zero}, -1), lower = py::concat(b, {zero, below()}, -1);
    return stacked(b, upper, main, lower);
  }
  const Output outer = noPaddings(b, diagonals);
  const Output right = paddings(b, outer, {0, 1}), upper = b.op("Pad", {above(), right});
  const Output left = paddings(b, outer, {1, 0}), lower = b.op("Pad", {below(), left});
  return stacked(b, upper, main, lower);
}

/// Three diagonals of x times the transpose of y.
Output diagonalsOfProduct(GraphBuilder& b, Output x, Output y) {
  const Output main = sumOfLast(b, py::mul(b, x, y));
  if (b.shape(y).isFullyKnown() && b.shape(x).isFullyKnown()) {
    Shape row = b.shape(x);
    row.setDim(row.rank() - 2, 1);
    const Output zero = py::zeros(b, row, b.dtype(x));
    const Output later = lastTwo(b, y, {1, 0}, {0, 0}, {4, 6, 0}), above = sumOfLast(b, py::mul(b, x, py::concat(b, {later, zero}, -2)));
    const Output earlier = lastTwo(b, y, {0, 0}, {-1, 0}, {6, 4, 0}), below = sumOfLast(b, py::mul(b, x, py::concat(b, {zero, earlier}, -2)));
    return stacked(b, above, main, below);
  }
  const Output outer = noPaddings(b, y);
  const Output above = sumOfLast(b, py::mul(b, x, rowsFrom1(b, y, outer))), below = sumOfLast(b, py::mul(b, x, rowsTo1(b, y, outer)));
  return stacked(b, above, main, below);
}

Grads solveGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output transposed = transposedDiagonals(b, c.input(0));
  const Output rhsGrad = b.op("TridiagonalSolve", {transposed, c.grad()}, {{"partial_pivoting", c.attrs().flag("partial_pivoting", true)}});
  return std::vector<Output>{py::neg(b, diagonalsOfProduct(b, rhsGrad, c.output(0))), rhsGrad};
}

Grads productGradient(GradContext& c) {
  GraphBuilder& b = c.b();
  const Output grad = c.grad();
  const Output above = py::matrixTranspose(b, c.input(0), true), main = py::matrixTranspose(b, c.input(1), true),
               below = py::matrixTranspose(b, c.input(2), true);
  const Output x = py::conj(b, c.input(3));
  const Output onAbove = sumOfLast(b, py::mul(b, rowsFrom1(b, x), grad));
  const Output onMain = sumOfLast(b, py::mul(b, x, grad));
  const Output onBelow = sumOfLast(b, py::mul(b, rowsTo1(b, x), grad));
  const Output fromAbove = rowsTo1(b, py::mul(b, above, grad)), fromMain = py::mul(b, main, grad), ofTwo = py::add(b, fromAbove, fromMain);
  const Output fromBelow = rowsFrom1(b, py::mul(b, below, grad)), rhsGrad = py::add(b, ofTwo, fromBelow);
  return std::vector<Output>{py::expandDims(b, onAbove, -2), py::expandDims(b, onMain, -2), py::expandDims(b, onBelow, -2), rhsGrad};
}

}  // namespace

void registerTridiagonal(OpRegistry& ops) {
  const auto add = [&](const char* name, const char* summary) -> OpRecord& {
    return ops.add(name).category("Linear algebra").keywords("band matrix three diagonals").summary(summary);
  };
  const std::vector<KernelConstraint> types = {{"T", {DType::Float, DType::Double, DType::Complex64, DType::Complex128}}};
  const char* const type = "T: {double, float, complex64, complex128}";
  add("TridiagonalSolve", "Solves A X = B for tridiagonal A.")
      .input("diagonals: T",
             "[…, 3, n]: superdiagonal, main diagonal and subdiagonal; the last element of the first and the first element of the last are ignored.")
      .input("rhs: T", "B.")
      .output("output: T", "X.")
      .attr("partial_pivoting: bool = true", "Use partial pivoting, which is more stable.")
      .attr(type, "Type of the numbers.")
      .shape(solveShape)
      .gradient(solveGradient)
      .cpu(types, simpleKernel(runSolve));
  add("TridiagonalMatMul", "Product A X of a tridiagonal matrix A with X.")
      .input("superdiag: T", "Superdiagonal; its last element is ignored.")
      .input("maindiag: T", "The main diagonal.")
      .input("subdiag: T", "Subdiagonal; its first element is ignored.")
      .input("rhs: T", "X.")
      .output("output: T", "The product.")
      .attr(type, "Type of the numbers.")
      .shape(productShape)
      .gradient(productGradient)
      .cpu(types, simpleKernel(runProduct));
}

}  // namespace weft
