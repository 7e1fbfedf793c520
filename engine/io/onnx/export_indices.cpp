#include <algorithm>
#include <numeric>

#include "io/onnx/export_node.h"
#include "io/onnx/import_node.h"
#include "io/onnx/tensor_proto.h"

// Reductions, and ops that read, write or find elements by their indices.

namespace weft::onnx_io {
namespace {

void giveLongs(ExportNode& n, const std::string& longs, int output = 0) {
  n.give(n.outType(output) == DType::Int64 ? longs : n.cast(longs, n.outType(output)), output);
}

/// Reduces along constant axes; the tensor may have its channels first if all spatial dimensions or none are meant.
Status reduceOut(ExportNode& n, const std::string& op, bool attribute) {
  const auto known = n.value(1);
  const bool keep = n.node.attrs.flag("keep_dims", n.node.attrs.flag("keepdims"));
  const int rank = n.rank(0);
  ExportNode::Attrs attrs{intAttr("keepdims", keep)};
  if (!known) {
    if (attribute) return n.cannot("its axes are computed by the graph");
    const std::string x = n.in(0), axes = n.asLongs(1);
    attrs.push_back(intAttr("noop_with_empty_axes", 1));
    n.give(n.emit(op, {x, axes}, attrs));
    return {};
  }
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < known->elements(); ++i) axes.push_back(rank < 0 ? known->asInt(i) : axisOf(known->asInt(i), rank));
  if (axes.empty()) {
    n.give(n.emit("Identity", {n.in(0)}));
    return {};
  }
  std::sort(axes.begin(), axes.end());
  std::vector<int64_t> spatial(size_t(std::max(0, rank - 2)));
  std::iota(spatial.begin(), spatial.end(), 1);
  const bool first = n.isFirst(0) && rank >= 3 && axes == spatial;
  const std::string x = first ? n.first(0) : n.in(0);
  if (first)
    for (int64_t& a : axes) ++a;
  std::string made;
  if (attribute) {
    attrs.push_back(intsAttr("axes", axes));
    made = n.emit(op, {x}, attrs);
  } else {
    made = n.emit(op, {x, n.longs(axes)}, attrs);
  }
  first&& keep ? n.giveFirst(made) : n.give(made);
  return {};
}

template <const char* const& Op>
Status reduction(ExportNode& n) {
  const std::string_view op(Op);
  return reduceOut(n, Op, op != "ReduceSum" && n.opset < 18);
}

/// any and all of bools, by the maximum and minimum of numbers.
template <bool IsAny>
Status logicalReduction(ExportNode& n) {
  const auto known = n.ints(1);
  WEFT_TRY(known.status());
  if (known->empty()) {
    n.give(n.emit("Identity", {n.in(0)}));
    return {};
  }
  const bool keep = n.node.attrs.flag("keep_dims");
  const std::string x = n.cast(n.in(0), DType::Int32);
  const char* op = IsAny ? "ReduceMax" : "ReduceMin";
  ExportNode::Attrs attrs{intAttr("keepdims", keep)};
  if (n.opset < 18) attrs.push_back(intsAttr("axes", *known));
  const std::string made = n.opset < 18 ? n.emit(op, {x}, attrs) : n.emit(op, {x, n.longs(*known)}, attrs);
  n.give(n.cast(made, DType::Bool));
  return {};
}

template <bool IsMax>
Status argOut(ExportNode& n) {
  WEFT_LET(const auto axis, n.ints(1));
  const std::string x = n.in(0);
  giveLongs(n, n.emit(IsMax ? "ArgMax" : "ArgMin", {x}, {intAttr("axis", axis.at(0)), intAttr("keepdims", 0)}));
  return {};
}

Status gatherOut(ExportNode& n) {
  int64_t axis = 0;
  if (n.node.attrs.integer("batch_dims") != 0) return n.cannot("batch_dims");
  if (n.inputs() > 2) {
    WEFT_LET(const auto given, n.ints(2));
    axis = given.at(0);
  }
  const std::string x = n.in(0), indices = n.in(1);
  n.give(n.emit("Gather", {x, indices}, {intAttr("axis", axis)}));
  return {};
}

Status gatherNdOut(ExportNode& n) {
  const std::string x = n.in(0), indices = n.asLongs(1);
  n.give(n.emit("GatherND", {x, indices}));
  return {};
}

/// [rank, n] in ONNX, [n, rank] in TensorFlow.
Status whereOut(ExportNode& n) {
  std::string x = n.in(0);
  if (n.dtype(0) != DType::Bool) x = n.cast(x, DType::Bool);
  n.give(n.transpose(n.emit("NonZero", {x}), {1, 0}));
  return {};
}

Status oneHotOut(ExportNode& n) {
  // TensorFlow gives zeros for negative indices, ONNX counts them from the end; one that is too large gives zeros in both.
  const std::string indices = n.asLongs(0), depth = n.asLongs(1), zero = n.number(DType::Int64, 0);
  const std::string negative = n.emit("Less", {indices, zero}), valid = n.emit("Where", {negative, depth, indices});
  const std::string on = n.in(2), off = n.in(3), at = n.longs({0});
  const std::string values = n.emit("Concat", {n.emit("Unsqueeze", {off, at}), n.emit("Unsqueeze", {on, at})}, {intAttr("axis", 0)});
  n.give(n.emit("OneHot", {valid, n.emit("Unsqueeze", {depth, at}), values}, {intAttr("axis", n.node.attrs.integer("axis", -1))}));
  return {};
}

Status topKOut(ExportNode& n) {
  const std::string x = n.in(0), k = n.reshape(n.asLongs(1), {1});
  const auto made = n.emitAll("TopK", {x, k}, 2);
  n.give(made[0]);
  giveLongs(n, made[1], 1);
  return {};
}

Status cumsumOut(ExportNode& n) {
  const std::string x = n.in(0), axis = n.asLongs(1);
  n.give(n.emit("CumSum", {x, axis}, {intAttr("exclusive", n.node.attrs.flag("exclusive")), intAttr("reverse", n.node.attrs.flag("reverse"))}));
  return {};
}

/// Duplicate indices add up in ScatterNd, which ONNX knows from version 16 on.
Status scatterNdOut(ExportNode& n) {
  if (n.opset < 16) return n.cannot("adding up needs operator set 16");
  const std::string indices = n.asLongs(0), updates = n.in(1), shape = n.asLongs(2), zero = n.number(n.outType(), 0);
  const std::string empty = n.emit("Expand", {zero, shape});
  n.give(n.emit("ScatterND", {empty, indices, updates}, {textAttr("reduction", "add")}));
  return {};
}

Status tensorScatterOut(ExportNode& n) {
  const std::string x = n.in(0), indices = n.asLongs(1), updates = n.in(2);
  if (n.node.op == "TensorScatterUpdate") {
    n.give(n.emit("ScatterND", {x, indices, updates}));
    return {};
  }
  if (n.opset < 16) return n.cannot("adding up needs operator set 16");
  const std::string signedUpdates = n.node.op == "TensorScatterSub" ? n.emit("Neg", {updates}) : updates;
  n.give(n.emit("ScatterND", {x, indices, signedUpdates}, {textAttr("reduction", "add")}));
  return {};
}

constexpr const char *kReduceSum = "ReduceSum", *kReduceMean = "ReduceMean", *kReduceMax = "ReduceMax", *kReduceMin = "ReduceMin", *kReduceProd = "ReduceProd";

}  // namespace

std::vector<ExportRule> indexExports() {
  return {{"All", logicalReduction<false>},
          {"Any", logicalReduction<true>},
          {"ArgMax", argOut<true>},
          {"ArgMin", argOut<false>},
          {"Cumsum", cumsumOut},
          {"Gather", gatherOut},
          {"GatherNd", gatherNdOut},
          {"GatherV2", gatherOut},
          {"Max", reduction<kReduceMax>},
          {"Mean", reduction<kReduceMean>},
          {"Min", reduction<kReduceMin>},
          {"OneHot", oneHotOut},
          {"Prod", reduction<kReduceProd>},
          {"ScatterNd", scatterNdOut},
          {"Sum", reduction<kReduceSum>},
          {"TensorScatterAdd", tensorScatterOut},
          {"TensorScatterSub", tensorScatterOut},
          {"TensorScatterUpdate", tensorScatterOut},
          {"TopKV2", topKOut},
          {"Where", whereOut}};
}

}  // namespace weft::onnx_io
