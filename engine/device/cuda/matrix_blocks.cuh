#pragma once

#include "device/cuda/launch.cuh"
#include "device/cuda/registration.h"

// Decompositions of small matrices, each by the threads of one block, in double precision as on the CPU. There is no cuSOLVER in the host build.
namespace weft::cuda {

/// The type in which matrices of T are computed.
template <typename T>
using Field = std::conditional_t<kIsComplex<T>, Complex128, double>;

__device__ inline double widened(float x) { return x; }
__device__ inline double widened(double x) { return x; }
__device__ inline Complex128 widened(Complex64 x) { return {double(x.re), double(x.im)}; }
__device__ inline Complex128 widened(Complex128 x) { return x; }
template <typename T>
__device__ T narrowed(double x) {
  return T(x);
}
template <typename T>
__device__ T narrowed(Complex128 x) {
  using R = decltype(T::re);
  return {R(x.re), R(x.im)};
}
__device__ inline double conjugated(double x) { return x; }
__device__ inline Complex128 conjugated(Complex128 x) { return {x.re, -x.im}; }
__device__ inline double sizeOfNumber(double x) { return fabs(x); }
__device__ inline double sizeOfNumber(Complex128 x) { return hypot(x.re, x.im); }
__device__ inline double realPart(double x) { return x; }
__device__ inline double realPart(Complex128 x) { return x.re; }

/// Copies a matrix [rows, columns], or the conjugate transpose of a square one.
template <typename T>
__device__ void loadMatrix(const T* from, int64_t rows, int64_t columns, bool adjoint, Field<T>* to) {
  for (int64_t i = threadIdx.x; i < rows * columns; i += kThreads) {
    to[i] = adjoint ? conjugated(widened(from[i % columns * columns + i / columns])) : widened(from[i]);
  }
  __syncthreads();
}
template <typename T>
__device__ void storeMatrix(const Field<T>* from, int64_t elements, T* to) {
  __syncthreads();
  for (int64_t i = threadIdx.x; i < elements; i += kThreads) to[i] = narrowed<T>(from[i]);
}

/// Calls f(row, column) for a part of a matrix: a warp takes a row.
template <typename F>
__device__ void overPart(int64_t firstRow, int64_t rows, int64_t firstColumn, int64_t columns, F f) {
  for (int64_t i = firstRow + threadIdx.x / kWarp; i < rows; i += kThreads / kWarp) {
    for (int64_t j = firstColumn + threadIdx.x % kWarp; j < columns; j += kWarp) f(i, j);
  }
  __syncthreads();
}

struct Pivot {
  double size;
  int64_t at;
};
struct LargerPivot {
  __device__ Pivot operator()(Pivot a, Pivot b) const { return b.size > a.size || (b.size == a.size && b.at < a.at) ? b : a; }
};

/// LU factors of A [n, n] in its place, with row pivoting. A column of zeros stays as it is. `part` is shared memory for kThreads pivots.
template <typename W>
__device__ void luFactor(W* a, int64_t n, int* pivots, Pivot* part) {
  for (int64_t j = 0; j < n; ++j) {
    Pivot best{-1, j};
    for (int64_t i = j + threadIdx.x; i < n; i += kThreads) {
      const double size = sizeOfNumber(a[i * n + j]);
      if (size > best.size) best = {size, i};
    }
    best = acrossBlock(best, LargerPivot(), part);
    const double first = sizeOfNumber(a[j * n + j]);
    const bool isZero = best.size == 0 && first == first;
    const int64_t p = first != first || isZero ? j : best.at;  // a NaN that comes first stays the largest
    __syncthreads();
    if (threadIdx.x == 0) pivots[j] = int(p);
    if (p != j) {
      for (int64_t k = threadIdx.x; k < n; k += kThreads) {
        const W upper = a[j * n + k];
        a[j * n + k] = a[p * n + k];
        a[p * n + k] = upper;
      }
    }
    __syncthreads();
    if (isZero) continue;
    for (int64_t i = j + 1 + threadIdx.x; i < n; i += kThreads) a[i * n + j] = a[i * n + j] / a[j * n + j];
    __syncthreads();
    overPart(j + 1, n, j + 1, n, [=](int64_t i, int64_t k) { a[i * n + k] = a[i * n + k] - a[i * n + j] * a[j * n + k]; });
  }
}

/// Whether the least of the sizes of A's diagonal is above 0, found as TensorFlow finds it: a NaN counts where it comes first.
template <typename W, typename At>
__device__ bool isInvertible(int64_t n, At diagonal) {
  double least = n > 0 ? sizeOfNumber(W(diagonal(0))) : 1;
  for (int64_t k = 1; k < n; ++k) {
    const double size = sizeOfNumber(W(diagonal(k)));
    if (size < least) least = size;
  }
  return least > 0;
}

/// Solves M X = B in place of B [n, columns], for triangular M given by at(row, column). `unit`: its diagonal is 1.
template <typename W, typename At>
__device__ void solveTriangle(bool lower, bool unit, int64_t n, int64_t columns, W* b, At at) {
  for (int64_t step = 0; step < n; ++step) {
    const int64_t k = lower ? step : n - 1 - step;
    if (!unit) overPart(k, k + 1, 0, columns, [=](int64_t, int64_t j) { b[k * columns + j] = b[k * columns + j] / at(k, k); });
    overPart(lower ? k + 1 : 0, lower ? n : k, 0, columns,
             [=](int64_t i, int64_t j) { b[i * columns + j] = b[i * columns + j] - at(i, k) * b[k * columns + j]; });
  }
}

/// Solves A X = B in place of B with the factors of A.
template <typename W>
__device__ void luSolve(const W* a, int64_t n, const int* pivots, W* b, int64_t columns) {
  __syncthreads();
  for (int64_t j = threadIdx.x; j < columns; j += kThreads) {
    for (int64_t k = 0; k < n; ++k) {
      const W upper = b[k * columns + j];
      b[k * columns + j] = b[pivots[k] * columns + j];
      b[pivots[k] * columns + j] = upper;
    }
  }
  __syncthreads();
  const auto at = [=](int64_t i, int64_t k) { return a[i * n + k]; };
  solveTriangle(true, true, n, columns, b, at);
  solveTriangle(false, false, n, columns, b, at);
}

}  // namespace weft::cuda
