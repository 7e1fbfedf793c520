#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

#include "ops/linear_grads.h"
#include "ops/linear_matrices.h"

// Decompositions of matrices in the last two dimensions: QR, eigenvalues, singular values, LU.
namespace weft {
namespace {

using namespace linear;

Status qrShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 2));
  if (!in.hasRank()) {
    for (int i = 1; i < 3 && !c.attrs().flag("compute_uv", true); ++i) c.setOutput(i, Shape{0});
    return {};
  }
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
        storeMatrix(*q, i, Matrix<T>(Matrix<T>::Identity(b.rows, p)));
        continue;
      }
      const Eigen::HouseholderQR<Matrix<T>> qr(matrixAt<T>(in, i));
      storeMatrix(*q, i, Matrix<T>(qr.householderQ() * Matrix<T>::Identity(b.rows, p)));
      Matrix<T> upper = qr.matrixQR().topRows(p);
      upper = Matrix<T>(upper.template triangularView<Eigen::Upper>());
      storeMatrix(*r, i, upper);
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
      for (int64_t k = 0; k < b.rows; ++k) storeElement(*e, i * b.rows + k, T(solver.eigenvalues()[k]));
      if (vectors) storeMatrix(*v, i, Matrix<T>(solver.eigenvectors()));
    }
  });
  return good ? Status() : Status(invalidArgument("Self-adjoint eigen decomposition was not successful. The input might not be valid."));
}

/// First version: eigenvalues in the first row, eigenvectors below.
Status eigInOneShape(ShapeContext& c) {
  const Shape& in = c.input(0);
  WEFT_TRY(c.requireRankAtLeast(in, 2));
  if (!in.hasRank()) return {};
  WEFT_LET(const int64_t n, c.mergeDims(in.dim(in.rank() - 2), in.dim(in.rank() - 1)));
  Shape out = in.slice(0, in.rank() - 2);
  out.append(n < 0 ? Shape::kUnknownDim : n + 1), out.append(n);
  c.setOutput(0, std::move(out));
  return {};
}
Status runEigInOne(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireSquare(in));
  const Batch b = batchOf(in);
  const int64_t n = b.rows;
  WEFT_LET(Tensor* out, c.allocate(0, withLast(in, {n + 1, n})));
  bool good = true;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    for (int64_t i = 0; n > 0 && i < b.count; ++i) {
      const Eigen::SelfAdjointEigenSolver<Matrix<T>> solver(matrixAt<T>(in, i));
      good = good && solver.info() == Eigen::Success;
      for (int64_t k = 0; k < n; ++k) {
        storeElement(*out, i * (n + 1) * n + k, T(solver.eigenvalues()[k]));
        for (int64_t row = 0; row < n; ++row) storeElement(*out, (i * (n + 1) + 1 + row) * n + k, T(solver.eigenvectors()(row, k)));
      }
    }
  });
  return good ? Status() : Status(invalidArgument("Self Adjoint Eigen decomposition was not successful. The input might not be valid."));
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
      const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> matrix = matrixAt<T>(in, i);
      if (!matrix.allFinite()) {  // Eigen gives up and leaves its results uninitialised
        const auto nothing = [](int64_t n) {
          Matrix<T> m(1, n);
          m.setConstant(T(std::numeric_limits<double>::quiet_NaN()));
          return m;
        };
        storeMatrix(*s, i, nothing(p));
        if (vectors) storeMatrix(*u, i, nothing(u->elements() / b.count)), storeMatrix(*v, i, nothing(v->elements() / b.count));
        continue;
      }
      const Eigen::JacobiSVD<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> svd(matrix, wanted);
      for (int64_t k = 0; k < p; ++k) storeElement(*s, i * p + k, T(svd.singularValues()[k]));
      if (!vectors) continue;
      storeMatrix(*u, i, Matrix<T>(svd.matrixU()));
      storeMatrix(*v, i, Matrix<T>(svd.matrixV()));
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
      storeMatrix(*out, i, Matrix<T>(lu.matrixLU()));
      const Eigen::PermutationMatrix<Eigen::Dynamic> back = lu.permutationP().transpose();
      for (int64_t k = 0; k < b.rows; ++k) {
        if (order->dtype() == DType::Int64) order->mutableData<int64_t>()[i * b.rows + k] = back.indices()[k];
        else order->mutableData<int32_t>()[i * b.rows + k] = back.indices()[k];
      }
    }
  });
  return good ? Status() : Status(invalidArgument("Input is not invertible."));
}

}  // namespace

