#include <algorithm>
#include <numeric>

#include "io/onnx/import_node.h"

// Reductions along axes, which are an attribute or an input.

namespace weft::onnx_io {
namespace {

/// What is reduced, along which axes.
struct Reduced {
  Output x, axes;
  bool keep = true;
  bool none = false;  ///< No axes, which here means no reduction.
};

Result<Reduced> operands(ImportNode& n, int inputSince) {
  Reduced out;
  out.x = n.in(0);
  out.keep = n.integer("keepdims", 1) != 0;
  const int rank = n.rank(0);
  Ints axes;
  bool known = true;
  if (n.opset < inputSince) {
    axes = n.integers("axes");
  } else if (n.has(1)) {
    const Output given = n.in(1);
    if (const auto value = n.value(given); value && isInteger(value->dtype())) {
      for (int64_t i = 0; i < value->elements(); ++i) axes.push_back(value->asInt(i));
    } else if (const Shape shape = n.b.shape(given); shape.rank() == 1 && shape.dim(0) > 0) {
      out.axes = given;
      known = false;
    } else {
      return unimplemented("whether it has axes is not known");
    }
  }
  if (known && axes.empty()) {
    if (n.integer("noop_with_empty_axes")) {
      out.none = true;
      return out;
    }
    if (rank < 0) {
      const Output zero = n.b.scalar(int32_t(0)), one = n.b.scalar(int32_t(1)), count = n.b.op("Rank", {out.x});
      out.axes = n.b.op("Range", {zero, count, one});
      return out;
    }
    axes.resize(size_t(rank));
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (known) out.axes = n.intVector(axes);
  return out;
}

Output over(ImportNode& n, const char* op, Output x, const Reduced& r) {
  if (r.none) return x;
  return n.op(op, {x, r.axes}, {{"keep_dims", r.keep}});
}

template <const char* const& Op, int InputSince>
Translation reduceBy(ImportNode& n) {
  WEFT_LET(const Reduced r, operands(n, InputSince));
  const bool isBool = n.b.dtype(r.x) == DType::Bool;
  const std::string_view name(Op);
  if (r.none) return Outputs{n.b.identity(r.x)};
  if (isBool && (name == "Max" || name == "Min")) return Outputs{over(n, name == "Max" ? "Any" : "All", r.x, r)};
  return Outputs{over(n, Op, r.x, r)};
}

Translation reduceL1(ImportNode& n) {
  WEFT_LET(const Reduced r, operands(n, 18));
  return Outputs{over(n, "Sum", n.op("Abs", {r.x}), r)};
}

Translation reduceSquares(ImportNode& n) {
  WEFT_LET(const Reduced r, operands(n, 18));
  return Outputs{over(n, "Sum", n.op("Square", {r.x}), r)};
}

Translation reduceL2(ImportNode& n) {
  WEFT_LET(const Reduced r, operands(n, 18));
  return Outputs{n.op("Sqrt", {over(n, "Sum", n.op("Square", {r.x}), r)})};
}

Translation reduceLog(ImportNode& n) {
  WEFT_LET(const Reduced r, operands(n, 18));
  return Outputs{n.op("Log", {over(n, "Sum", r.x, r)})};
}

/// log(sum(e^x)), with the maximum taken out so that no power overflows. An infinite maximum stays in.
Translation reduceLogExp(ImportNode& n) {
  WEFT_LET(const Reduced r, operands(n, 18));
  if (r.none) return Outputs{n.b.identity(r.x)};
  Reduced kept = r;
  kept.keep = true;
  const Output most = over(n, "Max", r.x, kept);
  const Output finite = n.op("IsFinite", {most}), zeros = n.op("ZerosLike", {most});
  const Output base = n.op("Select", {finite, most, zeros});
  const Output sum = over(n, "Sum", n.op("Exp", {n.op("Sub", {r.x, base})}), r);
  const Output shape = n.shapeOf(sum);
  return Outputs{n.op("AddV2", {n.op("Log", {sum}), n.op("Reshape", {base, shape})})};
}

constexpr const char *kSum = "Sum", *kMean = "Mean", *kMax = "Max", *kMin = "Min", *kProd = "Prod";

}  // namespace

std::vector<ImportRule> reductionImports() {
  return {{"ReduceL1", reduceL1},
          {"ReduceL2", reduceL2},
          {"ReduceLogSum", reduceLog},
          {"ReduceLogSumExp", reduceLogExp},
          {"ReduceMax", reduceBy<kMax, 18>},
          {"ReduceMean", reduceBy<kMean, 18>},
          {"ReduceMin", reduceBy<kMin, 18>},
          {"ReduceProd", reduceBy<kProd, 18>},
          {"ReduceSum", reduceBy<kSum, 13>},
          {"ReduceSumSquare", reduceSquares}};
}

}  // namespace weft::onnx_io
