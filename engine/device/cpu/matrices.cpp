#include "device/cpu/matrices.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "device/cpu/hot.h"

namespace weft::cpu {

namespace v2 {
extern const MatrixTable kMatrixTable;
}
namespace v3 {
extern const MatrixTable kMatrixTable;
}
namespace v4 {
extern const MatrixTable kMatrixTable;
}

const MatrixTable& matrixTable() {
  static const MatrixTable& chosen = []() -> const MatrixTable& {
    const char* isa = hotTable().isa;
    return std::strcmp(isa, "v4") == 0 ? v4::kMatrixTable : std::strcmp(isa, "v3") == 0 ? v3::kMatrixTable : v2::kMatrixTable;
  }();
  return chosen;
}

namespace {

constexpr int64_t kSolved = 64;     // rows of a triangle that is solved without products; also the limit of hot_products.cpp
constexpr int64_t kFactored = 32;   // rows of a Cholesky factor that is computed without products
constexpr int64_t kPanel = 16;      // columns of an LU panel
constexpr int64_t kReflected = 32;  // columns of a QR panel

double conjugated(double x) { return x; }
std::complex<double> conjugated(const std::complex<double>& x) { return std::conj(x); }

/// A lower triangle with any strides.
template <typename T>
struct Lower {
  const T* data;
  int64_t rowStride, columnStride;
  bool conjugate, unitDiagonal;

  Lower part(int64_t begin) const { return {data + begin * (rowStride + columnStride), rowStride, columnStride, conjugate, unitDiagonal}; }
};

template <typename T>
void solveLower(const Lower<T>& l, int64_t n, T* b, int64_t ldb, int64_t columns) {
  if (n > kSolved) {
    const int64_t first = (n / 2 + kSolved - 1) / kSolved * kSolved;
    solveLower(l, first, b, ldb, columns);
    const MatrixView below{l.data + first * l.rowStride, l.rowStride, l.columnStride, l.conjugate};
    product(productTypeOf<T>(), n - first, first, columns, below, {b, ldb, 1, false}, b + first * ldb, ldb, Update::Subtract);
    solveLower(l.part(first), n - first, b + first * ldb, ldb, columns);
    return;
  }
  // Memory without the zeros that std::complex would begin with.
  alignas(64) unsigned char memory[kSolved * kSolved * sizeof(T)];
  T* const packed = reinterpret_cast<T*>(memory);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < i; ++j) {
      const T x = l.data[i * l.rowStride + j * l.columnStride];
      packed[i * n + j] = l.conjugate ? conjugated(x) : x;
    }
    const T d = l.data[i * (l.rowStride + l.columnStride)];
    packed[i * n + i] = l.unitDiagonal ? T(1) : T(1) / (l.conjugate ? conjugated(d) : d);
  }
  const ProductKernels& loops = productKernels(productTypeOf<T>());
  const int64_t panels = (columns + loops.columns - 1) / loops.columns;
  parallelFor(panels, std::max<int64_t>(1, 200'000 / (n * n * loops.columns)), [&](int64_t begin, int64_t end) {
    const int64_t from = begin * loops.columns, to = std::min(columns, end * loops.columns);
    loops.solve(packed, n, b + from, ldb, to - from);
  });
}

}  // namespace

template <typename T>
void solveTriangle(TriangleUse use, const T* a, int64_t lda, int64_t n, T* b, int64_t ldb, int64_t columns) {
  if (n == 0 || columns == 0) return;
  // The adjoint of an upper triangle is a lower one. An upper triangle becomes a lower one if rows and columns are taken in reverse.
  const Lower<T> seen{a, use.adjoint ? 1 : lda, use.adjoint ? lda : 1, use.adjoint, use.unitDiagonal};
  if (use.lower != use.adjoint) return solveLower(seen, n, b, ldb, columns);
  const Lower<T> reversed{a + (n - 1) * (lda + 1), -seen.rowStride, -seen.columnStride, seen.conjugate, seen.unitDiagonal};
  solveLower(reversed, n, b + (n - 1) * ldb, -ldb, columns);
}

