#include "io/tflite/import.h"

// Operators on elements, and reductions.

namespace weft::tflite {
namespace {

struct MathPair {
  Op op;
  const char* name;
};

template <size_t N>
const char* nameIn(const MathPair (&table)[N], const std::string& op) {
  for (const MathPair& pair : table)
    if (op == tfl::EnumNameBuiltinOperator(pair.op)) return pair.name;
  return "";
}

constexpr MathPair kSame[] = {
    {Op::ABS, "Abs"},
    {Op::NEG, "Neg"},
    {Op::EXP, "Exp"},
    {Op::LOG, "Log"},
    {Op::SQRT, "Sqrt"},
    {Op::RSQRT, "Rsqrt"},
    {Op::SQUARE, "Square"},
    {Op::SIN, "Sin"},
    {Op::COS, "Cos"},
    {Op::FLOOR, "Floor"},
    {Op::CEIL, "Ceil"},
    {Op::ROUND, "Round"},
    {Op::SIGN, "Sign"},
    {Op::LOGISTIC, "Sigmoid"},
    {Op::TANH, "Tanh"},
    {Op::RELU, "Relu"},
    {Op::RELU6, "Relu6"},
    {Op::ELU, "Elu"},
    {Op::LOG_SOFTMAX, "LogSoftmax"},
    {Op::LOGICAL_NOT, "LogicalNot"},
    {Op::LOGICAL_AND, "LogicalAnd"},
    {Op::LOGICAL_OR, "LogicalOr"},
    {Op::POW, "Pow"},
    {Op::MAXIMUM, "Maximum"},
    {Op::MINIMUM, "Minimum"},
    {Op::SQUARED_DIFFERENCE, "SquaredDifference"},
    {Op::FLOOR_DIV, "FloorDiv"},
    {Op::FLOOR_MOD, "FloorMod"},
    {Op::EQUAL, "Equal"},
    {Op::NOT_EQUAL, "NotEqual"},
    {Op::LESS, "Less"},
    {Op::LESS_EQUAL, "LessEqual"},
    {Op::GREATER, "Greater"},
    {Op::GREATER_EQUAL, "GreaterEqual"},
    {Op::ATAN2, "Atan2"},
    {Op::ADD_N, "AddN"},
};

std::vector<Output> mathSame(OperatorImport& op) { return {op.b().op(nameIn(kSame, op.name()), op.inputs())}; }

constexpr MathPair kReductions[] = {{Op::SUM, "Sum"},        {Op::MEAN, "Mean"},      {Op::REDUCE_PROD, "Prod"}, {Op::REDUCE_MAX, "Max"},
                                    {Op::REDUCE_MIN, "Min"}, {Op::REDUCE_ANY, "Any"}, {Op::REDUCE_ALL, "All"}};

std::vector<Output> reduction(OperatorImport& op) {
  return {op.b().op(nameIn(kReductions, op.name()), {op.in(0), op.in(1)}, {{"keep_dims", op.options<tfl::ReducerOptions>().keep_dims()}})};
}

std::vector<Output> add(OperatorImport& op) { return {op.activated(op.b().op("AddV2", {op.in(0), op.in(1)}), op.options<tfl::AddOptions>().activation())}; }
std::vector<Output> sub(OperatorImport& op) { return {op.activated(op.b().op("Sub", {op.in(0), op.in(1)}), op.options<tfl::SubOptions>().activation())}; }
std::vector<Output> mul(OperatorImport& op) { return {op.activated(op.b().op("Mul", {op.in(0), op.in(1)}), op.options<tfl::MulOptions>().activation())}; }
std::vector<Output> div(OperatorImport& op) {
  const char* name = isInteger(op.inputType(0)) ? "TruncateDiv" : "RealDiv";
  return {op.activated(op.b().op(name, {op.in(0), op.in(1)}), op.options<tfl::DivOptions>().activation())};
}

template <tfl::Activation kActivation>
std::vector<Output> activation(OperatorImport& op) {
  return {op.activated(op.in(0), kActivation)};
}

std::vector<Output> relu0To1(OperatorImport& op) {
  GraphBuilder& b = op.b();
  return {b.op("Maximum", {b.op("Minimum", {op.in(0), b.scalar(1.f, "high")}), b.scalar(0.f, "low")})};
}

std::vector<Output> leakyRelu(OperatorImport& op) { return {op.b().op("LeakyRelu", {op.in(0)}, {{"alpha", op.options<tfl::LeakyReluOptions>().alpha()}})}; }

std::vector<Output> prelu(OperatorImport& op) {
  GraphBuilder& b = op.b();
  const Output x = op.in(0), negative = b.op("Neg", {b.op("Relu", {b.op("Neg", {x})})});
  return {b.op("AddV2", {b.op("Relu", {x}), b.op("Mul", {op.in(1), negative})})};
}

std::vector<Output> hardSwish(OperatorImport& op) {
  GraphBuilder& b = op.b();
  const Output x = op.in(0), gate = b.op("Relu6", {b.op("AddV2", {x, b.scalar(3.f, "shift")})});
  return {b.op("Mul", {b.op("Mul", {x, gate}), b.scalar(1.f / 6, "sixth")})};
}

std::vector<Output> gelu(OperatorImport& op) {
  GraphBuilder& b = op.b();
  const Output x = op.in(0), half = b.op("Mul", {x, b.scalar(0.5f, "half")});
  Output gate;
  if (op.options<tfl::GeluOptions>().approximate()) {
    const Output cubic = b.op("Mul", {b.op("Mul", {b.op("Square", {x}), x}), b.scalar(0.044715f, "cubic")});
    gate = b.op("Tanh", {b.op("Mul", {b.op("AddV2", {x, cubic}), b.scalar(0.7978845608f, "root")})});
  } else {
    gate = b.op("Erf", {b.op("Mul", {x, b.scalar(0.7071067812f, "root")})});
  }
  return {b.op("Mul", {half, b.op("AddV2", {gate, b.scalar(1.f, "one")})})};
}

std::vector<Output> argMax(OperatorImport& op) { return {op.b().op("ArgMax", {op.in(0), op.in(1)}, {{"output_type", op.outputType(0)}})}; }
std::vector<Output> argMin(OperatorImport& op) { return {op.b().op("ArgMin", {op.in(0), op.in(1)}, {{"output_type", op.outputType(0)}})}; }

constexpr OperatorRule kMath[] = {
    {Op::ABS, mathSame},
    {Op::NEG, mathSame},
    {Op::EXP, mathSame},
    {Op::LOG, mathSame},
    {Op::SQRT, mathSame},
    {Op::RSQRT, mathSame},
    {Op::SQUARE, mathSame},
    {Op::SIN, mathSame},
    {Op::COS, mathSame},
    {Op::FLOOR, mathSame},
    {Op::CEIL, mathSame},
    {Op::ROUND, mathSame},
    {Op::SIGN, mathSame},
    {Op::LOGISTIC, mathSame},
    {Op::TANH, mathSame},
    {Op::RELU, mathSame},
    {Op::RELU6, mathSame},
    {Op::ELU, mathSame},
    {Op::LOG_SOFTMAX, mathSame},
    {Op::LOGICAL_NOT, mathSame},
    {Op::LOGICAL_AND, mathSame},
    {Op::LOGICAL_OR, mathSame},
    {Op::POW, mathSame},
    {Op::MAXIMUM, mathSame, true},
    {Op::MINIMUM, mathSame, true},
    {Op::SQUARED_DIFFERENCE, mathSame},
    {Op::FLOOR_DIV, mathSame},
    {Op::FLOOR_MOD, mathSame},
    {Op::EQUAL, mathSame},
    {Op::NOT_EQUAL, mathSame},
    {Op::LESS, mathSame},
    {Op::LESS_EQUAL, mathSame},
    {Op::GREATER, mathSame},
    {Op::GREATER_EQUAL, mathSame},
    {Op::ATAN2, mathSame},
    {Op::ADD_N, mathSame},
    {Op::ADD, add},
    {Op::SUB, sub},
    {Op::MUL, mul},
    {Op::DIV, div},
    {Op::RELU_N1_TO_1, activation<tfl::Activation::RELU_N1_TO_1>},
    {Op::RELU_0_TO_1, relu0To1},
    {Op::LEAKY_RELU, leakyRelu},
    {Op::PRELU, prelu},
    {Op::HARD_SWISH, hardSwish},
    {Op::GELU, gelu},
    {Op::SUM, reduction},
    {Op::MEAN, reduction},
    {Op::REDUCE_PROD, reduction},
    {Op::REDUCE_MAX, reduction, true},
    {Op::REDUCE_MIN, reduction, true},
    {Op::REDUCE_ANY, reduction},
    {Op::REDUCE_ALL, reduction},
    {Op::ARG_MAX, argMax},
    {Op::ARG_MIN, argMin},
};

}  // namespace

std::span<const OperatorRule> mathRules() { return kMath; }

}  // namespace weft::tflite
