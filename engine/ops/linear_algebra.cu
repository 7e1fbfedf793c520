#include "device/cuda/matrix_blocks.cuh"
#include "ops/matrix_checks.h"

// Determinants, inverses, linear systems, Cholesky and LU factors of matrices in the last two dimensions: one block of threads per matrix.
namespace weft::cuda {
namespace {

using linear::Batch;
using linear::batchOf;
using linear::withLast;

Result<ErrorSlot> slotFor(KernelContext& c, const char* text) {
  return deviceOf(c).errorSlot(c, c.input(0), [text](int64_t, const Tensor&) { return invalidArgument(text); });
}

/// Memory for the factors of each matrix, its pivots, and right sides.
template <typename W>
struct Room {
  Tensor memory;
  W *factors, *sides;
  int* pivots;
};
template <typename W>
Result<Room<W>> roomFor(CudaDevice& d, const Batch& b, int64_t sides) {
  Room<W> r;
  const int64_t matrices = b.count * b.rows * b.rows, right = b.count * sides;
  WEFT_LET(r.memory, scratch(d, size_t(matrices + right) * sizeof(W) + size_t(b.count * b.rows) * sizeof(int)));
  r.factors = static_cast<W*>(r.memory.mutableRaw());
  r.sides = r.factors + matrices;
  r.pivots = reinterpret_cast<int*>(r.sides + right);
  return r;
}

template <typename T>
Status runCholesky(KernelContext& c) {
  using W = Field<T>;
  const Tensor& in = c.input(0);
  WEFT_TRY(linear::requireSquare(in));
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  if (in.elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  const Batch b = batchOf(in);
  WEFT_LET(const ErrorSlot wrong, slotFor(c, "Cholesky decomposition was not successful. The input might not be valid."));
  WEFT_LET(Room<W> room, roomFor<W>(d, b, 0));
  const int64_t n = b.rows;
  const T* from = dataOf<T>(in);
  T* to = mutableDataOf<T>(*out);
  W* factors = room.factors;
  return forEachBlock(d, b.count, [=] __device__(int64_t m) {
    W* a = factors + m * n * n;
    loadMatrix(from + m * n * n, n, n, false, a);
    for (int64_t k = 0; k < n; ++k) {
      const double pivot = realPart(a[k * n + k]);
      if (pivot <= 0) wrong.report(m);
      const double root = sqrt(pivot), inverse = 1 / root;
      __syncthreads();
      if (threadIdx.x == 0) a[k * n + k] = W(root);
      for (int64_t i = k + 1 + threadIdx.x; i < n; i += kThreads) a[i * n + k] = a[i * n + k] * W(inverse);
      __syncthreads();
      overPart(k + 1, n, k + 1, n, [=](int64_t i, int64_t j) {
        if (j <= i) a[i * n + j] = a[i * n + j] - a[i * n + k] * conjugated(a[j * n + k]);
      });
    }
    overPart(0, n, 0, n, [=](int64_t i, int64_t j) {
      if (j > i) a[i * n + j] = W(0);
    });
    storeMatrix(a, n * n, to + m * n * n);
  });
}

template <typename T>
Status runInverse(KernelContext& c) {
  using W = Field<T>;
  const Tensor& in = c.input(0);
  WEFT_TRY(linear::requireSquare(in));
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  if (in.elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  const Batch b = batchOf(in);
  const int64_t n = b.rows;
  const bool adjoint = c.node().attrs.flag("adjoint");
  WEFT_LET(const ErrorSlot wrong, slotFor(c, "Input is not invertible."));
  WEFT_LET(Room<W> room, roomFor<W>(d, b, n * n));
  const T* from = dataOf<T>(in);
  T* to = mutableDataOf<T>(*out);
  W *factors = room.factors, *sides = room.sides;
  int* pivots = room.pivots;
  return forEachBlock(d, b.count, [=] __device__(int64_t m) {
    WEFT_SHARED(Pivot, part, kThreads);
    W *a = factors + m * n * n, *x = sides + m * n * n;
    loadMatrix(from + m * n * n, n, n, adjoint, a);
    luFactor(a, n, pivots + m * n, part);
    if (!isInvertible<W>(n, [=](int64_t k) { return a[k * (n + 1)]; })) wrong.report(m);
    overPart(0, n, 0, n, [=](int64_t i, int64_t j) { x[i * n + j] = W(i == j ? 1 : 0); });
    luSolve(a, n, pivots + m * n, x, n);
    storeMatrix(x, n * n, to + m * n * n);
  });
}

template <typename T>
Status runSolve(KernelContext& c) {
  using W = Field<T>;
  const Tensor &in = c.input(0), &rhs = c.input(1);
  WEFT_TRY(linear::checkSolve(in, rhs, true));
  WEFT_LET(Tensor * out, c.allocate(0, rhs.shape()));
  if (out->elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  const Batch b = batchOf(in);
  const int64_t n = b.rows, columns = batchOf(rhs).cols;
  const bool adjoint = c.node().attrs.flag("adjoint");
  WEFT_LET(const ErrorSlot wrong, slotFor(c, "Input matrix is not invertible."));
  WEFT_LET(Room<W> room, roomFor<W>(d, b, n * columns));
  const T *from = dataOf<T>(in), *right = dataOf<T>(rhs);
  T* to = mutableDataOf<T>(*out);
  W *factors = room.factors, *sides = room.sides;
  int* pivots = room.pivots;
  return forEachBlock(d, b.count, [=] __device__(int64_t m) {
    WEFT_SHARED(Pivot, part, kThreads);
    W *a = factors + m * n * n, *x = sides + m * n * columns;
    loadMatrix(from + m * n * n, n, n, adjoint, a);
    loadMatrix(right + m * n * columns, n, columns, false, x);
    luFactor(a, n, pivots + m * n, part);
    if (!isInvertible<W>(n, [=](int64_t k) { return a[k * (n + 1)]; })) wrong.report(m);
    luSolve(a, n, pivots + m * n, x, columns);
    storeMatrix(x, n * columns, to + m * n * columns);
  });
}

template <typename T>
Status runTriangularSolve(KernelContext& c) {
  using W = Field<T>;
  const Tensor &in = c.input(0), &rhs = c.input(1);
  WEFT_TRY(linear::checkTriangularSolve(in, rhs));
  WEFT_LET(Tensor * out, c.allocate(0, rhs.shape()));
  if (out->elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  const Batch b = batchOf(in);
  const int64_t n = b.rows, columns = batchOf(rhs).cols;
  const bool adjoint = c.node().attrs.flag("adjoint"), lower = c.node().attrs.flag("lower", true);
  WEFT_LET(const ErrorSlot wrong, slotFor(c, "Input matrix is not invertible."));
  WEFT_LET(Tensor memory, scratch(d, size_t(b.count * n * columns) * sizeof(W)));
  W* sides = static_cast<W*>(memory.mutableRaw());
  const T *from = dataOf<T>(in), *right = dataOf<T>(rhs);
  T* to = mutableDataOf<T>(*out);
  return forEachBlock(d, b.count, [=] __device__(int64_t m) {
    const T* a = from + m * n * n;
    W* x = sides + m * n * columns;
    loadMatrix(right + m * n * columns, n, columns, false, x);
    if (!isInvertible<W>(n, [=](int64_t k) { return widened(a[k * (n + 1)]); })) wrong.report(m);
    solveTriangle(lower != adjoint, false, n, columns, x,
                  [=](int64_t i, int64_t k) { return adjoint ? conjugated(widened(a[k * n + i])) : widened(a[i * n + k]); });
    storeMatrix(x, n * columns, to + m * n * columns);
  });
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// 1 or -1: whether the number of exchanged rows is even.
__device__ double parityOf(const int* pivots, int64_t n) {
  bool odd = false;
  for (int64_t k = 0; k < n; ++k) odd ^= pivots[k] != k;
  return odd ? -1 : 1;
}

/// Determinants; with `log`, their signs and the logarithms of their sizes.
template <typename T, bool kLog>
Status runDeterminant(KernelContext& c) {
  using W = Field<T>;
  const Tensor& in = c.input(0);
  WEFT_TRY(linear::requireSquare(in));
  WEFT_LET(Tensor * out, c.allocate(0, withLast(in, {})));
  Tensor* logs = nullptr;
  if (kLog) {
    WEFT_LET(logs, c.allocate(1, withLast(in, {})));
  }
  CudaDevice& d = deviceOf(c);
  const Batch b = batchOf(in);
  const int64_t n = b.rows;
  WEFT_LET(Room<W> room, roomFor<W>(d, b, 0));
  const T* from = dataOf<T>(in);
  T *to = mutableDataOf<T>(*out), *toLogs = kLog ? mutableDataOf<T>(*logs) : nullptr;
  W* factors = room.factors;
  int* pivots = room.pivots;
  return forEachBlock(d, b.count, [=] __device__(int64_t m) {
    WEFT_SHARED(Pivot, part, kThreads);
    W* a = factors + m * n * n;
    int* p = pivots + m * n;
    loadMatrix(from + m * n * n, n, n, false, a);
    luFactor(a, n, p, part);
    __syncthreads();
    if (threadIdx.x > 0) return;
    W product = W(parityOf(p, n));
    double sum = 0;
    for (int64_t k = 0; k < n; ++k) {
      const W diagonal = a[k * (n + 1)];
      const double size = kLog ? sizeOfNumber(diagonal) : 1;
      product = product * (kLog ? diagonal / W(size) : diagonal);
      if (kLog) sum += log(size);
    }
    if (kLog && !(fabs(sum) <= 1.7976931348623157e308)) {
      product = W(0);
      sum = -kInfinity;
    }
    to[m] = narrowed<T>(product);
    if (kLog) toLogs[m] = narrowed<T>(W(sum));
  });
}

template <typename T, typename I>
Status runLu(KernelContext& c) {
  using W = Field<T>;
  const Tensor& in = c.input(0);
  WEFT_TRY(linear::requireSquare(in));
  const Batch b = batchOf(in);
  const int64_t n = b.rows;
  WEFT_LET(Tensor * out, c.allocate(0, in.shape()));
  WEFT_LET(Tensor * order, c.allocate(1, withLast(in, {n})));
  if (in.elements() == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const ErrorSlot wrong, slotFor(c, "Input is not invertible."));
  WEFT_LET(Room<W> room, roomFor<W>(d, b, 0));
  const T* from = dataOf<T>(in);
  T* to = mutableDataOf<T>(*out);
  I* toOrder = mutableDataOf<I>(*order);
  W* factors = room.factors;
  int* pivots = room.pivots;
  return forEachBlock(d, b.count, [=] __device__(int64_t m) {
    WEFT_SHARED(Pivot, part, kThreads);
    W* a = factors + m * n * n;
    loadMatrix(from + m * n * n, n, n, false, a);
    luFactor(a, n, pivots + m * n, part);
    if (!isInvertible<W>(n, [=](int64_t k) { return a[k * (n + 1)]; })) wrong.report(m);
    if (threadIdx.x == 0) {
      I* rows = toOrder + m * n;
      for (int64_t k = 0; k < n; ++k) rows[k] = I(k);
      for (int64_t k = 0; k < n; ++k) {
        const int64_t other = pivots[m * n + k];
        const I row = rows[k];
        rows[k] = rows[other];
        rows[other] = row;
      }
    }
    storeMatrix(a, n * n, to + m * n * n);
  });
}

template <typename T>
void addLu(OpRegistry& ops) {
  addAny(ops, "Lu", runLu<T, int32_t>, {}, {{"T", {kDType<T>}}, {"output_idx_type", {DType::Int32}}});
  addAny(ops, "Lu", runLu<T, int64_t>, {}, {{"T", {kDType<T>}}, {"output_idx_type", {DType::Int64}}});
}

}  // namespace

void registerLinearAlgebraGpu(OpRegistry& ops) {
  addFor<float, double, Complex64, Complex128>(ops, "Cholesky", []<typename T>(KernelContext& c) { return runCholesky<T>(c); });
  addFor<float, double, Complex64, Complex128>(ops, "MatrixInverse", []<typename T>(KernelContext& c) { return runInverse<T>(c); });
  addFor<float, double, Complex64, Complex128>(ops, "MatrixSolve", []<typename T>(KernelContext& c) { return runSolve<T>(c); });
  addFor<float, double, Complex64, Complex128>(ops, "MatrixTriangularSolve", []<typename T>(KernelContext& c) { return runTriangularSolve<T>(c); });
  addFor<float, double, Complex64, Complex128>(ops, "MatrixDeterminant", []<typename T>(KernelContext& c) { return runDeterminant<T, false>(c); });
  addFor<float, double, Complex64, Complex128>(ops, "LogMatrixDeterminant", []<typename T>(KernelContext& c) { return runDeterminant<T, true>(c); });
  addFor<float, double>(ops, "BatchMatrixTriangularSolve", []<typename T>(KernelContext& c) { return runTriangularSolve<T>(c); });
  keepOnHost(ops, "Qr", {DType::Float, DType::Double, DType::Complex128});
  addLu<float>(ops);
  addLu<double>(ops);
  addLu<Complex64>(ops);
  addLu<Complex128>(ops);
}

}  // namespace weft::cuda
