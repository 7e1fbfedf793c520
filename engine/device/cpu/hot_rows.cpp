#include "device/cpu/hot_rows.h"

#include <cstdint>

// Compiled once per instruction set. Sums keep the order in which plain loops would add, so all versions give the same bits.
namespace weft::cpu::WEFT_ISA_NAME {
namespace {

#if defined(__clang__)
#define WEFT_ROW_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define WEFT_ROW_LOOP _Pragma("GCC ivdep")
#endif

void periodicSums(double* sums, const float* x, int64_t n, int64_t period) {
  // Several periods side by side fill a vector; their sums are added at the end.
  double many[kLongestPeriod * 2];
  const int64_t copies = period < kLongestPeriod ? kLongestPeriod / period : 1, width = copies * period;
  for (int64_t j = 0; j < width; ++j) many[j] = 0;
  int64_t i = 0;
  for (; i + width <= n; i += width) {
    WEFT_ROW_LOOP for (int64_t j = 0; j < width; ++j) many[j] += double(x[i + j]);
  }
  for (int64_t j = 0; i + j < n; ++j) many[j] += double(x[i + j]);
  for (int64_t c = 0; c < copies; ++c) {
    for (int64_t j = 0; j < period; ++j) sums[j] += many[c * period + j];
  }
}

void scaleAboutMeans(float* y, const float* x, const float* mean, float factor, int64_t n, int64_t period) {
  float many[kLongestPeriod * 2];
  const int64_t copies = period < kLongestPeriod ? kLongestPeriod / period : 1, width = copies * period;
  for (int64_t j = 0; j < width; ++j) many[j] = mean[j % period];
  for (int64_t i = 0; i < n; i += width) {
    const int64_t m = n - i < width ? n - i : width;
    WEFT_ROW_LOOP for (int64_t j = 0; j < m; ++j) y[i + j] = (x[i + j] - many[j]) * factor + many[j];
  }
}

typedef float WideFloats __attribute__((vector_size(64)));
typedef float LooseWideFloats __attribute__((vector_size(64), aligned(4)));

inline WideFloats wideAt(const float* p) { return *reinterpret_cast<const LooseWideFloats*>(p); }
inline void putWide(float* p, WideFloats v) { *reinterpret_cast<LooseWideFloats*>(p) = v; }

/// Calls f(k, sum) with the sums of s[k - radius] to s[k + radius], for 16 channels at once or for one.
template <typename F, typename G>
inline void overWindowSums(const float* s, int64_t channels, int64_t radius, F&& f, G&& g) {
  int64_t k = 0;
  for (; k + 16 <= channels; k += 16) {
    WideFloats sum = WideFloats{} + wideAt(s + k - radius);
    for (int64_t o = 1 - radius; o <= radius; ++o) sum += wideAt(s + k + o);
    f(k, sum);
  }
  for (; k < channels; ++k) {
    float sum = 0.0f + s[k - radius];
    for (int64_t o = 1 - radius; o <= radius; ++o) sum += s[k + o];
    g(k, sum);
  }
}

/// Zeros around `channels` numbers, for windows at the ends. Returns the place of the first.
inline float* withMargins(float* room, int64_t channels, int64_t radius) {
  for (int64_t k = 0; k < radius; ++k) room[k] = room[radius + channels + k] = 0;
  return room + radius;
}

void windowNorms(float* y, const float* x, float* room, int64_t channels, int64_t radius, float bias, float alpha) {
  float* s = withMargins(room, channels, radius);
  WEFT_ROW_LOOP for (int64_t k = 0; k < channels; ++k) s[k] = x[k] * x[k];
  overWindowSums(
      s, channels, radius, [&](int64_t k, WideFloats sum) { putWide(y + k, bias + alpha * sum); }, [&](int64_t k, float sum) { y[k] = bias + alpha * sum; });
}

void divideByNorms(float* y, const float* x, const float* norm, int64_t n, bool root) {
  if (root) {
    WEFT_ROW_LOOP for (int64_t k = 0; k < n; ++k) y[k] = x[k] / __builtin_sqrtf(norm[k]);
  } else {
    WEFT_ROW_LOOP for (int64_t k = 0; k < n; ++k) y[k] = x[k] / norm[k];
  }
}

void inverseRoots(float* y, const float* norm, int64_t n) {
  // In double precision, rounding once gives what a power would.
  WEFT_ROW_LOOP for (int64_t k = 0; k < n; ++k) y[k] = float(1 / __builtin_sqrt(double(norm[k])));
}

void windowGradients(float* dx, const float* dy, const float* x, const float* y, const float* norm, const float* power, float* room, int64_t channels,
                     int64_t radius, float factor) {
  float* s = withMargins(room, channels, radius);
  WEFT_ROW_LOOP for (int64_t k = 0; k < channels; ++k) s[k] = y[k] / norm[k] * dy[k];
  overWindowSums(
      s, channels, radius, [&](int64_t k, WideFloats sum) { putWide(dx + k, factor * wideAt(x + k) * sum + wideAt(power + k) * wideAt(dy + k)); },
      [&](int64_t k, float sum) { dx[k] = factor * x[k] * sum + power[k] * dy[k]; });
}

void weightedSum(float* y, const float* const* x, const float* w, int count, int64_t n) {
  if (count == 4) {
    const float *a = x[0], *b = x[1], *c = x[2], *d = x[3];
    const float wa = w[0], wb = w[1], wc = w[2], wd = w[3];
    WEFT_ROW_LOOP for (int64_t i = 0; i < n; ++i) y[i] = 0.0f + wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i];
    return;
  }
  const float* first = x[0];
  const float w0 = w[0];
  WEFT_ROW_LOOP for (int64_t i = 0; i < n; ++i) y[i] = 0.0f + w0 * first[i];
  for (int k = 1; k < count; ++k) {
    const float* row = x[k];
    const float wk = w[k];
    WEFT_ROW_LOOP for (int64_t i = 0; i < n; ++i) y[i] += wk * row[i];
  }
}

typedef float FourFloats __attribute__((vector_size(16), aligned(4)));

void blendColumns(float* y, const float* x, const int64_t* at, const float* weight, int64_t stride, int64_t columns, int64_t channels) {
  for (int64_t c = 0; c < columns; ++c) {
    const float *x0 = x + at[0] * channels, *x1 = x + at[1] * channels, *x2 = x + at[2] * channels, *x3 = x + at[3] * channels;
    const float w0 = weight[0], w1 = weight[1], w2 = weight[2], w3 = weight[3];
    int64_t k = 0;
    // The last vector may reach into the next pixel, which is written later. Behind the last one may be another thread's row.
    for (; c + 1 < columns ? k < channels && k + 4 <= channels * (columns - c) : k + 4 <= channels; k += 4) {
      const auto load = [k](const float* p) { return *reinterpret_cast<const FourFloats*>(p + k); };
      *reinterpret_cast<FourFloats*>(y + k) = 0.0f + load(x0) * w0 + load(x1) * w1 + load(x2) * w2 + load(x3) * w3;
    }
    for (; k < channels; ++k) y[k] = 0.0f + x0[k] * w0 + x1[k] * w1 + x2[k] * w2 + x3[k] * w3;
    y += channels;
    at = reinterpret_cast<const int64_t*>(reinterpret_cast<const char*>(at) + stride);
    weight = reinterpret_cast<const float*>(reinterpret_cast<const char*>(weight) + stride);
  }
}

typedef uint32_t Four __attribute__((vector_size(16)));
typedef uint32_t LooseFour __attribute__((vector_size(16), aligned(4)));

/// Transposes a tile of 4 by 4.
inline void transposeTile(uint32_t* y, int64_t yStride, const uint32_t* x, int64_t xStride) {
  const auto row = [&](int64_t i) -> Four { return *reinterpret_cast<const LooseFour*>(x + i * xStride); };
  const Four a = row(0), b = row(1), c = row(2), d = row(3);
#if defined(__clang__)
  const Four ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Four out[4] = {__builtin_shufflevector(ab0, cd0, 0, 1, 4, 5), __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7),
                       __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5), __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7)};
