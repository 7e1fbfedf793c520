// Convolutions whose sums stay in registers: a tile of pixels by one or two vectors of output channels, and windows of one channel each.
#include "device/cpu/hot_windows.h"

#include <immintrin.h>

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 64, kLongest = 14, kTall = 16;
#elif defined(__AVX2__)
constexpr int kWidth = 32, kLongest = 6, kTall = 8;
#else
constexpr int kWidth = 16, kLongest = 6, kTall = 8;
#endif
constexpr int kLanes = kWidth / 4;

typedef float V __attribute__((vector_size(kWidth)));
typedef float Loose __attribute__((vector_size(kWidth), aligned(4), may_alias));

inline V load(const float* p) { return *reinterpret_cast<const Loose*>(p); }
inline void store(float* p, V v) { *reinterpret_cast<Loose*>(p) = v; }

/// The first n lanes, 0 < n <= kLanes; the others are 0, or not written.
#if defined(__AVX512F__)
inline V loadSome(const float* p, long n) { return _mm512_maskz_loadu_ps(__mmask16((1u << n) - 1), p); }
inline void storeSome(float* p, V v, long n) { _mm512_mask_storeu_ps(p, __mmask16((1u << n) - 1), v); }
#elif defined(__AVX2__)
inline __m256i firstLanes(long n) { return _mm256_cmpgt_epi32(_mm256_set1_epi32(int(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)); }
inline V loadSome(const float* p, long n) { return _mm256_maskload_ps(p, firstLanes(n)); }
inline void storeSome(float* p, V v, long n) { _mm256_maskstore_ps(p, firstLanes(n), v); }
#else
inline V loadSome(const float* p, long n) {
  if (n == kLanes) return load(p);
  float few[kLanes] = {};
  for (long i = 0; i < n; ++i) few[i] = p[i];
  return load(few);
}
inline void storeSome(float* p, V v, long n) {
  if (n == kLanes) return store(p, v);
  float few[kLanes];
  store(few, v);
  for (long i = 0; i < n; ++i) p[i] = few[i];
}
#endif
template <bool kWhole>
inline V get(const float* p, long n) {
  if constexpr (kWhole) return load(p);
  else return loadSome(p, n);
}
template <bool kWhole>
inline void put(float* p, V v, long n) {
  if constexpr (kWhole) store(p, v);
  else storeSome(p, v, n);
}

/// x < 0 ? 0 : x and x > 6 ? 6 : x; if one is NaN, these instructions return the second operand.
#if defined(__AVX512F__)
inline V relu(V x) { return _mm512_max_ps(V{}, x); }
inline V atMostSix(V x) { return _mm512_min_ps(V{} + 6.0f, x); }
#elif defined(__AVX2__)
inline V relu(V x) { return _mm256_max_ps(V{}, x); }
inline V atMostSix(V x) { return _mm256_min_ps(V{} + 6.0f, x); }
#else
inline V relu(V x) { return _mm_max_ps(V{}, x); }
inline V atMostSix(V x) { return _mm_min_ps(V{} + 6.0f, x); }
#endif

/// A tail with what is added as the distance from the output in bytes, which is the same for all elements.
struct Tail : WindowTail {
  Tail(const WindowTail& t, const float* output) : WindowTail(t), distance(reinterpret_cast<const char*>(t.added) - reinterpret_cast<const char*>(output)) {}
  long distance;
};

template <int kRows, int kVectors>
inline void bend(V (&sum)[kRows][kVectors], int q, Activation a) {
  if (a == Activation::None) return;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) sum[r][q] = relu(sum[r][q]);
  if (a != Activation::Relu6) return;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) sum[r][q] = atMostSix(sum[r][q]);
}

