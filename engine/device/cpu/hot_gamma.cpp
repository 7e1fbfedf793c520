#include "device/cpu/hot_math.h"

// The logarithm of Gamma and its derivative: arguments below 10 are shifted up by recurrences, then asymptotic series are summed, all in double.
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kHuge = __builtin_inf();

inline DoubleVec nearest(DoubleVec x) { return DoubleVec(ei::print(DoublePacket(x))); }

/// f in double of both halves of a vector of floats.
template <typename F>
inline FloatVec viaDouble(FloatVec x) {
  typedef float Half __attribute__((vector_size(2 * kLanes)));
  Half halves[2];
  __builtin_memcpy(halves, &x, sizeof x);
  for (Half& h : halves) h = __builtin_convertvector(F::of(__builtin_convertvector(h, DoubleVec)), Half);
  __builtin_memcpy(&x, halves, sizeof x);
  return x;
}

struct Digamma {
  static DoubleVec of(DoubleVec x) {
    const auto reflected = x <= 0;
    DoubleVec s = reflected ? 1 - x : x, sum = {};
    for (int k = 0; k < 10; ++k) {
      const auto below = s < 10;
      sum += below ? 1 / s : DoubleVec{};
      s += below ? DoubleVec{} + 1 : DoubleVec{};
    }
    const DoubleVec z = 1 / (s * s);
    const DoubleVec series = z * (1. / 12 - z * (1. / 120 - z * (1. / 252 - z * (1. / 240 - z * (1. / 132 - z * (691. / 32760 - z * (1. / 12)))))));
    const DoubleVec result = Log::of(s) - 0.5 / s - series - sum;
    // ψ(x) = ψ(1 - x) - π cot πx, and infinity at the poles, as in TensorFlow 1.15's Eigen.
    const DoubleVec whole = nearest(x), part = reflected ? x - whole : DoubleVec{} + 0.25;
    const DoubleVec cotangent = magnitude(part) == 0.5 ? DoubleVec{} : kPi / Tan::of(kPi * part);
    return reflected ? (whole == x ? DoubleVec{} + kHuge : result - cotangent) : result;
  }
  static FloatVec of(FloatVec x) { return viaDouble<Digamma>(x); }
};

/// For floats only: near its zeros the result has fewer digits than a double.
struct Lgamma {
  static DoubleVec of(DoubleVec x) {
    DoubleVec s = magnitude(x), product = DoubleVec{} + 1;
    for (int k = 0; k < 10; ++k) {
      const auto below = s < 10;
      product *= below ? s : DoubleVec{} + 1;
      s += below ? DoubleVec{} + 1 : DoubleVec{};
    }
    const DoubleVec inverse = 1 / s, z = inverse * inverse;
    const DoubleVec series = inverse * (1. / 12 - z * (1. / 360 - z * (1. / 1260 - z * (1. / 1680 - z * (1. / 1188 - z * (691. / 360360 - z * (1. / 156)))))));
    DoubleVec result = (s - 0.5) * (Log::of(s) - 1) + (0.91893853320467274178 - 0.5) + series - Log::of(product);
    result = ((x == 1) | (x == 2)) ? DoubleVec{} : result;
    // Γ(x) Γ(-x) = -π / (x sin πx); the poles and -infinity give infinity.
    const auto negative = x < 0;
    const DoubleVec whole = nearest(x), part = negative ? x - whole : DoubleVec{} + 0.25;
    const DoubleVec other = Log::of(kPi / magnitude((negative ? x : DoubleVec{} + 1) * Sin::of(kPi * part))) - result;
    return negative ? (whole == x ? DoubleVec{} + kHuge : other) : result;
  }
  static FloatVec of(FloatVec x) { return viaDouble<Lgamma>(x); }
};

}  // namespace

namespace weft::cpu::WEFT_ISA_NAME {

void digammaFloat(const void* const* in, const bool* scalar, void* out, long n) { mathSpan<Digamma, float, FloatVec>(in, scalar, out, n); }
void digammaDouble(const void* const* in, const bool* scalar, void* out, long n) { mathSpan<Digamma, double, DoubleVec>(in, scalar, out, n); }
void lgammaFloat(const void* const* in, const bool* scalar, void* out, long n) { mathSpan<Lgamma, float, FloatVec>(in, scalar, out, n); }

}  // namespace weft::cpu::WEFT_ISA_NAME
