#include <Eigen/SVD>
#include <limits>
#include <numeric>

#include "device/cpu/matrices.h"
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
    overBatch(b.count, std::max(b.rows, b.cols), [&](int64_t begin, int64_t end) {
      MatrixReader<T> read(in);
      MatrixWriter<T> writeQ(*q, b.rows * p), writeR(*r, p * b.cols);
      std::vector<T> factors(size_t(b.rows * b.cols));
      for (int64_t i = begin; i < end; ++i) {
        T *const qs = writeQ(i), *const rs = writeR(i);
        std::fill_n(qs, b.rows * p, T(0));
        for (int64_t k = 0; k < p; ++k) qs[k * (p + 1)] = T(1);
        if (b.rows > 0 && b.cols > 0) {
          read.copy(i, factors.data());
          cpu::qrFactor(factors.data(), b.cols, b.rows, b.cols).apply(qs, p, p, true);
          for (int64_t k = 0; k < p; ++k) {
            const int64_t zeros = std::min(k, b.cols);
            std::fill_n(rs + k * b.cols, zeros, T(0));
            std::copy(factors.begin() + k * b.cols + zeros, factors.begin() + (k + 1) * b.cols, rs + k * b.cols + zeros);
          }
        }
        writeQ.done(i);
        writeR.done(i);
      }
    });
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
/// Calls f(i, eigenvalues, eigenvectors as columns) for each matrix of a batch, on several threads. Returns whether all decompositions were successful.
template <typename F>
bool eachEigen(const Tensor& in, bool vectors, F&& f) {
  const Batch b = batchOf(in);
  if (b.rows == 0) return true;
  std::atomic<bool> good = true;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    overBatch(b.count, b.rows, [&](int64_t begin, int64_t end) {
      MatrixReader<T> read(in);
      std::vector<T> matrix(size_t(b.rows * b.rows)), columns(vectors ? matrix.size() : 0);
      std::vector<double> values(static_cast<size_t>(b.rows));
      for (int64_t i = begin; i < end; ++i) {
        read.copy(i, matrix.data());
        if (!cpu::hermitianEigen(matrix.data(), b.rows, values.data(), vectors ? columns.data() : nullptr)) {
          good = false;
          return;
        }
        f(i, values.data(), columns.data());
      }
    });
  });
  return good;
}

