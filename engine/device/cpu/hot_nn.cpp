// Compiled once per instruction set; WEFT_ISA_NAME names the namespace. Standard headers with inline code must not be included, because the linker would keep
// one copy of an inline function for all instruction sets.
#include "device/cpu/hot_nn.h"
#include "device/cpu/hot_vectors.h"

#include <immintrin.h>

#include <cmath>
#include <cstring>

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

typedef float HalfVec __attribute__((vector_size(32)));
typedef float QuarterVec __attribute__((vector_size(16)));

/// The lanes joined by halves.
template <typename F>
inline float joinLanes(Vec v, F&& join) {
  HalfVec halves[2];
  std::memcpy(halves, &v, sizeof v);
  const HalfVec half = join(halves[0], halves[1]);
  QuarterVec quarters[2];
  std::memcpy(quarters, &half, sizeof half);
  const QuarterVec q = join(quarters[0], quarters[1]);
  return join(join(float(q[0]), float(q[2])), join(float(q[1]), float(q[3])));
}
inline float sumLanes(Vec v) {
  return joinLanes(v, [](auto a, auto b) { return a + b; });
}
inline float maxLanes(Vec v) {
  return joinLanes(v, [](auto a, auto b) { return a < b ? b : a; });
}

/// e^x by reduction to [-ln2/2, ln2/2] and a polynomial (Cephes' coefficients); 0 below the smallest normal number.
inline Vec expVec(Vec x) {
  const Vec low = all(-87.33654f), high = all(88.72283f);
  const IVec tiny = x < low;
  x = x < low ? low : x;
  x = x > high ? high : x;
  const Vec shift = all(12582912.f);
  const Vec n = (x * 1.44269504088896341f + shift) - shift;
  Vec r = x - n * 0.693359375f;
  r = r + n * 2.12194440e-4f;
  Vec p = all(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * (r * r) + r + 1.f;
  // Two factors, because 2^128 is not a float.
  const IVec e = __builtin_convertvector(n, IVec);
  const IVec half = e >> 1;
  const IVec a = (half + 127) << 23, b = (e - half + 127) << 23;
  const Vec y = p * (Vec)a * (Vec)b;
  return tiny ? Vec{} : y;
}

/// The last `count` < 16 elements of a row, padded with `fill`.
#if defined(__AVX512F__)
inline Vec loadPart(const float* p, int64_t count, float fill) { return Vec(_mm512_mask_loadu_ps(__m512(all(fill)), __mmask16((1u << count) - 1u), p)); }
inline void storePart(float* p, int64_t count, Vec v) { _mm512_mask_storeu_ps(p, __mmask16((1u << count) - 1u), __m512(v)); }
#else
inline Vec loadPart(const float* p, int64_t count, float fill) {
  alignas(64) float buffer[kLanes];
  for (int i = 0; i < kLanes; ++i) buffer[i] = fill;
  for (int64_t i = 0; i < count; ++i) buffer[i] = p[i];
  return *reinterpret_cast<const Vec*>(buffer);
}
inline void storePart(float* p, int64_t count, Vec v) {
  alignas(64) float buffer[kLanes];
  *reinterpret_cast<Vec*>(buffer) = v;
  for (int64_t i = 0; i < count; ++i) p[i] = buffer[i];
}
#endif

void biasAdd(float* out, const float* in, const float* bias, int64_t rows, int64_t channels) {
  if (channels > 64 || rows * channels < 256) {
    for (int64_t r = 0; r < rows; ++r, in += channels, out += channels) {
      int64_t c = 0;
      for (; c + kLanes <= channels; c += kLanes) store(out + c, load(in + c) + load(bias + c));
      for (; c < channels; ++c) out[c] = in[c] + bias[c];
    }
    return;
  }
  // Few channels: sixteen rows are a whole number of vectors, so a pattern of sixteen rows of biases is prepared once.
  alignas(64) float pattern[64 * kLanes];
  const int64_t block = channels * kLanes;
  for (int64_t i = 0; i < block; ++i) pattern[i] = bias[i % channels];
  const int64_t n = rows * channels;
  int64_t i = 0;
  for (; i + block <= n; i += block) {
    for (int64_t k = 0; k < block; k += kLanes) store(out + i + k, load(in + i + k) + load(pattern + k));
  }
  for (int64_t k = 0; i < n; ++i, ++k) out[i] = in[i] + pattern[k];
}

void columnSums(float* sums, const float* in, int64_t rows, int64_t channels) {
  if (channels > 0 && channels < kLanes && kLanes % channels == 0) {
    // A vector holds several whole rows: add vectors, then fold the lanes.
    const int64_t n = rows * channels;
    Vec a{}, b{};
    int64_t i = 0;
    for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
      a += load(in + i);
      b += load(in + i + kLanes);
    }
    a += b;
    for (int k = 0; k < kLanes; ++k) sums[k % channels] += a[k];
    for (; i < n; ++i) sums[i % channels] += in[i];
    return;
  }
  overColumns(
      channels,
      [&](int64_t c) {
        Vec s0{}, s1{}, s2{}, s3{};
        int64_t r = 0;
        const float* p = in + c;
        for (; r + 4 <= rows; r += 4, p += 4 * channels) {
          s0 += load(p);
          s1 += load(p + channels);
          s2 += load(p + 2 * channels);
          s3 += load(p + 3 * channels);
        }
        for (; r < rows; ++r, p += channels) s0 += load(p);
        store(sums + c, load(sums + c) + ((s0 + s1) + (s2 + s3)));
      },
      [&](int64_t c) {
        float s0 = 0, s1 = 0;
        int64_t r = 0;
        for (; r + 2 <= rows; r += 2) {
          s0 += in[r * channels + c];
          s1 += in[(r + 1) * channels + c];
        }
        if (r < rows) s0 += in[r * channels + c];
        sums[c] += s0 + s1;
      });
}

