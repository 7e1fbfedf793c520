#include "device/cpu/products.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/parallel.h"
#include "device/cpu/hot.h"
#include "device/cpu/thread_room.h"

// Products are computed in blocks that fit into the caches (Goto and van de Geijn 2008): a block of A and one of B are packed in the order in which the tiles of
// hot_products.cpp read them. Threads share the packed blocks and compute different rows or columns.
namespace weft::cpu {

namespace v2 {
extern const ProductKernels kProductKernels[kProductTypes];
}
namespace v3 {
extern const ProductKernels kProductKernels[kProductTypes];
}
namespace v4 {
extern const ProductKernels kProductKernels[kProductTypes];
}

const ProductKernels& productKernels(ProductType type) {
  static const ProductKernels* const chosen = [] {
    const char* isa = hotTable().isa;
    return std::strcmp(isa, "v4") == 0 ? v4::kProductKernels : std::strcmp(isa, "v3") == 0 ? v3::kProductKernels : v2::kProductKernels;
  }();
  return chosen[int(type)];
}

namespace {

constexpr int64_t kDepth = 256;          // of packed blocks
constexpr int64_t kBlockRows = 720;      // a multiple of all tiles' rows
constexpr int64_t kBlockColumns = 512;   // a multiple of all tiles' columns
constexpr int64_t kSmallRight = 40'960;  // bytes of a right operand that stays in the first cache
/// Multiplications that are worth a second thread.
constexpr double kShared[kProductTypes] = {600'000, 300'000, 300'000, 150'000, 150'000, 80'000};
constexpr int64_t kVectorGrain = 65'536;  // elements of a matrix that a thread multiplies with a vector

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

const char* at(const MatrixView& v, int64_t i, int64_t j, int size) { return static_cast<const char*>(v.data) + (i * v.rowStride + j * v.columnStride) * size; }
MatrixView part(const MatrixView& v, int64_t i, int64_t j, int size) { return {at(v, i, j, size), v.rowStride, v.columnStride, v.conjugate}; }

class Product {
 public:
  Product(ProductType type, const MatrixView& a, const MatrixView& b, void* c, int64_t ldc, bool lowerOnly)
      : loops_(productKernels(type)),
        size_(loops_.size),
        isReal_(type != ProductType::Complex64 && type != ProductType::Complex128),
        a_(a),
        b_(b),
        c_(static_cast<char*>(c)),
        ldc_(ldc),
        lowerOnly_(lowerOnly) {}

  void run(int64_t m, int64_t k, int64_t n, Update update, int threads) {
    // Packing pays if what is packed is read several times.
    directLeft_ = a_.columnStride == 1 && !a_.conjugate && n < 256;
    directRight_ = isReal_ && b_.columnStride == 1 && n >= loops_.lanes && (m <= loops_.rows || k * n * size_ <= kSmallRight);
    whole_ = directRight_ ? n / loops_.lanes * loops_.lanes : 0;
    const int64_t wide = directRight_ ? n : kBlockColumns;
    const int64_t most = divideUp(divideUp(m, divideUp(m, kBlockRows)), loops_.rows) * loops_.rows;  // blocks of about the same size
    const int64_t depth = std::min(k, kDepth), rows = std::min(m, most), columns = divideUp(std::min(n - whole_, wide), loops_.columns) * loops_.columns;
    const size_t leftBytes = directLeft_ ? 0 : (size_t(rows * depth * size_) + 63) / 64 * 64;
    left_ = threadRoom<Room::Blocks>(leftBytes + size_t(columns * depth * size_));
    right_ = left_ + leftBytes;
    for (int64_t j = 0; j < n; j += wide) {
      const int64_t width = std::min(wide, n - j);
      for (depthBegin_ = 0; depthBegin_ < k; depthBegin_ += kDepth) {
        depth_ = std::min(kDepth, k - depthBegin_);
        for (int64_t i = 0; i < m; i += most) {
          const int64_t high = std::min(most, m - i);
          if (lowerOnly_ && i + high <= j) continue;
          pack({i, high}, {j, width}, i == 0 || (lowerOnly_ && i <= j), threads);
          compute({i, high}, {j, width}, depthBegin_ == 0 || update != Update::Set ? update : Update::Add, threads);
        }
      }
    }
  }

 private:
  struct Range {
    int64_t begin, size;
  };