void registerDecompositions(OpRegistry& ops) {
  const std::vector<DType> field = {DType::Float, DType::Double, DType::Complex64, DType::Complex128};
  const std::vector<KernelConstraint> types = {{"T", field}};
  const char* none = "TensorFlow 1.15 defines no gradient for it.";
  addMatrixOp(ops, "Qr", "QR decomposition of each matrix: A = Q R with orthonormal columns in Q and upper triangular R.")
      .input("input: T", kIn)
      .output("q: T", "Q.")
      .output("r: T", "R.")
      .attr("full_matrices: bool = false", "Compute the full square Q instead of the reduced one.")
      .attr(kTypes)
      .shape(qrShape)
      .gradient(linear::qrGradient)
      .cpu(types, simpleKernel(runQr));
  addMatrixOp(ops, "SelfAdjointEigV2",
              "Eigenvalues and eigenvectors of symmetric (Hermitian) matrices, in ascending order of eigenvalue; reads only the lower triangle.")
      .input("input: T", kIn)
      .output("e: T", "Eigenvalues.")
      .output("v: T", "Eigenvectors as columns.")
      .attr("compute_v: bool = true", "Whether to compute eigenvectors.")
      .attr(kTypes)
      .shape(eigShape)
      .gradient(linear::eigGradient)
      .cpu(types, simpleKernel(runEig));
  for (const bool batch : {false, true}) {
    addMatrixOp(ops, batch ? "BatchSelfAdjointEig" : "SelfAdjointEig",
                "Eigenvalues (ascending) and eigenvectors of symmetric matrices, packed into one matrix.")
        .input("input: T", kIn)
        .output("output: T", "Eigenvalues in the first row, eigenvectors as columns below.")
        .attr(batch ? "T: {double, float}" : "T: {double, float, half}")
        .deprecated(11, "Use SelfAdjointEigV2 instead.")
        .shape(batch ? shapes::unknown : eigInOneShape)
        .noGradient(none)
        .cpu({{"T", {DType::Float, DType::Double}}}, simpleKernel(runEigInOne))
        .gradientIsError = true;
  }
  addMatrixOp(ops, "Svd", "Singular value decomposition A = U diag(S) Vᴴ of each matrix, singular values in descending order.")
      .input("input: T", kIn)
      .output("s: T", "Singular values.")
      .output("u: T", "Left singular vectors, as columns.")
      .output("v: T", "Right singular vectors, as columns.")
      .attr("compute_uv: bool = true", "Whether to compute singular vectors.")
      .attr("full_matrices: bool = false", "Compute full square U and V instead of the reduced ones.")
      .attr(kTypes)
      .shape(svdShape)
      .gradient(linear::svdGradient)
      .cpu(types, simpleKernel(runSvd));
  addMatrixOp(ops, "Lu", "LU decomposition of each square matrix with row pivoting, L and U packed into one matrix.")
      .input("input: T", kIn)
      .output("lu: T", "U in the upper triangle, L below the diagonal; L's unit diagonal is not stored.")
      .output("p: output_idx_type", "Row permutation: row i of L U is row p[i] of the input.")
      .attr(kTypes)
      .attr("output_idx_type: {int32, int64} = DT_INT32")
      .shape(luShape)
      .noGradient(none)
      .cpu(types, simpleKernel(runLu))
      .gradientIsError = true;
}

}  // namespace weft
