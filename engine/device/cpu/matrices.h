#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "device/cpu/hot_matrices.h"
#include "device/cpu/products.h"

// Factorizations of dense row-major matrices of double and std::complex<double>, in blocks whose bulk are products. Rows are `ld` elements apart. Results do not
// depend on the number of threads.
namespace weft::cpu {

/// The lower Cholesky factor of the lower triangle of A [n, n], in place; the part above the diagonal is not read, and what it holds afterwards is undefined. False
/// if a pivot is not positive.
template <typename T>
bool choleskyFactor(T* a, int64_t ld, int64_t n);

/// LU factors of A [n, n] in place, with row pivoting: row i was exchanged with row pivots[i], for i = 0, 1, … A column of zeros gives a zero pivot.
template <typename T>
void luFactor(T* a, int64_t ld, int64_t n, int* pivots);

/// Which triangle of a matrix a system uses, and how.
struct TriangleUse {
  bool lower = true;
  bool adjoint = false;       ///< Use its conjugate transpose.
  bool unitDiagonal = false;  ///< Take the diagonal as ones.
};

/// Solves op(A) X = B in place of B [n, columns].
template <typename T>
void solveTriangle(TriangleUse use, const T* a, int64_t lda, int64_t n, T* b, int64_t ldb, int64_t columns);

/// QR factors of A [m, n]: R in and above the diagonal, below it reflections, see MatrixLoops::reflect.
template <typename T>
class QrFactors {
 public:
  QrFactors(T* a, int64_t ld, int64_t m, int64_t n);
  /// Q (op)on B from the left: B [m, columns] becomes Q B. Of B's rows and columns with index < `begin`, columns are zero below row `begin`: they are not touched
  /// by reflections from `begin` on. Pass identityLike = true if B is the identity's first columns.
  void applyQ(T* b, int64_t ldb, int64_t columns, bool identityLike) const;

 private:
  struct Block {
    int64_t begin, width;
    std::vector<T> v;  ///< [m - begin, width], row-major, with ones and zeros
    std::vector<T> t;  ///< [width, width], upper triangle: H_begin ... = I - V T Vᴴ
  };
  void makeBlock(int64_t begin, int64_t width, const T* columns, const T* tau);

  int64_t m_;
  std::vector<Block> blocks_;
};

/// Eigenvalues (ascending) and, if `vectors` is not null, eigenvectors as columns of `vectors` [n, n], of the Hermitian matrix whose lower triangle A [n, n] holds.
/// A is overwritten. False if the iteration does not converge.
template <typename T>
bool hermitianEigen(T* a, int64_t n, double* values, T* vectors);

/// Singular values (descending) of A [m, n], m >= n, and, if `u` is not null, U [m, columnsU] and V [n, n]; columnsU is n or m. A is overwritten. All elements of A
/// are finite. False if the iteration does not converge.
template <typename T>
bool singularValues(T* a, int64_t m, int64_t n, double* values, T* u, int64_t columnsU, T* v);

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
