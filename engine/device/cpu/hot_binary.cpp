#include "device/cpu/hot_spans.h"

// Functions of two numbers, either of which may be a scalar, and Select.
namespace {

using weft::cpu::HotSpan;
using weft::cpu::HotType;

WEFT_BINARY(DivT, x / y)
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

/// The integer with the size of T.
template <int kBytes>
struct Bits {
  typedef unsigned Type __attribute__((may_alias));
};
template <>
struct Bits<1> {
  typedef unsigned char Type;
};
template <>
struct Bits<2> {
  typedef unsigned short Type __attribute__((may_alias));
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
    const B mask = B(B(0) - B(c[i])), a = kScalarThen ? a0 : then[i], b = kScalarElse ? b0 : otherwise[i];
    out[i] = B((a & mask) | (b & B(~mask)));
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

#define WEFT_REAL(type, T, cost)                                                                                                                            \
  {"RealDiv", type, false, 2, 2 * cost, binarySpan<DivT<T>, T, T>}, {"Div", type, false, 2, 2 * cost, binarySpan<DivT<T>, T, T>},                           \
      {"DivNoNan", type, false, 2, 2 * cost, binarySpan<DivNoNanT<T>, T, T>}, {"MulNoNan", type, false, 2, cost, binarySpan<MulNoNanT<T>, T, T>},           \
      {"Xdivy", type, false, 2, 2 * cost, binarySpan<XdivyT<T>, T, T>}, {"SigmoidGrad", type, false, 2, cost, binarySpan<SigmoidGradT<T>, T, T>},           \
      {"TanhGrad", type, false, 2, cost, binarySpan<TanhGradT<T>, T, T>}, {"SqrtGrad", type, false, 2, 2 * cost, binarySpan<SqrtGradT<T>, T, T>},           \
      {"RsqrtGrad", type, false, 2, cost, binarySpan<RsqrtGradT<T>, T, T>}, {"ReciprocalGrad", type, false, 2, cost, binarySpan<ReciprocalGradT<T>, T, T>}, \
      {"InvGrad", type, false, 2, cost, binarySpan<ReciprocalGradT<T>, T, T>}, {"ReluGrad", type, false, 2, cost, binarySpan<ReluGradT<T>, T, T>}, {        \
    "Relu6Grad", type, false, 2, cost, binarySpan<Relu6GradT<T>, T, T>                                                                                      \
  }

#define WEFT_SELECT(type, T, cost) \
  { "Select", type, false, 3, cost, selectSpan<T> }

const HotSpan kBinary[] = {
    WEFT_ARITHMETIC(HotType::Float, float, 0.2f),
    WEFT_ORDER(HotType::Float, float, 0.2f),
    WEFT_REAL(HotType::Float, float, 0.25f),
    WEFT_SELECT(HotType::Float, unsigned, 0.3f),
    WEFT_SELECT(HotType::Double, unsigned long, 0.5f),
    WEFT_SELECT(HotType::Int32, unsigned, 0.3f),
    WEFT_SELECT(HotType::UInt32, unsigned, 0.3f),
    WEFT_SELECT(HotType::Int64, unsigned long, 0.5f),
    WEFT_SELECT(HotType::UInt64, unsigned long, 0.5f),
    WEFT_SELECT(HotType::Int16, unsigned short, 0.2f),
    WEFT_SELECT(HotType::UInt16, unsigned short, 0.2f),
    WEFT_SELECT(HotType::Half, unsigned short, 0.2f),
    WEFT_SELECT(HotType::BFloat16, unsigned short, 0.2f),
    WEFT_SELECT(HotType::Int8, unsigned char, 0.1f),
    WEFT_SELECT(HotType::UInt8, unsigned char, 0.1f),
    WEFT_SELECT(HotType::Bool, unsigned char, 0.1f),
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

extern const HotList WEFT_JOIN(hotBinary_, WEFT_ISA_NAME) = {kBinary, int(sizeof(kBinary) / sizeof(kBinary[0]))};

}  // namespace weft::cpu
