#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "device/cpu/matrices.h"
#include "ops/linear_grads.h"
#include "ops/linear_matrices.h"

// Determinants, inverses and linear systems of matrices in the last two dimensions.
namespace weft {

namespace linear {

Status checkSolve(const Tensor& a, const Tensor& b, bool square) {
  if (a.rank() < 2 || b.rank() < 2) return invalidArgument("Input tensor ", a.rank() < 2 ? 0 : 1, " must have rank >= 2");
  if (a.rank() != b.rank()) return invalidArgument("All input tensors must have the same rank.");
  if (!(a.shape().slice(0, a.rank() - 2) == b.shape().slice(0, b.rank() - 2))) return invalidArgument("All input tensors must have the same outer dimensions.");
  if (square && a.dim(a.rank() - 1) != a.dim(a.rank() - 2)) return invalidArgument("First input (lhs) must be a square matrix.");
  if (a.dim(a.rank() - 2) != b.dim(b.rank() - 2)) return invalidArgument("Input matrix and rhs are incompatible.");
  return {};
}

Status checkTriangularSolve(const Tensor& a, const Tensor& b) {
  if (a.rank() >= 2 && a.dim(a.rank() - 1) != a.dim(a.rank() - 2))
    return invalidArgument("In[0] matrices in the last dimensions must be square (", a.dim(a.rank() - 2), " != ", a.dim(a.rank() - 1), ")");
  if (a.rank() >= 2 && a.rank() == b.rank() && a.dim(a.rank() - 1) != b.dim(b.rank() - 2))
    return invalidArgument("In[0] mismatch In[1] shape: ", a.dim(a.rank() - 1), " vs. ", b.dim(b.rank() - 2), ": ", a.shape().toString(), " ",
                           b.shape().toString());
  return checkSolve(a, b, true);
}

}  // namespace linear

namespace {

using namespace linear;

Status solveShape(ShapeContext& c, bool square) {
  Shape a = c.input(0), b = c.input(1);
  if (!square) WEFT_TRY(c.requireRank(c.input(2), 0));
  WEFT_TRY(c.requireRankAtLeast(a, 2));
  WEFT_TRY(c.requireRankAtLeast(b, 2));
  if (!a.hasRank() && !b.hasRank()) return {};
  // Both have the same batch shape.
  if (!a.hasRank()) a = Shape::unknownOfRank(b.rank());
  if (!b.hasRank()) b = Shape::unknownOfRank(a.rank());
  WEFT_LET(int64_t rows, c.mergeDims(a.dim(a.rank() - 2), b.dim(b.rank() - 2)));
  if (square) {
    WEFT_LET(rows, c.mergeDims(rows, a.dim(a.rank() - 1)));
  }
  WEFT_LET(Shape out, c.merge(a.slice(0, a.rank() - 2), b.slice(0, b.rank() - 2)));
  out.append(square ? rows : a.dim(a.rank() - 1));
  out.append(b.dim(b.rank() - 1));
  c.setOutput(0, std::move(out));
  return {};
}

// One square matrix in, one out.

/// f(reader, i, n, result) computes matrix i and returns false on failure, which is reported as `error`.
template <typename F>
Status perMatrix(KernelContext& c, F&& f, const char* error) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  const Batch b = batchOf(in);
  if (b.rows == 0) return {};
  std::atomic<bool> good = true;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    overBatch(b.count, b.rows, [&](int64_t begin, int64_t end) {
      MatrixReader<T> read(in);
      MatrixWriter<T> write(*out, b.rows * b.cols);
      for (int64_t i = begin; i < end; ++i) {
        if (!f(read, i, b.rows, write(i))) good = false;
        write.done(i);
      }
    });
  });
  return good ? Status() : Status(invalidArgument(error));
}

/// LU factors of a square matrix.
template <typename T>
class Lu {
 public:
  explicit Lu(int64_t n) : n_(n), factors_(size_t(n * n)), pivots_(static_cast<size_t>(n)) {}

