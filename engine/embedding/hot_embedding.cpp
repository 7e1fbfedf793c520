#include "embedding/hot_embedding.h"

// Compiled once per instruction set: nothing of the standard library, and everything in an anonymous namespace. Loops over kLanes numbers side by side become vectors;
// sums are kept by lane and joined in order.
namespace weft::embedding::WEFT_ISA_NAME {
namespace {

#if defined(__clang__)
#define WEFT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define WEFT_LANES _Pragma("GCC ivdep")
#endif

constexpr int kLanes = 16;

inline float joined(const float* lanes) {
  float half[kLanes / 2], quarter[kLanes / 4];
  for (int l = 0; l < kLanes / 2; ++l) half[l] = lanes[l] + lanes[l + kLanes / 2];
  for (int l = 0; l < kLanes / 4; ++l) quarter[l] = half[l] + half[l + kLanes / 4];
  return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

long closer(const float* dots, const float* norms, long n, float limit, int base, int* at, float* score) {
  constexpr long kBlock = 64;
  long found = 0, j = 0;
  for (; j + kBlock <= n; j += kBlock) {
    int any[kLanes] = {};
    for (long k = 0; k < kBlock; k += kLanes) {
      WEFT_LANES for (int l = 0; l < kLanes; ++l) any[l] |= norms[j + k + l] - 2 * dots[j + k + l] < limit ? 1 : 0;
    }
    int sum = 0;
    for (int l = 0; l < kLanes; ++l) sum |= any[l];
    if (!sum) continue;
    for (long k = j; k < j + kBlock; ++k) {
      const float s = norms[k] - 2 * dots[k];
      at[found] = base + int(k);
      score[found] = s;
      found += s < limit ? 1 : 0;
    }
  }
  for (; j < n; ++j) {
    const float s = norms[j] - 2 * dots[j];
    if (s < limit) at[found] = base + int(j), score[found++] = s;
  }
  return found;
}

float squaredDistance(const float* a, const float* b, long n) {
  float sum[kLanes] = {}, more[kLanes] = {};
  long j = 0;
  for (; j + 2 * kLanes <= n; j += 2 * kLanes) {
    WEFT_LANES for (int l = 0; l < kLanes; ++l) {
      const float d = a[j + l] - b[j + l];
      sum[l] += d * d;
    }
    WEFT_LANES for (int l = 0; l < kLanes; ++l) {
      const float d = a[j + kLanes + l] - b[j + kLanes + l];
      more[l] += d * d;
    }
  }
  float rest = 0;
  for (; j < n; ++j) rest += (a[j] - b[j]) * (a[j] - b[j]);
  for (int l = 0; l < kLanes; ++l) sum[l] += more[l];
  return joined(sum) + rest;
}

float dot(const float* a, const float* b, long n) {
  float sum[kLanes] = {}, more[kLanes] = {};
  long j = 0;
  for (; j + 2 * kLanes <= n; j += 2 * kLanes) {
    WEFT_LANES for (int l = 0; l < kLanes; ++l) sum[l] += a[j + l] * b[j + l];
    WEFT_LANES for (int l = 0; l < kLanes; ++l) more[l] += a[j + kLanes + l] * b[j + kLanes + l];
  }
  float rest = 0;
  for (; j < n; ++j) rest += a[j] * b[j];
  for (int l = 0; l < kLanes; ++l) sum[l] += more[l];
  return joined(sum) + rest;
}

template <int D>
void attract(const EdgeView& edges, const float* y, long begin, long end, float* force) {
  for (long i = begin; i < end; ++i) {
    const float* own = y + i * D;
    float sum[D][kLanes] = {};
    long e = edges.start[i];
    const long last = edges.start[i + 1];
    const auto add = [&](const int* columns, const float* weights) {
      float difference[D][kLanes], share[kLanes];
      WEFT_LANES for (int l = 0; l < kLanes; ++l) {
        float square = 1;
        for (int d = 0; d < D; ++d) {
          difference[d][l] = own[d] - y[long(columns[l]) * D + d];
          square += difference[d][l] * difference[d][l];
        }
        share[l] = weights[l] / square;
      }
      for (int d = 0; d < D; ++d) {
        WEFT_LANES for (int l = 0; l < kLanes; ++l) sum[d][l] += share[l] * difference[d][l];
      }
    };
    for (; e + kLanes <= last; e += kLanes) add(edges.column + e, edges.weight + e);
    if (e < last) {
      int columns[kLanes];
      float weights[kLanes];
      for (int l = 0; l < kLanes; ++l) {
        columns[l] = e + l < last ? edges.column[e + l] : int(i);
        weights[l] = e + l < last ? edges.weight[e + l] : 0;
      }
      add(columns, weights);
    }
    for (int d = 0; d < D; ++d) force[i * D + d] = joined(sum[d]);
  }
}

/// The four values of the cubic B-spline around a place `t` between two nodes, and their derivatives.
inline void spline(float t, float* w) {
  const float u = 1 - t;
  w[0] = u * u * u / 6;
  w[1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
  w[2] = (4 - 6 * u * u + 3 * u * u * u) / 6;
  w[3] = t * t * t / 6;
}
inline void splineSlope(float t, float* w) {
  const float u = 1 - t;
  w[0] = -u * u / 2;
  w[1] = (3 * t * t - 4 * t) / 2;
  w[2] = (4 * u - 3 * u * u) / 2;
  w[3] = t * t / 2;
}

/// The first of the four nodes around a point in each direction, and the splines' values there.
template <int D>
struct Stencil {
  long node = 0;
  float place[D], weights[D][4];
  Stencil(const float* y, const float* low, float perSpacing, long side) {
    for (int d = 0; d < D; ++d) {
      const float u = (y[d] - low[d]) * perSpacing;
      const long cell = long(u);
      place[d] = u - float(cell);
      spline(place[d], weights[d]);
      node = node * side + cell - 1;
    }
  }
};

template <int D>
void spread(const float* y, long begin, long end, const float* low, float perSpacing, long side, float* mesh) {
  for (long i = begin; i < end; ++i) {
    const Stencil<D> s(y + i * D, low, perSpacing, side);
    if constexpr (D == 2) {
      for (int a = 0; a < 4; ++a) {
        float* row = mesh + s.node + a * side;
        for (int b = 0; b < 4; ++b) row[b] += s.weights[0][a] * s.weights[1][b];
      }
    } else {
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) {
          float* row = mesh + s.node + (a * side + b) * side;
          const float w = s.weights[0][a] * s.weights[1][b];
          for (int c = 0; c < 4; ++c) row[c] += w * s.weights[2][c];
        }
      }
    }
  }
}

template <int D>
void sample(const float* y, long begin, long end, const float* low, float perSpacing, long side, const float* mesh, float* potential, float* gradient) {
  for (long i = begin; i < end; ++i) {
    const Stencil<D> s(y + i * D, low, perSpacing, side);
    float slopes[D][4];
    for (int d = 0; d < D; ++d) splineSlope(s.place[d], slopes[d]);
    float value = 0, g[D] = {};
    if constexpr (D == 2) {
      for (int a = 0; a < 4; ++a) {
        const float* row = mesh + s.node + a * side;
        float along = 0, slope = 0;
        for (int b = 0; b < 4; ++b) along += s.weights[1][b] * row[b], slope += slopes[1][b] * row[b];
        value += s.weights[0][a] * along;
        g[0] += slopes[0][a] * along;
        g[1] += s.weights[0][a] * slope;
      }
    } else {
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < 4; ++b) {
          const float* row = mesh + s.node + (a * side + b) * side;
          float along = 0, slope = 0;
          for (int c = 0; c < 4; ++c) along += s.weights[2][c] * row[c], slope += slopes[2][c] * row[c];
          value += s.weights[0][a] * s.weights[1][b] * along;
          g[0] += slopes[0][a] * s.weights[1][b] * along;
          g[1] += s.weights[0][a] * slopes[1][b] * along;
          g[2] += s.weights[0][a] * s.weights[1][b] * slope;
        }
      }
    }
    potential[i] = value;
    for (int d = 0; d < D; ++d) gradient[i * D + d] = g[d];
  }
}

