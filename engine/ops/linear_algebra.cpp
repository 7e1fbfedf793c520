#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "ops/linear_grads.h"
#include "ops/linear_matrices.h"

// Determinants, inverses and linear systems of matrices in the last two dimensions.
namespace weft {
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

/// f(matrix, result) returns false on failure, which is reported as `error`.
template <typename F>
Status perMatrix(KernelContext& c, F&& f, const char* error) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  bool good = true;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) { good = mapMatrices<T>(in, *out, f); });
  return good ? Status() : Status(invalidArgument(error));
}

Status runCholesky(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  return perMatrix(
      c,
      []<typename T>(const Matrix<T>& a, Matrix<T>& out) {
        const Eigen::LLT<Matrix<T>> llt(a);
        out = llt.matrixL();
        return llt.info() == Eigen::Success;
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
      [adjoint]<typename T>(const Matrix<T>& a, Matrix<T>& out) {
        const Matrix<T> m = adjoint ? Matrix<T>(a.adjoint()) : Matrix<T>(a);
        const Eigen::PartialPivLU<Matrix<T>> lu(m);
        if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return false;
        out = lu.inverse();
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
    for (int64_t i = 0; i < b.count; ++i) storeElement(*out, i, b.rows == 0 ? T(1) : T(Eigen::PartialPivLU<Matrix<T>>(matrixAt<T>(in, i)).determinant()));
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
    for (int64_t i = 0; i < b.count; ++i) {
      T s(1);
      T sum(0);
      if (b.rows > 0) {
        const Eigen::PartialPivLU<Matrix<T>> lu(matrixAt<T>(in, i));
        s = T(lu.permutationP().determinant());
        for (int64_t k = 0; k < b.rows; ++k) {
          const T d = lu.matrixLU()(k, k);
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
  return {};
}

// Solutions.

Status checkSolve(const Tensor& a, const Tensor& b, bool square) {
  if (a.rank() < 2 || b.rank() < 2) return invalidArgument("Input tensor ", a.rank() < 2 ? 0 : 1, " must have rank >= 2");
  if (a.rank() != b.rank()) return invalidArgument("All input tensors must have the same rank.");
  if (!(a.shape().slice(0, a.rank() - 2) == b.shape().slice(0, b.rank() - 2))) return invalidArgument("All input tensors must have the same outer dimensions.");
  if (square && a.dim(a.rank() - 1) != a.dim(a.rank() - 2)) return invalidArgument("First input (lhs) must be a square matrix.");
  if (a.dim(a.rank() - 2) != b.dim(b.rank() - 2)) return invalidArgument("Input matrix and rhs are incompatible.");
  return {};
}

/// f(matrix, right side, result) returns false if the matrix is not invertible.
template <typename F>
Status perPair(KernelContext& c, F&& f) {
  const Tensor &a = c.input(0), &b = c.input(1);
  const Batch ba = batchOf(a), bb = batchOf(b);
  WEFT_LET(Tensor* out, c.allocate(0, withLast(a, {ba.cols, bb.cols})));
  bool good = true;
  withField(a.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; out->elements() > 0 && i < ba.count; ++i) {
      Matrix<T> result = Matrix<T>::Zero(ba.cols, bb.cols);
      if (ba.rows > 0) good = f(matrixAt<T>(a, i), matrixAt<T>(b, i), result) && good;
      storeMatrix(*out, i, result);
    }
  });
  return good ? Status() : Status(invalidArgument("Input matrix is not invertible."));
}

Status runSolve(KernelContext& c) {
  WEFT_TRY(checkSolve(c.input(0), c.input(1), true));
  const bool adjoint = c.node().attrs.flag("adjoint");
  return perPair(c, [adjoint]<typename T>(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out) {
    const Matrix<T> m = adjoint ? Matrix<T>(a.adjoint()) : Matrix<T>(a);
    const Eigen::PartialPivLU<Matrix<T>> lu(m);
    if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return false;
    out = lu.solve(b);
    return true;
  });
}
Status runTriangularSolve(KernelContext& c) {
  const Tensor &a = c.input(0), &b = c.input(1);
  if (a.rank() >= 2 && a.dim(a.rank() - 1) != a.dim(a.rank() - 2))
    return invalidArgument("In[0] matrices in the last dimensions must be square (", a.dim(a.rank() - 2), " != ", a.dim(a.rank() - 1), ")");
  if (a.rank() >= 2 && a.rank() == b.rank() && a.dim(a.rank() - 1) != b.dim(b.rank() - 2))
    return invalidArgument("In[0] mismatch In[1] shape: ", a.dim(a.rank() - 1), " vs. ", b.dim(b.rank() - 2), ": ", a.shape().toString(), " ",
                           b.shape().toString());
  WEFT_TRY(checkSolve(a, b, true));
  const bool adjoint = c.node().attrs.flag("adjoint"), lower = c.node().attrs.flag("lower", true);
  return perPair(c, [=]<typename T>(const Matrix<T>& a, const Matrix<T>& b, Matrix<T>& out) {
    if (!(a.diagonal().cwiseAbs().minCoeff() > 0)) return false;
    if (lower && adjoint) out = a.template triangularView<Eigen::Lower>().adjoint().solve(b);
    else if (lower) out = a.template triangularView<Eigen::Lower>().solve(b);
    else if (adjoint) out = a.template triangularView<Eigen::Upper>().adjoint().solve(b);
    else out = a.template triangularView<Eigen::Upper>().solve(b);
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
