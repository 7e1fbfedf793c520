#include "device/cpu/hot_common.h"

// Reductions of float. Sums are built from short partial sums, which keeps the rounding error of long sums small.
namespace {

using weft::cpu::HotReduction;

struct SumR {
  static constexpr bool kInBlocks = true;
  static float start() { return 0.0f; }
  static float one(float a, float b) { return a + b; }
  static Packet two(const Packet& a, const Packet& b) { return ei::padd(a, b); }
};
struct ProdR {
  static constexpr bool kInBlocks = false;
  static float start() { return 1.0f; }
  static float one(float a, float b) { return a * b; }
  static Packet two(const Packet& a, const Packet& b) { return ei::pmul(a, b); }
};
struct MaxR {
  static constexpr bool kInBlocks = false;
  static float start() { return -__builtin_inff(); }
  static float one(float a, float b) { return a < b ? b : a; }
  static Packet two(const Packet& a, const Packet& b) { return ei::pmax(a, b); }
};
struct MinR {
  static constexpr bool kInBlocks = false;
  static float start() { return __builtin_inff(); }
  static float one(float a, float b) { return b < a ? b : a; }
  static Packet two(const Packet& a, const Packet& b) { return ei::pmin(a, b); }
};

template <typename R>
float lanesOf(const Packet& p) {
  alignas(64) float lanes[kLanes];
  ei::pstoreu(lanes, p);
  for (long width = kLanes / 2; width > 0; width /= 2) {
    for (long i = 0; i < width; ++i) lanes[i] = R::one(lanes[i], lanes[i + width]);
  }
  return lanes[0];
}

template <typename R>
float blockOf(const float* x, long n) {
  long i = 0;
  float out = R::start();
  if (n >= 4 * kLanes) {
    Packet a = ei::ploadu<Packet>(x), b = ei::ploadu<Packet>(x + kLanes), c = ei::ploadu<Packet>(x + 2 * kLanes), d = ei::ploadu<Packet>(x + 3 * kLanes);
    for (i = 4 * kLanes; i + 4 * kLanes <= n; i += 4 * kLanes) {
      a = R::two(a, ei::ploadu<Packet>(x + i));
      b = R::two(b, ei::ploadu<Packet>(x + i + kLanes));
      c = R::two(c, ei::ploadu<Packet>(x + i + 2 * kLanes));
      d = R::two(d, ei::ploadu<Packet>(x + i + 3 * kLanes));
    }
    out = lanesOf<R>(R::two(R::two(a, b), R::two(c, d)));
  }
  if (i + kLanes <= n) {
    Packet a = ei::ploadu<Packet>(x + i);
    for (i += kLanes; i + kLanes <= n; i += kLanes) a = R::two(a, ei::ploadu<Packet>(x + i));
    out = R::one(out, lanesOf<R>(a));
  }
  for (; i < n; ++i) out = R::one(out, x[i]);
  return out;
}

template <typename R>
float rowOf(const float* x, long n) {
  constexpr long kBlock = 8192;
  if (!R::kInBlocks || n <= kBlock) return blockOf<R>(x, n);
  double total = 0;
  for (long i = 0; i < n; i += kBlock) total += double(blockOf<R>(x + i, n - i < kBlock ? n - i : kBlock));
  return float(total);
}

/// Four short rows at a time, so that their additions are independent.
template <typename R>
void rowsOf(const float* x, long rows, long n, float* out) {
  long r = 0;
  if (n < 2 * kLanes) {
    for (; r + 4 <= rows; r += 4) {
      const float *p = x + r * n, *q = p + n, *s = q + n, *t = s + n;
      float a = R::start(), b = a, c = a, d = a;
      for (long i = 0; i < n; ++i) {
        a = R::one(a, p[i]);
        b = R::one(b, q[i]);
        c = R::one(c, s[i]);
        d = R::one(d, t[i]);
      }
      out[r] = a;
      out[r + 1] = b;
      out[r + 2] = c;
      out[r + 3] = d;
    }
  }
  for (; r < rows; ++r) out[r] = rowOf<R>(x + r * n, n);
}

/// One strip of columns, `kLanes` * `width` wide.
template <typename R, int width>
void stripOf(const float* x, long rows, long stride, float* out) {
  constexpr long kBlock = 256;
  Packet total[width];
  for (int w = 0; w < width; ++w) total[w] = splat(R::start());
  for (long begin = 0; begin < rows; begin += kBlock) {
    const long end = R::kInBlocks && begin + kBlock < rows ? begin + kBlock : rows;
    Packet sum[width];
    for (int w = 0; w < width; ++w) sum[w] = splat(R::start());
    for (long r = begin; r < end; ++r) {
      for (int w = 0; w < width; ++w) sum[w] = R::two(sum[w], ei::ploadu<Packet>(x + r * stride + w * kLanes));
    }
    for (int w = 0; w < width; ++w) total[w] = R::two(total[w], sum[w]);
    if (end == rows) break;
  }
  for (int w = 0; w < width; ++w) ei::pstoreu(out + w * kLanes, total[w]);
}

template <typename R>
void columnsOf(const float* x, long rows, long columns, long stride, float* out) {
  long j = 0;
  for (; j + 4 * kLanes <= columns; j += 4 * kLanes) stripOf<R, 4>(x + j, rows, stride, out + j);
  for (; j + kLanes <= columns; j += kLanes) stripOf<R, 1>(x + j, rows, stride, out + j);
  for (; j < columns; ++j) {
    double total = 0;
    float v = R::start();
    constexpr long kBlock = 256;
    for (long r = 0; r < rows; ++r) {
      v = R::one(v, x[r * stride + j]);
      if (R::kInBlocks && (r + 1) % kBlock == 0) {
        total += double(v);
        v = 0;
      }
    }
    out[j] = R::kInBlocks ? float(total + double(v)) : v;
  }
}

template <typename R>
constexpr HotReduction reduction() {
  return HotReduction{rowOf<R>, rowsOf<R>, columnsOf<R>};
}

}  // namespace

namespace weft::cpu {

extern const HotReduction WEFT_JOIN(hotSum_, WEFT_ISA_NAME) = reduction<SumR>();
extern const HotReduction WEFT_JOIN(hotProd_, WEFT_ISA_NAME) = reduction<ProdR>();
extern const HotReduction WEFT_JOIN(hotMax_, WEFT_ISA_NAME) = reduction<MaxR>();
extern const HotReduction WEFT_JOIN(hotMin_, WEFT_ISA_NAME) = reduction<MinR>();

}  // namespace weft::cpu
