#pragma once

// Between products.cpp, which splits matrix products into blocks, and hot_products.cpp, which computes them. Included by both: nothing of the standard library.
namespace weft::cpu {

enum class ProductType : int { Float, Double, Int32, Int64, Complex64, Complex128 };
constexpr int kProductTypes = 6;

/// What a product does with the elements of its result.
enum class Update : int { Set, Add, Subtract };

/// Elements of a matrix: element (i, j) is at data[i * rowStride + j * columnStride], counted in elements.
struct MatrixView {
  const void* data;
  long rowStride, columnStride;
  bool conjugate;
};

/// Loops of one element type. A left operand is packed as panels of `rows` rows (the last ones are lower), a right operand as panels of `columns` columns, the
/// last one filled up with zeros. The panel that begins at row or column i begins at element i * k.
struct ProductKernels {
  int size;           ///< bytes of an element
  int rows, columns;  ///< of a tile whose sums stay in registers
  int lanes;          ///< numbers of a vector
  void (*packLeft)(const MatrixView& a, long rows, long k, void* to);
  void (*packRight)(const MatrixView& b, long k, long columns, void* to);
  /// C[rows, columns] (op)= A B. `lda`: elements from one row of `a` to the next if it is not packed (its columns are adjacent); 0 if it is. `ldb`: the same for
  /// `b`, for real numbers; its columns are then a multiple of `lanes`.
  void (*block)(long k, const void* a, long lda, const void* b, long ldb, long rows, long columns, void* c, long ldc, Update update);
  /// C[m, n] = A B for small matrices, without packing.
  void (*tiny)(long m, long k, long n, const MatrixView& a, const MatrixView& b, void* c, long ldc);
  /// y[i] (op)= sum of m[i, j] x[j] over n columns.
  void (*dots)(const void* m, long ldm, bool conjugateM, const void* x, bool conjugateX, long rows, long n, void* y, Update update);
  /// y[j] (op)= sum of x[i] m[i, j] over the rows.
  void (*sums)(const void* m, long ldm, bool conjugateM, const void* x, bool conjugateX, long rows, long n, void* y, Update update);
  /// Solves L X = B in place for a lower triangle L [n, n] stored without gaps, whose diagonal holds the reciprocals. ldb may be negative.
  void (*solve)(const void* l, long n, void* b, long ldb, long columns);
};

/// The loops for this machine; chosen once, see hot.h.
const ProductKernels& productKernels(ProductType type);

}  // namespace weft::cpu