  void pack(Range rows, Range columns, bool newRight, int threads) const {
    const int64_t first = std::max<int64_t>(0, whole_ - columns.begin);  // column to pack
    const int64_t leftPanels = directLeft_ ? 0 : divideUp(rows.size, loops_.rows), rightPanels = newRight ? divideUp(columns.size - first, loops_.columns) : 0;
    const auto panels = [&](int64_t begin, int64_t end) {
      if (begin < leftPanels) {
        const int64_t from = begin * loops_.rows, to = std::min(rows.size, end * loops_.rows);
        loops_.packLeft(part(a_, rows.begin + from, depthBegin_, size_), to - from, depth_, left_ + from * depth_ * size_);
      }
      if (end > leftPanels) {
        const int64_t from = std::max<int64_t>(0, begin - leftPanels) * loops_.columns;
        const int64_t to = std::min(columns.size - first, (end - leftPanels) * loops_.columns);
        loops_.packRight(part(b_, depthBegin_, columns.begin + first + from, size_), depth_, to - from, right_ + from * depth_ * size_);
      }
    };
    const int64_t all = leftPanels + rightPanels;
    if (threads == 1 || all <= 1) panels(0, all);
    else parallelFor(all, std::max<int64_t>(1, 16384 / (depth_ * loops_.rows)), panels);
  }

  /// Rows and columns of the block of C, counted from its first ones.
  void tiles(Range rows, Range columns, int64_t i, int64_t high, int64_t j, int64_t width, Update update) const {
    const void* left = directLeft_ ? at(a_, rows.begin + i, depthBegin_, size_) : left_ + i * depth_ * size_;
    const long lda = directLeft_ ? a_.rowStride : 0;
    char* const c = c_ + ((rows.begin + i) * ldc_ + columns.begin) * size_;
    const int64_t direct = std::clamp<int64_t>(whole_ - columns.begin - j, 0, width), packed = whole_ > columns.begin ? whole_ - columns.begin : 0;
    if (direct > 0) {
      loops_.block(depth_, left, lda, at(b_, depthBegin_, columns.begin + j, size_), b_.rowStride, high, direct, c + j * size_, ldc_, update);
    }
    if (direct == width) return;
    loops_.block(depth_, left, lda, right_ + (j + direct - packed) * depth_ * size_, 0, high, width - direct, c + (j + direct) * size_, ldc_, update);
  }

  void compute(Range rows, Range columns, Update update, int threads) const {
    const int64_t rowPanels = divideUp(rows.size, loops_.rows), columnPanels = divideUp(columns.size, loops_.columns);
    if (lowerOnly_) {  // strips of rows in turn: the lower ones are longer
      const int64_t strip = loops_.rows * 2, strips = divideUp(rows.size, strip);
      const auto every = [&](int64_t begin, int64_t end) {
        for (int64_t t = begin; t < end; ++t) {
          for (int64_t s = t; s < strips; s += threads) {
            const int64_t i = s * strip, high = std::min(strip, rows.size - i);
            const int64_t width = std::min(columns.size, rows.begin + i + high - columns.begin);
            if (width > 0) tiles(rows, columns, i, high, 0, width, update);
          }
        }
      };
      if (threads == 1) every(0, 1);
      else parallelFor(threads, 1, every);
      return;
    }
    // Strips of rows that stay in the second cache.
    constexpr int64_t kStrip = 120;
    const auto block = [&](int64_t i, int64_t last, int64_t j, int64_t width) {
      for (; i < last; i += kStrip) tiles(rows, columns, i, std::min(kStrip, last - i), j, width, update);
    };
    if (threads == 1) return block(0, rows.size, 0, columns.size);
    // The dimension whose panels can be shared out more evenly.
    const double unevenRows = double(divideUp(rowPanels, threads)) / double(rowPanels);
    const double unevenColumns = double(divideUp(columnPanels, threads)) / double(columnPanels);
    if (unevenRows <= unevenColumns) {
      parallelFor(rowPanels, divideUp(rowPanels, threads),
                  [&](int64_t begin, int64_t end) { block(begin * loops_.rows, std::min(rows.size, end * loops_.rows), 0, columns.size); });
    } else {
      parallelFor(columnPanels, divideUp(columnPanels, threads), [&](int64_t begin, int64_t end) {
        const int64_t from = begin * loops_.columns;
        block(0, rows.size, from, std::min(columns.size, end * loops_.columns) - from);
      });
    }
  }

  const ProductKernels& loops_;
  const int size_;
  const bool isReal_;
  const MatrixView a_, b_;
  char* const c_;
  const int64_t ldc_;
  const bool lowerOnly_;

