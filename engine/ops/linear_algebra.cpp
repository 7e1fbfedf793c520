#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include <complex>

#include "base/parallel.h"
#include "ops/element_types.h"
#include "ops/linear_grads.h"
#include "ops/registry.h"

// Matrices in the last two dimensions: determinants, inverses, solutions, decompositions. Each matrix by Eigen, several on several threads.
namespace weft {
namespace {

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using In = Eigen::Map<const Matrix<T>>;
template <typename T>
using Out = Eigen::Map<Matrix<T>>;

/// Calls f(type_identity<T>) for the types that these ops compute with.
template <typename F>
void withField(DType type, F&& f) {
  switch (type) {
    case DType::Double: return f(std::type_identity<double>());
    case DType::Complex64: return f(std::type_identity<std::complex<float>>());
    case DType::Complex128: return f(std::type_identity<std::complex<double>>());
    default: return f(std::type_identity<float>());
  }
}

struct Batch {
  int64_t count, rows, cols;
};
Batch batchOf(const Tensor& t) {
  return {t.shape().slice(0, t.rank() - 2).elements(), t.dim(t.rank() - 2), t.dim(t.rank() - 1)};
}
template <typename T>
In<T> matrixAt(const Tensor& t, int64_t i) {
  const Batch b = batchOf(t);
  return {t.data<T>() + i * b.rows * b.cols, b.rows, b.cols};
}
template <typename T>
Out<T> matrixAt(Tensor& t, int64_t i) {
  const Batch b = batchOf(t);
  return {t.mutableData<T>() + i * b.rows * b.cols, b.rows, b.cols};
}
Shape withLast(const Tensor& t, std::initializer_list<int64_t> dims) {
  Shape s = t.shape().slice(0, t.rank() - 2);
  for (int64_t d : dims) s.append(d);
  return s;
}

Status requireMatrix(const Tensor& t) {
  if (t.rank() < 2) return invalidArgument("Input tensor 0 must have rank >= 2");
  return {};
}
Status requireSquare(const Tensor& t) {
  WEFT_TRY(requireMatrix(t));
  if (t.dim(t.rank() - 1) != t.dim(t.rank() - 2)) return invalidArgument("Input matrix must be square.");
  return {};
}

// Shape functions.

Status squareShape(ShapeContext& c, int extra) {  // extra: how many of the last two dimensions stay
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 2));
  if (!in.hasRank()) return {};
  WEFT_LET(const int64_t n, c.mergeDims(in.dim(in.rank() - 2), in.dim(in.rank() - 1)));
  Shape out = in.slice(0, in.rank() - 2);
  for (int i = 0; i < extra; ++i) out.append(n);
  c.setOutput(0, std::move(out));
  return {};
}
Status sameSquare(ShapeContext& c) { return squareShape(c, 2); }
Status solveShape(ShapeContext& c, bool square) {
  const Shape &a = c.input(0), &b = c.input(1);
  WEFT_TRY(c.requireRankAtLeast(a, 2));
  WEFT_TRY(c.requireRankAtLeast(b, 2));
  if (!a.hasRank() || !b.hasRank()) return {};
  if (square) WEFT_TRY(c.mergeDims(a.dim(a.rank() - 2), a.dim(a.rank() - 1)).status());
  WEFT_TRY(c.mergeDims(a.dim(a.rank() - 2), b.dim(b.rank() - 2)).status());
  WEFT_LET(Shape out, c.merge(a.slice(0, a.rank() - 2), b.slice(0, b.rank() - 2)));
  out.append(a.dim(a.rank() - 1));
  out.append(b.dim(b.rank() - 1));
  c.setOutput(0, std::move(out));
  return {};
}

// One square matrix in, one out.

/// f(matrix, result) -> false if it cannot be done; then `error`.
template <typename F>
Status perMatrix(KernelContext& c, F&& f, const char* error) {
  const Tensor& in = c.input(0);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  bool good = true;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const Batch b = batchOf(in);
    for (int64_t i = 0; b.rows > 0 && i < b.count; ++i) good = f(matrixAt<T>(in, i), matrixAt<T>(*out, i)) && good;
  });
  return good ? Status() : Status(invalidArgument(error));
}

