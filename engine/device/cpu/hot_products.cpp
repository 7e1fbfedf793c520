// Matrix products: tiles of the result whose sums stay in registers. Every sum runs over k in order, whatever the sizes of blocks and the number of threads.
// Complex numbers are split into vectors of real and imaginary parts while the right operand is packed.
#include "device/cpu/hot_products.h"

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 64, kTileRows = 12, kDirectRows = 8;
#elif defined(__AVX2__)
constexpr int kWidth = 32, kTileRows = 6, kDirectRows = 4;
#else
constexpr int kWidth = 16, kTileRows = 6, kDirectRows = 4;
#endif

template <int kN>
struct Count {
  static constexpr int kCount = kN;
};

/// Integers are computed as unsigned ones, which wrap.
template <typename S, bool kComplex>
struct Products {
  static constexpr int kLanes = kWidth / int(sizeof(S)), kParts = kComplex ? 2 : 1, kColumns = kComplex ? kLanes : 2 * kLanes;
  typedef S V __attribute__((vector_size(kWidth)));
  typedef S Loose __attribute__((vector_size(kWidth), aligned(sizeof(S)), may_alias));

  static V load(const S* p) { return *reinterpret_cast<const Loose*>(p); }
  static void store(S* p, V v) { *reinterpret_cast<Loose*>(p) = v; }

  /// Copies n <= 2 * kLanes numbers.
  static void copyFew(S* __restrict to, const S* __restrict from, long n) {
    const auto copy = [&](auto tag) {
      constexpr int kCount = decltype(tag)::kCount;
      if (!(n & kCount)) return;
      __builtin_memcpy(to, from, kCount * sizeof(S));
      to += kCount, from += kCount;
    };
    copy(Count<32>()), copy(Count<16>()), copy(Count<8>()), copy(Count<4>()), copy(Count<2>()), copy(Count<1>());
  }

