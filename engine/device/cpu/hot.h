#pragma once

// What the files that are compiled once per instruction set (hot_*.cpp) offer. This header and those files use no templates or inline
// functions of the standard library: the linker would merge copies made for different instruction sets.
namespace weft::cpu {

/// out[i] = f(in[0][i], in[1][i], …) for n elements; an input with scalar[k] has one element only. `out` may be one of the inputs.
typedef void (*SpanFunction)(const void* const* in, const bool* scalar, void* out, long n);

enum class HotType : int { Float, Double, Int32, Int64 };

struct HotSpan {
  const char* op;  ///< TensorFlow's op name
  HotType type;    ///< of the inputs
  bool toBool;     ///< bool results instead of `type`
  int arity;
  float nanoseconds;  ///< rough cost of an element
  SpanFunction fn;
};

/// Reductions of float: contiguous rows to a number each, and the rows of a matrix (`stride` floats apart) to one row.
struct HotReduction {
  float (*row)(const float* x, long n);
  void (*rows)(const float* x, long rows, long n, float* out);  ///< Each of many contiguous rows to a number.
  void (*columns)(const float* x, long rows, long columns, long stride, float* out);
};

/// One step of a chain of ops of float: from the value so far (a) and an operand (b).
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
  MinFrom,  ///< …From, …Into: a is the second of the op's inputs.
  SquaredDifference,
  ReluGrad,
  SigmoidGrad,
  TanhGrad,  ///< Of the gradients' ops, a is the gradient.
  Relu,
  Neg,
  Square,
  Reciprocal,  ///< No operand.
};

struct ChainStep {
  ChainOp op;
  bool scalar;           ///< The operand is one element for all.
  const float* operand;  ///< Null if the op has none.
};

constexpr int kMaxChain = 32;

/// out[i] = the `count` <= kMaxChain steps in turn from x[i] (from x[0] if `scalar`). `out` may be x or an operand, element by element.
typedef void (*ChainFunction)(const float* x, bool scalar, const ChainStep* steps, int count, float* out, long n);

struct HotTable {
  const char* isa;
  const HotSpan* unary;
  int unaryCount;
  const HotSpan* binary;
  int binaryCount;
  HotReduction sum, prod, max, min;
  ChainFunction chain;
};

/// The table for this machine, or for the one that the environment's WEFT_ISA (v2, v3, v4) names. Chosen once.
const HotTable& hotTable();

}  // namespace weft::cpu
