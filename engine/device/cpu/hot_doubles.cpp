// Softmax and cross entropies of doubles, pools of doubles and integers. Compiled once per instruction set, with the restrictions of hot_nn.cpp.
#include "device/cpu/hot_doubles.h"
#include "device/cpu/hot_math.h"

#include <immintrin.h>

namespace weft::cpu::WEFT_ISA_NAME {
namespace {

constexpr int64_t kDoubles = int64_t(sizeof(DoubleVec) / sizeof(double));

/// The elements from x[i] on, padded with `fill` behind the end.
inline DoubleVec elementsAt(const double* x, int64_t i, int64_t n, double fill) {
  DoubleVec v;
  if (i + kDoubles <= n) {
    __builtin_memcpy(&v, x + i, sizeof v);
    return v;
  }
#if defined(__AVX512F__)
  return DoubleVec(_mm512_mask_loadu_pd(__m512d(all(fill)), __mmask8((1u << (n - i)) - 1u), x + i));
#else
  v = all(fill);
  for (int64_t k = 0; k < n - i; ++k) v[k] = x[i + k];
  return v;
#endif
}
inline void putAt(double* y, int64_t i, int64_t n, DoubleVec v) {
  if (i + kDoubles <= n) {
    __builtin_memcpy(y + i, &v, sizeof v);
    return;
  }
#if defined(__AVX512F__)
  _mm512_mask_storeu_pd(y + i, __mmask8((1u << (n - i)) - 1u), __m512d(v));
#else
  for (int64_t k = 0; k < n - i; ++k) y[i + k] = v[k];
#endif
}
inline double sumOf(DoubleVec v) {
  double s = 0;
  for (int64_t k = 0; k < kDoubles; ++k) s += v[k];
  return s;
}

/// e^x, which is 0 where it would be denormal; the library is slow there.
inline DoubleVec exponential(DoubleVec x) {
  const auto tiny = x < -708.0;
  const DoubleVec e = Exp::of(tiny ? DoubleVec{} : x);
  return tiny ? DoubleVec{} : e;
}

inline double largestOf(const double* x, int64_t n) {
  DoubleVec most = all(-__builtin_inf());
  for (int64_t i = 0; i < n; i += kDoubles) {
    const DoubleVec v = elementsAt(x, i, n, -__builtin_inf());
    most = most < v ? v : most;
  }
  double m = most[0];
  for (int64_t k = 1; k < kDoubles; ++k) m = m < most[k] ? most[k] : m;
  return m;
}

/// The sum of e^(x - shift). The terms are stored in `out` unless it is null.
inline double expSum(double* out, const double* x, double shift, int64_t n) {
  DoubleVec sum{};
  for (int64_t i = 0; i < n; i += kDoubles) {
    const DoubleVec e = exponential(elementsAt(x, i, n, -__builtin_inf()) - shift);
    if (out) putAt(out, i, n, e);
    // Where all elements are -inf, the padding would add NaN.
    sum += i + kDoubles <= n ? e : elementsAt(reinterpret_cast<const double*>(&e), 0, n - i, 0);
  }
  return sumOf(sum);
}

void softmaxOfDoubles(double* out, const double* in, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, in += columns, out += columns) {
    const double sum = expSum(out, in, largestOf(in, columns), columns);
    for (int64_t c = 0; c < columns; ++c) out[c] /= sum;
  }
}

void logSoftmaxOfDoubles(double* out, const double* in, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, in += columns, out += columns) {
    const double shift = largestOf(in, columns), logSum = __builtin_log(expSum(nullptr, in, shift, columns));
    for (int64_t c = 0; c < columns; ++c) out[c] = (in[c] - shift) - logSum;
  }
}

void crossEntropyOfDoubles(double* loss, double* backprop, const double* logits, const double* labels, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, logits += columns, labels += columns, backprop += columns) {
    const double shift = largestOf(logits, columns), sum = expSum(nullptr, logits, shift, columns), logSum = __builtin_log(sum);
    DoubleVec total{};
    for (int64_t c = 0; c < columns; c += kDoubles) {
      const DoubleVec l = elementsAt(labels, c, columns, 0), x = elementsAt(logits, c, columns, shift) - shift, part = l * (logSum - x);
      total += c + kDoubles <= columns ? part : elementsAt(reinterpret_cast<const double*>(&part), 0, columns - c, 0);
      putAt(backprop, c, columns, exponential(x) / sum - l);
    }
    loss[r] = sumOf(total);
  }
}