  /// Two vectors of complex numbers as a vector of real and one of imaginary parts, and back.
  static V evens(V a, V b) {
    if constexpr (kLanes == 2) return __builtin_shufflevector(a, b, 0, 2);
    else if constexpr (kLanes == 4) return __builtin_shufflevector(a, b, 0, 2, 4, 6);
    else if constexpr (kLanes == 8) return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    else return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  }
  static V odds(V a, V b) {
    if constexpr (kLanes == 2) return __builtin_shufflevector(a, b, 1, 3);
    else if constexpr (kLanes == 4) return __builtin_shufflevector(a, b, 1, 3, 5, 7);
    else if constexpr (kLanes == 8) return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    else return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
  }
  static V firstPairs(V re, V im) {
    if constexpr (kLanes == 2) return __builtin_shufflevector(re, im, 0, 2);
    else if constexpr (kLanes == 4) return __builtin_shufflevector(re, im, 0, 4, 1, 5);
    else if constexpr (kLanes == 8) return __builtin_shufflevector(re, im, 0, 8, 1, 9, 2, 10, 3, 11);
    else return __builtin_shufflevector(re, im, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  }
  static V lastPairs(V re, V im) {
    if constexpr (kLanes == 2) return __builtin_shufflevector(re, im, 1, 3);
    else if constexpr (kLanes == 4) return __builtin_shufflevector(re, im, 2, 6, 3, 7);
    else if constexpr (kLanes == 8) return __builtin_shufflevector(re, im, 4, 12, 5, 13, 6, 14, 7, 15);
    else return __builtin_shufflevector(re, im, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
  /// One row of a tile: adjacent columns, or real and imaginary parts, from and to memory with `columns` columns.
  static void get(const S* p, long columns, V& a, V& b) {
    if (columns == kColumns) {
      a = load(p), b = load(p + kLanes);
      if constexpr (kComplex) {
        const V x = a, y = b;
        a = evens(x, y), b = odds(x, y);
      }
      return;
    }
    S line[2 * kLanes] = {};
    for (long j = 0; j < columns; ++j) {
      line[j] = p[j * kParts];
      if (kComplex) line[kLanes + j] = p[2 * j + 1];
    }
    a = load(line), b = load(line + kLanes);
  }
  static void put(S* p, long columns, V a, V b) {
    if (columns == kColumns) {
      if constexpr (kComplex) store(p, firstPairs(a, b)), store(p + kLanes, lastPairs(a, b));
      else store(p, a), store(p + kLanes, b);
      return;
    }
    S line[2 * kLanes];
    store(line, a), store(line + kLanes, b);
    for (long j = 0; j < columns; ++j) {
      p[j * kParts] = line[j];
      if (kComplex) p[2 * j + 1] = line[kLanes + j];
    }
  }

  /// Rows of the panel that begins with `left` rows to go.
  static int height(long left, bool direct = false) {
    if (left >= kTileRows && !direct) return kTileRows;
    return kTileRows > 8 && left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
  }

  template <int kHeight>
  static void packRows(const S* a, long rs, long cs, long k, S sign, S* __restrict to) {
    if (rs == 1 && !kComplex) {
      for (long p = 0; p < k; ++p, a += cs, to += kHeight) {
#pragma GCC unroll 16
        for (int r = 0; r < kHeight; ++r) to[r] = a[r];
      }
      return;
    }
    for (long p = 0; p < k; ++p, a += cs * kParts) {
      for (int r = 0; r < kHeight; ++r) {
        *to++ = a[r * rs * kParts];
        if (kComplex) *to++ = a[r * rs * kParts + 1] * sign;
      }
    }
  }

  static void packLeft(const MatrixView& v, long rows, long k, void* out) {
    const S* a = static_cast<const S*>(v.data);
    S* to = static_cast<S*>(out);
    const S sign = v.conjugate ? S(-1) : S(1);
    for (long i = 0; i < rows;) {
      const int h = height(rows - i);
      const S* from = a + i * v.rowStride * kParts;
      if (h == kTileRows) packRows<kTileRows>(from, v.rowStride, v.columnStride, k, sign, to);
      else if (h == 8) packRows<8>(from, v.rowStride, v.columnStride, k, sign, to);
      else if (h == 4) packRows<4>(from, v.rowStride, v.columnStride, k, sign, to);
      else if (h == 2) packRows<2>(from, v.rowStride, v.columnStride, k, sign, to);
      else packRows<1>(from, v.rowStride, v.columnStride, k, sign, to);
      i += h;
      to += h * k * kParts;
    }
  }

  static void packRight(const MatrixView& v, long k, long columns, void* out) {
    const S* b = static_cast<const S*>(v.data);
    S* to = static_cast<S*>(out);
    const S sign = v.conjugate ? S(-1) : S(1);
    for (long j = 0; j < columns; j += kColumns) {
      const long width = columns - j < kColumns ? columns - j : kColumns;
      const S* from = b + j * v.columnStride * kParts;
      const bool whole = width == kColumns;
      for (long p = 0; p < k; ++p, from += v.rowStride * kParts, to += kColumns * kParts) {
        if (whole && v.columnStride == 1 && !kComplex) {
          for (int q = 0; q < kColumns; q += kLanes) store(to + q, load(from + q));
        } else if (whole && v.columnStride == 1) {
          V re, im;
          get(from, kColumns, re, im);
          store(to, re), store(to + kLanes, im * sign);
        } else if (whole) {
          for (int q = 0; q < kColumns; ++q) {
            to[q] = from[q * v.columnStride * kParts];
            if (kComplex) to[kLanes + q] = from[q * v.columnStride * kParts + 1] * sign;
          }
        } else {
          for (int q = 0; q < kColumns * kParts; q += kLanes) store(to + q, V{});
          if (v.columnStride == 1 && !kComplex) copyFew(to, from, width);
          else
            for (long q = 0; q < width; ++q) {
              to[q] = from[q * v.columnStride * kParts];
              if (kComplex) to[kLanes + q] = from[q * v.columnStride * kParts + 1] * sign;
            }
        }
      }
    }
  }

  static S updated(S old, S v, Update update) { return update == Update::Set ? v : update == Update::Add ? old + v : old - v; }
  static V joined(V old, V v, Update update) { return update == Update::Add ? old + v : old - v; }

  /// Rows of sums, kept as two vectors each: adjacent columns, or real and imaginary parts.
  template <int kHeight>
  static void keep(const V (&sum)[kHeight][2], S* c, long ldc, long columns, Update update) {
    if (!kComplex && columns == kColumns) {
#pragma GCC unroll 16
      for (int r = 0; r < kHeight; ++r, c += ldc) {
#pragma GCC unroll 2
        for (int q = 0; q < 2; ++q) store(c + q * kLanes, update == Update::Set ? sum[r][q] : joined(load(c + q * kLanes), sum[r][q], update));
      }
      return;
    }
    if (!kComplex && columns == kLanes) {
#pragma GCC unroll 16
      for (int r = 0; r < kHeight; ++r, c += ldc) store(c, update == Update::Set ? sum[r][0] : joined(load(c), sum[r][0], update));
      return;
    }
    if (kComplex && columns == kColumns) {
#pragma GCC unroll 16
      for (int r = 0; r < kHeight; ++r, c += 2 * ldc) {
        V re = sum[r][0], im = sum[r][1];
        if (update != Update::Set) {
          V oldRe, oldIm;
          get(c, kColumns, oldRe, oldIm);
          re = joined(oldRe, re, update), im = joined(oldIm, im, update);
        }
        put(c, kColumns, re, im);
      }
      return;
    }
    S lines[kHeight][2 * kLanes];
#pragma GCC unroll 16
    for (int r = 0; r < kHeight; ++r) store(lines[r], sum[r][0]), store(lines[r] + kLanes, sum[r][1]);
    for (int r = 0; r < kHeight; ++r, c += ldc * kParts) {
      const S* line = lines[r];
      if (!kComplex && update == Update::Set) {
        copyFew(c, line, columns);
        continue;
      }
      for (long j = 0; j < columns; ++j) {
        c[j * kParts] = updated(c[j * kParts], line[j], update);
        if (kComplex) c[2 * j + 1] = updated(c[2 * j + 1], line[kLanes + j], update);
      }
    }
  }

  /// One tile. `kNarrow`: only the first vector of columns is wanted. `kDirect`: the left operand is not packed, and its rows are `lda` elements apart.
  template <int kHeight, bool kNarrow, bool kDirect>
  static void tile(long k, const S* __restrict a, long lda, const S* __restrict b, long ldb, S* c, long ldc, long columns, Update update) {
    V sum[kHeight][2];
    const S* row[kHeight];
#pragma GCC unroll 16
    for (int r = 0; r < kHeight; ++r) {
      sum[r][0] = sum[r][1] = V{};
      row[r] = a + r * lda * kParts;
      if (k > 32) {  // rows of C are far apart
        __builtin_prefetch(c + r * ldc * kParts, 1);
        if (!kNarrow) __builtin_prefetch(c + r * ldc * kParts + kLanes, 1);
      }
    }
    for (long p = 0; p < k; ++p, a += kHeight * kParts, b += ldb) {
      const V b0 = load(b);
      const auto left = [&](int r, int part) { return kDirect ? row[r][p * kParts + part] : a[r * kParts + part]; };
      if constexpr (kComplex) {
        const V b1 = load(b + kLanes);
#pragma GCC unroll 16
        for (int r = 0; r < kHeight; ++r) {
          sum[r][0] += b0 * left(r, 0);
          sum[r][1] += b1 * left(r, 0);
          sum[r][0] -= b1 * left(r, 1);
          sum[r][1] += b0 * left(r, 1);
        }
      } else if constexpr (kNarrow) {
#pragma GCC unroll 16
        for (int r = 0; r < kHeight; ++r) sum[r][0] += b0 * left(r, 0);
      } else {
        const V b1 = load(b + kLanes);
#pragma GCC unroll 16
        for (int r = 0; r < kHeight; ++r) {
          sum[r][0] += b0 * left(r, 0);
          sum[r][1] += b1 * left(r, 0);
        }
      }
    }
    keep<kHeight>(sum, c, ldc, columns, update);
  }

  template <int kHeight, bool kDirect>
  static void column(long k, const S* a, long lda, const S* b, long ldb, S* c, long ldc, long columns, Update update) {
    if (!kComplex && columns <= kLanes) tile<kHeight, !kComplex, kDirect>(k, a, lda, b, ldb, c, ldc, columns, update);
    else tile<kHeight, false, kDirect>(k, a, lda, b, ldb, c, ldc, columns, update);
  }

  template <bool kDirect>
  static void tiles(long k, const S* a, long lda, const S* b, long stride, long rows, long columns, S* c, long ldc, Update update) {
    constexpr int kMost = kDirect ? kDirectRows : kTileRows;
    for (long j = 0; j < columns; j += kColumns) {
      const long width = columns - j < kColumns ? columns - j : kColumns, ldb = stride ? stride : kColumns * kParts;
      const S* panel = stride ? b + j : b + j * k * kParts;
      for (long i = 0; i < rows;) {
        const int h = height(rows - i, kDirect);
        const S* x = kDirect ? a + i * lda * kParts : a + i * k * kParts;
        S* to = c + (i * ldc + j) * kParts;
        if (h == kMost) column<kMost, kDirect>(k, x, lda, panel, ldb, to, ldc, width, update);
        else if (h == 8 && kMost > 8) column<(kMost > 8 ? 8 : 4), kDirect>(k, x, lda, panel, ldb, to, ldc, width, update);
        else if (h == 4) column<4, kDirect>(k, x, lda, panel, ldb, to, ldc, width, update);
        else if (h == 2) column<2, kDirect>(k, x, lda, panel, ldb, to, ldc, width, update);
        else column<1, kDirect>(k, x, lda, panel, ldb, to, ldc, width, update);
        i += h;
      }
    }
  }

  static void block(long k, const void* left, long lda, const void* right, long stride, long rows, long columns, void* result, long ldc, Update update) {
    const S *a = static_cast<const S*>(left), *b = static_cast<const S*>(right);
    S* c = static_cast<S*>(result);
    if (lda) tiles<true>(k, a, lda, b, stride, rows, columns, c, ldc, update);
    else tiles<false>(k, a, 0, b, stride, rows, columns, c, ldc, update);
  }

  /// Vectors of complex numbers with real and imaginary parts exchanged.
  static V swapped(V v) {
    if constexpr (kLanes == 2) return __builtin_shufflevector(v, v, 1, 0);
    else if constexpr (kLanes == 4) return __builtin_shufflevector(v, v, 1, 0, 3, 2);
    else if constexpr (kLanes == 8) return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
    else return __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
  }

  /// Sums of the even and of the odd lanes.
  static void total(V v, S& even, S& odd) {
    even = odd = S(0);
    for (int i = 0; i < kLanes; i += 2) even += v[i], odd += v[i + 1];
  }

  /// Products of kRows rows with a vector. Four sums of vectors per row hide the latency where there are few rows.
  template <int kRows>
  static void dotRows(const S* m, long ldm, bool conjugateM, const S* x, bool conjugateX, long n, S* y, Update update) {
    constexpr int kChains = kRows == 1 ? 4 : 1;
    const long length = n * kParts;
    V same[kRows][kChains] = {}, cross[kRows][kChains] = {};
    long j = 0;
    for (; j + kChains * kLanes <= length; j += kChains * kLanes) {
      for (int q = 0; q < kChains; ++q) {
        const V v = load(x + j + q * kLanes), w = kComplex ? swapped(v) : v;
        for (int r = 0; r < kRows; ++r) {
          const V u = load(m + r * ldm * kParts + j + q * kLanes);
          same[r][q] += u * v;
          if (kComplex) cross[r][q] += u * w;
        }
      }
    }
    for (int r = 0; r < kRows; ++r) {
      const S* row = m + r * ldm * kParts;
      for (int q = 1; q < kChains; ++q) same[r][0] += same[r][q], cross[r][0] += cross[r][q];
      S a, b, c = S(0), d = S(0);
      total(same[r][0], a, b);
      if (kComplex) {
        total(cross[r][0], c, d);
        for (long i = j; i < length; i += 2) {
          a += row[i] * x[i], b += row[i + 1] * x[i + 1];
          c += row[i] * x[i + 1], d += row[i + 1] * x[i];
        }
        const S sm = conjugateM ? S(-1) : S(1), sx = conjugateX ? S(-1) : S(1);
        y[2 * r] = updated(y[2 * r], a - sm * sx * b, update);
        y[2 * r + 1] = updated(y[2 * r + 1], sx * c + sm * d, update);
      } else {
        for (long i = j; i < length; ++i) a += row[i] * x[i];
        y[r] = updated(y[r], a + b, update);
      }
    }
  }

  static void dots(const void* matrix, long ldm, bool conjugateM, const void* vector, bool conjugateX, long rows, long n, void* result, Update update) {
    const S *m = static_cast<const S*>(matrix), *x = static_cast<const S*>(vector);
    S* y = static_cast<S*>(result);
    long i = 0;
    for (; i + 4 <= rows; i += 4) dotRows<4>(m + i * ldm * kParts, ldm, conjugateM, x, conjugateX, n, y + i * kParts, update);
    for (; i < rows; ++i) dotRows<1>(m + i * ldm * kParts, ldm, conjugateM, x, conjugateX, n, y + i * kParts, update);
  }

  /// A vector of a, b, a, b, …; of a only for real numbers.
  static V pairs(S a, S b) {
    if constexpr (kComplex) return firstPairs(V{} + a, V{} + b);
    else return V{} + a;
  }

  /// y += the sum of kRows rows, each multiplied by a number.
  template <int kRows>
  static void addRows(const S* m, long ldm, bool conjugateM, const S* x, bool conjugateX, bool minus, long n, S* __restrict y) {
    const S sm = conjugateM ? S(-1) : S(1), sx = conjugateX ? S(-1) : S(1);
    S first[kRows][2], second[kRows][2];
    for (int r = 0; r < kRows; ++r) {
      const S re = minus ? S(0) - x[r * kParts] : x[r * kParts], im = kComplex ? sx * (minus ? S(0) - x[r * kParts + 1] : x[r * kParts + 1]) : S(0);
      first[r][0] = re, first[r][1] = sm * re;
      second[r][0] = S(0) - sm * im, second[r][1] = im;
    }
    V p[kRows], q[kRows];
    for (int r = 0; r < kRows; ++r) {
      p[r] = pairs(first[r][0], first[r][1]);
      q[r] = pairs(second[r][0], second[r][1]);
    }
    const long length = n * kParts;
    long j = 0;
    for (; j + kLanes <= length; j += kLanes) {
      V sum = load(y + j), other = V{};
      for (int r = 0; r < kRows; ++r) {
        const V u = load(m + r * ldm * kParts + j);
        sum += u * p[r];
        if (kComplex) other += swapped(u) * q[r];
      }
      store(y + j, kComplex ? sum + other : sum);
    }
    for (; j < length; ++j) {
      S sum = y[j], other = S(0);
      for (int r = 0; r < kRows; ++r) {
        const S* u = m + r * ldm * kParts;
        sum += u[j] * first[r][kComplex ? j & 1 : 0];
        if (kComplex) other += u[j ^ 1] * second[r][j & 1];
      }
      y[j] = kComplex ? sum + other : sum;
    }
  }

  static void sums(const void* matrix, long ldm, bool conjugateM, const void* vector, bool conjugateX, long rows, long n, void* result, Update update) {
    const S *m = static_cast<const S*>(matrix), *x = static_cast<const S*>(vector);
    S* y = static_cast<S*>(result);
    const bool minus = update == Update::Subtract;
    if (update == Update::Set) {
      for (long j = 0; j < n * kParts; ++j) y[j] = S(0);
    }
    constexpr long kStrip = 2048 / long(sizeof(S)) * 4;  // of the result, in the first cache
    for (long j = 0; j < n; j += kStrip) {
      const long width = n - j < kStrip ? n - j : kStrip;
      const S* from = m + j * kParts;
      S* to = y + j * kParts;
      long i = 0;
      for (; i + 4 <= rows; i += 4) addRows<4>(from + i * ldm * kParts, ldm, conjugateM, x + i * kParts, conjugateX, minus, width, to);
      for (; i + 2 <= rows; i += 2) addRows<2>(from + i * ldm * kParts, ldm, conjugateM, x + i * kParts, conjugateX, minus, width, to);
      for (; i < rows; ++i) addRows<1>(from + i * ldm * kParts, ldm, conjugateM, x + i * kParts, conjugateX, minus, width, to);
    }
  }

  /// kHeight rows of the solution for a strip of columns that is kept as vectors: x[row][2].
  template <int kHeight>
  static void solveRows(const S* l, long n, long row, V (*x)[2]) {
    V sum[kHeight][2];
    for (int r = 0; r < kHeight; ++r) sum[r][0] = x[row + r][0], sum[r][1] = x[row + r][1];
    const auto subtract = [&](int r, S re, S im, const V(&y)[2]) {
      sum[r][0] -= y[0] * re;
      sum[r][1] -= y[1] * re;
      if (kComplex) sum[r][0] += y[1] * im, sum[r][1] -= y[0] * im;
    };
    for (long p = 0; p < row; ++p) {
      for (int r = 0; r < kHeight; ++r) {
        const S* e = l + ((row + r) * n + p) * kParts;
        subtract(r, e[0], kComplex ? e[1] : S(0), x[p]);
      }
    }
    for (int r = 0; r < kHeight; ++r) {
      const S* e = l + ((row + r) * n + row) * kParts;
      for (int q = 0; q < r; ++q) subtract(r, e[q * kParts], kComplex ? e[q * kParts + 1] : S(0), x[row + q]);
      const S re = e[r * kParts], im = kComplex ? e[r * kParts + 1] : S(0);
      if (kComplex) {
        x[row + r][0] = sum[r][0] * re - sum[r][1] * im;
        x[row + r][1] = sum[r][1] * re + sum[r][0] * im;
      } else {
        x[row + r][0] = sum[r][0] * re, x[row + r][1] = sum[r][1] * re;
      }
    }
  }

  static constexpr long kMostSolved = 64;

  static void solve(const void* lower, long n, void* right, long ldb, long columns) {
    const S* l = static_cast<const S*>(lower);
    S* b = static_cast<S*>(right);
    V x[kMostSolved][2];
    for (long j = 0; j < columns; j += kColumns) {
      const long width = columns - j < kColumns ? columns - j : kColumns;
      S* at = b + j * kParts;
      for (long i = 0; i < n; ++i) get(at + i * ldb * kParts, width, x[i][0], x[i][1]);
      long i = 0;
      for (; i + 4 <= n; i += 4) solveRows<4>(l, n, i, x);
      for (; i < n; ++i) solveRows<1>(l, n, i, x);
      for (i = 0; i < n; ++i) put(at + i * ldb * kParts, width, x[i][0], x[i][1]);
    }
  }

  /// A product of small matrices without packing: m, k, n and all strides in elements.
  static void tiny(long m, long k, long n, const MatrixView& left, const MatrixView& right, void* result, long ldc) {
    const S *a = static_cast<const S*>(left.data), *b = static_cast<const S*>(right.data);
    S* c = static_cast<S*>(result);
    const S sa = left.conjugate ? S(-1) : S(1), sb = right.conjugate ? S(-1) : S(1);
    for (long i = 0; i < m; ++i) {
      for (long j = 0; j < n; ++j) {
        const S *x = a + i * left.rowStride * kParts, *y = b + j * right.columnStride * kParts;
        S re = S(0), im = S(0);
        for (long p = 0; p < k; ++p, x += left.columnStride * kParts, y += right.rowStride * kParts) {
          if constexpr (kComplex) {
            const S xi = x[1] * sa, yi = y[1] * sb;
            re += x[0] * y[0], re -= xi * yi;
            im += x[0] * yi, im += xi * y[0];
          } else {
            re += x[0] * y[0];
          }
        }
        c[(i * ldc + j) * kParts] = re;
        if (kComplex) c[(i * ldc + j) * kParts + 1] = im;
      }
    }
  }

  static constexpr ProductKernels kKernels = {int(sizeof(S)) * kParts, kTileRows, kColumns, kLanes, packLeft, packRight, block, tiny, dots, sums, solve};
};

}  // namespace

extern const ProductKernels kProductKernels[kProductTypes];
const ProductKernels kProductKernels[kProductTypes] = {Products<float, false>::kKernels,    Products<double, false>::kKernels,
                                                       Products<unsigned, false>::kKernels, Products<unsigned long, false>::kKernels,
                                                       Products<float, true>::kKernels,     Products<double, true>::kKernels};

}  // namespace weft::cpu::WEFT_ISA_NAME
