#include "device/cuda/matrix_blocks.cuh"
#include "ops/matrix_checks.h"

// Linear systems and products with tridiagonal matrices, computed in double as on the CPU.
namespace weft::cuda {
namespace {

using linear::Batch;
using linear::batchOf;

/// The factors of one matrix: n numbers each. A row whose `swapped` is set changed places with the next one.
template <typename W>
struct Factors {
  W *above, *main, *second, *factor;
  bool* swapped;
};

/// Eliminates what is below the main diagonal. With pivoting, the larger of two rows goes first, as in LAPACK's gtsv. False if a pivot is 0.
template <typename T>
__device__ bool eliminate(const T* diagonals, int64_t n, bool pivoting, Factors<Field<T>> f) {
  using W = Field<T>;
  for (int64_t i = 0; i < n; ++i) {
    f.above[i] = i + 1 < n ? widened(diagonals[i]) : W(0);
    f.main[i] = widened(diagonals[n + i]);
    f.second[i] = f.factor[i] = W(0);
    f.swapped[i] = false;
  }
  bool good = true;
  for (int64_t i = 0; i + 1 < n; ++i) {
    const W below = widened(diagonals[2 * n + i + 1]);
    if (pivoting && sizeOfNumber(below) > sizeOfNumber(f.main[i])) {
      const W factor = f.main[i] / below, nextMain = f.main[i + 1], nextAbove = f.above[i + 1];
      f.main[i] = below;
      f.main[i + 1] = f.above[i] - factor * nextMain;
      f.above[i] = nextMain;
      f.second[i] = nextAbove;
      f.above[i + 1] = -factor * nextAbove;
      f.factor[i] = factor;
      f.swapped[i] = true;
      continue;
    }
    good = good && f.main[i] != W(0);
    f.factor[i] = below / f.main[i];
    f.main[i + 1] = f.main[i + 1] - f.factor[i] * f.above[i];
  }
  return good && (n == 0 || f.main[n - 1] != W(0));
}

/// One block per matrix: its first thread eliminates, then each thread solves columns.
template <typename T>
Status runSolve(KernelContext& c) {
  using W = Field<T>;
  const Tensor &diagonals = c.input(0), &rhs = c.input(1);
  WEFT_TRY(linear::checkTridiagonalSolve(diagonals, rhs));
  const bool pivoting = c.node().attrs.flag("partial_pivoting", true);
  WEFT_LET(Tensor * out, c.allocate(0, rhs.shape()));
  const Batch b = batchOf(rhs);
  const int64_t n = b.rows, columns = b.cols;
  if (b.count == 0 || n == 0) return {};
  CudaDevice& d = deviceOf(c);
  WEFT_LET(const ErrorSlot wrong, d.errorSlot(c, diagonals, [pivoting](int64_t, const Tensor&) { return linear::unsolvable(pivoting); }));
  const int64_t all = b.count * n;
  WEFT_LET(Tensor memory, scratch(d, size_t(4 * all + all * columns) * sizeof(W) + size_t(all)));
  W* room = static_cast<W*>(memory.mutableRaw());
  W* solutions = room + 4 * all;
  bool* swapped = reinterpret_cast<bool*>(solutions + all * columns);
  const T *from = dataOf<T>(diagonals), *right = dataOf<T>(rhs);
  T* to = mutableDataOf<T>(*out);
  return forEachBlock(d, b.count, [=] __device__(int64_t m) {
    W* at = room + 4 * m * n;
    const Factors<W> f{at, at + n, at + 2 * n, at + 3 * n, swapped + m * n};
    if (threadIdx.x == 0 && !eliminate(from + 3 * m * n, n, pivoting, f)) wrong.report(m);
    __syncthreads();
    for (int64_t j = threadIdx.x; j < columns; j += kThreads) {
      const T* b = right + m * n * columns + j;
      W* x = solutions + m * n * columns + j;
      for (int64_t i = 0; i < n; ++i) x[i * columns] = widened(b[i * columns]);
      for (int64_t i = 0; i + 1 < n; ++i) {
        W *here = x + i * columns, *next = here + columns;
        if (f.swapped[i]) {
          const W upper = *here;
          *here = *next;
          *next = upper;
        }
        *next = *next - f.factor[i] * *here;
      }
      for (int64_t i = n - 1; i >= 0; --i) {
        W v = x[i * columns];
        if (i + 1 < n) v = v - f.above[i] * x[(i + 1) * columns];
        if (i + 2 < n) v = v - f.second[i] * x[(i + 2) * columns];
        x[i * columns] = v / f.main[i];
      }
      for (int64_t i = 0; i < n; ++i) to[(m * n + i) * columns + j] = narrowed<T>(x[i * columns]);
    }
  });
}

template <typename T>
Status runProduct(KernelContext& c) {
  using W = Field<T>;
  WEFT_TRY(linear::checkTridiagonalProduct(c));
  const Tensor& rhs = c.input(3);
  WEFT_LET(Tensor * out, c.allocate(0, rhs.shape()));
  const Batch r = batchOf(rhs);
  const int64_t n = r.rows, columns = r.cols;
  const T *above = input<T>(c, 0), *main = input<T>(c, 1), *below = input<T>(c, 2), *x = dataOf<T>(rhs);
  T* to = mutableDataOf<T>(*out);
  return forEach(deviceOf(c), out->elements(), [=] __device__(int64_t i) {
    const int64_t row = i / columns, k = row % n;
    W y = widened(main[row]) * widened(x[i]);
    if (k > 0) y = y + widened(below[row]) * widened(x[i - columns]);
    if (k + 1 < n) y = y + widened(above[row]) * widened(x[i + columns]);
    to[i] = narrowed<T>(y);
  });
}

}  // namespace

void registerTridiagonalGpu(OpRegistry& ops) {
  addFor<float, double, Complex64, Complex128>(ops, "TridiagonalSolve", []<typename T>(KernelContext& c) { return runSolve<T>(c); });
  addFor<float, double, Complex64, Complex128>(ops, "TridiagonalMatMul", []<typename T>(KernelContext& c) { return runProduct<T>(c); });
}

}  // namespace weft::cuda
