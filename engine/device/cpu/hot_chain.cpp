#include "device/cpu/hot_common.h"

// Chains of simple ops whose values stay in registers. Even with tiles in the first-level cache, the load and store per op would cost more than the op.
namespace {

using weft::cpu::ChainOp;
using weft::cpu::ChainStep;

typedef float Vec __attribute__((vector_size(4 * kLanes)));
typedef float LooseVec __attribute__((vector_size(4 * kLanes), aligned(4)));

constexpr long kBlock = 8 * kLanes;  // fits into half of the 16 registers of the smallest instruction set

inline Vec load(const float* p) { return *reinterpret_cast<const LooseVec*>(p); }
inline void store(float* p, Vec v) { *reinterpret_cast<LooseVec*>(p) = v; }
inline Vec all(float x) { return Vec{} + x; }

// clang-format takes these macros for statements.
// clang-format off
// The same expressions, in the same order, as in the functions of one and two numbers, so that results are identical bit for bit.
#define WEFT_EACH(statement)                                                                                                        \
  {                                                                                                                                 \
    { Vec& a = a0; constexpr long k = 0; (void)k; statement; } { Vec& a = a1; constexpr long k = kLanes; (void)k; statement; }     \
    { Vec& a = a2; constexpr long k = 2 * kLanes; (void)k; statement; } { Vec& a = a3; constexpr long k = 3 * kLanes; (void)k; statement; } \
    { Vec& a = a4; constexpr long k = 4 * kLanes; (void)k; statement; } { Vec& a = a5; constexpr long k = 5 * kLanes; (void)k; statement; } \
    { Vec& a = a6; constexpr long k = 6 * kLanes; (void)k; statement; } { Vec& a = a7; constexpr long k = 7 * kLanes; (void)k; statement; } \
  }                                                                                                                                 \
  break;

/// A step without operand, and one whose operand `b` is an array or a scalar.
#define WEFT_ALONE(Name, expression) \
  case 2 * int(ChainOp::Name):       \
    WEFT_EACH(a = (expression))
#define WEFT_WITH(Name, expression)                                             \
  case 2 * int(ChainOp::Name):                                                  \
    WEFT_EACH(const Vec b = load(steps[s].operand + i + k); a = (expression))   \
  case 2 * int(ChainOp::Name) + 1: {                                            \
    const Vec b = all(*steps[s].operand);                                       \
    WEFT_EACH(a = (expression))                                                 \
  }
// clang-format on

/// REQUIRES: n is a multiple of kBlock.
void blocks(const float* x, bool scalar, const ChainStep* steps, int count, float* out, long n) {
  const Vec zero = {}, one = all(1.0f);
  for (long i = 0; i < n; i += kBlock) {
    Vec a0, a1, a2, a3, a4, a5, a6, a7;
    if (scalar) {
      a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = all(*x);
    } else {
      const float* p = x + i;
      a0 = load(p), a1 = load(p + kLanes), a2 = load(p + 2 * kLanes), a3 = load(p + 3 * kLanes);
      a4 = load(p + 4 * kLanes), a5 = load(p + 5 * kLanes), a6 = load(p + 6 * kLanes), a7 = load(p + 7 * kLanes);
    }
    for (int s = 0; s < count; ++s) {
      switch (2 * int(steps[s].op) + int(steps[s].scalar)) {
        // clang-format off
        WEFT_WITH(Add, a + b)
        WEFT_WITH(Sub, a - b)
        WEFT_WITH(SubFrom, b - a)
        WEFT_WITH(Mul, a * b)
        WEFT_WITH(Div, a / b)
        WEFT_WITH(DivInto, b / a)
        WEFT_WITH(Max, a < b ? b : a)
        WEFT_WITH(MaxFrom, b < a ? a : b)
        WEFT_WITH(Min, b < a ? b : a)
        WEFT_WITH(MinFrom, a < b ? a : b)
        WEFT_WITH(SquaredDifference, (a - b) * (a - b))
        WEFT_WITH(ReluGrad, b > zero ? a : a * zero)
        WEFT_WITH(SigmoidGrad, a * b * (one - b))
        WEFT_WITH(TanhGrad, a * (one - b * b))
        WEFT_ALONE(Relu, a < zero ? zero : a)
        WEFT_ALONE(Neg, -a)
        WEFT_ALONE(Square, a * a)
        WEFT_ALONE(Reciprocal, one / a)
        // clang-format on
        default: break;
      }
    }
    float* q = out + i;
    store(q, a0), store(q + kLanes, a1), store(q + 2 * kLanes, a2), store(q + 3 * kLanes, a3);
    store(q + 4 * kLanes, a4), store(q + 5 * kLanes, a5), store(q + 6 * kLanes, a6), store(q + 7 * kLanes, a7);
  }
}

void chain(const float* x, bool scalar, const ChainStep* steps, int count, float* out, long n) {
  const long whole = n / kBlock * kBlock, rest = n - whole;
  if (whole) blocks(x, scalar, steps, count, out, whole);
  if (!rest) return;
  // The rest goes through a padded block, so that an element's result does not depend on its position.
  alignas(64) float values[kBlock] = {}, operands[weft::cpu::kMaxChain][kBlock];
  ChainStep own[weft::cpu::kMaxChain];
  for (long i = 0; i < rest; ++i) values[i] = scalar ? *x : x[whole + i];
  for (int s = 0; s < count; ++s) {
    own[s] = steps[s];
    if (!steps[s].operand || steps[s].scalar) continue;
    for (long i = 0; i < kBlock; ++i) operands[s][i] = i < rest ? steps[s].operand[whole + i] : 0.0f;
    own[s].operand = operands[s];
  }
  blocks(values, false, own, count, values, kBlock);
  for (long i = 0; i < rest; ++i) out[whole + i] = values[i];
}

}  // namespace

namespace weft::cpu {

extern const ChainFunction WEFT_JOIN(hotChain_, WEFT_ISA_NAME) = chain;

}  // namespace weft::cpu
