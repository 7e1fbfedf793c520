#pragma once

// The tables of the files that are compiled once per instruction set (hot_*.cpp). This header and those files use no templates or inline functions of the
// standard library: the linker would merge copies made for different instruction sets.
namespace weft::cpu {

/// out[i] = f(in[0][i], in[1][i], …) for n elements; an input with scalar[k] has one element only. `out` may be one of the inputs.
typedef void (*SpanFunction)(const void* const* in, const bool* scalar, void* out, long n);

enum class HotType : int { Float, Double, Int32, Int64, Int8, Int16, UInt8, UInt16, UInt32, UInt64, Bool, Half, BFloat16 };

struct HotSpan {
  const char* op;  ///< TensorFlow's op name
  HotType type;    ///< of the inputs
  bool toBool;     ///< bool results instead of `type`
  int arity;
  float nanoseconds;  ///< rough cost of one element
  SpanFunction fn;
};

/// Reductions of float: of contiguous rows to one number each, and of a matrix's rows (`stride` floats apart) to a single row.
struct HotReduction {
  float (*row)(const float* x, long n);
  void (*rows)(const float* x, long rows, long n, float* out);  ///< Reduces each of many contiguous rows to a number.
  void (*columns)(const float* x, long rows, long columns, long stride, float* out);
};

/// One step of a chain of float ops, computed from the value so far (a) and an operand (b).
enum class ChainOp : int {
  Add,
  Sub,
  SubFrom,
  Mul,
  Div,
  DivInto,
  Max,
  MaxFrom,
  Min,
  MinFrom,  ///< …From, …Into: a is the op's second input.
  SquaredDifference,
  ReluGrad,
  SigmoidGrad,
  TanhGrad,  ///< In gradient ops, a is the gradient.
  Relu,
  Neg,
  Square,
  Reciprocal,  ///< From Relu on: no operand.
};

struct ChainStep {
  ChainOp op;
  bool scalar;           ///< The operand is a single element.
  const float* operand;  ///< Null if the op has none.
};

constexpr int kMaxChain = 32;

/// out[i] = the result of `count` <= kMaxChain steps applied in turn to x[i] (to x[0] if `scalar`). `out` may be x or an operand.
typedef void (*ChainFunction)(const float* x, bool scalar, const ChainStep* steps, int count, float* out, long n);

struct HotList {
  const HotSpan* spans;
  int count;
};

/// Conversions between float and a 16-bit format whose bits are `half`. Halves are rounded to nearest even; NaN becomes the quiet NaN with the same sign
/// (bfloat16: the positive one).
struct HotFormat {
  void (*widen)(const unsigned short* half, float* out, long n);
  void (*narrow)(const float* x, unsigned short* half, long n);
};

struct HotTable {
  const char* isa;
  HotList unary, binary, math, integers;
  HotFormat half, bfloat16;
  HotReduction sum, prod, max, min;
  ChainFunction chain;
};

/// The table for this machine. The environment variable WEFT_ISA (v2, v3, v4) can lower the choice. Chosen once.
const HotTable& hotTable();

}  // namespace weft::cpu
