#include "embedding/hot_embedding.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

// Compiled once per instruction set: nothing of the standard library, and everything in an anonymous namespace. Sums are kept by lane and joined in order, so that all instruction sets
// add alike.
namespace weft::embedding::WEFT_ISA_NAME {
namespace {

constexpr int kLanes = 16;
typedef float Lanes __attribute__((vector_size(4 * kLanes)));
typedef int Ints __attribute__((vector_size(4 * kLanes)));

inline Lanes load(const float* x) {
  Lanes v;
  __builtin_memcpy(&v, x, sizeof(v));
  return v;
}
inline Ints load(const int* x) {
  Ints v;
  __builtin_memcpy(&v, x, sizeof(v));
  return v;
}
inline Lanes splat(float x) { return x - Lanes{}; }

/// x[at[l]] for all lanes.
inline Lanes gather(const float* x, Ints at) {
#if defined(__AVX512F__)
  return (Lanes)_mm512_i32gather_ps((__m512i)at, x, 4);
#elif defined(__AVX2__)
  __m256i half[2];
  __builtin_memcpy(half, &at, sizeof(at));
  const __m256 values[2] = {_mm256_i32gather_ps(x, half[0], 4), _mm256_i32gather_ps(x, half[1], 4)};
  Lanes out;
  __builtin_memcpy(&out, values, sizeof(out));
  return out;
#else
  Lanes out;
  for (int l = 0; l < kLanes; ++l) out[l] = x[at[l]];
  return out;
#endif
}

inline float joined(Lanes lanes) {
  float all[kLanes], half[kLanes / 2], quarter[kLanes / 4];
  __builtin_memcpy(all, &lanes, sizeof(all));
  for (int l = 0; l < kLanes / 2; ++l) half[l] = all[l] + all[l + kLanes / 2];
  for (int l = 0; l < kLanes / 4; ++l) quarter[l] = half[l] + half[l + kLanes / 4];
  return (quarter[0] + quarter[2]) + (quarter[1] + quarter[3]);
}

long closer(const float* dots, const float* norms, long n, float limit, int base, int* at, float* score) {
  constexpr long kBlock = 4 * kLanes;
  const Lanes limits = splat(limit);
  long found = 0, j = 0;
  for (; j + kBlock <= n; j += kBlock) {
    Ints any = {};
    for (long k = 0; k < kBlock; k += kLanes) any |= load(norms + j + k) - 2 * load(dots + j + k) < limits;
    long words[kLanes / 2], sum = 0;
    __builtin_memcpy(words, &any, sizeof(words));
    for (const long word : words) sum |= word;
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
  Lanes sum = {}, more = {};
  long j = 0;
  for (; j + 2 * kLanes <= n; j += 2 * kLanes) {
    const Lanes d = load(a + j) - load(b + j), e = load(a + j + kLanes) - load(b + j + kLanes);
    sum += d * d;
    more += e * e;
  }
  float rest = 0;
  for (; j < n; ++j) rest += (a[j] - b[j]) * (a[j] - b[j]);
  return joined(sum + more) + rest;
}

float dot(const float* a, const float* b, long n) {
  Lanes sum = {}, more = {};
  long j = 0;
  for (; j + 2 * kLanes <= n; j += 2 * kLanes) {
    sum += load(a + j) * load(b + j);
    more += load(a + j + kLanes) * load(b + j + kLanes);
  }
  float rest = 0;
  for (; j < n; ++j) rest += a[j] * b[j];
  return joined(sum + more) + rest;
}

template <int D>
void attract(const EdgeView& edges, const float* y, long begin, long end, float* force) {
  for (long i = begin; i < end; ++i) {
    const float* own = y + i * D;
    Lanes place[D], sum[D];
    for (int d = 0; d < D; ++d) place[d] = splat(own[d]), sum[d] = Lanes{};
    long e = edges.start[i];
    const long last = edges.start[i + 1];
    const auto add = [&](Ints columns, Lanes weights) {
      Lanes difference[D], square = splat(1);
      for (int d = 0; d < D; ++d) {
        difference[d] = place[d] - gather(y + d, columns * D);
        square += difference[d] * difference[d];
      }
      const Lanes share = weights / square;
      for (int d = 0; d < D; ++d) sum[d] += share * difference[d];
    };
    for (; e + kLanes <= last; e += kLanes) add(load(edges.column + e), load(edges.weight + e));
    if (e < last) {
      int columns[kLanes];
      float weights[kLanes];
      for (int l = 0; l < kLanes; ++l) {
        columns[l] = e + l < last ? edges.column[e + l] : int(i);
        weights[l] = e + l < last ? edges.weight[e + l] : 0;
      }
      add(load(columns), load(weights));
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

/// x to the power of b for x > 0, to about 1e-5 of itself: a polynomial for the logarithm of the mantissa and one for the power of two.
inline Lanes power(Lanes x, float b) {
  const Ints bits = (Ints)x;
  const Lanes mantissa = (Lanes)((bits & 0x007fffff) | 0x3f800000);
  const Lanes exponent = __builtin_convertvector((bits >> 23) - 127, Lanes);
  const Lanes log2 =
      exponent +
      (((((0.04392863f * mantissa - 0.40947559f) * mantissa + 1.61017755f) * mantissa - 3.52021884f) * mantissa + 5.06975632f) * mantissa - 2.79415368f);
  Lanes p = b * log2;
  p = p < -100.f ? splat(-100.f) : p;
  p = p > 100.f ? splat(100.f) : p;
  const Ints whole = __builtin_convertvector(p + 128.f, Ints) - 128;
  const Lanes part = p - __builtin_convertvector(whole, Lanes);
  const Lanes two = 1.0000036f + part * (0.69296955f + part * (0.24162132f + part * (0.05171774f + part * 0.01368398f)));
  return (Lanes)((Ints)two + (whole << 23));
}

constexpr int kRoom = 256;

/// Adds the pull (or push) of the partners of a point, which fill whole groups of lanes. Partners that are the point itself have no effect.
template <int D, bool isPull>
void moveBy(const float* own, const float* y, const int* partners, int count, const UmapEpoch& epoch, Lanes* sum) {
  for (int first = 0; first < count; first += kLanes) {
    const Ints columns = load(partners + first) * D;
    Lanes difference[D], square = {};
    for (int d = 0; d < D; ++d) {
      difference[d] = splat(own[d]) - gather(y + d, columns);
      square += difference[d] * difference[d];
    }
    const Lanes safe = square > 1e-12f ? square : splat(1e-12f), raised = power(safe, epoch.b), below = 1 + epoch.a * raised;
    const Lanes coefficient = isPull ? (-2 * epoch.a * epoch.b) * raised / (safe * below) : (2 * epoch.b) / ((0.001f + square) * below);
    for (int d = 0; d < D; ++d) {
      Lanes v = coefficient * difference[d];
      v = v < -4.f ? splat(-4.f) : v;
      sum[d] += v > 4.f ? splat(4.f) : v;
    }
  }
}

template <int D>
void umap(const EdgeView& edges, const UmapEpoch& epoch, const float* y, long begin, long end, float* gradient) {
  int pulls[kRoom + kLanes], pushes[kRoom + kLanes];
  for (long i = begin; i < end; ++i) {
    const float* own = y + i * D;
    Lanes pull[D] = {}, push[D] = {};
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
      const unsigned long long key = epoch.seed + 0x9E3779B97F4A7C15ull * ((unsigned long long)(e)*1000003ull + (unsigned long long)(epoch.epoch));
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
const EmbeddingKernels kEmbeddingKernels = {
    closer, squaredDistance, dot, {attract<2>, attract<3>}, {spread<2>, spread<3>}, {sample<2>, sample<3>}, {umap<2>, umap<3>}};

}  // namespace weft::embedding::WEFT_ISA_NAME
