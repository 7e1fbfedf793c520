#include "device/cpu/hot_common.h"

// Functions of two numbers, either of which may be a scalar. The compiler vectorises the loops; `out` may be an input.
namespace {

using weft::cpu::HotSpan;
using weft::cpu::HotType;

template <typename F, typename T, typename R>
void binarySpan(const void* const* in, const bool* scalar, void* out, long n) {
  const T* x = static_cast<const T*>(in[0]);
  const T* y = static_cast<const T*>(in[1]);
  R* z = static_cast<R*>(out);
  if (n <= 0) return;
  if (n == 1 || (scalar[0] && scalar[1])) {
    const R v = F::of(x[0], y[0]);
    for (long i = 0; i < n; ++i) z[i] = v;
  } else if (scalar[1]) {
    const T b = y[0];
    WEFT_INDEPENDENT
    for (long i = 0; i < n; ++i) z[i] = F::of(x[i], b);
  } else if (scalar[0]) {
    const T a = x[0];
    WEFT_INDEPENDENT
    for (long i = 0; i < n; ++i) z[i] = F::of(a, y[i]);
  } else {
    WEFT_INDEPENDENT
    for (long i = 0; i < n; ++i) z[i] = F::of(x[i], y[i]);
  }
}

// Integers are computed as unsigned, where wrapping is defined.
#define WEFT_BINARY(Name, expression)            \
  template <typename T>                          \
  struct Name {                                  \
    static T of(T x, T y) { return expression; } \
  };
WEFT_BINARY(AddT, x + y)
WEFT_BINARY(SubT, x - y)
WEFT_BINARY(MulT, x* y)
WEFT_BINARY(DivT, x / y)
WEFT_BINARY(MaxT, x < y ? y : x)
WEFT_BINARY(MinT, y < x ? y : x)
WEFT_BINARY(SquaredDifferenceT, (x - y) * (x - y))
WEFT_BINARY(DivNoNanT, y == 0 ? T(0) : x / y)
WEFT_BINARY(MulNoNanT, y == 0 ? T(0) : x * y)
WEFT_BINARY(XdivyT, x == 0 ? T(0) : x / y)
WEFT_BINARY(SigmoidGradT, y* x*(T(1) - x))
WEFT_BINARY(TanhGradT, y*(T(1) - x * x))
WEFT_BINARY(SqrtGradT, y == 0 ? T(0) : T(0.5) * y / x)
WEFT_BINARY(RsqrtGradT, y == 0 ? T(0) : T(-0.5) * (y * x) * (x * x))
WEFT_BINARY(ReciprocalGradT, -y* x* x)
WEFT_BINARY(ReluGradT, y > 0 ? x : x * T(0))
WEFT_BINARY(Relu6GradT, y > 0 && y < 6 ? x : x * T(0))

#define WEFT_COMPARE(Name, expression)              \
  template <typename T>                             \
  struct Name {                                     \
    static bool of(T x, T y) { return expression; } \
  };
WEFT_COMPARE(EqualT, x == y)
WEFT_COMPARE(NotEqualT, x != y)
WEFT_COMPARE(LessT, x < y)
WEFT_COMPARE(LessEqualT, x <= y)
WEFT_COMPARE(GreaterT, x > y)
WEFT_COMPARE(GreaterEqualT, x >= y)

/// x to the power y by packets; the last, incomplete packet uses a buffer, as in functions of one number.
void powSpan(const void* const* in, const bool* scalar, void* out, long n) {
  const float* x = static_cast<const float*>(in[0]);
  const float* y = static_cast<const float*>(in[1]);
  float* z = static_cast<float*>(out);
  if (n <= 0) return;
  const Packet x0 = splat(x[0]), y0 = splat(y[0]);
  if (scalar[1] && !scalar[0]) {  // small integer exponents are products
    if (y[0] == 2.0f) {
      WEFT_INDEPENDENT
      for (long i = 0; i < n; ++i) z[i] = x[i] * x[i];
      return;
    }
    if (y[0] == 1.0f) {
      WEFT_INDEPENDENT
      for (long i = 0; i < n; ++i) z[i] = x[i];
      return;
    }
  }
  long i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    ei::pstoreu(z + i, ei::generic_pow(scalar[0] ? x0 : ei::ploadu<Packet>(x + i), scalar[1] ? y0 : ei::ploadu<Packet>(y + i)));
  }
  if (i < n) {
    alignas(64) float a[kLanes], b[kLanes];
    for (long k = 0; k < kLanes; ++k) {
      a[k] = scalar[0] ? x[0] : k < n - i ? x[i + k] : 1.0f;
      b[k] = scalar[1] ? y[0] : k < n - i ? y[i + k] : 1.0f;
    }
    ei::pstoreu(a, ei::generic_pow(ei::ploadu<Packet>(a), ei::ploadu<Packet>(b)));
    for (long k = 0; k < n - i; ++k) z[i + k] = a[k];
  }
}

/// The integer with the size of T.
template <int kBytes>
struct Bits {
  typedef unsigned Type __attribute__((may_alias));
};
template <>
struct Bits<8> {
  typedef unsigned long Type __attribute__((may_alias));
};

/// Select by masks, because random conditions make branches slow. Whether a value is a scalar is a template parameter, so the loop does not test it.
template <typename T, bool kScalarThen, bool kScalarElse>
void selectElements(const bool* condition, const T* t, const T* e, T* z, long n) {
  typedef typename Bits<int(sizeof(T))>::Type B;
  const unsigned char* c = reinterpret_cast<const unsigned char*>(condition);
  const B *then = reinterpret_cast<const B*>(t), *otherwise = reinterpret_cast<const B*>(e);
  B* out = reinterpret_cast<B*>(z);
  const B a0 = then[0], b0 = otherwise[0];
  WEFT_INDEPENDENT
  for (long i = 0; i < n; ++i) {
    const B mask = B(0) - B(c[i]), a = kScalarThen ? a0 : then[i], b = kScalarElse ? b0 : otherwise[i];
    out[i] = (a & mask) | (b & ~mask);
  }
}

