#include "device/cpu/hot_math.h"

// Functions of float and double by the C library's vector functions (libmvec), at most 4 ulps from the exact values. They treat special values (NaN, infinities,
// huge and denormal arguments) as the library's scalar functions do, and compute each lane by itself.
namespace {

using weft::cpu::HotSpan;
using weft::cpu::HotType;

struct Sigmoid {
  template <typename V>
  static V of(V x) {
    return 1 / (1 + Exp::of(-x));
  }
};

// Exponentials are computed of the lanes that need them only, because those out of range are slow.
struct Softplus {
  template <typename V, typename T>
  static V of(V x, T bound) {  // beyond ±bound, log(1 + e^x) equals x, or e^x, in all digits
    const V e = Exp::of(x > bound ? V{} : x);
    return x > bound ? x : x < -bound ? e : Log1p::of(e);
  }
  static FloatVec of(FloatVec x) { return of(x, 13.942385f); }
  static DoubleVec of(DoubleVec x) { return of(x, 34.04365338911715); }
};
struct Elu {
  template <typename V>
  static V of(V x) {
    return x < 0 ? Expm1::of(x < 0 ? x : V{}) : x;
  }
};
struct Selu {
  template <typename V, typename T>
  static V of(V x, T scale, T scaleAlpha) {
    return x < 0 ? scaleAlpha * Expm1::of(x < 0 ? x : V{}) : scale * x;
  }
  static FloatVec of(FloatVec x) { return of(x, 1.0507009873554804934193349852946f, 1.7580993408473768599402175208123f); }
  static DoubleVec of(DoubleVec x) { return of(x, 1.0507009873554804934193349852946, 1.7580993408473768599402175208123); }
};
struct Softsign {
  template <typename V>
  static V of(V x) {
    return x / (magnitude(x) + 1);
  }
};
struct SoftplusGrad {
  template <typename V>
  static V of(V g, V x) {
    return g / (Exp::of(-x) + 1);
  }
};
struct SoftsignGrad {
  template <typename V>
  static V of(V g, V x) {
    const V d = 1 + magnitude(x);
    return g / (d * d);
  }
};
struct EluGrad {
  template <typename V>
  static V of(V g, V y) {
    return y < 0 ? (y + 1) * g : g;
  }
};
struct SeluGrad {
  template <typename V, typename T>
  static V of(V g, V y, T scale, T scaleAlpha) {
    return y < 0 ? g * (y + scaleAlpha) : g * scale;
  }
  static FloatVec of(FloatVec g, FloatVec y) { return of(g, y, 1.0507009873554804934193349852946f, 1.7580993408473768599402175208123f); }
  static DoubleVec of(DoubleVec g, DoubleVec y) { return of(g, y, 1.0507009873554804934193349852946, 1.7580993408473768599402175208123); }
};
/// x log y, and 0 where x is 0 whatever y is.
struct Xlogy {
  template <typename V>
  static V of(V x, V y) {
    return x == 0 ? V{} : x * Log::of(x == 0 ? V{} + 1 : y);
  }
};

// Instructions of Eigen's packets. Roundings take ties to even.
#define WEFT_PACKET(Name, expression)                                               \
  struct Name {                                                                     \
    template <typename P>                                                           \
    static P packet(const P& x) {                                                   \
      return expression;                                                            \
    }                                                                               \
    static FloatVec of(FloatVec x) { return FloatVec(packet(Packet(x))); }          \
    static DoubleVec of(DoubleVec x) { return DoubleVec(packet(DoublePacket(x))); } \
  };
WEFT_PACKET(Floor, ei::pfloor(x))
WEFT_PACKET(Ceil, ei::pceil(x))
WEFT_PACKET(Rint, ei::print(x))
WEFT_PACKET(Round, ei::padd(ei::print(x), ei::pzero(x)))  // +0 for negative numbers too
WEFT_PACKET(Sqrt, ei::psqrt(x))
WEFT_PACKET(Rsqrt, ei::pdiv(ei::pset1<P>(1), ei::psqrt(x)))
struct Abs {
  template <typename V>
  static V of(V x) {
    return magnitude(x);
  }
};
struct Reciprocal {
  template <typename V>
  static V of(V x) {
    return 1 / x;
  }
};
struct Sign {
  template <typename V>
  static V of(V x) {
    return x > 0 ? V{} + 1 : x < 0 ? V{} - 1 : V{};
  }
};
struct Relu {
  template <typename V>
  static V of(V x) {
    return x < 0 ? V{} : x;
  }
};
struct Relu6 {
  template <typename V>
  static V of(V x) {
    return x < 0 ? V{} : x > 6 ? V{} + 6 : x;
  }
};
/// The quotient is rounded down as it stands, even where rounding it made it an integer.
struct FloorDiv {
  template <typename V>
  static V of(V x, V y) {
    return Floor::of(x / y);
  }
};

template <typename T>
struct IsNan {
  static bool of(T x) { return x != x; }
};
template <typename T>
struct IsInf {
  static bool of(T x) { return x == T(__builtin_inf()) || x == -T(__builtin_inf()); }
};
template <typename T>
struct IsFinite {
  static bool of(T x) { return x - x == 0; }
};

template <typename T>
struct UnsignedOf {
  typedef unsigned Type;
};
template <>
struct UnsignedOf<double> {
  typedef unsigned long Type;
};

inline float remainderOf(float x, float y) { return __builtin_fmodf(x, y); }
inline double remainderOf(double x, double y) { return __builtin_fmod(x, y); }

/// p - trunc(p / q) * q exactly; `bad` becomes nonzero for operands that have to be left to the C library (infinities, NaN, denormals also among the remainders, huge quotients).
/// By way of double: a quotient below 2^28 is truncated correctly, because it is an integer or further from one than double's rounding reaches, and its product
/// with the divisor has no more than 53 bits.
inline float exactRemainder(float p, float q, unsigned& bad) {
  const double whole = __builtin_trunc(double(p) / double(q));
  const double r = double(p) - whole * double(q);
  bad |= unsigned(!(whole < 268435456.0 && whole > -268435456.0)) | unsigned(!(q - q == 0 && __builtin_fabsf(q) > 0x1p-100f)) |
         unsigned((__builtin_bit_cast(unsigned, p) & 0x7fffffffu) - 1 < 0x7fffffu);
  return float(__builtin_copysign(r, double(p)));
}
#if defined(__FMA__)
#define WEFT_DOUBLE_REMAINDERS
/// A fused multiply-add keeps all digits. A quotient that was rounded up to an integer makes the remainder change its sign, and is corrected.
inline double exactRemainder(double p, double q, unsigned long& bad) {
  const double whole = __builtin_trunc(p / q), size = __builtin_fabs(p), divisor = __builtin_fabs(q);
  double r = __builtin_fma(-__builtin_fabs(whole), divisor, size);
  r = r < 0 ? r + divisor : r;
  typedef unsigned long Bits;
  bad |= Bits(!(__builtin_fabs(whole) < 2251799813685248.0)) | Bits(!(q - q == 0 && divisor > 0x1p-960)) |
         Bits((__builtin_bit_cast(Bits, p) & (~0ul >> 1)) - 1 < 0xffffffffffffful);
  return __builtin_copysign(r, p);
}
#endif

template <bool kFloor, typename T>
void remainders(const T* x, long stepX, const T* y, long stepY, T* z, long n) {
  constexpr long kBlock = 256;
  T result[kBlock];
  for (long begin = 0; begin < n; begin += kBlock) {
    const long count = n - begin < kBlock ? n - begin : kBlock;
    const T *a = x + begin * stepX, *b = y + begin * stepY;
    typename UnsignedOf<T>::Type bad = 0;
    const auto one = [&](long i, T p, T q) {
      const T r = exactRemainder(p, q, bad);
      result[i] = kFloor && r != 0 && (r < 0) != (q < 0) ? r + q : r;
    };
    if (stepX && stepY) {
      for (long i = 0; i < count; ++i) one(i, a[i], b[i]);
    } else if (stepX) {
      for (long i = 0; i < count; ++i) one(i, a[i], b[0]);
    } else {
      for (long i = 0; i < count; ++i) one(i, a[0], b[i]);
    }
    if (bad) {
      for (long i = 0; i < count; ++i) {
        const T q = b[i * stepY], r = remainderOf(a[i * stepX], q);
        result[i] = kFloor && r != 0 && (r < 0) != (q < 0) ? r + q : r;
      }
    }
    __builtin_memcpy(z + begin, result, size_t(count) * sizeof(T));
  }
}

template <bool kFloor, typename T>
void remainderSpan(const void* const* in, const bool* scalar, void* out, long n) {
  const T *x = static_cast<const T*>(in[0]), *y = static_cast<const T*>(in[1]);
  T* z = static_cast<T*>(out);
  if (n > 0 && scalar[0] && scalar[1]) {
    T v;
    remainders<kFloor>(x, 1, y, 1, &v, 1);
    for (long i = 0; i < n; ++i) z[i] = v;
    return;
  }
  remainders<kFloor>(x, !scalar[0], y, !scalar[1], z, n);
}

/// Small integer exponents are products.
void powSpan(const void* const* in, const bool* scalar, void* out, long n) {
  const float *x = static_cast<const float*>(in[0]), *y = static_cast<const float*>(in[1]);
  float* z = static_cast<float*>(out);
  if (n > 0 && scalar[1] && !scalar[0] && (y[0] == 2.0f || y[0] == 1.0f)) {
    const bool square = y[0] == 2.0f;
    WEFT_INDEPENDENT
    for (long i = 0; i < n; ++i) z[i] = square ? x[i] * x[i] : x[i];
    return;
  }
  mathSpan2<Pow, float, FloatVec>(in, scalar, out, n);
}

#define WEFT_ROWS(op, F, cost) \
  {op, HotType::Float, false, 1, cost, mathSpan<F, float, FloatVec>}, { op, HotType::Double, false, 1, 3 * cost, mathSpan<F, double, DoubleVec> }
#define WEFT_ROW_DOUBLE(op, F, cost) \
  { op, HotType::Double, false, 1, cost, mathSpan<F, double, DoubleVec> }
#define WEFT_ROWS2(op, F, cost) \
  {op, HotType::Float, false, 2, cost, mathSpan2<F, float, FloatVec>}, { op, HotType::Double, false, 2, 3 * cost, mathSpan2<F, double, DoubleVec> }
#define WEFT_TESTS(op, F) \
  {op, HotType::Float, true, 1, 0.15f, plainSpan<F<float>, float, bool>}, { op, HotType::Double, true, 1, 0.3f, plainSpan<F<double>, double, bool> }

#define WEFT_REMAINDERS(type, T, cost)                                                                                  \
  {"FloorMod", type, false, 2, cost, remainderSpan<true, T>}, {"Mod", type, false, 2, cost, remainderSpan<false, T>}, { \
    "TruncateMod", type, false, 2, cost, remainderSpan<false, T>                                                        \
  }

const HotSpan kMath[] = {
    WEFT_ROW_DOUBLE("Exp", Exp, 1.5f),
    WEFT_ROW_DOUBLE("Log", Log, 2),
    WEFT_ROW_DOUBLE("Log1p", Log1p, 2),
    WEFT_ROW_DOUBLE("Expm1", Expm1, 2),
    WEFT_ROW_DOUBLE("Tanh", Tanh, 3),
    WEFT_ROW_DOUBLE("Sigmoid", Sigmoid, 2),
    WEFT_ROWS("Sin", Sin, 0.6f),
    WEFT_ROWS("Cos", Cos, 0.6f),
    WEFT_ROWS("Tan", Tan, 0.7f),
    WEFT_ROWS("Asin", Asin, 0.7f),
    WEFT_ROWS("Acos", Acos, 0.7f),
    WEFT_ROWS("Atan", Atan, 0.7f),
    WEFT_ROWS("Sinh", Sinh, 0.7f),
    WEFT_ROWS("Cosh", Cosh, 0.7f),
    WEFT_ROWS("Asinh", Asinh, 1),
    WEFT_ROWS("Acosh", Acosh, 1),
    WEFT_ROWS("Atanh", Atanh, 1),
    WEFT_ROWS("Erf", Erf, 0.8f),
    WEFT_ROWS("Erfc", Erfc, 0.8f),
    WEFT_ROWS("Softplus", Softplus, 1),
    WEFT_ROWS("Elu", Elu, 0.7f),
    WEFT_ROWS("Selu", Selu, 0.7f),
    WEFT_ROWS("Softsign", Softsign, 0.3f),
    WEFT_ROWS2("SoftplusGrad", SoftplusGrad, 0.7f),
    WEFT_ROWS2("EluGrad", EluGrad, 0.2f),
    WEFT_ROWS2("SeluGrad", SeluGrad, 0.2f),
    WEFT_ROWS2("SoftsignGrad", SoftsignGrad, 0.4f),
    WEFT_ROWS2("Xlogy", Xlogy, 0.7f),
    WEFT_ROWS2("Atan2", Atan2, 0.8f),
    {"Pow", HotType::Float, false, 2, 2, powSpan},
    {"Pow", HotType::Double, false, 2, 5, mathSpan2<Pow, double, DoubleVec>},
    WEFT_ROWS("Rint", Rint, 0.15f),
    WEFT_ROWS("Round", Round, 0.15f),
    WEFT_ROW_DOUBLE("Floor", Floor, 0.3f),
    WEFT_ROW_DOUBLE("Ceil", Ceil, 0.3f),
    WEFT_ROW_DOUBLE("Abs", Abs, 0.3f),
    WEFT_ROW_DOUBLE("Sqrt", Sqrt, 0.8f),
    WEFT_ROW_DOUBLE("Rsqrt", Rsqrt, 1.2f),
    WEFT_ROW_DOUBLE("Reciprocal", Reciprocal, 0.6f),
    WEFT_ROW_DOUBLE("Inv", Reciprocal, 0.6f),
    WEFT_ROW_DOUBLE("Sign", Sign, 0.3f),
    WEFT_ROW_DOUBLE("Relu", Relu, 0.3f),
    WEFT_ROW_DOUBLE("Relu6", Relu6, 0.3f),
    WEFT_ROWS2("FloorDiv", FloorDiv, 0.3f),
    WEFT_REMAINDERS(HotType::Float, float, 0.8f),
#if defined(WEFT_DOUBLE_REMAINDERS)
    WEFT_REMAINDERS(HotType::Double, double, 1.5f),
#endif
    {"Digamma", HotType::Float, false, 1, 5, weft::cpu::WEFT_ISA_NAME::digammaFloat},
    {"Digamma", HotType::Double, false, 1, 5, weft::cpu::WEFT_ISA_NAME::digammaDouble},
    {"Lgamma", HotType::Float, false, 1, 5, weft::cpu::WEFT_ISA_NAME::lgammaFloat},
    WEFT_TESTS("IsNan", IsNan),
    WEFT_TESTS("IsInf", IsInf),
    WEFT_TESTS("IsFinite", IsFinite),
};

}  // namespace

namespace weft::cpu {

extern const HotList WEFT_JOIN(hotMath_, WEFT_ISA_NAME) = {kMath, int(sizeof(kMath) / sizeof(kMath[0]))};

}  // namespace weft::cpu