/// Applies the tail to a tile of kRows pixels and kVectors vectors of channels from channel c on, and writes it. `last`: channels of the last vector.
template <int kRows, int kVectors, bool kWhole>
inline void finish(V (&sum)[kRows][kVectors], float* out, long stride, long last, const Tail& t, long c) {
#pragma GCC unroll 2
  for (int q = 0; q < kVectors; ++q) {
    const long at = q * kLanes;
    const bool whole = kWhole || q + 1 < kVectors;
    const auto channels = [&](const float* p) { return whole ? load(p + c + at) : loadSome(p + c + at, last); };
    if (t.shift) {
      const V v = channels(t.shift);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] -= v;
    }
    if (t.factor) {
      const V v = channels(t.factor);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] *= v;
    }
    if (t.offset) {
      const V v = channels(t.offset);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] += v;
    }
    bend(sum, q, t.first);
    if (t.added) {
      const float* added = reinterpret_cast<const float*>(reinterpret_cast<const char*>(out + at) + t.distance);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] += whole ? load(added + r * stride) : loadSome(added + r * stride, last);
    }
    bend(sum, q, t.second);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      if (whole) store(out + r * stride + at, sum[r][q]);
      else storeSome(out + r * stride + at, sum[r][q], last);
    }
  }
}

/// kRows pixels by kVectors vectors. Every third pixel has a pointer; the others are reached by its scaled index, for there are too few registers.
template <int kRows, int kVectors>
void tile(const WindowLine& w, const float* input, const float* filter, float* out, long last, const Tail& t) {
  constexpr int kBases = (kRows + 2) / 3;
  V sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int q = 0; q < kVectors; ++q) sum[r][q] = V{};
  }
  const long s = w.inputStride;
  for (int k = 0; k < w.runs; ++k) {
    const float* base[kBases];
    base[0] = input + w.inputAt[k];
#pragma GCC unroll 8
    for (int i = 1; i < kBases; ++i) {
      base[i] = base[i - 1] + 3 * s;
      asm("" : "+r"(base[i]));
    }
    const float *b = filter + w.filterAt[k] * (kVectors * kLanes), *const end = base[0] + w.run;
    for (; base[0] != end; b += kVectors * kLanes) {
      V right[kVectors];
#pragma GCC unroll 2
      for (int q = 0; q < kVectors; ++q) right[q] = load(b + q * kLanes);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const float left = base[r / 3][r % 3 * s];
#pragma GCC unroll 2
        for (int q = 0; q < kVectors; ++q) sum[r][q] += right[q] * left;
      }
#pragma GCC unroll 8
      for (int i = 0; i < kBases; ++i) ++base[i];
    }
  }
  if (last == kLanes) finish<kRows, kVectors, true>(sum, out, w.outputStride, last, t, 0);
  else finish<kRows, kVectors, false>(sum, out, w.outputStride, last, t, 0);
}

typedef void (*Tile)(const WindowLine&, const float*, const float*, float*, long, const Tail&);

/// A function's versions for each number of rows.
#if defined(__AVX512F__)
#define WEFT_HEIGHTS(f, ...)                                                                                                                    \
  nullptr, f<1, __VA_ARGS__>, f<2, __VA_ARGS__>, f<3, __VA_ARGS__>, f<4, __VA_ARGS__>, f<5, __VA_ARGS__>, f<6, __VA_ARGS__>, f<7, __VA_ARGS__>, \
      f<8, __VA_ARGS__>, f<9, __VA_ARGS__>, f<10, __VA_ARGS__>, f<11, __VA_ARGS__>, f<12, __VA_ARGS__>, f<13, __VA_ARGS__>, f<14, __VA_ARGS__>
#else
#define WEFT_HEIGHTS(f, ...) nullptr, f<1, __VA_ARGS__>, f<2, __VA_ARGS__>, f<3, __VA_ARGS__>, f<4, __VA_ARGS__>, f<5, __VA_ARGS__>, f<6, __VA_ARGS__>
#endif

template <int kVectors>
struct Tiles {
  static constexpr Tile kOf[] = {WEFT_HEIGHTS(tile, kVectors)};
};