  /// False if the matrix is not invertible; the factors exist all the same.
  bool factor(MatrixReader<T>& read, int64_t i, bool adjoint = false) {
    read.copy(i, factors_.data(), adjoint);
    cpu::luFactor(factors_.data(), n_, n_, pivots_.data());
    return isInvertible(factors_.data(), n_);
  }
  T diagonal(int64_t k) const { return factors_[size_t(k * (n_ + 1))]; }
  /// 1 or -1: whether the number of exchanged rows is even.
  T parity() const {
    bool odd = false;
    for (int64_t k = 0; k < n_; ++k) odd ^= pivots_[size_t(k)] != k;
    return T(odd ? -1 : 1);
  }
  /// Solves A X = B in place of B.
  void solve(T* b, int64_t columns) const {
    for (int64_t k = 0; k < n_; ++k) {
      const int64_t other = pivots_[size_t(k)];
      if (other != k) std::swap_ranges(b + k * columns, b + (k + 1) * columns, b + other * columns);
    }
    cpu::solveTriangle<T>({true, false, true}, factors_.data(), n_, n_, b, columns, columns);
    cpu::solveTriangle<T>({false, false, false}, factors_.data(), n_, n_, b, columns, columns);
  }

 private:
  const int64_t n_;
  std::vector<T> factors_;
  std::vector<int> pivots_;
};

Status runCholesky(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  return perMatrix(
      c,
      []<typename T>(MatrixReader<T>& read, int64_t i, int64_t n, T* out) {
        read.copy(i, out);
        const bool good = cpu::choleskyFactor(out, n, n);
        for (int64_t k = 0; k < n; ++k) std::fill_n(out + k * n + k + 1, n - k - 1, T(0));
        return good;
      },
      "Cholesky decomposition was not successful. The input might not be valid.");
}
/// The gradient of A from that of its Cholesky factor L (S. P. Smith 1995; I. Murray 2016): A' = sym(L^-T P(L^T L') L^-1), where P takes the lower triangle
/// with half the diagonal.
Status runCholeskyGrad(KernelContext& c) {
  const Tensor &l = c.input(0), &grad = c.input(1);
  WEFT_TRY(requireSquare(l));
  if (!(l.shape() == grad.shape())) return invalidArgument("Inputs must have the same shape: ", l.shape().toString(), " vs. ", grad.shape().toString());
  WEFT_LET(Tensor* out, c.allocate(0, l.shape()));
  using T = double;
  const Batch b = batchOf(l);
  for (int64_t i = 0; b.rows > 0 && i < b.count; ++i) {
    const Matrix<T> lower = matrixAt<T>(l, i).template triangularView<Eigen::Lower>(), g = matrixAt<T>(grad, i).template triangularView<Eigen::Lower>();
    Matrix<T> middle = (lower.transpose() * g).template triangularView<Eigen::Lower>();
    middle.diagonal() *= 0.5;
    const auto view = lower.template triangularView<Eigen::Lower>();
    Matrix<T> half = view.transpose().solve(middle);
    half = view.transpose().solve(Matrix<T>(half.transpose())).transpose();
    storeMatrix(*out, i, Matrix<T>(0.5 * (half + half.transpose())));
  }
  return {};
}
Status runInverse(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  const bool adjoint = c.node().attrs.flag("adjoint");
  return perMatrix(
      c,
      [adjoint]<typename T>(MatrixReader<T>& read, int64_t i, int64_t n, T* out) {
        Lu<T> lu(n);
        if (!lu.factor(read, i, adjoint)) return false;
        std::fill_n(out, n * n, T(0));
        for (int64_t k = 0; k < n; ++k) out[k * (n + 1)] = T(1);
        lu.solve(out, n);
        return true;
      },
      "Input is not invertible.");
}

// Determinants.

Status runDeterminant(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireSquare(in));
  WEFT_LET(Tensor* out, c.allocate(0, withLast(in, {})));
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const Batch b = batchOf(in);
    overBatch(b.count, b.rows, [&](int64_t begin, int64_t end) {
      MatrixReader<T> read(in);
      Lu<T> lu(b.rows);
      for (int64_t i = begin; i < end; ++i) {
        T product(1);
        if (b.rows > 0) {
          lu.factor(read, i);
          product = lu.parity();
          for (int64_t k = 0; k < b.rows; ++k) product *= lu.diagonal(k);
        }
        storeElement(*out, i, product);
      }
    });
  });
  return {};
}
Status logDeterminantShape(ShapeContext& c) {
  WEFT_TRY(squareShape(c, 0));
  const Shape out = c.outputs()[0];
  c.setOutput(1, out);
  return {};
}
Status runLogDeterminant(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireSquare(in));
  WEFT_LET(Tensor* sign, c.allocate(0, withLast(in, {})));
  WEFT_LET(Tensor* log, c.allocate(1, withLast(in, {})));
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const Batch b = batchOf(in);
    overBatch(b.count, b.rows, [&](int64_t begin, int64_t end) {
      MatrixReader<T> read(in);
      Lu<T> lu(b.rows);
      for (int64_t i = begin; i < end; ++i) {
        T s(1), sum(0);
        if (b.rows > 0) {
          lu.factor(read, i);
          s = lu.parity();
          for (int64_t k = 0; k < b.rows; ++k) {
            const T d = lu.diagonal(k);
            const auto size = std::abs(d);
            s *= d / size;
            sum += T(std::log(size));
          }
          if (!std::isfinite(std::abs(sum))) s = T(0), sum = T(std::log(std::abs(T(0))));
        }
        storeElement(*sign, i, s);
        storeElement(*log, i, sum);
      }
    });
  });
  return {};
}