Status runCholesky(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  return perMatrix(c, []<typename T>(In<T> a, Out<T> out) {
    const Eigen::LLT<Matrix<T>> llt(a);
    out = llt.matrixL();
    return llt.info() == Eigen::Success;
  }, "Cholesky decomposition was not successful. The input might not be valid.");
}
Status runInverse(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  const bool adjoint = c.node().attrs.flag("adjoint");
  return perMatrix(c, [adjoint]<typename T>(In<T> a, Out<T> out) {
    const Matrix<T> m = adjoint ? Matrix<T>(a.adjoint()) : Matrix<T>(a);
    const Eigen::PartialPivLU<Matrix<T>> lu(m);
    if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return false;
    out = lu.inverse();
    return true;
  }, "Input is not invertible.");
}
Status runSquareRoot(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  return perMatrix(c, []<typename T>(In<T> a, Out<T> out) {
    const Matrix<T> root = Matrix<T>(a).sqrt();
    out = root;
    return true;
  }, "");
}
Status runLogarithm(KernelContext& c) {
  WEFT_TRY(requireSquare(c.input(0)));
  return perMatrix(c, []<typename T>(In<T> a, Out<T> out) {
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
      const Matrix<T> log = Matrix<T>(a).log();
      out = log;
    }
    return true;
  }, "");
}

// Determinants.

Status runDeterminant(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireSquare(in));
  WEFT_LET(Tensor* out, c.allocate(0, withLast(in, {})));
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    const Batch b = batchOf(in);
    for (int64_t i = 0; i < b.count; ++i) out->mutableData<T>()[i] = b.rows == 0 ? T(1) : Eigen::PartialPivLU<Matrix<T>>(matrixAt<T>(in, i)).determinant();
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
      sign->mutableData<T>()[i] = s;
      log->mutableData<T>()[i] = sum;
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

/// f(matrix, right side, result) -> false if the matrix cannot be inverted.
template <typename F>
Status perPair(KernelContext& c, F&& f) {
  const Tensor &a = c.input(0), &b = c.input(1);
  const Batch ba = batchOf(a), bb = batchOf(b);
  WEFT_LET(Tensor* out, c.allocate(0, withLast(a, {ba.cols, bb.cols})));
  bool good = true;
  withField(a.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; out->elements() > 0 && i < ba.count; ++i) {
      if (ba.rows == 0) matrixAt<T>(*out, i).setZero();
      else good = f(matrixAt<T>(a, i), matrixAt<T>(b, i), matrixAt<T>(*out, i)) && good;
    }
  });
  return good ? Status() : Status(invalidArgument("Input matrix is not invertible."));
}

Status runSolve(KernelContext& c) {
  WEFT_TRY(checkSolve(c.input(0), c.input(1), true));
  const bool adjoint = c.node().attrs.flag("adjoint");
  return perPair(c, [adjoint]<typename T>(In<T> a, In<T> b, Out<T> out) {
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
    return invalidArgument("In[0] mismatch In[1] shape: ", a.dim(a.rank() - 1), " vs. ", b.dim(b.rank() - 2), ": ", a.shape().toString(), " ", b.shape().toString());
  WEFT_TRY(checkSolve(a, b, true));
  const bool adjoint = c.node().attrs.flag("adjoint"), lower = c.node().attrs.flag("lower", true);
  return perPair(c, [=]<typename T>(In<T> a, In<T> b, Out<T> out) {
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
  return perPair(c, [=]<typename T>(In<T> a, In<T> b, Out<T> out) {
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

// Decompositions.

Status qrShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 2));
  if (!in.hasRank()) return {};
  const int64_t m = in.dim(in.rank() - 2), n = in.dim(in.rank() - 1), p = m < 0 || n < 0 ? Shape::kUnknownDim : std::min(m, n);
  const bool full = c.attrs().flag("full_matrices");
  Shape q = in.slice(0, in.rank() - 2), r = q;
  q.append(m), q.append(full ? m : p);
  r.append(full ? m : p), r.append(n);
  c.setOutput(0, std::move(q));
  c.setOutput(1, std::move(r));
  return {};
}
Status runQr(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireMatrix(in));
  const Batch b = batchOf(in);
  const bool full = c.node().attrs.flag("full_matrices");
  const int64_t p = full ? b.rows : std::min(b.rows, b.cols);
  WEFT_LET(Tensor* q, c.allocate(0, withLast(in, {b.rows, p})));
  WEFT_LET(Tensor* r, c.allocate(1, withLast(in, {p, b.cols})));
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; i < b.count; ++i) {
      if (b.rows == 0 || b.cols == 0) {
        matrixAt<T>(*q, i).setIdentity();
        continue;
      }
      const Eigen::HouseholderQR<Matrix<T>> qr(matrixAt<T>(in, i));
      matrixAt<T>(*q, i) = qr.householderQ() * Matrix<T>::Identity(b.rows, p);
      Matrix<T> upper = qr.matrixQR().topRows(p);
      matrixAt<T>(*r, i) = upper.template triangularView<Eigen::Upper>();
    }
  });
  return {};
}

