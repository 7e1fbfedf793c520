#pragma once

// Between matrices.cpp, which splits the algorithms of linear algebra into blocks, and hot_matrices.cpp, which computes the blocks that are no products. Numbers
// are double or complex double. Nothing of the standard library: see hot.h.
namespace weft::cpu {

/// One rotation of rows k and k + 1: (x, y) becomes (c x - s y, s x + c y).
struct RowRotation {
  double c, s;
};

struct MatrixLoops {
  /// Cholesky factor of the lower triangle of a row-major matrix, in place. False if a pivot is not positive.
  bool (*cholesky)(void* a, long lda, long n);
  /// LU factors of `w` columns of `m` elements, stored one after another, with row pivots: row j was exchanged with row pivots[j].
  void (*lu)(void* columns, long m, long w, int* pivots);
  /// QR factors of `w` <= m columns of `m` elements: the diagonal and above become R; below it are the vectors v of reflections I - tau v vᴴ, whose first element is 1.
  void (*reflect)(void* columns, long m, long w, void* tau);
};

/// Applies `count` rotations, the first to rows k = `first` and first + 1, each next one a row further down, to `columns` doubles of rows `ld` doubles apart.
typedef void (*RotateRows)(double* rows, long ld, long columns, long first, const RowRotation* rotations, long count);

struct MatrixTable {
  MatrixLoops real, complex;
  RotateRows rotate;
};

}  // namespace weft::cpu