// Solutions.

/// f(matrix, right side, result) returns false if the matrix is not invertible.
template <typename F>
Status perPair(KernelContext& c, F&& f) {
  const Tensor &a = c.input(0), &b = c.input(1);
  const Batch ba = batchOf(a), bb = batchOf(b);
  WEFT_LET(Tensor* out, c.allocate(0, withLast(a, {ba.cols, bb.cols})));
  std::atomic<bool> good = true;
  withField(a.dtype(), [&]<typename T>(std::type_identity<T>) {
    overBatch(out->elements() > 0 ? ba.count : 0, ba.cols, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Matrix<T> result = Matrix<T>::Zero(ba.cols, bb.cols);
        if (ba.rows > 0 && !f(matrixAt<T>(a, i), matrixAt<T>(b, i), result)) good = false;
        storeMatrix(*out, i, result);
      }
    });
  });
  return good ? Status() : Status(invalidArgument("Input matrix is not invertible."));
}

/// f(reader of A, i, n, X that holds B, columns) solves system i in place and returns false if the matrix is not invertible.
template <typename F>
Status perSystem(KernelContext& c, F&& f) {
  const Tensor &a = c.input(0), &b = c.input(1);
  const Batch ba = batchOf(a), bb = batchOf(b);
  WEFT_LET(Tensor* out, c.allocate(0, b.shape()));
  if (out->elements() == 0) return {};
  std::atomic<bool> good = true;
  withField(a.dtype(), [&]<typename T>(std::type_identity<T>) {
    overBatch(ba.count, ba.rows, [&](int64_t begin, int64_t end) {
      MatrixReader<T> left(a), right(b);
      MatrixWriter<T> write(*out, bb.rows * bb.cols);
      for (int64_t i = begin; i < end; ++i) {
        T* const x = write(i);
        right.copy(i, x);
        if (!f(left, i, ba.rows, x, bb.cols)) good = false;
        write.done(i);
      }
    });
  });
  return good ? Status() : Status(invalidArgument("Input matrix is not invertible."));
}

Status runSolve(KernelContext& c) {
  WEFT_TRY(checkSolve(c.input(0), c.input(1), true));
  const bool adjoint = c.node().attrs.flag("adjoint");
  return perSystem(c, [adjoint]<typename T>(MatrixReader<T>& read, int64_t i, int64_t n, T* x, int64_t columns) {
    Lu<T> lu(n);
    if (!lu.factor(read, i, adjoint)) return false;
    lu.solve(x, columns);
    return true;
  });
}
Status runTriangularSolve(KernelContext& c) {
  WEFT_TRY(checkTriangularSolve(c.input(0), c.input(1)));
  const bool adjoint = c.node().attrs.flag("adjoint"), lower = c.node().attrs.flag("lower", true);
  return perSystem(c, [=]<typename T>(MatrixReader<T>& read, int64_t i, int64_t n, T* x, int64_t columns) {
    const T* const m = read(i);
    if (!isInvertible(m, n)) return false;
    cpu::solveTriangle<T>({lower, adjoint, false}, m, n, n, x, columns, columns);
    return true;
  });
}
Status runSolveLs(KernelContext& c) {
  WEFT_TRY(checkSolve(c.input(0), c.input(1), false));
  if (c.input(2).elements() != 1) return invalidArgument("Input tensor 2 must be a scalar");
  const double l2 = c.input(2).at<double>(0);
  if (l2 < 0) return invalidArgument("l2_regularizer must be >= 0.");
  const bool fast = c.node().attrs.flag("fast", true);
  return perPair(c, [=]<typename T>(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out) {
    if (!fast) {
      out = Eigen::CompleteOrthogonalDecomposition<Matrix<T>>(a).solve(b);
      return true;
    }
    const bool tall = a.rows() >= a.cols();
    Matrix<T> gram = tall ? Matrix<T>(a.adjoint() * a) : Matrix<T>(a * a.adjoint());
    gram.diagonal().array() += T(l2);
    const Eigen::LLT<Matrix<T>> llt(gram);
    if (llt.info() != Eigen::Success) return false;
    if (tall) out = llt.solve(a.adjoint() * b);
    else out = a.adjoint() * llt.solve(b);
    return true;
  });
}

}  // namespace