Status eigShape(ShapeContext& c) {
  WEFT_TRY(squareShape(c, 1));
  const Shape e = c.outputs()[0];
  if (!c.attrs().flag("compute_v", true)) {
    c.setOutput(1, Shape{0});
  } else if (e.hasRank()) {
    Shape v = e;
    v.append(e.dim(e.rank() - 1));
    c.setOutput(1, std::move(v));
  }
  return {};
}
Status runEig(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireSquare(in));
  const Batch b = batchOf(in);
  const bool vectors = c.node().attrs.flag("compute_v", true);
  WEFT_LET(Tensor* e, c.allocate(0, withLast(in, {b.rows})));
  WEFT_LET(Tensor* v, c.allocate(1, vectors ? in.shape() : Shape{0}));
  bool good = true;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; b.rows > 0 && i < b.count; ++i) {
      const Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(matrixAt<T>(in, i), vectors ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
      good = good && solver.info() == Eigen::Success;
      for (int64_t k = 0; k < b.rows; ++k) e->mutableData<T>()[i * b.rows + k] = T(solver.eigenvalues()[k]);
      if (vectors) matrixAt<T>(*v, i) = solver.eigenvectors();
    }
  });
  return good ? Status() : Status(invalidArgument("Self-adjoint eigen decomposition was not successful. The input might not be valid."));
}

Status svdShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 2));
  if (!in.hasRank()) return {};
  const int64_t m = in.dim(in.rank() - 2), n = in.dim(in.rank() - 1), p = m < 0 || n < 0 ? Shape::kUnknownDim : std::min(m, n);
  Shape s = in.slice(0, in.rank() - 2), u = s, v = s;
  s.append(p);
  const bool full = c.attrs().flag("full_matrices");
  u.append(m), u.append(full ? m : p);
  v.append(n), v.append(full ? n : p);
  const bool vectors = c.attrs().flag("compute_uv", true);
  c.setOutput(0, std::move(s));
  c.setOutput(1, vectors ? u : Shape{0});
  c.setOutput(2, vectors ? v : Shape{0});
  return {};
}
Status runSvd(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireMatrix(in));
  const Batch b = batchOf(in);
  const bool vectors = c.node().attrs.flag("compute_uv", true), full = c.node().attrs.flag("full_matrices");
  const int64_t p = std::min(b.rows, b.cols);
  WEFT_LET(Tensor* s, c.allocate(0, withLast(in, {p})));
  WEFT_LET(Tensor* u, c.allocate(1, vectors ? withLast(in, {b.rows, full ? b.rows : p}) : Shape{0}));
  WEFT_LET(Tensor* v, c.allocate(2, vectors ? withLast(in, {b.cols, full ? b.cols : p}) : Shape{0}));
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; p > 0 && i < b.count; ++i) {
      const unsigned wanted = !vectors ? 0u : full ? unsigned(Eigen::ComputeFullU | Eigen::ComputeFullV) : unsigned(Eigen::ComputeThinU | Eigen::ComputeThinV);
      const Eigen::BDCSVD<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> svd(matrixAt<T>(in, i), wanted);
      for (int64_t k = 0; k < p; ++k) s->mutableData<T>()[i * p + k] = T(svd.singularValues()[k]);
      if (!vectors) continue;
      matrixAt<T>(*u, i) = svd.matrixU();
      matrixAt<T>(*v, i) = svd.matrixV();
    }
  });
  return {};
}