  bool directLeft_ = false, directRight_ = false;  ///< The operand is read where it is.
  int64_t whole_ = 0;                              ///< Columns of B that are read where they are.
  char *left_ = nullptr, *right_ = nullptr;        ///< Packed blocks.
  int64_t depthBegin_ = 0, depth_ = 0;             ///< The part of the sums that the packed blocks hold.
};

/// y (op)= M x, M [rows, n] with adjacent columns.
void matrixVector(const ProductKernels& loops, int64_t rows, int64_t n, const MatrixView& m, const MatrixView& x, void* y, Update update) {
  parallelFor(rows, std::max<int64_t>(4, kVectorGrain / n), [&](int64_t begin, int64_t end) {
    loops.dots(at(m, begin, 0, loops.size), m.rowStride, m.conjugate, x.data, x.conjugate, end - begin, n, static_cast<char*>(y) + begin * loops.size, update);
  });
}

/// y (op)= x M, M [rows, n] with adjacent columns.
void vectorMatrix(const ProductKernels& loops, int64_t rows, int64_t n, const MatrixView& m, const MatrixView& x, void* y, Update update) {
  parallelFor(n, std::max<int64_t>(64, kVectorGrain / rows), [&](int64_t begin, int64_t end) {
    loops.sums(at(m, 0, begin, loops.size), m.rowStride, m.conjugate, x.data, x.conjugate, rows, end - begin, static_cast<char*>(y) + begin * loops.size,
               update);
  });
}

/// Adds `parts` matrices of `count` elements to the first one, in order.
template <typename T>
void addParts(T* sum, int64_t count, int64_t parts) {
  for (int64_t p = 1; p < parts; ++p) {
    for (int64_t i = 0; i < count; ++i) sum[i] += sum[p * count + i];
  }
}

/// A small result of long sums: parts of the sums are computed side by side.
void longSums(ProductType type, int64_t m, int64_t k, int64_t n, const MatrixView& a, const MatrixView& b, char* c, int64_t ldc, int64_t parts) {
  const int size = productKernels(type).size;
  const std::unique_ptr<char[]> all(new char[size_t(parts * m * n * size)]);
  parallelFor(parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const int64_t from = k * p / parts, to = k * (p + 1) / parts;
      Product one(type, part(a, 0, from, size), part(b, from, 0, size), all.get() + p * m * n * size, n, false);
      one.run(m, to - from, n, Update::Set, 1);
    }
  });
  switch (type) {
    case ProductType::Float:
    case ProductType::Complex64: addParts(reinterpret_cast<float*>(all.get()), m * n * (size / 4), parts); break;
    case ProductType::Double:
    case ProductType::Complex128: addParts(reinterpret_cast<double*>(all.get()), m * n * (size / 8), parts); break;
    case ProductType::Int32: addParts(reinterpret_cast<uint32_t*>(all.get()), m * n, parts); break;
    case ProductType::Int64: addParts(reinterpret_cast<uint64_t*>(all.get()), m * n, parts); break;
  }
  for (int64_t i = 0; i < m; ++i) std::memcpy(c + i * ldc * size, all.get() + i * n * size, size_t(n * size));
}

}  // namespace

void product(ProductType type, int64_t m, int64_t k, int64_t n, const MatrixView& a, const MatrixView& b, void* c, int64_t ldc, Update update, bool lowerOnly) {
  const ProductKernels& loops = productKernels(type);
  char* const result = static_cast<char*>(c);
  if (m <= 0 || n <= 0) return;
  if (k <= 0) {
    for (int64_t i = 0; update == Update::Set && i < m; ++i) std::memset(result + i * ldc * loops.size, 0, size_t(n * loops.size));
    return;
  }
  if (m <= 6 && n <= 6 && k <= 6 && update == Update::Set) return loops.tiny(m, k, n, a, b, c, ldc);
  // Multiplications, as a double: the product of three sizes may not fit into an integer.
  const double work = double(m) * double(k) * double(n);
  const int threads = work < kShared[int(type)] ? 1 : parallelism();
  const bool splits = update == Update::Set && !lowerOnly && k >= 2048 && double(m) * double(n) <= 16384;
  if (!splits || m * n < 64) {
    if (m == 1 && a.columnStride == 1) {
      if (b.columnStride == 1 && (!splits || n >= 64)) return vectorMatrix(loops, k, n, b, a, c, update);
      if (b.rowStride == 1) return matrixVector(loops, n, k, {b.data, b.columnStride, 1, b.conjugate}, a, c, update);
    }
    if (n == 1 && ldc == 1 && b.rowStride == 1) {
      if (a.columnStride == 1) return matrixVector(loops, m, k, a, b, c, update);
      if (a.rowStride == 1 && (!splits || m >= 64)) return vectorMatrix(loops, k, m, {a.data, a.columnStride, 1, a.conjugate}, b, c, update);
    }
  }
  if (splits) return longSums(type, m, k, n, a, b, result, ldc, std::min<int64_t>(16, k / 1024));
  if (k <= 4 && n >= 2 * loops.lanes && a.columnStride == 1 && b.columnStride == 1 && !lowerOnly) {  // bound by memory: row by row
    parallelFor(m, std::max<int64_t>(1, 65'536 / n), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        loops.sums(b.data, b.rowStride, b.conjugate, at(a, i, 0, loops.size), a.conjugate, k, n, result + i * ldc * loops.size, update);
      }
    });
    return;
  }
  Product one(type, a, b, c, ldc, lowerOnly);
  one.run(m, k, n, update, threads);
}

}  // namespace weft::cpu
