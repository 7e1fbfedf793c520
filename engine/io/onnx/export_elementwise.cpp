#include <algorithm>
#include <cmath>

#include "io/onnx/export_node.h"
#include "io/onnx/import_node.h"
#include "io/onnx/tensor_proto.h"

// Arithmetic, comparisons, logic and activations, element by element. They keep the order of dimensions that they find.

namespace weft::onnx_io {
namespace {

/// Gives the result of an element-wise op in the order that its input has.
Status unaryOp(ExportNode& n, std::string_view op, const ExportNode::Attrs& attrs = {}) {
  if (n.isFirst(0)) n.giveFirst(n.emit(op, {n.first(0)}, attrs));
  else n.give(n.emit(op, {n.in(0)}, attrs));
  return {};
}

/// The input as it is; `first` says in which order.
std::string anyOrder(ExportNode& n, bool* first) {
  *first = n.isFirst(0);
  return *first ? n.first(0) : n.in(0);
}

void giveIn(ExportNode& n, const std::string& name, bool first) { first ? n.giveFirst(name) : n.give(name); }

template <const char* const& Op>
Status sameUnary(ExportNode& n) {
  return unaryOp(n, Op);
}

/// Both operands in one order: channels first if one exists only so and the other can be had so for free.
bool bothFirst(ExportNode& n, std::string names[2]) {
  if (!n.isFirst(0) && !n.isFirst(1)) return false;
  const int most = std::max(n.rank(0), n.rank(1));
  for (int i = 0; i < 2; ++i) {
    const int rank = n.rank(i);
    if (rank < 0) return false;
    if (rank == most && n.isFirst(i)) {
      names[i] = n.first(i);
    } else if (rank == 0) {
      names[i] = n.in(i);
    } else if (rank == 1) {
      // Along the last dimension in TensorFlow, so along the channels.
      const auto known = n.value(i);
      if (!known || sizeOf(known->dtype()) == 0) return false;
      Shape wide{known->elements()};
      for (int d = 2; d < most; ++d) wide.append(1);
      names[i] = n.constant(known->reshaped(wide));
    } else {
      return false;
    }
  }
  return true;
}

Status binaryOp(ExportNode& n, std::string_view op) {
  std::string names[2];
  if (bothFirst(n, names)) {
    n.giveFirst(n.emit(op, {names[0], names[1]}));
  } else {
    const std::string x = n.in(0), y = n.in(1);
    n.give(n.emit(op, {x, y}));
  }
  return {};
}

template <const char* const& Op>
Status sameBinary(ExportNode& n) {
  return binaryOp(n, Op);
}

Status biasAdd(ExportNode& n) {
  const bool nchw = n.node.attrs.text("data_format", "NHWC") == "NCHW";
  if (nchw) {
    const int rank = n.rank(0);
    if (rank < 2) return n.cannot("the rank of its input is not known");
    std::vector<int64_t> shape{-1};
    shape.resize(size_t(rank) - 1, 1);
    const std::string x = n.in(0), bias = n.reshape(n.in(1), shape);
    n.give(n.emit("Add", {x, bias}));
    return {};
  }
  return binaryOp(n, "Add");
}

Status addN(ExportNode& n) {
  std::vector<std::string> all;
  for (int i = 0; i < n.inputs(); ++i) all.push_back(n.in(i));
  if (isFloating(n.outType())) {
    n.give(n.emit("Sum", all));
    return {};
  }
  std::string sum = all[0];
  for (size_t i = 1; i < all.size(); ++i) sum = n.emit("Add", {sum, all[i]});
  n.give(all.size() == 1 ? n.emit("Identity", {sum}) : sum);
  return {};
}

/// Whether a division that rounds towards zero leaves a rest, with a quotient below zero: floor() is one less then.
std::string isRoundedUp(ExportNode& n, const std::string& rest, const std::string& x, const std::string& y, const std::string& zero) {
  const std::string isWhole = n.emit("Equal", {rest, zero}), below = n.emit("Less", {x, zero}), divisorBelow = n.emit("Less", {y, zero});
  return n.emit("And", {n.emit("Not", {isWhole}), n.emit("Xor", {below, divisorBelow})});
}

Status floorDiv(ExportNode& n) {
  std::string x = n.in(0), y = n.in(1);
  const DType type = n.outType(), wide = sizeOf(type) < 4 ? DType::Int32 : type;
  if (isFloating(type)) {
    n.give(n.emit("Floor", {n.emit("Div", {x, y})}));
    return {};
  }
  if (wide != type) {
    x = n.cast(x, wide);
    y = n.cast(y, wide);
  }
  // ONNX rounds towards zero. (x - (x mod y)) / y would not fit for the largest numbers.
  const std::string zero = n.number(wide, 0), isOff = isRoundedUp(n, n.emit("Mod", {x, y}), x, y, zero);
  const std::string made = n.emit("Sub", {n.emit("Div", {x, y}), n.emit("Where", {isOff, n.number(wide, 1), zero})});
  n.give(wide == type ? made : n.cast(made, type));
  return {};
}

Status floorMod(ExportNode& n) {
  const std::string x = n.in(0), y = n.in(1);
  if (!isFloating(n.outType())) {
    n.give(n.emit("Mod", {x, y}));
    return {};
  }
  // The rest has the sign of x. x - floor(x / y) * y would lose the digits that the quotient has in front.
  const std::string rest = n.emit("Mod", {x, y}, {intAttr("fmod", 1)}), isOff = isRoundedUp(n, rest, rest, y, n.number(n.outType(), 0));
  n.give(n.emit("Where", {isOff, n.emit("Add", {rest, y}), rest}));
  return {};
}

Status truncateMod(ExportNode& n) {
  const std::string x = n.in(0), y = n.in(1);
  n.give(n.emit("Mod", {x, y}, {intAttr("fmod", 1)}));
  return {};
}

Status divNoNan(ExportNode& n) {
  const std::string x = n.in(0), y = n.in(1), zero = n.number(n.outType(), 0), one = n.number(n.outType(), 1);
  const std::string isZero = n.emit("Equal", {y, zero}), divisor = n.emit("Where", {isZero, one, y});
  n.give(n.emit("Where", {isZero, zero, n.emit("Div", {x, divisor})}));
  return {};
}

Status squaredDifference(ExportNode& n) {
  const std::string x = n.in(0), y = n.in(1), difference = n.emit("Sub", {x, y});
  n.give(n.emit("Mul", {difference, difference}));
  return {};
}

Status notEqual(ExportNode& n) {
  const std::string x = n.in(0), y = n.in(1);
  n.give(n.emit("Not", {n.emit("Equal", {x, y})}));
  return {};
}

Status square(ExportNode& n) {
  bool first;
  const std::string x = anyOrder(n, &first);
  giveIn(n, n.emit("Mul", {x, x}), first);
  return {};
}

Status rsqrt(ExportNode& n) {
  bool first;
  const std::string x = anyOrder(n, &first);
  giveIn(n, n.emit("Reciprocal", {n.emit("Sqrt", {x})}), first);
  return {};
}

Status log1p(ExportNode& n) {
  bool first;
  const std::string x = anyOrder(n, &first), one = n.number(n.outType(), 1);
  giveIn(n, n.emit("Log", {n.emit("Add", {x, one})}), first);
  return {};
}

Status expm1(ExportNode& n) {
  bool first;
  const std::string x = anyOrder(n, &first), one = n.number(n.outType(), 1);
  giveIn(n, n.emit("Sub", {n.emit("Exp", {x}), one}), first);
  return {};
}

Status erfc(ExportNode& n) {
  bool first;
  const std::string x = anyOrder(n, &first), one = n.number(n.outType(), 1);
  giveIn(n, n.emit("Sub", {one, n.emit("Erf", {x})}), first);
  return {};
}

Status relu6(ExportNode& n) {
  bool first;
  const std::string x = anyOrder(n, &first), low = n.number(n.outType(), 0), high = n.number(n.outType(), 6);
  giveIn(n, n.emit("Clip", {x, low, high}), first);
  return {};
}

Status clipByValue(ExportNode& n) {
  const std::string x = n.in(0), low = n.in(1), high = n.in(2);
  n.give(n.emit("Min", {n.emit("Max", {x, low}), high}));
  return {};
}

Status leakyRelu(ExportNode& n) { return unaryOp(n, "LeakyRelu", {realAttr("alpha", double(n.node.attrs.number("alpha", 0.2f)))}); }

Status selu(ExportNode& n) { return unaryOp(n, "Selu", {realAttr("alpha", 1.6732632423543772), realAttr("gamma", 1.0507009873554805)}); }

/// NaN counts as not finite in both.
Status isFinite(ExportNode& n) {
  const std::string x = n.in(0), inf = n.emit("IsInf", {x}), nan = n.emit("IsNaN", {x});
  n.give(n.emit("Not", {n.emit("Or", {inf, nan})}));
  return {};
}

Status castOp(ExportNode& n) {
  const int to = onnxTypeOf(n.outType());
  if (to == 0) return n.cannot(concat("the type ", dtypeName(n.outType())));
  return unaryOp(n, "Cast", {intAttr("to", to)});
}

/// Integers are round already, and ONNX's Round takes none.
Status roundOut(ExportNode& n) { return unaryOp(n, isFloating(n.dtype(0)) ? "Round" : "Identity"); }

Status selectOp(ExportNode& n) {
  std::string condition = n.in(0);
  const int rank = std::max({n.rank(1), n.rank(2), n.outShape().rank()}), own = n.rank(0);
  // A vector chooses whole rows; anything else is a scalar or as large as what it chooses from.
  if (n.node.op == "Select" && ((own == 1 && rank < 0) || (own < 0 && rank != 0 && rank != 1)))
    return n.cannot("the ranks of its inputs are not known, so its condition may choose rows or elements");
  if (n.node.op == "Select" && own == 1 && rank > 1) {
    std::vector<int64_t> shape{-1};
    shape.resize(size_t(rank), 1);
    condition = n.reshape(condition, shape);
  }
  const std::string x = n.in(1), y = n.in(2);
  n.give(n.emit("Where", {condition, x, y}));
  return {};
}

template <const char* const& Op>
Status likeInput(ExportNode& n) {
  const double value = std::string_view(Op) == "ones" ? 1 : 0;
  const std::string x = n.in(0), shape = n.emit("Shape", {x});
  const std::string filling = n.number(n.outType(), value);
  n.give(n.emit("Expand", {filling, shape}));
  return {};
}

#define WEFT_NAME(name) constexpr const char* kOnnx##name = #name
WEFT_NAME(Abs);
WEFT_NAME(Acos);
WEFT_NAME(Acosh);
WEFT_NAME(Add);
WEFT_NAME(And);
WEFT_NAME(Asin);
WEFT_NAME(Asinh);
WEFT_NAME(Atan);
WEFT_NAME(Atanh);
WEFT_NAME(Ceil);
WEFT_NAME(Cos);
WEFT_NAME(Cosh);
WEFT_NAME(Div);
WEFT_NAME(Elu);
WEFT_NAME(Equal);
WEFT_NAME(Erf);
WEFT_NAME(Exp);
WEFT_NAME(Floor);
WEFT_NAME(Greater);
WEFT_NAME(GreaterOrEqual);
WEFT_NAME(IsInf);
WEFT_NAME(IsNaN);
WEFT_NAME(Less);
WEFT_NAME(LessOrEqual);
WEFT_NAME(Log);
WEFT_NAME(Max);
WEFT_NAME(Min);
WEFT_NAME(Mul);
WEFT_NAME(Neg);
WEFT_NAME(Not);
WEFT_NAME(Or);
WEFT_NAME(Pow);
WEFT_NAME(Reciprocal);
WEFT_NAME(Relu);
WEFT_NAME(Round);
WEFT_NAME(Sigmoid);
WEFT_NAME(Sign);
WEFT_NAME(Sin);
WEFT_NAME(Sinh);
WEFT_NAME(Softplus);
WEFT_NAME(Softsign);
WEFT_NAME(Sqrt);
WEFT_NAME(Sub);
WEFT_NAME(Tan);
WEFT_NAME(Tanh);
#undef WEFT_NAME
constexpr const char *kFillOnes = "ones", *kFillZeros = "zeros";

}  // namespace

std::vector<ExportRule> elementwiseExports() {
  return {{"Abs", sameUnary<kOnnxAbs>},
          {"Acos", sameUnary<kOnnxAcos>},
          {"Acosh", sameUnary<kOnnxAcosh>},
          {"Add", sameBinary<kOnnxAdd>},
          {"AddN", addN},
          {"AddV2", sameBinary<kOnnxAdd>},
          {"Asin", sameUnary<kOnnxAsin>},
          {"Asinh", sameUnary<kOnnxAsinh>},
          {"Atan", sameUnary<kOnnxAtan>},
          {"Atanh", sameUnary<kOnnxAtanh>},
          {"BiasAdd", biasAdd},
          {"BiasAddV1", biasAdd},
          {"Cast", castOp},
          {"Ceil", sameUnary<kOnnxCeil>},
          {"ClipByValue", clipByValue},
          {"Cos", sameUnary<kOnnxCos>},
          {"Cosh", sameUnary<kOnnxCosh>},
          {"Div", sameBinary<kOnnxDiv>},
          {"DivNoNan", divNoNan},
          {"Elu", sameUnary<kOnnxElu>},
          {"Equal", sameBinary<kOnnxEqual>},
          {"Erf", sameUnary<kOnnxErf>},
          {"Erfc", erfc},
          {"Exp", sameUnary<kOnnxExp>},
          {"Expm1", expm1},
          {"Floor", sameUnary<kOnnxFloor>},
          {"FloorDiv", floorDiv},
          {"FloorMod", floorMod},
          {"Greater", sameBinary<kOnnxGreater>},
          {"GreaterEqual", sameBinary<kOnnxGreaterOrEqual>},
          {"Inv", sameUnary<kOnnxReciprocal>},
          {"IsFinite", isFinite},
          {"IsInf", sameUnary<kOnnxIsInf>},
          {"IsNan", sameUnary<kOnnxIsNaN>},
          {"LeakyRelu", leakyRelu},
          {"Less", sameBinary<kOnnxLess>},
          {"LessEqual", sameBinary<kOnnxLessOrEqual>},
          {"Log", sameUnary<kOnnxLog>},
          {"Log1p", log1p},
          {"LogicalAnd", sameBinary<kOnnxAnd>},
          {"LogicalNot", sameUnary<kOnnxNot>},
          {"LogicalOr", sameBinary<kOnnxOr>},
          {"Maximum", sameBinary<kOnnxMax>},
          {"Minimum", sameBinary<kOnnxMin>},
          {"Mod", truncateMod},
          {"Mul", sameBinary<kOnnxMul>},
          {"Neg", sameUnary<kOnnxNeg>},
          {"NotEqual", notEqual},
          {"OnesLike", likeInput<kFillOnes>},
          {"Pow", sameBinary<kOnnxPow>},
          {"RealDiv", sameBinary<kOnnxDiv>},
          {"Reciprocal", sameUnary<kOnnxReciprocal>},
          {"Relu", sameUnary<kOnnxRelu>},
          {"Relu6", relu6},
          {"Rint", sameUnary<kOnnxRound>},
          {"Round", roundOut},
          {"Rsqrt", rsqrt},
          {"Select", selectOp},
          {"SelectV2", selectOp},
          {"Selu", selu},
          {"Sigmoid", sameUnary<kOnnxSigmoid>},
          {"Sign", sameUnary<kOnnxSign>},
          {"Sin", sameUnary<kOnnxSin>},
          {"Sinh", sameUnary<kOnnxSinh>},
          {"Softplus", sameUnary<kOnnxSoftplus>},
          {"Softsign", sameUnary<kOnnxSoftsign>},
          {"Sqrt", sameUnary<kOnnxSqrt>},
          {"Square", square},
          {"SquaredDifference", squaredDifference},
          {"Sub", sameBinary<kOnnxSub>},
          {"Tan", sameUnary<kOnnxTan>},
          {"Tanh", sameUnary<kOnnxTanh>},
          {"TruncateDiv", sameBinary<kOnnxDiv>},
          {"TruncateMod", truncateMod},
          {"ZerosLike", likeInput<kFillZeros>}};
}

}  // namespace weft::onnx_io
