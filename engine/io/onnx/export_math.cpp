#include <algorithm>

#include "io/onnx/export_node.h"

// Products of matrices, softmax, and fused cells of recurrent networks.

namespace weft::onnx_io {
namespace {

std::string swappedLast(ExportNode& n, const std::string& x, int rank) {
  std::vector<int64_t> perm;
  for (int d = 0; d < rank; ++d) perm.push_back(d);
  std::swap(perm[size_t(rank) - 1], perm[size_t(rank) - 2]);
  return n.transpose(x, perm);
}

Status matMulOut(ExportNode& n) {
  const bool batch = n.node.op != "MatMul";
  const char* flags[] = {batch ? "adj_x" : "transpose_a", batch ? "adj_y" : "transpose_b"};
  std::string names[2];
  for (int i = 0; i < 2; ++i) {
    names[i] = n.in(i);
    if (!n.node.attrs.flag(flags[i])) continue;
    const int rank = batch ? n.rank(i) : 2;
    if (rank < 2 || isComplex(n.dtype(i))) return n.cannot("the rank of an operand is not known");
    names[i] = swappedLast(n, names[i], rank);
  }
  n.give(n.emit("MatMul", {names[0], names[1]}));
  return {};
}

Status softmaxOut(ExportNode& n) {
  const std::string x = n.in(0);
  n.give(n.emit(n.node.op, {x}, {intAttr("axis", -1)}));
  return {};
}

Status einsumOut(ExportNode& n) {
  std::vector<std::string> all;
  for (int i = 0; i < n.inputs(); ++i) all.push_back(n.in(i));
  n.give(n.emit("Einsum", all, {textAttr("equation", n.node.attrs.text("equation"))}));
  return {};
}

Status l2LossOut(ExportNode& n) {
  const std::string x = n.in(0), square = n.emit("Mul", {x, x}), half = n.number(n.outType(), 0.5);
  n.give(n.emit("Mul", {n.emit("ReduceSum", {square}, {intAttr("keepdims", 0)}), half}));
  return {};
}

}  // namespace

std::vector<ExportRule> mathExports() {
  return {{"BatchMatMul", matMulOut}, {"BatchMatMulV2", matMulOut}, {"Einsum", einsumOut},  {"L2Loss", l2LossOut},
          {"LogSoftmax", softmaxOut}, {"MatMul", matMulOut},        {"Softmax", softmaxOut}};
}

}  // namespace weft::onnx_io