/// Select: in[0] are bools.
template <typename T>
void selectSpan(const void* const* in, const bool* scalar, void* out, long n) {
  const bool* c = static_cast<const bool*>(in[0]);
  const T* t = static_cast<const T*>(in[1]);
  const T* e = static_cast<const T*>(in[2]);
  T* z = static_cast<T*>(out);
  if (n <= 0) return;
  if (!scalar[0]) {
    void (*const loops[4])(const bool*, const T*, const T*, T*, long) = {selectElements<T, false, false>, selectElements<T, true, false>,
                                                                         selectElements<T, false, true>, selectElements<T, true, true>};
    loops[int(scalar[1]) + 2 * int(scalar[2])](c, t, e, z, n);
    return;
  }
  const long ts = !scalar[1], es = !scalar[2];
  for (long i = 0; i < n; ++i) z[i] = c[0] ? t[i * ts] : e[i * es];
}

#define WEFT_ARITHMETIC(type, T, cost)                                                                                      \
  {"Add", type, false, 2, cost, binarySpan<AddT<T>, T, T>}, {"AddV2", type, false, 2, cost, binarySpan<AddT<T>, T, T>},     \
      {"Sub", type, false, 2, cost, binarySpan<SubT<T>, T, T>}, {"Mul", type, false, 2, cost, binarySpan<MulT<T>, T, T>}, { \
    "SquaredDifference", type, false, 2, cost, binarySpan<SquaredDifferenceT<T>, T, T>                                      \
  }

#define WEFT_ORDER(type, T, cost)                                                                                                           \
  {"Maximum", type, false, 2, cost, binarySpan<MaxT<T>, T, T>}, {"Minimum", type, false, 2, cost, binarySpan<MinT<T>, T, T>},               \
      {"Equal", type, true, 2, cost, binarySpan<EqualT<T>, T, bool>}, {"NotEqual", type, true, 2, cost, binarySpan<NotEqualT<T>, T, bool>}, \
      {"Less", type, true, 2, cost, binarySpan<LessT<T>, T, bool>}, {"LessEqual", type, true, 2, cost, binarySpan<LessEqualT<T>, T, bool>}, \
      {"Greater", type, true, 2, cost, binarySpan<GreaterT<T>, T, bool>}, {                                                                 \
    "GreaterEqual", type, true, 2, cost, binarySpan<GreaterEqualT<T>, T, bool>                                                              \
  }

#define WEFT_REAL(type, T, cost)                                                                                                                            \
  {"RealDiv", type, false, 2, 2 * cost, binarySpan<DivT<T>, T, T>}, {"Div", type, false, 2, 2 * cost, binarySpan<DivT<T>, T, T>},                           \
      {"DivNoNan", type, false, 2, 2 * cost, binarySpan<DivNoNanT<T>, T, T>}, {"MulNoNan", type, false, 2, cost, binarySpan<MulNoNanT<T>, T, T>},           \
      {"Xdivy", type, false, 2, 2 * cost, binarySpan<XdivyT<T>, T, T>}, {"SigmoidGrad", type, false, 2, cost, binarySpan<SigmoidGradT<T>, T, T>},           \
      {"TanhGrad", type, false, 2, cost, binarySpan<TanhGradT<T>, T, T>}, {"SqrtGrad", type, false, 2, 2 * cost, binarySpan<SqrtGradT<T>, T, T>},           \
      {"RsqrtGrad", type, false, 2, cost, binarySpan<RsqrtGradT<T>, T, T>}, {"ReciprocalGrad", type, false, 2, cost, binarySpan<ReciprocalGradT<T>, T, T>}, \
      {"InvGrad", type, false, 2, cost, binarySpan<ReciprocalGradT<T>, T, T>}, {"ReluGrad", type, false, 2, cost, binarySpan<ReluGradT<T>, T, T>}, {        \
    "Relu6Grad", type, false, 2, cost, binarySpan<Relu6GradT<T>, T, T>                                                                                      \
  }

const HotSpan kBinary[] = {
    WEFT_ARITHMETIC(HotType::Float, float, 0.2f),
    WEFT_ORDER(HotType::Float, float, 0.2f),
    WEFT_REAL(HotType::Float, float, 0.25f),
    {"Pow", HotType::Float, false, 2, 3.0f, powSpan},
    {"Select", HotType::Float, false, 3, 0.3f, selectSpan<float>},
    WEFT_ARITHMETIC(HotType::Double, double, 0.4f),
    WEFT_ORDER(HotType::Double, double, 0.4f),
    WEFT_REAL(HotType::Double, double, 0.5f),
    WEFT_ARITHMETIC(HotType::Int32, unsigned, 0.2f),
    WEFT_ORDER(HotType::Int32, int, 0.2f),
    WEFT_ARITHMETIC(HotType::Int64, unsigned long, 0.4f),
    WEFT_ORDER(HotType::Int64, long, 0.4f),
};

}  // namespace

namespace weft::cpu {

extern const HotSpan* const WEFT_JOIN(hotBinary_, WEFT_ISA_NAME) = kBinary;
extern const int WEFT_JOIN(hotBinaryCount_, WEFT_ISA_NAME) = int(sizeof(kBinary) / sizeof(kBinary[0]));

}  // namespace weft::cpu