void line(const WindowLine& w, const float* input, const float* filter, long pixels, long columns, float* output, const WindowTail& tail) {
  const bool two = columns > kLanes;
  const long last = two ? columns - kLanes : columns, tiles = (pixels + kLongest - 1) / kLongest;
  const Tile* const of = two ? Tiles<2>::kOf : Tiles<1>::kOf;
  const Tail t(tail, output);
  // Tiles of nearly the same height keep all of them efficient.
  for (long i = 0, at = 0; i < tiles; ++i) {
    const long height = (pixels - at) / (tiles - i);
    of[height](w, input + at * w.inputStride, filter, output + at * w.outputStride, last, t);
    at += height;
  }
}

// ---- depthwise

/// kPixels pixels by one vector of channels. `kRuns`: pixels of the window, if known.
template <int kPixels, bool kWhole, int kRuns>
inline void deep(const WindowLine& w, const float* input, const float* filter, long filterRow, float* out, long n, const Tail& t, long c) {
  V sum[kPixels][1];
#pragma GCC unroll 16
  for (int r = 0; r < kPixels; ++r) sum[r][0] = V{};
  const long s = w.inputStride;
  const int runs = kRuns ? kRuns : w.runs;
#pragma GCC unroll 9
  for (int k = 0; k < runs; ++k) {
    const V f = get<kWhole>(filter + w.filterAt[k] * filterRow, n);
    const float* in = input + w.inputAt[k];
#pragma GCC unroll 16
    for (int r = 0; r < kPixels; ++r) sum[r][0] += get<kWhole>(in + r * s, n) * f;
  }
  finish<kPixels, 1, kWhole>(sum, out, w.outputStride, n, t, c);
}

template <int kPixels, int kRuns>
void deepPixels(const WindowLine& w, const float* input, const float* filter, long channels, float* out, const Tail& t) {
  long c = 0;
  for (; c + kLanes <= channels; c += kLanes) deep<kPixels, true, kRuns>(w, input + c, filter + c, channels, out + c, kLanes, t, c);
  if (c < channels) deep<kPixels, false, 0>(w, input + c, filter + c, channels, out + c, channels - c, t, c);
}

typedef void (*DeepPixels)(const WindowLine&, const float*, const float*, long, float*, const Tail&);

template <int kRuns>
struct Deep {
  static constexpr DeepPixels kOf[] = {WEFT_HEIGHTS(deepPixels, kRuns)};
};

void deepLine(const WindowLine& w, const float* input, const float* filter, long pixels, long channels, float* output, const WindowTail& tail) {
  const DeepPixels* const of = w.runs == 9 ? Deep<9>::kOf : Deep<0>::kOf;
  const Tail t(tail, output);
  const long tiles = (pixels + kLongest - 1) / kLongest;
  for (long i = 0, at = 0; i < tiles; ++i) {
    const long height = (pixels - at) / (tiles - i);
    of[height](w, input + at * w.inputStride, filter, channels, output + at * w.outputStride, t);
    at += height;
  }
}

constexpr int kMostRepeated = 64;

/// Copies of `channels` numbers that fill a vector.
inline void repeat(const float* from, long channels, float* to) {
  for (long i = 0; i < kLanes; i += channels) __builtin_memcpy(to + i, from, (unsigned long)(channels) * sizeof(float));
}

