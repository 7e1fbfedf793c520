#pragma once

#include "kernel/kernel.h"

// Checks of ops on matrices in the last two dims, for the kernels of all devices.
namespace weft::linear {

struct Batch {
  int64_t count, rows, cols;
};
inline Batch batchOf(const Tensor& t) { return {t.shape().slice(0, t.rank() - 2).elements(), t.dim(t.rank() - 2), t.dim(t.rank() - 1)}; }

inline Status requireMatrix(const Tensor& t) {
  if (t.rank() < 2) return invalidArgument("Input tensor 0 must have rank >= 2");
  return {};
}
inline Status requireSquare(const Tensor& t) {
  WEFT_TRY(requireMatrix(t));
  if (t.dim(t.rank() - 1) != t.dim(t.rank() - 2)) return invalidArgument("Input matrix must be square.");
  return {};
}
/// The batch dims of t, followed by `dims`.
inline Shape withLast(const Tensor& t, std::initializer_list<int64_t> dims) {
  Shape s = t.shape().slice(0, t.rank() - 2);
  for (int64_t d : dims) s.append(d);
  return s;
}

/// Whether A X = B can be solved, by shapes.
WEFT_API Status checkSolve(const Tensor& a, const Tensor& b, bool square);
WEFT_API Status checkTriangularSolve(const Tensor& a, const Tensor& b);
/// The same for tridiagonal matrices, given by three diagonals, and for products with them.
WEFT_API Status checkTridiagonalSolve(const Tensor& diagonals, const Tensor& rhs);
WEFT_API Status checkTridiagonalProduct(KernelContext& c);
/// The error of a tridiagonal system without a solution.
WEFT_API Error unsolvable(bool pivoting);

}  // namespace weft::linear