template <typename Label>
void sparseCrossEntropyOfDoubles(double* loss, double* backprop, const double* logits, const Label* labels, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, logits += columns, backprop += columns) {
    const double shift = largestOf(logits, columns), own = logits[labels[r]] - shift, sum = expSum(backprop, logits, shift, columns);
    for (int64_t c = 0; c < columns; ++c) backprop[c] /= sum;
    backprop[labels[r]] -= 1;
    loss[r] = __builtin_log(sum) - own;
  }
}

// Pools.

/// The part of a window that lies inside the image, along one axis.
struct Inside {
  int64_t begin, end;
};
inline Inside inside(int64_t out, int64_t stride, int64_t pad, int64_t size, int64_t limit) {
  const int64_t begin = out * stride - pad, end = begin + size;
  return {begin < 0 ? 0 : begin, end > limit ? limit : end};
}

template <typename T>
struct Lowest {
  static constexpr T value = T(-1) < T(0) ? T(uint64_t(1) << (8 * sizeof(T) - 1)) : T(0);
};
template <>
struct Lowest<double> {
  static constexpr double value = -__builtin_inf();
};

template <typename T, bool isMaximum, typename V>
inline V pooled(const T* from, int64_t rowStep, int64_t pixelStep, int64_t rows, int64_t pixels, V start) {
  V value = start;
  for (int64_t i = 0; i < rows; ++i, from += rowStep) {
    const T* p = from;
    for (int64_t j = 0; j < pixels; ++j, p += pixelStep) {
      V v;
      __builtin_memcpy(&v, p, sizeof v);
      value = !isMaximum ? V(value + v) : value < v ? v : value;
    }
  }
  return value;
}

template <typename T, bool isMaximum>
void poolOf(T* out, const T* in, const PoolGeometry& g, int64_t begin, int64_t end) {
  typedef T Vector __attribute__((vector_size(4 * kLanes)));
  constexpr int64_t kWidth = int64_t(sizeof(Vector) / sizeof(T));
  constexpr T start = isMaximum ? Lowest<T>::value : T(0);
  const int64_t C = g.channels, rowStep = g.inWidth * C;
  for (int64_t row = begin; row < end; ++row) {
    const T* base = in + row / g.outHeight * g.inHeight * rowStep;
    const Inside h = inside(row % g.outHeight, g.strideHeight, g.padTop, g.windowHeight, g.inHeight);
    for (int64_t x = 0; x < g.outWidth; ++x) {
      const Inside w = inside(x, g.strideWidth, g.padLeft, g.windowWidth, g.inWidth);
      const int64_t rows = h.end - h.begin, pixels = w.end - w.begin;
      const T* from = base + h.begin * rowStep + w.begin * C;
      T* to = out + (row * g.outWidth + x) * C;
      const T count = isMaximum ? T(1) : T(rows * pixels);
      int64_t c = 0;
      for (; c + kWidth <= C; c += kWidth) {
        Vector v = pooled<T, isMaximum>(from + c, rowStep, C, rows, pixels, Vector{} + start);
        if (!isMaximum) v /= count;
        __builtin_memcpy(to + c, &v, sizeof v);
      }
      for (; c < C; ++c) {
        const T v = pooled<T, isMaximum>(from + c, rowStep, C, rows, pixels, start);
        to[c] = isMaximum ? v : T(v / count);
      }
    }
  }
}

}  // namespace

extern const WideKernels kWideKernels;
const WideKernels kWideKernels = {softmaxOfDoubles,
                                  logSoftmaxOfDoubles,
                                  crossEntropyOfDoubles,
                                  sparseCrossEntropyOfDoubles<int32_t>,
                                  sparseCrossEntropyOfDoubles<int64_t>,
                                  poolOf<double, false>,
                                  poolOf<double, true>,
                                  poolOf<int8_t, true>,
                                  poolOf<uint8_t, true>,
                                  poolOf<int16_t, true>,
                                  poolOf<uint16_t, true>,
                                  poolOf<int32_t, true>,
                                  poolOf<int64_t, true>};

}  // namespace weft::cpu::WEFT_ISA_NAME