#else
  const Four low = {0, 4, 1, 5}, high = {2, 6, 3, 7}, first = {0, 1, 4, 5}, second = {2, 3, 6, 7};
  const Four ab0 = __builtin_shuffle(a, b, low), ab1 = __builtin_shuffle(a, b, high);
  const Four cd0 = __builtin_shuffle(c, d, low), cd1 = __builtin_shuffle(c, d, high);
  const Four out[4] = {__builtin_shuffle(ab0, cd0, first), __builtin_shuffle(ab0, cd0, second), __builtin_shuffle(ab1, cd1, first),
                       __builtin_shuffle(ab1, cd1, second)};
#endif
  for (int64_t i = 0; i < 4; ++i) *reinterpret_cast<LooseFour*>(y + i * yStride) = out[i];
}

void transpose4(uint32_t* y, int64_t yStride, const uint32_t* x, int64_t xStride, int64_t rows, int64_t columns) {
  // Blocks of 16 rows by 8 columns write whole cache lines of eight target rows, few enough to stay in the cache whatever their distance.
  constexpr int64_t kRows = 16, kColumns = 8;
  for (int64_t r = 0; r < rows; r += kRows) {
    const int64_t rEnd = rows - r < kRows ? rows : r + kRows;
    for (int64_t c = 0; c < columns; c += kColumns) {
      const int64_t cEnd = columns - c < kColumns ? columns : c + kColumns;
      int64_t i = c;
      for (; i + 4 <= cEnd; i += 4) {
        int64_t j = r;
        for (; j + 4 <= rEnd; j += 4) transposeTile(y + i * yStride + j, yStride, x + j * xStride + i, xStride);
        for (; j < rEnd; ++j) {
          for (int64_t k = 0; k < 4; ++k) y[(i + k) * yStride + j] = x[j * xStride + i + k];
        }
      }
      for (; i < cEnd; ++i) {
        for (int64_t j = r; j < rEnd; ++j) y[i * yStride + j] = x[j * xStride + i];
      }
    }
  }
}

template <typename T>
void reverse(T* to, const T* from, int64_t n) {
  WEFT_ROW_LOOP for (int64_t i = 0; i < n; ++i) to[i] = from[-i];
}

}  // namespace

extern const RowKernels kRowKernels;
const RowKernels kRowKernels = {periodicSums, scaleAboutMeans, windowNorms,      divideByNorms,     inverseRoots,      windowGradients,  weightedSum,
                                blendColumns, transpose4,      reverse<uint8_t>, reverse<uint16_t>, reverse<uint32_t>, reverse<uint64_t>};

}  // namespace weft::cpu::WEFT_ISA_NAME