template <typename T>
bool choleskyFactor(T* a, int64_t ld, int64_t n) {
  if (n <= kFactored) return matrixLoops<T>().cholesky(a, ld, n);
  const int64_t first = (n / 2 + kFactored - 1) / kFactored * kFactored, rest = n - first;
  if (!choleskyFactor(a, ld, first)) return false;
  // L21 = A21 L11⁻ᴴ: its conjugate transpose solves L11 X = A21ᴴ.
  T* const below = a + first * ld;
  std::vector<T> x(static_cast<size_t>(first * rest));
  for (int64_t i = 0; i < rest; ++i) {
    for (int64_t j = 0; j < first; ++j) x[size_t(j * rest + i)] = conjugated(below[i * ld + j]);
  }
  solveTriangle<T>({}, a, ld, first, x.data(), rest, rest);
  for (int64_t i = 0; i < rest; ++i) {
    for (int64_t j = 0; j < first; ++j) below[i * ld + j] = conjugated(x[size_t(j * rest + i)]);
  }
  product(productTypeOf<T>(), rest, first, rest, {below, ld, 1, false}, {x.data(), rest, 1, false}, below + first, ld, Update::Subtract, true);
  return choleskyFactor(below + first, ld, rest);
}

namespace {

/// Columns [begin, begin + width) of rows [begin, m) as columns one after another, and back.
template <typename T>
void gather(const T* a, int64_t ld, int64_t rows, int64_t width, T* columns) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < width; ++j) columns[j * rows + i] = a[i * ld + j];
  }
}
template <typename T>
void scatter(const T* columns, int64_t rows, int64_t width, T* a, int64_t ld) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < width; ++j) a[i * ld + j] = columns[j * rows + i];
  }
}

template <typename T>
void exchangeRows(T* a, int64_t ld, int64_t columns, const int* pivots, int64_t count) {
  for (int64_t i = 0; i < count && columns > 0; ++i) {
    if (pivots[i] != i) std::swap_ranges(a + i * ld, a + i * ld + columns, a + pivots[i] * ld);
  }
}

/// LU factors of A [m, n], m >= n, by halves of the columns (Toledo 1997). Pivots count from the first row of A.
template <typename T>
void luColumns(T* a, int64_t ld, int64_t m, int64_t n, int* pivots, std::vector<T>& room) {
  if (n <= kPanel) {
    alignas(64) unsigned char memory[kPanel * kPanel * sizeof(T)];
    T* columns = reinterpret_cast<T*>(memory);
    if (m > kPanel) {
      room.resize(size_t(m * n));
      columns = room.data();
    }
    gather(a, ld, m, n, columns);
    matrixLoops<T>().lu(columns, m, n, pivots);
    scatter(columns, m, n, a, ld);
    return;
  }
  const int64_t first = (n / 2 + kPanel - 1) / kPanel * kPanel, rest = n - first;
  luColumns(a, ld, m, first, pivots, room);
  T *const right = a + first, *const corner = right + first * ld;
  exchangeRows(right, ld, rest, pivots, first);
  solveTriangle<T>({true, false, true}, a, ld, first, right, ld, rest);
  multiply(m - first, first, rest, a + first * ld, ld, right, ld, corner, ld, Update::Subtract);
  luColumns(corner, ld, m - first, rest, pivots + first, room);
  exchangeRows(a + first * ld, ld, first, pivots + first, rest);
  for (int64_t i = first; i < n; ++i) pivots[i] += int(first);
}

}  // namespace

template <typename T>
void luFactor(T* a, int64_t ld, int64_t n, int* pivots) {
  std::vector<T> room;
  luColumns(a, ld, n, n, pivots, room);
}