inline unsigned mixed(unsigned long long x) {  // the end of SplitMix64
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBull;
  return unsigned(x >> 32);
}

/// x to the power of b for x > 0, to about 1e-4 of itself: a polynomial for the logarithm of the mantissa and one for the power of two.
inline float power(float x, float b) {
  const int bits = __builtin_bit_cast(int, x);
  const float mantissa = __builtin_bit_cast(float, (bits & 0x007fffff) | 0x3f800000);
  const float exponent = float((bits >> 23) - 127);
  const float log2 =
      exponent + (((((0.04392863f * mantissa - 0.40947559f) * mantissa + 1.61017755f) * mantissa - 3.52021884f) * mantissa + 5.06975632f) * mantissa - 2.79415368f);
  float p = b * log2;
  p = p < -100.f ? -100.f : p > 100.f ? 100.f : p;
  const float whole = float(int(p + 128.f) - 128), part = p - whole;
  const float two = 1.0000036f + part * (0.69296955f + part * (0.24162132f + part * (0.05171774f + part * 0.01368398f)));
  return __builtin_bit_cast(float, __builtin_bit_cast(int, two) + (int(whole) << 23));
}

template <int D>
inline float limited(float v) {
  return v < -4.f ? -4.f : v > 4.f ? 4.f : v;
}

