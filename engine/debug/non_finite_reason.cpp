#include "debug/non_finite_reason.h"

#include <cmath>
#include <optional>
#include <sstream>

namespace weft {
namespace {

std::string number(double v) {
  if (std::isnan(v)) return "NaN";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  std::ostringstream out;
  out.precision(4);
  out << v;
  return out.str();
}

/// Element of an operand that makes element `flat` of a broadcast result.
std::optional<double> operandAt(const Tensor& operand, const Shape& result, int64_t flat) {
  if (!operand.hasValue() || sizeOf(operand.dtype()) == 0 || operand.elements() == 0) return std::nullopt;
  if (operand.elements() == result.elements()) return operand.asDouble(flat);
  int64_t index = 0, stride = 1;
  for (int i = operand.rank() - 1, r = result.rank() - 1; r >= 0; --i, --r) {
    const int64_t at = flat % result.dim(r);
    flat /= result.dim(r);
    if (i < 0) continue;
    if (operand.dim(i) != 1 && operand.dim(i) != result.dim(r)) return std::nullopt;
    if (operand.dim(i) != 1) index += at * stride;
    stride *= operand.dim(i);
  }
  return operand.asDouble(index);
}

struct Unary {
  const char* op;
  const char* before;
  const char* after;
};
constexpr Unary kUnary[] = {{"Log", "log(", ")"},        {"Log1p", "log1p(", ")"}, {"Sqrt", "sqrt(", ")"},   {"Rsqrt", "1/sqrt(", ")"},
                            {"Reciprocal", "1 / ", ""},  {"Inv", "1 / ", ""},      {"Exp", "exp(", ")"},     {"Expm1", "expm1(", ")"},
                            {"Square", "", " squared"},  {"Sinh", "sinh(", ")"},   {"Cosh", "cosh(", ")"},   {"Acos", "acos(", ")"},
                            {"Asin", "asin(", ")"},      {"Atanh", "atanh(", ")"}, {"Acosh", "acosh(", ")"}, {"Lgamma", "lgamma(", ")"},
                            {"Digamma", "digamma(", ")"}};
struct Binary {
  const char* op;
  const char* sign;
};
constexpr Binary kBinary[] = {{"Div", " / "},   {"RealDiv", " / "}, {"TruncateDiv", " / "}, {"Mul", " · "},        {"Add", " + "},
                              {"AddV2", " + "}, {"Sub", " - "},     {"Pow", " ^ "},         {"FloorMod", " mod "}, {"Mod", " mod "}};
constexpr const char* kSums[] = {"Sum",  "Mean",   "Prod",   "MatMul", "BatchMatMul", "BatchMatMulV2", "Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter",
                                 "AddN", "L2Loss", "BiasAdd"};

}  // namespace

std::string positionText(const Shape& shape, int64_t flat) {
  if (shape.rank() <= 0) return {};
  std::string out;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    const int64_t at = shape.dim(i) > 0 ? flat % shape.dim(i) : 0;
    flat = shape.dim(i) > 0 ? flat / shape.dim(i) : 0;
    out = std::to_string(at) + (out.empty() ? "" : ",") + out;
  }
  return "[" + out + "]";
}

NonFiniteReason nonFiniteReason(const Node& node, const std::vector<Tensor>& inputs, const Tensor& output, int64_t position) {
  using Kind = NonFiniteReason::Kind;
  if (inputs.empty() || !output.hasValue()) return {};
  const std::string result = number(output.asDouble(position));
  const std::string where = positionText(output.shape(), position);
  for (const Unary& u : kUnary) {
    if (node.op != u.op) continue;
    const auto x = operandAt(inputs[0], output.shape(), position);
    return x ? NonFiniteReason{Kind::Formula, u.before + number(*x) + u.after + " = " + result, {}, where} : NonFiniteReason();
  }
  for (const Binary& b : kBinary) {
    if (node.op != b.op || inputs.size() < 2) continue;
    const auto x = operandAt(inputs[0], output.shape(), position), y = operandAt(inputs[1], output.shape(), position);
    return x && y ? NonFiniteReason{Kind::Formula, number(*x) + b.sign + number(*y) + " = " + result, {}, where} : NonFiniteReason();
  }
  for (const char* op : kSums)
    if (node.op == op && std::isinf(output.asDouble(position))) return {Kind::Overflow, {}, dtypeName(output.dtype()), where};
  if (node.op == "Mean" && inputs[0].hasValue() && inputs[0].elements() == 0) return {Kind::EmptyMean, {}, {}, {}};
  return {};
}

std::string NonFiniteReason::text() const {
  const std::string where = position.empty() ? std::string() : " at " + position;
  switch (kind) {
    case Kind::Unknown: break;
    case Kind::Formula: return formula + where;
    case Kind::Overflow: return "the result is beyond what " + dtype + " can hold" + where;
    case Kind::EmptyMean: return "the mean of no values";
    case Kind::SetByHand: return "The value was set in the debugger";
  }
  return {};
}

}  // namespace weft
