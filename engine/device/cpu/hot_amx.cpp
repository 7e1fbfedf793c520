#include "device/cpu/hot_amx.h"

#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

// Products of bfloat16 on the AMX unit: Intel's Architecture Instruction Set Extensions Programming Reference, chapter 3. A tile register holds 16 rows of 64 bytes.
// TDPBF16PS adds the product of a tile of 16 x 32 numbers and one of 32 x 16, whose rows hold pairs of adjacent k, to a tile of 16 x 16 floats.
namespace weft::cpu {
namespace {

constexpr long kTile = 16;  // rows, and columns of floats
constexpr long kTileBytes = 1024;

/// 16 registers, each a row of a tile.
struct Rows {
  __m512i row[kTile];
};

inline __mmask16 firstOf(long n) { return n >= 16 ? __mmask16(0xffff) : n <= 0 ? __mmask16(0) : __mmask16((1u << n) - 1); }

/// Rounds two vectors; `low` comes first.
inline __m512i narrowed(__m512 low, __m512 high) { return __m512i(_mm512_cvtne2ps_pbh(high, low)); }

/// Lines of adjacent elements as they are: row i holds the first `width` <= 32 elements of line i.
inline void alongLines(const float* from, long stride, long lines, long width, Rows& to) {
  const __mmask16 low = firstOf(width), high = firstOf(width - 16);
  for (long i = 0; i < kTile; ++i) {
    if (i >= lines) {
      to.row[i] = _mm512_setzero_si512();
      continue;
    }
    const float* line = from + i * stride;
    to.row[i] = narrowed(_mm512_maskz_loadu_ps(low, line), _mm512_maskz_loadu_ps(high, line + (high ? 16 : 0)));
  }
}

/// Pairs of lines: row p holds the elements of lines 2p and 2p + 1 in turn, the first `width` <= 16 of each.
inline void acrossLines(const float* from, long stride, long lines, long width, Rows& to) {
  const __mmask16 mask = firstOf(width);
  const __m512i inTurn = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  for (long p = 0; p < kTile; ++p) {
    const float* line = from + 2 * p * stride;
    const __m512 even = 2 * p < lines ? _mm512_maskz_loadu_ps(mask, line) : _mm512_setzero_ps();
    const __m512 odd = 2 * p + 1 < lines ? _mm512_maskz_loadu_ps(mask, line + stride) : _mm512_setzero_ps();
    to.row[p] = _mm512_permutexvar_epi16(inTurn, narrowed(even, odd));
  }
}

inline void store(const Rows& rows, char* tile) {
  for (long i = 0; i < kTile; ++i) _mm512_store_si512(tile + 64 * i, rows.row[i]);
}

/// Stores the 16 x 16 pairs transposed.
inline void storeTransposed(const Rows& rows, char* tile) {
  __m512i a[kTile], b[kTile];
  for (long i = 0; i < kTile; i += 2) {
    a[i] = _mm512_unpacklo_epi32(rows.row[i], rows.row[i + 1]);
    a[i + 1] = _mm512_unpackhi_epi32(rows.row[i], rows.row[i + 1]);
  }
  for (long i = 0; i < kTile; i += 4) {
    b[i] = _mm512_unpacklo_epi64(a[i], a[i + 2]);
    b[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 2]);
    b[i + 2] = _mm512_unpacklo_epi64(a[i + 1], a[i + 3]);
    b[i + 3] = _mm512_unpackhi_epi64(a[i + 1], a[i + 3]);
  }
  // b[4 g + c] holds columns c, c + 4, c + 8, c + 12 of rows 4 g to 4 g + 3, a quarter each.
  for (long c = 0; c < 4; ++c) {
    const __m512i low0 = _mm512_shuffle_i32x4(b[c], b[4 + c], 0x88), low1 = _mm512_shuffle_i32x4(b[8 + c], b[12 + c], 0x88);
    const __m512i high0 = _mm512_shuffle_i32x4(b[c], b[4 + c], 0xdd), high1 = _mm512_shuffle_i32x4(b[8 + c], b[12 + c], 0xdd);
    _mm512_store_si512(tile + 64 * c, _mm512_shuffle_i32x4(low0, low1, 0x88));
    _mm512_store_si512(tile + 64 * (c + 4), _mm512_shuffle_i32x4(high0, high1, 0x88));
    _mm512_store_si512(tile + 64 * (c + 8), _mm512_shuffle_i32x4(low0, low1, 0xdd));
    _mm512_store_si512(tile + 64 * (c + 12), _mm512_shuffle_i32x4(high0, high1, 0xdd));
  }
}

struct alignas(64) TileConfig {
  unsigned char palette = 1, startRow = 0, reserved[14] = {};
  unsigned short bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  unsigned char rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

/// A tile of C, by way of a copy where it is not whole.
class Corner {
 public:
  Corner(float* c, long ldc, long rows, long columns, bool add)
      : c_(c), ldc_(ldc), rows_(rows < kTile ? rows : kTile), columns_(columns < kTile ? columns : kTile), whole_(rows >= kTile && columns >= kTile) {
    if (whole_ || !add) return;
    for (long i = 0; i < rows_; ++i) _mm512_store_ps(copy_ + kTile * i, _mm512_maskz_loadu_ps(firstOf(columns_), c_ + i * ldc_));
    for (long i = rows_; i < kTile; ++i) _mm512_store_ps(copy_ + kTile * i, _mm512_setzero_ps());
  }
  float* data() { return whole_ ? c_ : copy_; }
  long stride() const { return whole_ ? ldc_ * 4 : 64; }
  void finish() const {
    for (long i = 0; !whole_ && i < rows_; ++i) _mm512_mask_storeu_ps(c_ + i * ldc_, firstOf(columns_), _mm512_load_ps(copy_ + kTile * i));
  }