constexpr int kRoom = 256;

/// Adds the pull (or push) of the partners of a point, which fill whole groups of lanes; those after `count` have no effect.
template <int D, bool isPull>
void moveBy(const float* own, const float* y, const int* partners, int count, const UmapEpoch& epoch, float sum[D][kLanes]) {
  for (int first = 0; first < count; first += kLanes) {
    float difference[D][kLanes], coefficient[kLanes];
    WEFT_LANES for (int l = 0; l < kLanes; ++l) {
      float square = 0;
      for (int d = 0; d < D; ++d) {
        difference[d][l] = own[d] - y[long(partners[first + l]) * D + d];
        square += difference[d][l] * difference[d][l];
      }
      const float safe = square > 1e-12f ? square : 1e-12f;
      const float raised = power(safe, epoch.b), below = 1 + epoch.a * raised;
      const float c = isPull ? -2 * epoch.a * epoch.b * raised / (safe * below) : 2 * epoch.b / ((0.001f + square) * below);
      coefficient[l] = first + l < count && square > 0 ? c : 0;
    }
    for (int d = 0; d < D; ++d) {
      WEFT_LANES for (int l = 0; l < kLanes; ++l) sum[d][l] += limited<D>(coefficient[l] * difference[d][l]);
    }
  }
}

template <int D>
void umap(const EdgeView& edges, const UmapEpoch& epoch, const float* y, long begin, long end, float* gradient) {
  int pulls[kRoom + kLanes], pushes[kRoom + kLanes];
  for (long i = begin; i < end; ++i) {
    const float* own = y + i * D;
    float pull[D][kLanes] = {}, push[D][kLanes] = {};
    int pullCount = 0, pushCount = 0;
    const auto flush = [&](bool all) {
      for (int l = 0; l < kLanes; ++l) pulls[pullCount + l] = pushes[pushCount + l] = int(i);
      if (all || pullCount + 1 > kRoom - kLanes) moveBy<D, true>(own, y, pulls, pullCount, epoch, pull), pullCount = 0;
      if (all || pushCount > kRoom / 2) moveBy<D, false>(own, y, pushes, pushCount, epoch, push), pushCount = 0;
    };
    for (long e = edges.start[i]; e < edges.start[i + 1]; ++e) {
      // An edge of weight w is taken in the epochs where the whole part of epoch * w grows.
      const double w = edges.weight[e];
      if (long(double(epoch.epoch + 1) * w) == long(double(epoch.epoch) * w)) continue;
      pulls[pullCount++] = edges.column[e];
      const unsigned long long key = epoch.seed + 0x9E3779B97F4A7C15ull * ((unsigned long long)(e) * 1000003ull + (unsigned long long)(epoch.epoch));
      for (int s = 0; s < epoch.negativeSamples; ++s) {
        const unsigned r = mixed(key + 0xD1B54A32D192ED03ull * (unsigned long long)(s + 1));
        pushes[pushCount++] = int((unsigned long long)(r) * (unsigned long long)(epoch.rows) >> 32);
        if (pushCount == kRoom) flush(false);
      }
      if (pullCount == kRoom || pushCount > kRoom / 2) flush(false);
    }
    flush(true);
    for (int d = 0; d < D; ++d) gradient[i * D + d] = 2 * joined(pull[d]) + joined(push[d]);
  }
}

}  // namespace

extern const EmbeddingKernels kEmbeddingKernels;
const EmbeddingKernels kEmbeddingKernels = {closer, squaredDistance, dot, {attract<2>, attract<3>}, {spread<2>, spread<3>}, {sample<2>, sample<3>}, {umap<2>, umap<3>}};

}  // namespace weft::embedding::WEFT_ISA_NAME
