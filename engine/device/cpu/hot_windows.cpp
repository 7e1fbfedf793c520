// Convolutions whose sums stay in registers: a tile of pixels by one or two vectors of output channels, and windows of one channel each.
#include "device/cpu/hot_windows.h"

#include <immintrin.h>

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

#if defined(__AVX512F__)
constexpr int kWidth = 64, kLongest = 14, kDeep = 8;
constexpr bool kFastest = true;
#elif defined(__AVX2__)
constexpr int kWidth = 32, kLongest = 6, kDeep = 8;
constexpr bool kFastest = true;
#else
constexpr int kWidth = 16, kLongest = 6, kDeep = 8;
constexpr bool kFastest = true;
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

inline V activated(V x, Activation a) {
  const V zero = V{}, six = V{} + 6.0f;
  if (a != Activation::None) x = x < zero ? zero : x;
  if (a == Activation::Relu6) x = x > six ? six : x;
  return x;
}

/// Applies the tail to a tile of kRows pixels and kVectors vectors of channels, and writes it. `last`: channels of the last vector.
template <int kRows, int kVectors, bool kWhole>
inline void finish(V (&sum)[kRows][kVectors], float* out, long stride, long last, const WindowTail& t) {
#pragma GCC unroll 2
  for (int q = 0; q < kVectors; ++q) {
    const long at = q * kLanes;
    const bool whole = kWhole || q + 1 < kVectors;
    const auto channels = [&](const float* p) { return whole ? load(p + at) : loadSome(p + at, last); };
    if (t.shift) {
      const V v = channels(t.shift);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] -= v;
    }
    if (t.factor && t.offset) {
      const V v = channels(t.factor), w = channels(t.offset);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] = sum[r][q] * v + w;
    } else if (t.factor) {
      const V v = channels(t.factor);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] *= v;
    } else if (t.offset) {
      const V v = channels(t.offset);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] += v;
    }
    if (t.first != Activation::None) {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] = activated(sum[r][q], Activation::Relu);
      if (t.first == Activation::Relu6) {
        const V six = V{} + 6.0f;
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) sum[r][q] = sum[r][q] > six ? six : sum[r][q];
      }
    }
    if (t.added) {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] += whole ? load(t.added + r * stride + at) : loadSome(t.added + r * stride + at, last);
    }
    if (t.second != Activation::None) {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) sum[r][q] = activated(sum[r][q], t.second);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      if (whole) store(out + r * stride + at, sum[r][q]);
      else storeSome(out + r * stride + at, sum[r][q], last);
    }
  }
}

/// kRows pixels by kVectors vectors. Every third pixel has a pointer; the others are reached by its scaled index, for there are too few registers.
template <int kRows, int kVectors>
void tile(const WindowLine& w, const float* input, const float* filter, float* out, long last, const WindowTail& t) {
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
  if (last == kLanes) finish<kRows, kVectors, true>(sum, out, w.outputStride, last, t);
  else finish<kRows, kVectors, false>(sum, out, w.outputStride, last, t);
}

typedef void (*Tile)(const WindowLine&, const float*, const float*, float*, long, const WindowTail&);

template <int kVectors>
struct Tiles;
#if defined(__AVX512F__)
template <int kVectors>
struct Tiles {
  static constexpr Tile kOf[kLongest + 1] = {
      nullptr,           tile<1, kVectors>, tile<2, kVectors>, tile<3, kVectors>,  tile<4, kVectors>,  tile<5, kVectors>,  tile<6, kVectors>,
      tile<7, kVectors>, tile<8, kVectors>, tile<9, kVectors>, tile<10, kVectors>, tile<11, kVectors>, tile<12, kVectors>, tile<13, kVectors>,
      tile<14, kVectors>};
};
#else
template <int kVectors>
struct Tiles {
  static constexpr Tile kOf[kLongest + 1] = {nullptr,           tile<1, kVectors>, tile<2, kVectors>, tile<3, kVectors>,
                                             tile<4, kVectors>, tile<5, kVectors>, tile<6, kVectors>};
};
#endif

/// The tail of the pixels that begin `by` floats further in the output, from channel c on.
inline WindowTail moved(const WindowTail& t, long by, long c = 0) {
  WindowTail m = t;
  if (m.shift) m.shift += c;
  if (m.factor) m.factor += c;
  if (m.offset) m.offset += c;
  if (m.added) m.added += by + c;
  return m;
}

