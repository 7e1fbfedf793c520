#include "device/cpu/hot_spans.h"

// Functions of one float, packet by packet. The last, incomplete packet is computed in a buffer, so that an element's result does not depend on its position.
namespace {

using weft::cpu::HotSpan;
using weft::cpu::HotType;

template <typename F>
void unarySpan(const void* const* in, const bool* scalar, void* out, long n) {
  const float* x = static_cast<const float*>(in[0]);
  float* y = static_cast<float*>(out);
  if (scalar[0] && n > 0) {
    alignas(64) float lanes[kLanes];
    ei::pstoreu(lanes, F::packet(splat(x[0])));
    const float v = lanes[0];
    for (long i = 0; i < n; ++i) y[i] = v;
    return;
  }
  long i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    const Packet a = F::packet(ei::ploadu<Packet>(x + i)), b = F::packet(ei::ploadu<Packet>(x + i + kLanes));
    ei::pstoreu(y + i, a);
    ei::pstoreu(y + i + kLanes, b);
  }
  for (; i + kLanes <= n; i += kLanes) ei::pstoreu(y + i, F::packet(ei::ploadu<Packet>(x + i)));
  if (i < n) {
    alignas(64) float lanes[kLanes] = {};
    for (long k = 0; k < n - i; ++k) lanes[k] = x[i + k];
    ei::pstoreu(lanes, F::packet(ei::ploadu<Packet>(lanes)));
    for (long k = 0; k < n - i; ++k) y[i + k] = lanes[k];
  }
}

#define WEFT_UNARY(Name, expression)                             \
  struct Name {                                                  \
    static Packet packet(const Packet& x) { return expression; } \
  };

WEFT_UNARY(NegF, ei::pxor(x, splat(-0.0f)))  // some of Eigen's packets subtract from zero, which gives 0 another sign
WEFT_UNARY(AbsF, ei::pabs(x))
WEFT_UNARY(SquareF, ei::pmul(x, x))
WEFT_UNARY(SqrtF, ei::psqrt(x))
WEFT_UNARY(RsqrtF, ei::pdiv(splat(1.0f), ei::psqrt(x)))
WEFT_UNARY(ReciprocalF, ei::pdiv(splat(1.0f), x))
WEFT_UNARY(ExpF, ei::pexp(x))
WEFT_UNARY(LogF, ei::plog(x))
WEFT_UNARY(Log1pF, ei::plog1p(x))
WEFT_UNARY(Expm1F, ei::pexpm1(x))
WEFT_UNARY(TanhF, ei::ptanh(x))
WEFT_UNARY(SigmoidF, ei::pdiv(splat(1.0f), ei::padd(splat(1.0f), ei::pexp(ei::pnegate(x)))))
WEFT_UNARY(FloorF, ei::pfloor(x))
WEFT_UNARY(CeilF, ei::pceil(x))

// Functions that compilers vectorise themselves.
struct Relu {
  static float of(float x) { return x < 0 ? 0.0f : x; }
};
struct Relu6 {
  static float of(float x) { return x < 0 ? 0.0f : x > 6 ? 6.0f : x; }
};
struct Sign {
  static float of(float x) { return float(x > 0) - float(x < 0); }
};
template <typename T>
struct NegT {
  static T of(T x) { return T(0) - x; }
};
struct NegD {
  static double of(double x) { return -x; }
};
template <typename T>
struct SquareT {
  static T of(T x) { return x * x; }
};

const HotSpan kUnary[] = {
    {"Neg", HotType::Float, false, 1, 0.15f, unarySpan<NegF>},
    {"Abs", HotType::Float, false, 1, 0.15f, unarySpan<AbsF>},
    {"Square", HotType::Float, false, 1, 0.15f, unarySpan<SquareF>},
    {"Sqrt", HotType::Float, false, 1, 0.4f, unarySpan<SqrtF>},
    {"Rsqrt", HotType::Float, false, 1, 0.6f, unarySpan<RsqrtF>},
    {"Reciprocal", HotType::Float, false, 1, 0.3f, unarySpan<ReciprocalF>},
    {"Inv", HotType::Float, false, 1, 0.3f, unarySpan<ReciprocalF>},
    {"Exp", HotType::Float, false, 1, 0.8f, unarySpan<ExpF>},
    {"Log", HotType::Float, false, 1, 1.0f, unarySpan<LogF>},
    {"Log1p", HotType::Float, false, 1, 1.5f, unarySpan<Log1pF>},
    {"Expm1", HotType::Float, false, 1, 1.5f, unarySpan<Expm1F>},
    {"Tanh", HotType::Float, false, 1, 0.8f, unarySpan<TanhF>},
    {"Sigmoid", HotType::Float, false, 1, 1.0f, unarySpan<SigmoidF>},
    {"Floor", HotType::Float, false, 1, 0.15f, unarySpan<FloorF>},
    {"Ceil", HotType::Float, false, 1, 0.15f, unarySpan<CeilF>},
    {"Relu", HotType::Float, false, 1, 0.15f, plainSpan<Relu, float, float>},
    {"Relu6", HotType::Float, false, 1, 0.15f, plainSpan<Relu6, float, float>},
    {"Sign", HotType::Float, false, 1, 0.2f, plainSpan<Sign, float, float>},
    {"Neg", HotType::Double, false, 1, 0.3f, plainSpan<NegD, double, double>},
    {"Square", HotType::Double, false, 1, 0.3f, plainSpan<SquareT<double>, double, double>},
    {"Neg", HotType::Int32, false, 1, 0.15f, plainSpan<NegT<unsigned>, unsigned, unsigned>},
    {"Square", HotType::Int32, false, 1, 0.15f, plainSpan<SquareT<unsigned>, unsigned, unsigned>},
    {"Neg", HotType::Int64, false, 1, 0.3f, plainSpan<NegT<unsigned long>, unsigned long, unsigned long>},
};

}  // namespace

namespace weft::cpu {

extern const HotList WEFT_JOIN(hotUnary_, WEFT_ISA_NAME) = {kUnary, int(sizeof(kUnary) / sizeof(kUnary[0]))};

}  // namespace weft::cpu
