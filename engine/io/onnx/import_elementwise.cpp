#include <cmath>

#include "io/onnx/import_node.h"
#include "io/onnx/tensor_proto.h"

// Arithmetic, comparisons and logic, element by element.

namespace weft::onnx_io {
namespace {

/// Operands whose types ONNX allows to differ.
Translation power(ImportNode& n) {
  auto [x, y] = n.inOneOrder();
  const DType base = n.b.dtype(x), exponent = n.b.dtype(y);
  const bool same = base == exponent;
  if (!same && (base == DType::UInt64 || (exponent == DType::UInt64 && !isFloating(base)))) return unimplemented("powers of uint64 by another type");
  // As wide as needed: an exponent of few bits must not narrow its base.
  const DType in = same || isFloating(base) ? base : isInteger(exponent) ? DType::Int64 : DType::Double;
  const Output wideX = n.b.cast(x, in), wideY = n.b.cast(y, in);
  const Output made = n.op("Pow", {wideX, wideY});
  return Outputs{n.b.cast(made, base)};
}

Translation divide(ImportNode& n) {
  auto [x, y] = n.inOneOrder();
  return Outputs{n.op(isInteger(n.b.dtype(x)) ? "TruncateDiv" : "RealDiv", {x, y})};
}

Translation modulo(ImportNode& n) {
  auto [x, y] = n.inOneOrder();
  return Outputs{n.op(n.integer("fmod") ? "TruncateMod" : "FloorMod", {x, y})};
}

template <const char* const& Op>
Translation binary(ImportNode& n) {
  // Before version 7, the second operand's dimensions began at `axis`.
  if (n.opset < 7 && n.integer("broadcast")) {
    const Output x = n.in(0), y = n.in(1);
    const int rank = n.rank(0), own = n.rank(1);
    const int64_t axis = n.integer("axis", rank - own);
    const Shape shape = n.b.shape(y);
    if (rank < 0 || own < 0 || axis < 0 || axis + own > rank) return unimplemented("the ranks of its operands are not known");
    if (axis + own == rank || own == 0) return Outputs{n.op(Op, {x, y})};
    if (!shape.isFullyKnown()) return unimplemented("the shape of its second operand is not known");
    Ints wide = shape.toVector();
    wide.resize(size_t(rank - axis), 1);
    const Output spread = n.reshape(y, wide);
    return Outputs{n.op(Op, {x, spread})};
  }
  auto [x, y] = n.inOneOrder();
  return Outputs{n.op(Op, {x, y})};
}

template <const char* const& Op>
Translation unary(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  return Outputs{n.op(Op, {x})};
}

/// Folds any number of operands.
template <const char* const& Op>
Translation variadic(ImportNode& n) {
  if (n.inputs() == 2) {
    auto [x, y] = n.inOneOrder();
    return Outputs{n.op(Op, {x, y})};
  }
  Output sum = n.in(0);
  for (int i = 1; i < n.inputs(); ++i) sum = n.op(Op, {sum, n.in(i)});
  return Outputs{n.inputs() == 1 ? n.b.identity(sum) : sum};
}

Translation mean(ImportNode& n) {
  Output sum = n.in(0);
  for (int i = 1; i < n.inputs(); ++i) sum = n.op("AddV2", {sum, n.in(i)});
  const Output count = n.scalar(sum, n.inputs());
  return Outputs{n.op("RealDiv", {sum, count})};
}

Translation logicalXor(ImportNode& n) {
  auto [x, y] = n.inOneOrder();
  return Outputs{n.op("NotEqual", {x, y})};
}

/// Shifts by less than nothing, or by the width or more, leave the sign alone; TensorFlow does not define them.
Translation shift(ImportNode& n) {
  auto [x, y] = n.inOneOrder();
  const bool left = n.text("direction") == "LEFT";
  const DType type = n.b.dtype(x);
  const int64_t width = int64_t(sizeOf(type)) * 8;
  const Output wide = n.b.cast(y, DType::Int64);
  const Output none = n.b.number(DType::Int64, 0), most = n.b.number(DType::Int64, double(width - 1));
  const Output low = n.op("Less", {wide, none}), high = n.op("Greater", {wide, most});
  const Output beyond = n.op("LogicalOr", {low, high});
  const bool keepsSign = !left && (type == DType::Int8 || type == DType::Int16 || type == DType::Int32 || type == DType::Int64);
  const Output other = n.scalar(y, keepsSign ? double(width - 1) : 0);
  const Output by = n.op("SelectV2", {beyond, other, y});
  const Output shifted = n.op(left ? "LeftShift" : "RightShift", {x, by});
  if (keepsSign) return Outputs{shifted};
  const Output nothing = n.op("ZerosLike", {shifted});
  return Outputs{n.op("SelectV2", {beyond, nothing, shifted})};
}

Translation where(ImportNode& n) {
  const Output c = n.in(0), x = n.in(1), y = n.in(2);
  return Outputs{n.op("SelectV2", {c, x, y})};
}

Translation isInf(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  const bool low = n.integer("detect_negative", 1), high = n.integer("detect_positive", 1);
  const Output any = n.op("IsInf", {x});
  if (low && high) return Outputs{any};
  const Output zero = n.scalar(x, 0);
  const Output side = n.op(high ? "Greater" : "Less", {x, zero});
  if (!low && !high) return Outputs{n.op("NotEqual", {any, any})};
  return Outputs{n.op("LogicalAnd", {any, side})};
}

Translation clip(ImportNode& n) {
  Output x = n.inAnyOrder(0);
  if (n.opset < 11) {
    const Output low = n.scalar(x, double(n.real("min", -3.4028234663852886e38f)));
    x = n.op("Maximum", {x, low});
    const Output high = n.scalar(x, double(n.real("max", 3.4028234663852886e38f)));
    return Outputs{n.op("Minimum", {x, high})};
  }
  const Output start = x;
  if (n.has(1)) x = n.op("Maximum", {x, n.in(1)});
  if (n.has(2)) x = n.op("Minimum", {x, n.in(2)});
  return Outputs{x == start ? n.b.identity(x) : x};
}

Result<Output> converted(ImportNode& n, Output x, DType to) {
  const DType from = n.b.dtype(x);
  if (from == to) return n.b.identity(x);
  if (to == DType::String) {
    if (from == DType::Bool) return unimplemented("bool as text");
    if (isInteger(from)) return n.op("AsString", {x});
    return unimplemented("numbers as text: the two formats write ", dtypeName(from), " in different ways");
  }
  if (from == DType::String) {
    if (to == DType::Float || to == DType::Double || to == DType::Int32 || to == DType::Int64) return n.b.op("StringToNumber", {x}, {{"out_type", to}});
    const Output number = n.b.op("StringToNumber", {x}, {{"out_type", isInteger(to) ? DType::Int64 : DType::Float}});
    return n.b.cast(number, to);
  }
  return n.b.op("Cast", {x}, {{"DstT", to}});
}

Translation castTo(ImportNode& n) {
  const int type = int(n.integer("to"));
  const DType to = dtypeOfOnnx(type);
  if (to == DType::Invalid) return unimplemented("TensorFlow's graphs do not have the type ", onnxTypeName(type));
  const Output x = n.inAnyOrder(0);
  WEFT_LET(const Output made, converted(n, x, to));
  return Outputs{made};
}

Translation castLike(ImportNode& n) {
  const Output x = n.in(0), like = n.in(1);
  WEFT_LET(const Output made, converted(n, x, n.b.dtype(like)));
  return Outputs{made};
}

Translation bitCast(ImportNode& n) {
  const DType to = dtypeOfOnnx(int(n.integer("to")));
  const Output x = n.inAnyOrder(0);
  if (to == DType::Invalid || sizeOf(to) != sizeOf(n.b.dtype(x)) || to == DType::Bool || n.b.dtype(x) == DType::Bool)
    return unimplemented("a type that TensorFlow's Bitcast does not take");
  return Outputs{n.b.op("Bitcast", {x}, {{"type", to}})};
}

/// Dropout passes its input on when a model runs; the mask is all true.
Translation dropout(ImportNode& n) {
  const Output x = n.inAnyOrder(0);
  if (n.opset >= 12 && n.has(2)) {
    const auto training = n.value(n.in(2));
    if (!training || training->dtype() != DType::Bool || training->elements() != 1) return unimplemented("whether it trains is computed by the graph");
    double ratio = 0.5;
    if (training->at<bool>(0) && n.has(1)) {
      WEFT_LET(ratio, n.number(1));
    }
    if (training->at<bool>(0) && ratio != 0) return unimplemented("dropout that trains draws random numbers");
  }
  Outputs out{n.b.identity(x)};
  if (n.wants(1)) {
    const Output one = n.op("OnesLike", {x});
    out.push_back(n.b.cast(one, n.opset >= 10 ? DType::Bool : n.b.dtype(x)));
  }
  return out;
}

#define WEFT_NAME(name) constexpr const char* k##name = #name
WEFT_NAME(Abs);
WEFT_NAME(Acos);
WEFT_NAME(Acosh);
WEFT_NAME(AddV2);
WEFT_NAME(Asin);
WEFT_NAME(Asinh);
WEFT_NAME(Atan);
WEFT_NAME(Atanh);
WEFT_NAME(BitwiseAnd);
WEFT_NAME(BitwiseOr);
WEFT_NAME(BitwiseXor);
WEFT_NAME(Ceil);
WEFT_NAME(Cos);
WEFT_NAME(Cosh);
WEFT_NAME(Equal);
WEFT_NAME(Erf);
WEFT_NAME(Exp);
WEFT_NAME(Floor);
WEFT_NAME(Greater);
WEFT_NAME(GreaterEqual);
WEFT_NAME(Identity);
WEFT_NAME(Invert);
WEFT_NAME(IsNan);
WEFT_NAME(Less);
WEFT_NAME(LessEqual);
WEFT_NAME(Log);
WEFT_NAME(LogicalAnd);
WEFT_NAME(LogicalNot);
WEFT_NAME(LogicalOr);
WEFT_NAME(Maximum);
WEFT_NAME(Minimum);
WEFT_NAME(Mul);
WEFT_NAME(Neg);
WEFT_NAME(Reciprocal);
WEFT_NAME(Round);
WEFT_NAME(Sign);
WEFT_NAME(Sin);
WEFT_NAME(Sinh);
WEFT_NAME(Sqrt);
WEFT_NAME(Sub);
WEFT_NAME(Tan);
#undef WEFT_NAME

/// StringJoin takes equal shapes or scalars.
Translation joinStrings(ImportNode& n) {
  const Output x = n.in(0), y = n.in(1);
  const Shape a = n.b.shape(x), c = n.b.shape(y);
  if (!(a == c && a.isFullyKnown()) && a.rank() != 0 && c.rank() != 0) return unimplemented("strings of different shapes");
  return Outputs{n.b.op("StringJoin", {x, y})};
}

Translation matchPattern(ImportNode& n) {
  const Output x = n.in(0), pattern = n.b.constant(Tensor::scalar(n.text("pattern")));
  return Outputs{n.b.op("RegexFullMatch", {x, pattern})};
}

}  // namespace

std::vector<ImportRule> elementwiseImports() {
  return {{"Abs", unary<kAbs>},
          {"Acos", unary<kAcos>},
          {"Acosh", unary<kAcosh>},
          {"Add", binary<kAddV2>},
          {"And", binary<kLogicalAnd>},
          {"Asin", unary<kAsin>},
          {"Asinh", unary<kAsinh>},
          {"Atan", unary<kAtan>},
          {"Atanh", unary<kAtanh>},
          {"BitCast", bitCast},
          {"BitShift", shift},
          {"BitwiseAnd", binary<kBitwiseAnd>},
          {"BitwiseNot", unary<kInvert>},
          {"BitwiseOr", binary<kBitwiseOr>},
          {"BitwiseXor", binary<kBitwiseXor>},
          {"Cast", castTo},
          {"CastLike", castLike},
          {"Ceil", unary<kCeil>},
          {"Clip", clip},
          {"Cos", unary<kCos>},
          {"Cosh", unary<kCosh>},
          {"Div", divide},
          {"Dropout", dropout},
          {"Equal", binary<kEqual>},
          {"Erf", unary<kErf>},
          {"Exp", unary<kExp>},
          {"Floor", unary<kFloor>},
          {"Greater", binary<kGreater>},
          {"GreaterOrEqual", binary<kGreaterEqual>},
          {"Identity", unary<kIdentity>},
          {"IsInf", isInf},
          {"IsNaN", unary<kIsNan>},
          {"Less", binary<kLess>},
          {"LessOrEqual", binary<kLessEqual>},
          {"Log", unary<kLog>},
          {"Max", variadic<kMaximum>},
          {"Mean", mean},
          {"Min", variadic<kMinimum>},
          {"Mod", modulo},
          {"Mul", binary<kMul>},
          {"Neg", unary<kNeg>},
          {"Not", unary<kLogicalNot>},
          {"Or", binary<kLogicalOr>},
          {"Pow", power},
          {"Reciprocal", unary<kReciprocal>},
          {"RegexFullMatch", matchPattern},
          {"Round", unary<kRound>},
          {"Sign", unary<kSign>},
          {"Sin", unary<kSin>},
          {"Sinh", unary<kSinh>},
          {"Sqrt", unary<kSqrt>},
          {"StringConcat", joinStrings},
          {"Sub", binary<kSub>},
          {"Sum", variadic<kAddV2>},
          {"Tan", unary<kTan>},
          {"Where", where},
          {"Xor", logicalXor}};
}

}  // namespace weft::onnx_io