void columnSquares(float* sums, const float* in, const float* mean, int64_t rows, int64_t channels) {
  overColumns(
      channels,
      [&](int64_t c) {
        const Vec m = load(mean + c);
        Vec s0{}, s1{}, s2{}, s3{};
        int64_t r = 0;
        const float* p = in + c;
        for (; r + 4 <= rows; r += 4, p += 4 * channels) {
          const Vec d0 = load(p) - m, d1 = load(p + channels) - m, d2 = load(p + 2 * channels) - m, d3 = load(p + 3 * channels) - m;
          s0 += d0 * d0;
          s1 += d1 * d1;
          s2 += d2 * d2;
          s3 += d3 * d3;
        }
        for (; r < rows; ++r, p += channels) {
          const Vec d = load(p) - m;
          s0 += d * d;
        }
        store(sums + c, load(sums + c) + ((s0 + s1) + (s2 + s3)));
      },
      [&](int64_t c) {
        float s = 0;
        for (int64_t r = 0; r < rows; ++r) {
          const float d = in[r * channels + c] - mean[c];
          s += d * d;
        }
        sums[c] += s;
      });
}

void columnDots(float* sums, float* dots, const float* grad, const float* in, const float* mean, int64_t rows, int64_t channels) {
  overColumns(
      channels,
      [&](int64_t c) {
        const Vec m = load(mean + c);
        Vec s0{}, s1{}, d0{}, d1{};
        int64_t r = 0;
        const float *g = grad + c, *p = in + c;
        for (; r + 2 <= rows; r += 2, g += 2 * channels, p += 2 * channels) {
          const Vec g0 = load(g), g1 = load(g + channels);
          s0 += g0;
          s1 += g1;
          d0 += g0 * (load(p) - m);
          d1 += g1 * (load(p + channels) - m);
        }
        if (r < rows) {
          s0 += load(g);
          d0 += load(g) * (load(p) - m);
        }
        store(sums + c, load(sums + c) + (s0 + s1));
        store(dots + c, load(dots + c) + (d0 + d1));
      },
      [&](int64_t c) {
        float s = 0, d = 0;
        for (int64_t r = 0; r < rows; ++r) {
          s += grad[r * channels + c];
          d += grad[r * channels + c] * (in[r * channels + c] - mean[c]);
        }
        sums[c] += s;
        dots[c] += d;
      });
}

void normalize(float* out, const float* in, const float* mean, const float* factor, const float* offset, int64_t rows, int64_t channels) {
  for (int64_t r = 0; r < rows; ++r, in += channels, out += channels) {
    overColumns(
        channels, [&](int64_t c) { store(out + c, (load(in + c) - load(mean + c)) * load(factor + c) + load(offset + c)); },
        [&](int64_t c) { out[c] = (in[c] - mean[c]) * factor[c] + offset[c]; });
  }
}

void normalizeGrad(float* out, const float* grad, const float* in, const float* mean, const float* factor, const float* a, const float* b, int64_t rows,
                   int64_t channels) {
  for (int64_t r = 0; r < rows; ++r, in += channels, out += channels, grad += channels) {
    overColumns(
        channels, [&](int64_t c) { store(out + c, load(factor + c) * (load(grad + c) - load(a + c) - (load(in + c) - load(mean + c)) * load(b + c))); },
        [&](int64_t c) { out[c] = factor[c] * (grad[c] - a[c] - (in[c] - mean[c]) * b[c]); });
  }
}

void relu(float* out, const float* in, int64_t n) {
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const Vec x = load(in + i);
    store(out + i, x < Vec{} ? Vec{} : x);  // NaN stays NaN
  }
  for (; i < n; ++i) out[i] = in[i] < 0 ? 0 : in[i];
}

