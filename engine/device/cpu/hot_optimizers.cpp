// Compiled once per instruction set, with WEFT_ISA_NAME = v2, v3 or v4 (see hot.h).
namespace {

inline unsigned patternOf(float x) { return __builtin_bit_cast(unsigned, x); }
inline float floatOfPattern(unsigned bits) { return __builtin_bit_cast(float, bits); }

/// A half in a float: each result is rounded to the nearest half, even in case of ties.
struct RoundedHalf {
  float v;
  RoundedHalf() = default;
  // Copies of a number, not of an aggregate, are what compilers keep in vectors.
  RoundedHalf(const RoundedHalf& other) : v(other.v) {}
  RoundedHalf& operator=(const RoundedHalf& other) {
    v = other.v;
    return *this;
  }
  explicit RoundedHalf(float x) : v(nearest(x)) {}
  static float nearest(float x) {
    const unsigned bits = patternOf(x), sign = bits & 0x80000000u, mag = bits & 0x7fffffffu;
    const unsigned normal = (mag + 0xfffu + ((mag >> 13) & 1u)) & ~0x1fffu;
    const unsigned small = patternOf((floatOfPattern(mag) + 0.5f) - 0.5f);  // multiples of 2^-24
    // Choices by masks: compilers do not vectorize every loop with comparisons of integers that choose between floats' patterns.
    const unsigned isSmall = unsigned((int(mag) - 0x38800000) >> 31), isLarge = unsigned((0x477fffff - int(normal)) >> 31),
                   isNaN = unsigned((0x7f800000 - int(mag)) >> 31);
    const unsigned finite = (small & isSmall) | (normal & ~isSmall), rounded = (0x7f800000u & isLarge) | (finite & ~isLarge);
    return floatOfPattern((mag & isNaN) | (rounded & ~isNaN) | sign);
  }
};

/// A bfloat16 in a float.
struct RoundedBFloat16 {
  float v;
  RoundedBFloat16() = default;
  // Copies of a number, not of an aggregate, are what compilers keep in vectors.
  RoundedBFloat16(const RoundedBFloat16& other) : v(other.v) {}
  RoundedBFloat16& operator=(const RoundedBFloat16& other) {
    v = other.v;
    return *this;
  }
  explicit RoundedBFloat16(float x) : v(nearest(x)) {}
  static float nearest(float x) {
    const unsigned bits = patternOf(x), rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
    return floatOfPattern(int(bits & 0x7fffffffu) > 0x7f800000 ? bits : rounded);
  }
};

#define WEFT_ROUNDED(T)                                            \
  inline T operator+(T a, T b) { return T(a.v + b.v); }            \
  inline T operator-(T a, T b) { return T(a.v - b.v); }            \
  inline T operator*(T a, T b) { return T(a.v * b.v); }            \
  inline T operator/(T a, T b) { return T(a.v / b.v); }            \
  inline T& operator+=(T& a, T b) { return a = a + b; }            \
  inline T& operator-=(T& a, T b) { return a = a - b; }            \
  inline T operator-(T a) {                                        \
    a.v = -a.v;                                                    \
    return a;                                                      \
  }                                                                \
  inline bool operator<(T a, T b) { return a.v < b.v; }            \
  inline bool operator>(T a, T b) { return a.v > b.v; }            \
  inline bool operator==(T a, T b) { return a.v == b.v; }          \
  inline T root(T x) { return T(__builtin_sqrtf(x.v)); }           \
  inline T power(T x, T y) { return T(__builtin_powf(x.v, y.v)); } \
  inline T exponential(T x) { return T(__builtin_expf(x.v)); }
WEFT_ROUNDED(RoundedHalf)
WEFT_ROUNDED(RoundedBFloat16)

}  // namespace

#include "device/cpu/optimizer_steps.h"

#define WEFT_JOIN2(a, b) a##b
#define WEFT_JOIN(a, b) WEFT_JOIN2(a, b)

namespace weft::cpu {

typedef void (*FloatStep)(float* const*, const float*, const float*, bool, long);
typedef void (*DoubleStep)(double* const*, const double*, const double*, bool, long);
extern const FloatStep WEFT_JOIN(hotOptimizers_, WEFT_ISA_NAME)[];
const FloatStep WEFT_JOIN(hotOptimizers_, WEFT_ISA_NAME)[] = {WEFT_OPTIMIZER_STEPS(float)};
extern const DoubleStep WEFT_JOIN(hotDoubleOptimizers_, WEFT_ISA_NAME)[];
const DoubleStep WEFT_JOIN(hotDoubleOptimizers_, WEFT_ISA_NAME)[] = {WEFT_OPTIMIZER_STEPS(double)};

/// A step of a 16-bit format, on floats that hold its numbers: `Rounded` is a float with other operators.
template <typename Rounded>
static void roundedStep(int optimizer, float* const* slots, const float* gradient, const float* scalars, bool flag, long n) {
  typedef void (*Step)(Rounded* const*, const Rounded*, const Rounded*, bool, long);
  static constexpr Step kSteps[] = {WEFT_OPTIMIZER_STEPS(Rounded)};
  static_assert(sizeof(Rounded) == sizeof(float), "an array of floats is one of these");
  kSteps[optimizer](reinterpret_cast<Rounded* const*>(slots), reinterpret_cast<const Rounded*>(gradient), reinterpret_cast<const Rounded*>(scalars), flag, n);
}

typedef void (*RoundedStep)(int, float* const*, const float*, const float*, bool, long);
extern const RoundedStep WEFT_JOIN(hotHalfOptimizers_, WEFT_ISA_NAME), WEFT_JOIN(hotBFloat16Optimizers_, WEFT_ISA_NAME);
const RoundedStep WEFT_JOIN(hotHalfOptimizers_, WEFT_ISA_NAME) = roundedStep<RoundedHalf>;
const RoundedStep WEFT_JOIN(hotBFloat16Optimizers_, WEFT_ISA_NAME) = roundedStep<RoundedBFloat16>;

}  // namespace weft::cpu