 private:
  float* const c_;
  const long ldc_, rows_, columns_;
  const bool whole_;
  alignas(64) float copy_[kTile * kTile];
};

/// The order of a panel: for each 32 k, the tile of the first 16 rows or columns, then that of the other 16.
inline char* tileOf(void* panel, long k, long half) { return static_cast<char*>(panel) + (k / kAmxDepth * 2 + half) * kTileBytes; }

}  // namespace

void amxPackLeft(const AmxOperand& a, long rows, long k, void* panel) {
  Rows tile;
  for (long p = 0; p < k; p += kAmxDepth) {
    const long depth = k - p < kAmxDepth ? k - p : kAmxDepth;
    for (long half = 0; half < 2; ++half) {
      const long i = half * kTile, high = rows - i < kTile ? rows - i : kTile;
      if (high <= 0) continue;  // not read
      const float* from = a.data + i * a.rowStride + p * a.columnStride;
      if (a.columnStride == 1) {
        alongLines(from, a.rowStride, high, depth, tile);
        store(tile, tileOf(panel, p, half));
      } else {
        acrossLines(from, a.columnStride, depth, high, tile);
        storeTransposed(tile, tileOf(panel, p, half));
      }
    }
  }
}

void amxPackRight(const AmxOperand& b, long k, long columns, void* panel) {
  Rows tile;
  for (long p = 0; p < k; p += kAmxDepth) {
    const long depth = k - p < kAmxDepth ? k - p : kAmxDepth;
    for (long half = 0; half < 2; ++half) {
      const long j = half * kTile, wide = columns - j < kTile ? columns - j : kTile;
      if (wide <= 0) continue;
      const float* from = b.data + p * b.rowStride + j * b.columnStride;
      if (b.columnStride == 1) {
        acrossLines(from, b.rowStride, depth, wide, tile);
        store(tile, tileOf(panel, p, half));
      } else {
        alongLines(from, b.columnStride, wide, depth, tile);
        storeTransposed(tile, tileOf(panel, p, half));
      }
    }
  }
}

void amxBegin() {
  static const TileConfig config;
  _tile_loadconfig(&config);
}

void amxEnd() { _tile_release(); }

void amxMultiply(const void* left, const void* right, long k, float* c, long ldc, long rows, long columns, bool add) {
  const bool tall = rows > kTile, wide = columns > kTile;
  Corner c00(c, ldc, rows, columns, add), c01(c + (wide ? kTile : 0), ldc, rows, columns - (wide ? kTile : 0), add);
  Corner c10(c + (tall ? kTile * ldc : 0), ldc, rows - (tall ? kTile : 0), columns, add);
  Corner c11(c + (tall ? kTile * ldc : 0) + (wide ? kTile : 0), ldc, rows - (tall ? kTile : 0), columns - (wide ? kTile : 0), add);
  if (add) {
    _tile_loadd(0, c00.data(), c00.stride());
    if (wide) _tile_loadd(1, c01.data(), c01.stride());
    if (tall) _tile_loadd(2, c10.data(), c10.stride());
    if (tall && wide) _tile_loadd(3, c11.data(), c11.stride());
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  const long steps = (k + kAmxDepth - 1) / kAmxDepth;
  const char *a = static_cast<const char*>(left), *b = static_cast<const char*>(right);
  if (tall && wide) {
    for (long s = 0; s < steps; ++s, a += 2 * kTileBytes, b += 2 * kTileBytes) {
      _tile_loadd(4, a, 64);
      _tile_loadd(6, b, 64);
      _tile_loadd(7, b + kTileBytes, 64);
      _tile_dpbf16ps(0, 4, 6);
      _tile_dpbf16ps(1, 4, 7);
      _tile_loadd(5, a + kTileBytes, 64);
      _tile_dpbf16ps(2, 5, 6);
      _tile_dpbf16ps(3, 5, 7);
    }
  } else {
    for (long s = 0; s < steps; ++s, a += 2 * kTileBytes, b += 2 * kTileBytes) {
      _tile_loadd(4, a, 64);
      _tile_loadd(6, b, 64);
      _tile_dpbf16ps(0, 4, 6);
      if (wide) {
        _tile_loadd(7, b + kTileBytes, 64);
        _tile_dpbf16ps(1, 4, 7);
      }
      if (tall) {
        _tile_loadd(5, a + kTileBytes, 64);
        _tile_dpbf16ps(2, 5, 6);
      }
    }
  }
  _tile_stored(0, c00.data(), c00.stride());
  c00.finish();
  if (wide) {
    _tile_stored(1, c01.data(), c01.stride());
    c01.finish();
  }
  if (tall) {
    _tile_stored(2, c10.data(), c10.stride());
    c10.finish();
  }
  if (tall && wide) {
    _tile_stored(3, c11.data(), c11.stride());
    c11.finish();
  }
}

bool amxPermitted() {
  constexpr long kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, Linux 5.16
  return ::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace weft::cpu
