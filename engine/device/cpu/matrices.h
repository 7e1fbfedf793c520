#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "device/cpu/hot_matrices.h"
#include "device/cpu/products.h"
#include "weft/export.h"

// Factorizations of dense row-major matrices of double and std::complex<double>, in blocks whose bulk are products. Rows are `ld` elements apart. Results do not
// depend on the number of threads.
namespace weft::cpu {

/// The lower Cholesky factor of the lower triangle of A [n, n], in place; the part above the diagonal is not read, and what it holds afterwards is undefined. False
/// if a pivot is not positive.
template <typename T>
WEFT_API bool choleskyFactor(T* a, int64_t ld, int64_t n);

/// LU factors of A [n, n] in place, with row pivoting: row i was exchanged with row pivots[i], for i = 0, 1, … A column of zeros gives a zero pivot.
template <typename T>
WEFT_API void luFactor(T* a, int64_t ld, int64_t n, int* pivots);

/// Which triangle of a matrix a system uses, and how.
struct TriangleUse {
  bool lower = true;
  bool adjoint = false;       ///< Use its conjugate transpose.
  bool unitDiagonal = false;  ///< Take the diagonal as ones.
};

/// Solves op(A) X = B in place of B [n, columns].
template <typename T>
WEFT_API void solveTriangle(TriangleUse use, const T* a, int64_t lda, int64_t n, T* b, int64_t ldb, int64_t columns);

/// A unitary matrix Q [m, m] as a product of reflections I - conj(tau) v vᴴ, in blocks that are applied as products.
template <typename T>
class WEFT_API Reflections {
 public:
  explicit Reflections(int64_t m) : m_(m) {}
  /// Appends `width` reflections that leave rows below `begin` alone. columns[j * (m - begin) + i], i > j: element i of vector j; before it are zeros and a one.
  void add(int64_t begin, int64_t width, const T* columns, const T* tau);
  /// B [m, columns] becomes Q B. `identityLike`: row and column i of B are those of the identity up to the reflections that touch them.
  void apply(T* b, int64_t ldb, int64_t columns, bool identityLike) const;
  /// B becomes H B, where H is the adjoint of the block added last; B's first row is row `begin` of that block.
  void applyLastAdjoint(T* b, int64_t ldb, int64_t columns) const;

 private:
  struct Block {
    int64_t begin, width;
    std::vector<T> v;  ///< [m - begin, width], row-major, with ones and zeros
    std::vector<T> t;  ///< [width, width], upper triangle: the block's product is I - V T Vᴴ
  };

  int64_t m_;
  std::vector<Block> blocks_;
};

/// QR factors of A [m, n]: R in and above its diagonal; returns Q.
template <typename T>
WEFT_API Reflections<T> qrFactor(T* a, int64_t ld, int64_t m, int64_t n);

/// Eigenvalues (ascending) and, if `vectors` is not null, eigenvectors as columns of `vectors` [n, n], of the Hermitian matrix whose lower triangle A [n, n] holds.
/// A is overwritten. False if the iteration does not converge, as with NaN.
template <typename T>
WEFT_API bool hermitianEigen(T* a, int64_t n, double* values, T* vectors);

/// Singular values (descending) of A [m, n], m >= n, and, if `u` is not null, U [m, columnsU] and V [n, n]; columnsU is n or m. A is overwritten. All elements of A
/// are finite. False if the iteration does not converge.
template <typename T>
WEFT_API bool singularValues(T* a, int64_t m, int64_t n, double* values, T* u, int64_t columnsU, T* v);

const MatrixTable& matrixTable();
template <typename T>
const MatrixLoops& matrixLoops() {
  return std::is_same_v<T, double> ? matrixTable().real : matrixTable().complex;
}

/// C [m, n] (op)= A [m, k] B [k, n] with adjacent columns.
template <typename T>
void multiply(int64_t m, int64_t k, int64_t n, const T* a, int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc, Update update) {
  product(productTypeOf<T>(), m, k, n, {a, lda, 1, false}, {b, ldb, 1, false}, c, ldc, update);
}
/// C [m, n] (op)= Aᴴ B with A [k, m].
template <typename T>
void multiplyAdjoint(int64_t m, int64_t k, int64_t n, const T* a, int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc, Update update) {
  product(productTypeOf<T>(), m, k, n, {a, 1, lda, true}, {b, ldb, 1, false}, c, ldc, update);
}

}  // namespace weft::cpu