Status runEig(KernelContext& c) {
  const Tensor& in = c.input(0);
  WEFT_TRY(requireSquare(in));
  const Batch b = batchOf(in);
  const bool vectors = c.node().attrs.flag("compute_v", true);
  WEFT_LET(Tensor* e, c.allocate(0, withLast(in, {b.rows})));
  WEFT_LET(Tensor* v, c.allocate(1, vectors ? in.shape() : Shape{0}));
  const bool good = eachEigen(in, vectors, [&]<typename T>(int64_t i, const double* values, const T* columns) {
    for (int64_t k = 0; k < b.rows; ++k) storeElement(*e, i * b.rows + k, T(values[k]));
    if (vectors) storeElements(*v, i * b.rows * b.rows, columns, b.rows * b.rows);
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
  const bool good = eachEigen(in, true, [&]<typename T>(int64_t i, const double* values, const T* columns) {
    for (int64_t k = 0; k < n; ++k) storeElement(*out, i * (n + 1) * n + k, T(values[k]));
    storeElements(*out, (i * (n + 1) + 1) * n, columns, n * n);
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
/// Decompositions of matrices with fewer columns are those of Eigen's JacobiSVD, as in TensorFlow: so singular vectors get TensorFlow's signs.
constexpr int64_t kJacobiColumns = 16;

/// One decomposition: values [p], and where wanted U [m, columnsU] and V [n, columnsV].
template <typename T>
void jacobiSvd(const T* from, int64_t m, int64_t n, bool vectors, bool full, Tensor& s, Tensor& u, Tensor& v, int64_t i) {
  const unsigned wanted = !vectors ? 0u : full ? unsigned(Eigen::ComputeFullU | Eigen::ComputeFullV) : unsigned(Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::JacobiSVD<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> svd(Eigen::Map<const Matrix<T>>(from, m, n), wanted);
  const int64_t p = std::min(m, n);
  for (int64_t k = 0; k < p; ++k) storeElement(s, i * p + k, T(svd.singularValues()[k]));
  if (!vectors) return;
  storeMatrix(u, i, Matrix<T>(svd.matrixU()));
  storeMatrix(v, i, Matrix<T>(svd.matrixV()));
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
  if (p == 0) return {};
  std::atomic<bool> good = true;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    // A wide matrix is decomposed as its conjugate transpose, whose singular vectors change places.
    const bool isWide = b.cols > b.rows;
    const int64_t m = std::max(b.rows, b.cols), columns = full ? m : p;
    overBatch(b.count, m, [&](int64_t begin, int64_t end) {
      MatrixReader<T> read(in);
      std::vector<T> matrix(size_t(m * p)), tall(vectors ? size_t(m * columns) : 0), square(vectors ? size_t(p * p) : 0);
      std::vector<double> values(static_cast<size_t>(p));
      for (int64_t i = begin; i < end; ++i) {
        const T* const from = read(i);
        bool finite = true;
        for (int64_t k = 0; k < m * p; ++k) finite = finite && std::isfinite(std::abs(from[k]));
        if (finite && b.cols < kJacobiColumns) {
          jacobiSvd(from, b.rows, b.cols, vectors, full, *s, *u, *v, i);
          continue;
        }
        for (int64_t r = 0; r < b.rows; ++r) {
          for (int64_t k = 0; k < b.cols; ++k) {
            const T x = from[r * b.cols + k];
            if constexpr (std::is_same_v<T, std::complex<double>>) matrix[size_t(isWide ? k * p + r : r * p + k)] = isWide ? std::conj(x) : x;
            else matrix[size_t(isWide ? k * p + r : r * p + k)] = x;
          }
        }
        if (!finite) {
          constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
          std::fill(values.begin(), values.end(), kNan), std::fill(tall.begin(), tall.end(), T(kNan)), std::fill(square.begin(), square.end(), T(kNan));
        } else if (!cpu::singularValues(matrix.data(), m, p, values.data(), vectors ? tall.data() : nullptr, columns, square.data())) {
          good = false;
          return;
        }
        for (int64_t k = 0; k < p; ++k) storeElement(*s, i * p + k, T(values[size_t(k)]));
        if (!vectors) continue;
        storeElements(isWide ? *v : *u, i * m * columns, tall.data(), m * columns);
        storeElements(isWide ? *u : *v, i * p * p, square.data(), p * p);
      }
    });
  });
  return good ? Status() : Status(invalidArgument("Singular value decomposition was not successful. The input might not be valid."));
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
  std::atomic<bool> good = true;
  const int64_t n = b.rows;
  withField(in.dtype(), [&]<typename T>(std::type_identity<T>) {
    overBatch(n > 0 ? b.count : 0, n, [&](int64_t begin, int64_t end) {
      MatrixReader<T> read(in);
      MatrixWriter<T> write(*out, n * n);
      std::vector<int> pivots(static_cast<size_t>(n)), rows(static_cast<size_t>(n));
      for (int64_t i = begin; i < end; ++i) {
        T* const factors = write(i);
        read.copy(i, factors);
        cpu::luFactor(factors, n, n, pivots.data());
        std::iota(rows.begin(), rows.end(), 0);
        if (!isInvertible(factors, n)) good = false;
        for (int64_t k = 0; k < n; ++k) std::swap(rows[size_t(k)], rows[size_t(pivots[size_t(k)])]);
        for (int64_t k = 0; k < n; ++k) {
          if (order->dtype() == DType::Int64) order->mutableData<int64_t>()[i * n + k] = rows[size_t(k)];
          else order->mutableData<int32_t>()[i * n + k] = rows[size_t(k)];
        }
        write.done(i);
      }
    });
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