template <typename T>
Reflections<T> qrFactor(T* a, int64_t ld, int64_t m, int64_t n) {
  Reflections<T> q(m);
  const int64_t reflections = std::min(m, n);
  std::vector<T> columns;
  T tau[kReflected];
  for (int64_t begin = 0; begin < reflections; begin += kReflected) {
    const int64_t width = std::min(kReflected, reflections - begin), rows = m - begin, rest = n - begin - width;
    T* const at = a + begin * (ld + 1);
    columns.resize(size_t(rows * width));
    gather(at, ld, rows, width, columns.data());
    matrixLoops<T>().reflect(columns.data(), rows, width, tau);
    scatter(columns.data(), rows, width, at, ld);
    q.add(begin, width, columns.data(), tau);
    if (rest > 0) q.applyLastAdjoint(at + width, ld, rest);
  }
  return q;
}

template <typename T>
void Reflections<T>::add(int64_t begin, int64_t width, const T* columns, const T* tau) {
  const int64_t rows = m_ - begin;
  Block block{begin, width, std::vector<T>(size_t(rows * width)), std::vector<T>(size_t(width * width))};
  for (int64_t j = 0; j < width; ++j) {
    block.v[size_t(j * width + j)] = T(1);
    for (int64_t i = j + 1; i < rows; ++i) block.v[size_t(i * width + j)] = columns[j * rows + i];
  }
  std::vector<T> inner(static_cast<size_t>(width * width));
  if (width > 1) multiplyAdjoint(width, rows, width, block.v.data(), width, block.v.data(), width, inner.data(), width, Update::Set);
  for (int64_t j = 0; j < width; ++j) {
    const T factor = conjugated(tau[j]);
    for (int64_t i = 0; i < j; ++i) {
      T sum(0);
      for (int64_t k = i; k < j; ++k) sum += block.t[size_t(i * width + k)] * inner[size_t(k * width + j)];
      block.t[size_t(i * width + j)] = -factor * sum;
    }
    block.t[size_t(j * width + j)] = factor;
  }
  blocks_.push_back(std::move(block));
}

template <typename T>
void Reflections<T>::apply(T* b, int64_t ldb, int64_t columns, bool identityLike) const {
  std::vector<T> first, second;
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
    const int64_t from = identityLike ? block->begin : 0, many = columns - from, width = block->width, rows = m_ - block->begin;
    if (many <= 0) continue;
    first.resize(size_t(width * many)), second.resize(size_t(width * many));
    T* const at = b + block->begin * ldb + from;
    multiplyAdjoint(width, rows, many, block->v.data(), width, at, ldb, first.data(), many, Update::Set);
    multiply(width, width, many, block->t.data(), width, first.data(), many, second.data(), many, Update::Set);
    multiply(rows, width, many, block->v.data(), width, second.data(), many, at, ldb, Update::Subtract);
  }
}

template <typename T>
void Reflections<T>::applyLastAdjoint(T* b, int64_t ldb, int64_t columns) const {
  const Block& block = blocks_.back();
  const int64_t width = block.width, rows = m_ - block.begin;
  std::vector<T> first(static_cast<size_t>(width * columns)), second(static_cast<size_t>(width * columns));
  multiplyAdjoint(width, rows, columns, block.v.data(), width, b, ldb, first.data(), columns, Update::Set);
  multiplyAdjoint(width, width, columns, block.t.data(), width, first.data(), columns, second.data(), columns, Update::Set);
  multiply(rows, width, columns, block.v.data(), width, second.data(), columns, b, ldb, Update::Subtract);
}

#define WEFT_MATRICES(T)                                                                         \
  template bool choleskyFactor<T>(T*, int64_t, int64_t);                                         \
  template void luFactor<T>(T*, int64_t, int64_t, int*);                                         \
  template void solveTriangle<T>(TriangleUse, const T*, int64_t, int64_t, T*, int64_t, int64_t); \
  template Reflections<T> qrFactor<T>(T*, int64_t, int64_t, int64_t);                            \
  template class Reflections<T>;
WEFT_MATRICES(double)
WEFT_MATRICES(std::complex<double>)
#undef WEFT_MATRICES

}  // namespace weft::cpu