float sumOfSquares(const float* in, int64_t n) {
  Vec s0{}, s1{}, s2{}, s3{};
  int64_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    const Vec a = load(in + i), b = load(in + i + kLanes), c = load(in + i + 2 * kLanes), d = load(in + i + 3 * kLanes);
    s0 += a * a;
    s1 += b * b;
    s2 += c * c;
    s3 += d * d;
  }
  float s = sumLanes((s0 + s1) + (s2 + s3));
  for (; i < n; ++i) s += in[i] * in[i];
  return s;
}

inline float rowMax(const float* in, int64_t columns) {
  Vec m = all(kLowest);
  int64_t c = 0;
  for (; c + kLanes <= columns; c += kLanes) m = larger(m, load(in + c));
  if (c < columns) m = larger(m, loadPart(in + c, columns - c, kLowest));
  return maxLanes(m);
}

/// Sum of e^(in - shift). The terms are stored in `out` unless it is null.
inline float rowExpSum(float* out, const float* in, float shift, int64_t columns) {
  Vec s{};
  int64_t c = 0;
  for (; c + kLanes <= columns; c += kLanes) {
    const Vec e = expVec(load(in + c) - shift);
    if (out) store(out + c, e);
    s += e;
  }
  if (c < columns) {
    const Vec e = expVec(loadPart(in + c, columns - c, -INFINITY) - shift);
    if (out) storePart(out + c, columns - c, e);
    s += e;
  }
  return sumLanes(s);
}

inline void rowScale(float* out, const float* in, float factor, int64_t columns) {
  for (int64_t c = 0; c < columns; ++c) out[c] = in[c] * factor;
}

void softmax(float* out, const float* in, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, in += columns, out += columns) {
    const float sum = rowExpSum(out, in, rowMax(in, columns), columns);
    rowScale(out, out, 1.f / sum, columns);
  }
}

void logSoftmax(float* out, const float* in, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, in += columns, out += columns) {
    const float shift = rowMax(in, columns);
    const float logSum = __builtin_logf(rowExpSum(nullptr, in, shift, columns));
    for (int64_t c = 0; c < columns; ++c) out[c] = (in[c] - shift) - logSum;
  }
}

void crossEntropy(float* loss, float* backprop, const float* logits, const float* labels, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, logits += columns, labels += columns, backprop += columns) {
    const float shift = rowMax(logits, columns);
    const float sum = rowExpSum(nullptr, logits, shift, columns), logSum = __builtin_logf(sum), scale = 1.f / sum;
    Vec total{};
    int64_t c = 0;
    for (; c + kLanes <= columns; c += kLanes) {
      const Vec l = load(labels + c), x = load(logits + c) - shift;
      total += l * (logSum - x);
      store(backprop + c, expVec(x) * scale - l);
    }
    if (c < columns) {
      const Vec l = loadPart(labels + c, columns - c, 0), x = loadPart(logits + c, columns - c, shift) - shift;
      total += l * (logSum - x);
      storePart(backprop + c, columns - c, expVec(x) * scale - l);
    }
    loss[r] = sumLanes(total);
  }
}

template <typename Label>
void sparseCrossEntropy(float* loss, float* backprop, const float* logits, const Label* labels, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, logits += columns, backprop += columns) {
    const float shift = rowMax(logits, columns), own = logits[labels[r]] - shift;
    const float sum = rowExpSum(backprop, logits, shift, columns);
    rowScale(backprop, backprop, 1.f / sum, columns);
    backprop[labels[r]] -= 1.f;
    loss[r] = __builtin_logf(sum) - own;
  }
}

void tinyMatMul(float* c, const float* a, const float* b, int64_t m, int64_t k, int64_t n) {
  for (int64_t i = 0; i < m; ++i, a += k, c += n) {
    int64_t j = 0;
    for (; j + kLanes <= n; j += kLanes) {
      Vec s{};
      for (int64_t p = 0; p < k; ++p) s += a[p] * load(b + p * n + j);
      store(c + j, s);
    }
    for (; j < n; ++j) {
      float s = 0;
      for (int64_t p = 0; p < k; ++p) s += a[p] * b[p * n + j];
      c[j] = s;
    }
  }
}

}  // namespace

extern const NnKernels kNnKernels;
const NnKernels kNnKernels = {biasAdd,
                              columnSums,
                              columnSquares,
                              columnDots,
                              normalize,
                              normalizeGrad,
                              relu,
                              sumOfSquares,
                              softmax,
                              logSoftmax,
                              crossEntropy,
                              sparseCrossEntropy<int32_t>,
                              sparseCrossEntropy<int64_t>,
                              maxPool,
                              averagePool,
                              maxPoolGrad,
                              averagePoolGrad,
                              tinyMatMul};

}  // namespace weft::cpu::WEFT_ISA_NAME
