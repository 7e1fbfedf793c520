#include <algorithm>
#include <map>

#include "io/onnx/import_node.h"

// Products of matrices.

namespace weft::onnx_io {
namespace {

Translation matMul(ImportNode& n) {
  Output x = n.in(0), y = n.in(1);
  const int left = n.rank(0), right = n.rank(1);
  if (left == 0 || right == 0) return invalidArgument("an operand is a scalar; expected a vector or matrices");
  if (left == 2 && right == 2) return Outputs{n.op("MatMul", {x, y})};
  // A vector is a row on the left and a column on the right.
  const Output before = n.b.scalar(int32_t(0)), after = n.b.scalar(int32_t(-1));
  if (left == 1) x = n.op("ExpandDims", {x, before});
  if (right == 1) y = n.op("ExpandDims", {y, after});
  Output made = n.op("BatchMatMulV2", {x, y});
  Ints dropped;
  if (left == 1) dropped.push_back(-2);
  if (right == 1) dropped.push_back(-1);
  if (!dropped.empty()) made = n.b.op("Squeeze", {made}, {{"squeeze_dims", dropped}});
  return Outputs{made};
}

Translation gemm(ImportNode& n) {
  const Output a = n.in(0), c = n.in(1);
  const double alpha = double(n.real("alpha", 1)), beta = double(n.real("beta", 1));
  Output made = n.op("MatMul", {a, c}, {{"transpose_a", n.integer("transA") != 0}, {"transpose_b", n.integer("transB") != 0}});
  if (alpha != 1) {
    const Output factor = n.scalar(made, alpha);
    made = n.op("Mul", {made, factor});
  }
  if (!n.has(2) || beta == 0) return Outputs{made};
  Output bias = n.in(2);
  if (beta != 1) {
    const Output factor = n.scalar(bias, beta);
    bias = n.op("Mul", {bias, factor});
  }
  if (n.rank(2) == 1 && isFloating(n.b.dtype(bias)) && n.b.shape(bias).dim(0) == n.b.shape(made).dim(1) && n.b.shape(bias).dim(0) > 0)
    return Outputs{n.op("BiasAdd", {made, bias})};
  return Outputs{n.op("AddV2", {made, bias})};
}

/// Without "->", the result has the letters that occur once, in alphabetical order, after the ellipsis.
std::string explicitEquation(std::string equation) {
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  if (equation.find("->") != equation.npos) return equation;
  std::map<char, int> count;
  for (const char c : equation)
    if (c != ',' && c != '.') ++count[c];
  std::string result = equation.find("...") != equation.npos ? "..." : "";
  for (const auto& [letter, times] : count)
    if (times == 1) result += letter;
  return equation + "->" + result;
}

Translation einsum(ImportNode& n) { return Outputs{n.op("Einsum", n.all(), {{"equation", explicitEquation(n.text("equation"))}})}; }

Translation determinant(ImportNode& n) { return Outputs{n.op("MatrixDeterminant", {n.in(0)})}; }

}  // namespace

std::vector<ImportRule> matrixImports() { return {{"Det", determinant}, {"Einsum", einsum}, {"Gemm", gemm}, {"MatMul", matMul}}; }

}  // namespace weft::onnx_io