void registerLinearAlgebra(OpRegistry& ops) {
  const std::vector<DType> field = {DType::Float, DType::Double, DType::Complex64, DType::Complex128};
  const std::vector<KernelConstraint> types = {{"T", field}};
  addMatrixOp(ops, "Cholesky", "Cholesky decomposition A = L Lᴴ of symmetric positive definite matrices.")
      .input("input: T", kIn)
      .output("output: T", "L.")
      .attr(kTypes)
      .shape(sameSquare)
      .gradient(linear::choleskyGradient)
      .cpu(types, simpleKernel(runCholesky));
  addMatrixOp(ops, "CholeskyGrad", "Gradient of Cholesky.")
      .input("l: T", "The Cholesky factor L.")
      .input("grad: T", "Gradient with respect to L; only the lower triangle is read.")
      .output("output: T", "Gradient with respect to the input matrices, symmetric.")
      .attr("T: {half, float, double}")
      .shape(sameSquare)
      .noGradient("TensorFlow defines no second derivative for it.")
      .cpu({{"T", {DType::Float, DType::Double}}}, simpleKernel(runCholeskyGrad))
      .gradientIsError = true;
  addMatrixOp(ops, "MatrixInverse", "Inverse of each square matrix.")
      .input("input: T", kIn)
      .output("output: T", "The inverses.")
      .attr("adjoint: bool = false", "Invert the adjoint (conjugate transpose) instead.")
      .attr(kTypes)
      .shape(sameSquare)
      .gradient(linear::inverseGradient)
      .cpu(types, simpleKernel(runInverse));
  addMatrixOp(ops, "MatrixDeterminant", "Determinant of each square matrix.")
      .input("input: T", kIn)
      .output("output: T", "The determinants.")
      .attr("T: {half, float, double, complex64, complex128}")
      .shape([](ShapeContext& c) { return squareShape(c, 0); })
      .gradient(linear::determinantGradient)
      .cpu(types, simpleKernel(runDeterminant));
  addMatrixOp(ops, "LogMatrixDeterminant", "Sign and log absolute value of the determinant of each square matrix.")
      .input("input: T", kIn)
      .output("sign: T", "Signs of the determinants.")
      .output("log_abs_determinant: T", "Logarithms of the determinants' absolute values.")
      .attr("T: {half, float, double, complex64, complex128}")
      .shape(logDeterminantShape)
      .gradient(linear::logDeterminantGradient)
      .cpu(types, simpleKernel(runLogDeterminant));
  addMatrixOp(ops, "MatrixSolve", "Solves the linear systems A X = B.")
      .input("matrix: T", "A: square matrices.")
      .input("rhs: T", "B.")
      .output("output: T", "X.")
      .attr("adjoint: bool = false", "Solve with the adjoint (conjugate transpose) of A instead.")
      .attr(kTypes)
      .shape([](ShapeContext& c) { return solveShape(c, true); })
      .gradient(linear::solveGradient)
      .cpu(types, simpleKernel(runSolve));
  addMatrixOp(ops, "MatrixTriangularSolve", "Solves the linear systems A X = B for triangular A.")
      .input("matrix: T", "A: only one triangle is read.")
      .input("rhs: T", "B.")
      .output("output: T", "X.")
      .attr("lower: bool = true", "Whether A is lower triangular; else upper.")
      .attr("adjoint: bool = false", "Solve with the adjoint (conjugate transpose) of A instead.")
      .attr(kTypes)
      .shape([](ShapeContext& c) { return solveShape(c, true); })
      .gradient(linear::triangularSolveGradient)
      .cpu(types, simpleKernel(runTriangularSolve));
  addMatrixOp(ops, "MatrixSolveLs", "Least-squares solution of A X = B; of several solutions, the one of minimum norm.")
      .input("matrix: T", "A.")
      .input("rhs: T", "B.")
      .input("l2_regularizer: double", "L2 regularization strength.")
      .output("output: T", "X.")
      .attr(kTypes)
      .attr("fast: bool = true", "Solve the normal equations instead of using an orthogonal decomposition.")
      .shape([](ShapeContext& c) { return solveShape(c, false); })
      .gradient(linear::solveLsGradient)
      .cpu(types, simpleKernel(runSolveLs));
}

}  // namespace weft