Status luShape(ShapeContext& c) {
  WEFT_TRY(squareShape(c, 2));
  const Shape lu = c.outputs()[0];
  if (lu.hasRank()) c.setOutput(1, lu.slice(0, lu.rank() - 1));
  return {};
}
Status runLu(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireSquare(in));
  const Batch b = batchOf(in);
  WEFT_LET(Tensor* out, c.allocate(0, in.shape()));
  WEFT_LET(Tensor* order, c.allocate(1, withLast(in, {b.rows})));
  bool good = true;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; b.rows > 0 && i < b.count; ++i) {
      const Eigen::PartialPivLU<Matrix<T>> lu(matrixAt<T>(in, i));
      good = good && lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0;
      matrixAt<T>(*out, i) = lu.matrixLU();
      const Eigen::PermutationMatrix<Eigen::Dynamic> back = lu.permutationP().transpose();
      for (int64_t k = 0; k < b.rows; ++k) {
        if (order->dtype() == DType::Int64) order->mutableData<int64_t>()[i * b.rows + k] = back.indices()[k];
        else order->mutableData<int32_t>()[i * b.rows + k] = back.indices()[k];
      }
    }
  });
  return good ? Status() : Status(invalidArgument("Input is not invertible."));
}

OpRecord& addMatrixOp(OpRegistry& ops, const char* name, const char* summary) {
  return ops.add(name).category("Matrices").keywords("linear algebra").summary(summary);
}
constexpr const char* kTypes = "T: {double, float, half, complex64, complex128}";
constexpr const char* kIn = "Matrices in the last two dimensions.";

}  // namespace

