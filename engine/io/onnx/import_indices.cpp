#include <algorithm>

#include "io/onnx/import_node.h"

// Ops that read or write elements by their indices, and ops that find indices.

namespace weft::onnx_io {
namespace {

/// Indices that count from the end where they are negative, as ones from the beginning. `size` broadcasts against them.
Output fromBeginning(ImportNode& n, Output indices, Output size) {
  if (const auto known = n.value(indices); known && isInteger(known->dtype())) {
    bool negative = false;
    for (int64_t i = 0; i < known->elements(); ++i) negative = negative || known->asInt(i) < 0;
    if (!negative) return indices;
  }
  const Output zero = n.scalar(indices, 0);
  const Output isNegative = n.op("Less", {indices, zero}), moved = n.op("AddV2", {indices, size});
  return n.op("SelectV2", {isNegative, moved, indices});
}

Output sizeAlong(ImportNode& n, Output x, int axis, DType type) {
  const Output sizes = n.b.op("Shape", {x}, {{"out_type", type}});
  return n.reshape(n.slice(sizes, 0, axis, int64_t(axis) + 1), {});
}

Translation gatherOp(ImportNode& n) {
  const Output x = n.in(0);
  int64_t axis = n.integer("axis", 0);
  const int rank = n.rank(0);
  if (axis < 0 && rank < 0) return unimplemented("the rank of its input is not known");
  if (axis < 0) axis += rank;
  if (axis < 0 || (rank >= 0 && axis >= rank)) return invalidArgument("axis ", n.integer("axis"), " of a tensor of rank ", rank);
  Output indices = n.in(1);
  if (const DType t = n.b.dtype(indices); t != DType::Int32 && t != DType::Int64) indices = n.b.cast(indices, DType::Int64);
  indices = fromBeginning(n, indices, sizeAlong(n, x, int(axis), n.b.dtype(indices)));
  return Outputs{n.gather(x, indices, int(axis))};
}

/// The position [d0, d1, …] of each element that `indices` chooses along an axis of `x`.
Result<Output> positions(ImportNode& n, Output x, Output given, int64_t axis) {
  const int rank = n.b.shape(given).rank();
  if (rank < 0) return unimplemented("the rank of its indices is not known");
  axis = axisOf(axis, rank);
  if (axis < 0) return invalidArgument("an axis is outside of ", rank, " dimensions");
  const Output wide = n.b.cast(given, DType::Int64);
  const Output indices = fromBeginning(n, wide, sizeAlong(n, x, int(axis), DType::Int64));
  const Output zeros = n.op("ZerosLike", {indices});
  Inputs along;
  for (int d = 0; d < rank; ++d) {
    if (d == axis) {
      along.add(indices);
      continue;
    }
    const Output zero = n.b.number(DType::Int64, 0), one = n.b.number(DType::Int64, 1), size = sizeAlong(n, indices, d, DType::Int64);
    Ints shape(size_t(rank), 1);
    shape[size_t(d)] = -1;
    along.add(n.op("AddV2", {zeros, n.reshape(n.op("Range", {zero, size, one}), shape)}));
  }
  return n.b.op("Pack", along, {{"axis", rank}});
}

Translation gatherElements(ImportNode& n) {
  const Output x = n.in(0);
  WEFT_LET(const Output at, positions(n, x, n.in(1), n.integer("axis", 0)));
  return Outputs{n.op("GatherNd", {x, at})};
}

/// Sizes of the dimensions that the last axis of `indices` counts.
Result<Output> indexedSizes(ImportNode& n, Output x, Output indices, int64_t skip) {
  const Shape shape = n.b.shape(indices);
  if (!shape.hasRank() || shape.rank() == 0 || shape.dim(shape.rank() - 1) < 0) return unimplemented("how many dimensions its indices have is not known");
  return n.slice(n.b.op("Shape", {x}, {{"out_type", DType::Int64}}), 0, skip, skip + shape.dim(shape.rank() - 1));
}

Translation gatherNd(ImportNode& n) {
  const Output x = n.in(0);
  const int64_t batch = n.integer("batch_dims");
  Output indices = n.b.cast(n.in(1), DType::Int64);
  const int rank = n.rank(1);
  if (batch < 0 || rank < 0 || batch >= rank) return unimplemented("the rank of its indices is not known");
  WEFT_LET(const Output sizes, indexedSizes(n, x, indices, batch));
  indices = fromBeginning(n, indices, sizes);
  if (batch == 0) return Outputs{n.op("GatherNd", {x, indices})};
  // The places of the batch become the first indices.
  Ints one(size_t(rank), 1);
  const Output shape = n.b.op("Shape", {indices}, {{"out_type", DType::Int64}});
  const Output single = n.b.constant(Tensor::vector(std::vector<int64_t>{1}));
  const Output grid = n.concat({n.slice(shape, 0, 0, rank - 1), single}, 0);
  Outputs parts;
  for (int64_t d = 0; d < batch; ++d) {
    Ints along = one;
    along[size_t(d)] = -1;
    const Output zero = n.b.number(DType::Int64, 0), step = n.b.number(DType::Int64, 1), size = sizeAlong(n, indices, int(d), DType::Int64);
    const Output line = n.reshape(n.op("Range", {zero, size, step}), along);
    parts.push_back(n.op("BroadcastTo", {line, grid}));
  }
  parts.push_back(indices);
  return Outputs{n.op("GatherNd", {x, n.concat(parts, rank - 1)})};
}

Result<Output> scattered(ImportNode& n, Output x, Output at, Output updates) {
  const std::string how = n.text("reduction", "none");
  if (how != "none" && how != "add") return unimplemented("TensorFlow 1.15 has no scatter with the reduction '", how, "'");
  return n.op(how == "add" ? "TensorScatterAdd" : "TensorScatterUpdate", {x, at, updates});
}

Translation scatterElements(ImportNode& n) {
  const Output x = n.in(0);
  WEFT_LET(const Output at, positions(n, x, n.in(1), n.integer("axis", 0)));
  WEFT_LET(const Output made, scattered(n, x, at, n.in(2)));
  return Outputs{made};
}

Translation scatterNd(ImportNode& n) {
  const Output x = n.in(0), given = n.b.cast(n.in(1), DType::Int64);
  WEFT_LET(const Output sizes, indexedSizes(n, x, given, 0));
  const Output indices = fromBeginning(n, given, sizes);
  WEFT_LET(const Output made, scattered(n, x, indices, n.in(2)));
  return Outputs{made};
}

Translation compress(ImportNode& n) {
  Output x = n.in(0);
  int64_t axis = n.integer("axis", 0);
  const int rank = n.rank(0);
  if (!n.hasAttr("axis")) x = n.reshape(x, {-1});
  if (axis < 0 && rank < 0) return unimplemented("the rank of its input is not known");
  if (axis < 0) axis += rank;
  const Output kept = n.reshape(n.b.op("Where", {n.in(1)}), {-1});
  return Outputs{n.gather(x, kept, int(axis))};
}

Translation nonZero(ImportNode& n) {
  Output x = n.in(0);
  if (n.b.dtype(x) != DType::Bool) {
    const Output zero = n.op("ZerosLike", {x});
    x = n.op("NotEqual", {x, zero});
  }
  return Outputs{n.transpose(n.b.op("Where", {x}), {1, 0})};
}

Translation oneHot(ImportNode& n) {
  const Output depth = n.b.cast(n.reshape(n.in(1), {}), DType::Int32), values = n.in(2);
  Output indices = n.b.cast(n.in(0), DType::Int64);
  indices = fromBeginning(n, indices, n.b.cast(depth, DType::Int64));
  const Output off = n.reshape(n.slice(values, 0, 0, 1), {}), on = n.reshape(n.slice(values, 0, 1, 2), {});
  int64_t axis = n.integer("axis", -1);
  if (axis < -1) {
    if (n.rank(0) < 0) return unimplemented("the rank of its indices is not known");
    axis += n.rank(0) + 1;
  }
  return Outputs{n.op("OneHot", {indices, depth, on, off}, {{"axis", axis}})};
}

/// TopKV2 takes the largest of the last axis. Complements have the opposite order.
Translation topK(ImportNode& n) {
  Output x = n.in(0);
  const int rank = n.rank(0);
  const int64_t axis = rank < 1 ? -1 : axisOf(n.integer("axis", -1), rank);
  if (axis < 0) return unimplemented("the rank of its input is not known");
  const bool smallest = n.integer("largest", 1) == 0;
  const char* opposite = isInteger(n.b.dtype(x)) ? "Invert" : "Neg";
  const Output k = n.opset < 10 ? n.b.scalar(int32_t(n.integer("k"))) : n.b.cast(n.reshape(n.in(1), {}), DType::Int32);
  Ints perm;
  for (int i = 0; i < rank; ++i) perm.push_back(i);
  std::swap(perm[size_t(axis)], perm.back());
  x = n.transpose(x, perm);
  if (smallest) x = n.op(opposite, {x});
  Outputs found = n.ops("TopKV2", {x, k});
  if (found.size() != 2) return n.b.status().ok() ? Translation(internalError("TopKV2")) : Translation(n.b.status());
  if (smallest) found[0] = n.op(opposite, {found[0]});
  const Output values = n.transpose(found[0], perm), places = n.transpose(n.b.cast(found[1], DType::Int64), perm);
  return Outputs{values, places};
}

template <bool IsMax>
Translation argExtreme(ImportNode& n) {
  Output x = n.in(0);
  const int rank = n.rank(0);
  const int64_t axis = rank < 0 ? -1 : axisOf(n.integer("axis", 0), rank);
  if (axis < 0) return unimplemented("the rank of its input is not known");
  const Output along = n.b.scalar(int32_t(axis));
  const bool fromEnd = n.integer("select_last_index");
  if (fromEnd) x = n.op("ReverseV2", {x, n.intVector({axis})});
  Output at = n.op(IsMax ? "ArgMax" : "ArgMin", {x, along});
  if (fromEnd) {
    const Output size = sizeAlong(n, x, int(axis), DType::Int64), one = n.b.number(DType::Int64, 1);
    at = n.op("Sub", {n.op("Sub", {size, one}), at});
  }
  return Outputs{n.integer("keepdims", 1) ? n.op("ExpandDims", {at, along}) : at};
}

template <bool IsSum>
Translation cumulative(ImportNode& n) {
  const Output x = n.in(0), axis = n.reshape(n.in(1), {});
  return Outputs{n.op(IsSum ? "Cumsum" : "Cumprod", {x, axis}, {{"exclusive", n.integer("exclusive") != 0}, {"reverse", n.integer("reverse") != 0}})};
}

}  // namespace

std::vector<ImportRule> indexImports() {
  return {{"ArgMax", argExtreme<true>},
          {"ArgMin", argExtreme<false>},
          {"Compress", compress},
          {"CumProd", cumulative<false>},
          {"CumSum", cumulative<true>},
          {"Gather", gatherOp},
          {"GatherElements", gatherElements},
          {"GatherND", gatherNd},
          {"NonZero", nonZero},
          {"OneHot", oneHot},
          {"Scatter", scatterElements},
          {"ScatterElements", scatterElements},
          {"ScatterND", scatterNd},
          {"TopK", topK}};
}

}  // namespace weft::onnx_io