void depthwise(const WindowLine& w, const float* input, const float* filter, long pixels, long channels, float* output, const WindowTail& tail) {
  const long together = channels < kLanes && kLanes % channels == 0 ? kLanes / channels : 1;
  const bool adjacent = w.inputStride == channels && w.outputStride == channels && w.runs <= kMostRepeated;
  if (together == 1 || !adjacent || pixels < together) return deepLine(w, input, filter, pixels, channels, output, tail);
  // Few channels of adjacent pixels: several pixels share a vector.
  float filters[kMostRepeated * kLanes], tails[3][kLanes];
  long rows[kMostRepeated];
  for (int k = 0; k < w.runs; ++k) {
    repeat(filter + w.filterAt[k] * channels, channels, filters + k * kLanes);
    rows[k] = k;
  }
  WindowLine wide = w;
  WindowTail t = tail;
  wide.filterAt = rows;
  wide.inputStride = wide.outputStride = kLanes;
  if (t.shift) repeat(t.shift, channels, tails[0]), t.shift = tails[0];
  if (t.factor) repeat(t.factor, channels, tails[1]), t.factor = tails[1];
  if (t.offset) repeat(t.offset, channels, tails[2]), t.offset = tails[2];
  const long vectors = pixels / together, done = vectors * together;
  deepLine(wide, input, filters, vectors, kLanes, output, t);
  if (done == pixels) return;
  t = tail;
  if (t.added) t.added += done * channels;
  deepLine(w, input + done * channels, filter, pixels - done, channels, output + done * channels, t);
}

/// kPixels pixels from `column` on. A vector of the image is read once for all places of the window that it has in the row.
template <int kPixels, int kTaps, bool kWhole>
inline void shared(const DeepRow& w, const float* input, long column, const float* filter, float* out, long n, const Tail& t, long c) {
  V sum[kPixels][1];
#pragma GCC unroll 16
  for (int r = 0; r < kPixels; ++r) sum[r][0] = V{};
  const long first = column - w.before, s = w.channels;
  for (long k = 0; k < w.rows; ++k) {
    V f[kTaps];
#pragma GCC unroll 8
    for (int i = 0; i < kTaps; ++i) f[i] = get<kWhole>(filter + (k * kTaps + i) * s, n);
    const float* line = input + k * w.inputLine;
#pragma GCC unroll 24
    for (int j = 0; j < kPixels + kTaps - 1; ++j) {
      if ((unsigned long)(first + j) >= (unsigned long)(w.width)) continue;
      const V v = get<kWhole>(line + (first + j) * s, n);
#pragma GCC unroll 8
      for (int i = 0; i < kTaps; ++i) {
        if (j - i >= 0 && j - i < kPixels) sum[j - i][0] += v * f[i];
      }
    }
  }
  finish<kPixels, 1, kWhole>(sum, out, s, n, t, c);
}

template <int kPixels, int kTaps>
void sharedPixels(const DeepRow& w, const float* input, long column, const float* filter, float* out, const Tail& t) {
  long c = 0;
  for (; c + kLanes <= w.channels; c += kLanes) shared<kPixels, kTaps, true>(w, input + c, column, filter + c, out + c, kLanes, t, c);
  if (c < w.channels) shared<kPixels, kTaps, false>(w, input + c, column, filter + c, out + c, w.channels - c, t, c);
}

typedef void (*SharedPixels)(const DeepRow&, const float*, long, const float*, float*, const Tail&);

template <int kTaps>
struct Shared {
  static constexpr SharedPixels kOf[] = {WEFT_HEIGHTS(sharedPixels, kTaps)};
};

void deepRow(const DeepRow& w, const float* input, const float* filter, float* output, const WindowTail& tail) {
  const SharedPixels* const of = w.taps == 5 ? Shared<5>::kOf : Shared<7>::kOf;
  const Tail t(tail, output);
  const long tiles = (w.pixels + kLongest - 1) / kLongest;
  for (long i = 0, at = 0; i < tiles; ++i) {
    const long height = (w.pixels - at) / (tiles - i);
    of[height](w, input, at, filter, output + at * w.channels, t);
    at += height;
  }
}

template <int kRows, bool kWhole>
inline void finishSome(float* out, long channels, long n, const Tail& t, long c) {
  V sum[kRows][1];
  for (int r = 0; r < kRows; ++r) sum[r][0] = get<kWhole>(out + r * channels, n);
  finish<kRows, 1, kWhole>(sum, out, channels, n, t, c);
}