void registerLinearAlgebra(OpRegistry& ops) {
  const std::vector<DType> field = {DType::Float, DType::Double, DType::Complex64, DType::Complex128};
  const std::vector<KernelConstraint> types = {{"T", field}};
  const char* none = "TensorFlow 1.15 has no gradient for it.";
  addMatrixOp(ops, "Cholesky", "The lower triangular matrix L with L Lᴴ = A, for matrices that are symmetric and positive.")
      .input("input: T", kIn).output("output: T", "L.").attr(kTypes).shape(sameSquare).gradient(linear::choleskyGradient).cpu(types, simpleKernel(runCholesky));
  addMatrixOp(ops, "MatrixInverse", "The inverse of each matrix.")
      .input("input: T", kIn).output("output: T", "The inverses.").attr("adjoint: bool = false", "Whether the matrices are transposed and conjugated first.").attr(kTypes)
      .shape(sameSquare).gradient(linear::inverseGradient).cpu(types, simpleKernel(runInverse));
  addMatrixOp(ops, "MatrixSquareRoot", "The matrix whose product with itself is the given one.")
      .input("input: T", kIn).output("output: T", "The roots.").attr(kTypes).shape(sameSquare).noGradient("Its Sylvester equation is not built here.").cpu(types, simpleKernel(runSquareRoot)).gradientIsError = true;
  addMatrixOp(ops, "MatrixLogarithm", "The principal logarithm of each matrix.")
      .input("input: T", kIn).output("output: T", "The logarithms.").attr("T: {complex64, complex128}").shape(sameSquare).noGradient(none)
      .cpu({{"T", types::kComplex}}, simpleKernel(runLogarithm)).gradientIsError = true;
  addMatrixOp(ops, "MatrixDeterminant", "The determinant of each matrix.")
      .input("input: T", kIn).output("output: T", "The determinants.").attr("T: {half, float, double, complex64, complex128}")
      .shape([](ShapeContext& c) { return squareShape(c, 0); }).gradient(linear::determinantGradient).cpu(types, simpleKernel(runDeterminant));
  addMatrixOp(ops, "LogMatrixDeterminant", "Sign and logarithm of the size of each determinant.")
      .input("input: T", kIn).output("sign: T", "The signs.").output("log_abs_determinant: T", "The logarithms.").attr("T: {half, float, double, complex64, complex128}")
      .shape(logDeterminantShape).gradient(linear::logDeterminantGradient).cpu(types, simpleKernel(runLogDeterminant));
  addMatrixOp(ops, "MatrixSolve", "The X with A X = B.")
      .input("matrix: T", "A: square matrices.").input("rhs: T", "B.").output("output: T", "X.").attr("adjoint: bool = false", "Whether A is transposed and conjugated first.").attr(kTypes)
      .shape([](ShapeContext& c) { return solveShape(c, true); }).gradient(linear::solveGradient).cpu(types, simpleKernel(runSolve));
  addMatrixOp(ops, "MatrixTriangularSolve", "The X with A X = B, for triangular A.")
      .input("matrix: T", "A: only one triangle is looked at.").input("rhs: T", "B.").output("output: T", "X.").attr("lower: bool = true", "Which triangle.")
      .attr("adjoint: bool = false", "Whether A is transposed and conjugated first.").attr(kTypes)
      .shape([](ShapeContext& c) { return solveShape(c, true); }).gradient(linear::triangularSolveGradient).cpu(types, simpleKernel(runTriangularSolve));
  addMatrixOp(ops, "MatrixSolveLs", "The X for which A X is nearest to B; if there are many, the smallest.")
      .input("matrix: T", "A.").input("rhs: T", "B.").input("l2_regularizer: double", "Weight of the squares of X.").output("output: T", "X.").attr(kTypes)
      .attr("fast: bool = true", "Whether the normal equations are solved instead of an orthogonal decomposition.")
      .shape([](ShapeContext& c) { return solveShape(c, false); }).noGradient("Its normal equations are not built here.").cpu(types, simpleKernel(runSolveLs)).gradientIsError = true;
  addMatrixOp(ops, "Qr", "Q with orthonormal columns and an upper triangular R with Q R = A.")
      .input("input: T", kIn).output("q: T", "Q.").output("r: T", "R.").attr("full_matrices: bool = false", "Whether Q is square.").attr(kTypes)
      .shape(qrShape).gradient(linear::qrGradient).cpu(types, simpleKernel(runQr));
  addMatrixOp(ops, "SelfAdjointEigV2", "Eigenvalues in ascending order and eigenvectors of symmetric (Hermitian) matrices; only their lower triangle is looked at.")
      .input("input: T", kIn).output("e: T", "Eigenvalues.").output("v: T", "Eigenvectors as columns.").attr("compute_v: bool = true", "Whether eigenvectors are wanted.").attr(kTypes)
      .shape(eigShape).gradient(linear::eigGradient).cpu(types, simpleKernel(runEig));
  addMatrixOp(ops, "Svd", "Singular values in descending order and singular vectors: A = U diag(S) Vᴴ.")
      .input("input: T", kIn).output("s: T", "Singular values.").output("u: T", "Left vectors as columns.").output("v: T", "Right vectors as columns.")
      .attr("compute_uv: bool = true", "Whether vectors are wanted.").attr("full_matrices: bool = false", "Whether U and V are square.").attr(kTypes)
      .shape(svdShape).gradient(linear::svdGradient).cpu(types, simpleKernel(runSvd));
  addMatrixOp(ops, "Lu", "Triangular factors of each matrix with its rows in another order, in one matrix.")
      .input("input: T", kIn).output("lu: T", "L below the diagonal (with ones on it, which are left out) and U.").output("p: output_idx_type", "Which row comes where.").attr(kTypes)
      .attr("output_idx_type: {int32, int64} = DT_INT32").shape(luShape).noGradient(none).cpu(types, simpleKernel(runLu)).gradientIsError = true;
}

}  // namespace weft