void line(const WindowLine& w, const float* input, const float* filter, long pixels, long columns, float* output, const WindowTail& tail) {
  const bool two = columns > kLanes;
  const long last = two ? columns - kLanes : columns, tiles = (pixels + kLongest - 1) / kLongest;
  const Tile* const of = two ? Tiles<2>::kOf : Tiles<1>::kOf;
  // Tiles of nearly the same height keep all of them efficient.
  for (long i = 0, at = 0; i < tiles; ++i) {
    const long height = (pixels - at) / (tiles - i);
    of[height](w, input + at * w.inputStride, filter, output + at * w.outputStride, last, moved(tail, at * w.outputStride));
    at += height;
  }
}

// ---- depthwise

template <int kPixels, bool kWhole>
inline void deep(const WindowLine& w, const float* input, const float* filter, long filterRow, float* out, long n, const WindowTail& t) {
  V sum[kPixels][1];
#pragma GCC unroll 16
  for (int r = 0; r < kPixels; ++r) sum[r][0] = V{};
  for (int k = 0; k < w.runs; ++k) {
    const V f = get<kWhole>(filter + w.filterAt[k] * filterRow, n);
    const float* in = input + w.inputAt[k];
#pragma GCC unroll 16
    for (int r = 0; r < kPixels; ++r) sum[r][0] += get<kWhole>(in + r * w.inputStride, n) * f;
  }
  finish<kPixels, 1, kWhole>(sum, out, w.outputStride, n, t);
}

template <int kPixels>
void deepPixels(const WindowLine& w, const float* input, const float* filter, long channels, float* out, const WindowTail& t) {
  long c = 0;
  for (; c + kLanes <= channels; c += kLanes) deep<kPixels, true>(w, input + c, filter + c, channels, out + c, kLanes, moved(t, 0, c));
  if (c < channels) deep<kPixels, false>(w, input + c, filter + c, channels, out + c, channels - c, moved(t, 0, c));
}

void depthwise(const WindowLine& w, const float* input, const float* filter, long pixels, long channels, float* output, const WindowTail& tail) {
  for (long at = 0; at < pixels;) {
    const long left = pixels - at;
    const float* in = input + at * w.inputStride;
    float* out = output + at * w.outputStride;
    const WindowTail t = moved(tail, at * w.outputStride);
    if (left >= kDeep) deepPixels<kDeep>(w, in, filter, channels, out, t), at += kDeep;
    else if (left >= 4) deepPixels<4>(w, in, filter, channels, out, t), at += 4;
    else if (left >= 2) deepPixels<2>(w, in, filter, channels, out, t), at += 2;
    else deepPixels<1>(w, in, filter, channels, out, t), at += 1;
  }
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
#if defined(__AVX512F__)
  static constexpr GradTile kOf[kLongest + 1] = {nullptr,
                                                 gradTile<1, kVectors>,
                                                 gradTile<2, kVectors>,
                                                 gradTile<3, kVectors>,
                                                 gradTile<4, kVectors>,
                                                 gradTile<5, kVectors>,
                                                 gradTile<6, kVectors>,
                                                 gradTile<7, kVectors>,
                                                 gradTile<8, kVectors>,
                                                 gradTile<9, kVectors>,
                                                 gradTile<10, kVectors>,
                                                 gradTile<11, kVectors>,
                                                 gradTile<12, kVectors>,
                                                 gradTile<13, kVectors>,
                                                 gradTile<14, kVectors>};
#else
  static constexpr GradTile kOf[kLongest + 1] = {
      nullptr, gradTile<1, kVectors>, gradTile<2, kVectors>, gradTile<3, kVectors>, gradTile<4, kVectors>, gradTile<5, kVectors>, gradTile<6, kVectors>};
#endif
};

void filterGrad(const float* input, long inputStride, long inputLine, const float* grads, long gradStride, long gradLine, long lines, long pixels, long rows,
                long columns, float* sums, long sumStride) {
  const long tiles = (rows + kLongest - 1) / kLongest;
  for (long c = 0; c < columns; c += 2 * kLanes) {
    const long width = columns - c < 2 * kLanes ? columns - c : 2 * kLanes;
    const bool two = width > kLanes;
    const GradTile* const of = two ? GradTiles<2>::kOf : GradTiles<1>::kOf;
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
const WindowKernels kWindowKernels = {2 * kLanes, kLongest, kFastest, line, depthwise, filterGrad};

}  // namespace weft::cpu::WEFT_ISA_NAME