template <int kRows>
void finishTile(float* out, long channels, const Tail& t) {
  long c = 0;
  for (; c + kLanes <= channels; c += kLanes) finishSome<kRows, true>(out + c, channels, kLanes, t, c);
  if (c < channels) finishSome<kRows, false>(out + c, channels, channels - c, t, c);
}

void finishRows(long rows, long channels, float* output, const WindowTail& tail) {
  const Tail t(tail, output);
  long r = 0;
  for (; r + 4 <= rows; r += 4) finishTile<4>(output + r * channels, channels, t);
  for (; r < rows; ++r) finishTile<1>(output + r * channels, channels, t);
}

// ---- gradients of filters

struct Whole {
  static constexpr bool kIs = true;
};
struct Partly {
  static constexpr bool kIs = false;
};

/// A tile of kRows rows and kVectors vectors of the gradient, over all pixels.
template <int kRows, int kVectors>
void gradTile(const float* input, long inputStride, long inputLine, const float* grads, long gradStride, long gradLine, long lines, long pixels, long last,
              float* sums, long sumStride) {
  V sum[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int q = 0; q < kVectors; ++q) sum[r][q] = V{};
  }
  const auto pass = [&](auto whole) {
    for (long y = 0; y < lines; ++y) {
      const float *in = input + y * inputLine, *dy = grads + y * gradLine;
      for (long x = 0; x < pixels; ++x, in += inputStride, dy += gradStride) {
        V right[kVectors];
#pragma GCC unroll 2
        for (int q = 0; q < kVectors; ++q) right[q] = q + 1 < kVectors ? load(dy + q * kLanes) : get<decltype(whole)::kIs>(dy + q * kLanes, last);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
          for (int q = 0; q < kVectors; ++q) sum[r][q] += right[q] * in[r];
        }
      }
    }
  };
  if (last == kLanes) pass(Whole());
  else pass(Partly());
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int q = 0; q < kVectors; ++q) {
      float* to = sums + r * sumStride + q * kLanes;
      const long n = q + 1 < kVectors ? long(kLanes) : last;
      storeSome(to, loadSome(to, n) + sum[r][q], n);
    }
  }
}

typedef void (*GradTile)(const float*, long, long, const float*, long, long, long, long, long, float*, long);

template <int kVectors>
struct GradTiles {
  static constexpr GradTile kOf[] = {WEFT_HEIGHTS(gradTile, kVectors)};
};
/// Tiles of one vector may be taller.
#if defined(__AVX512F__)
constexpr GradTile kTallTiles[] = {WEFT_HEIGHTS(gradTile, 1), gradTile<15, 1>, gradTile<16, 1>};
#else
constexpr GradTile kTallTiles[] = {WEFT_HEIGHTS(gradTile, 1), gradTile<7, 1>, gradTile<8, 1>};
#endif

void filterGrad(const float* input, long inputStride, long inputLine, const float* grads, long gradStride, long gradLine, long lines, long pixels, long rows,
                long columns, float* sums, long sumStride) {
  for (long c = 0; c < columns; c += 2 * kLanes) {
    const long width = columns - c < 2 * kLanes ? columns - c : 2 * kLanes;
    const bool two = width > kLanes;
    const GradTile* const of = two ? GradTiles<2>::kOf : kTallTiles;
    const long most = two ? kLongest : kTall, tiles = (rows + most - 1) / most;
    for (long i = 0, r = 0; i < tiles; ++i) {
      const long height = (rows - r) / (tiles - i);
      of[height](input + r, inputStride, inputLine, grads + c, gradStride, gradLine, lines, pixels, two ? width - kLanes : width, sums + r * sumStride + c,
                 sumStride);
      r += height;
    }
  }
}

}  // namespace

extern const WindowKernels kWindowKernels;
const WindowKernels kWindowKernels = {2 * kLanes, kLongest, line, depthwise, deepRow, finishRows, filterGrad};

}  // namespace weft::cpu::WEFT_ISA_NAME
