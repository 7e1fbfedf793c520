#include <algorithm>
#include <cmath>

#include "io/onnx/import_node.h"

// Normalizations. Where TensorFlow has no op of its own, they are computed as their definitions say.

namespace weft::onnx_io {
namespace {

Output shifted(ImportNode& n, Output x, double by) {
  const Output k = n.scalar(x, by);
  return n.op("AddV2", {x, k});
}

/// (x - mean) / sqrt(variance + epsilon) over axes, with both moments kept in `moments`.
Output standardized(ImportNode& n, Output x, const Ints& axes, double epsilon, Outputs* moments = nullptr) {
  const Output mean = n.reduce("Mean", x, axes, true);
  const Output difference = n.op("Sub", {x, mean});
  const Output variance = n.reduce("Mean", n.op("Square", {difference}), axes, true);
  const Output inverse = n.op("Rsqrt", {shifted(n, variance, epsilon)});
  if (moments) *moments = {mean, inverse};
  return n.op("Mul", {difference, inverse});
}

/// [C] → [C, 1, …, 1], to broadcast against tensors of that rank with channels first.
Output perChannel(ImportNode& n, Output v, int rank) {
  Ints shape{-1};
  shape.resize(size_t(rank) - 1, 1);
  return n.reshape(v, shape);
}

Translation batchNormalization(ImportNode& n) {
  const int rank = n.rank(0);
  if (rank < 2) return unimplemented("an input of rank ", rank, "; expected 2 or more");
  const double epsilon = double(n.real("epsilon", 1e-5f));
  const Output scale = n.in(1), offset = n.in(2), mean = n.in(3), variance = n.in(4);
  const bool trains = n.opset >= 14 && n.integer("training_mode");
  if (n.opset < 9 && n.opset >= 7 && n.integer("spatial", 1) == 0) return unimplemented("spatial is 0");
  const bool allFloat = n.b.dtype(scale) == DType::Float && n.b.dtype(mean) == DType::Float;
  if (!trains && rank == 4 && allFloat && (n.isLast(0) ? n.b.dtype(n.last(0)) : n.b.dtype(n.in(0))) == DType::Float) {
    n.channelsLast = true;
    return Outputs{n.op("FusedBatchNorm", {n.last(0), scale, offset, mean, variance}, {{"is_training", false}, {"epsilon", float(epsilon)}})};
  }
  const Output x = n.in(0);
  const DType type = n.b.dtype(x);
  if (!trains) {
    const Output inverse = n.op("Rsqrt", {shifted(n, n.b.cast(variance, type), epsilon)});
    const Output factor = n.op("Mul", {n.b.cast(scale, type), inverse});
    const Output shift = n.op("Sub", {n.b.cast(offset, type), n.op("Mul", {n.b.cast(mean, type), factor})});
    const Output product = n.op("Mul", {x, perChannel(n, factor, rank)});
    return Outputs{n.op("AddV2", {product, perChannel(n, shift, rank)})};
  }
  Ints axes{0};
  for (int d = 2; d < rank; ++d) axes.push_back(d);
  const Output now = n.reduce("Mean", x, axes, true);
  const Output difference = n.op("Sub", {x, now});
  const Output spread = n.reduce("Mean", n.op("Square", {difference}), axes, true);
  const Output unit = n.op("Mul", {difference, n.op("Rsqrt", {shifted(n, spread, epsilon)})});
  const Output product = n.op("Mul", {unit, perChannel(n, n.b.cast(scale, type), rank)});
  Outputs out{n.op("AddV2", {product, perChannel(n, n.b.cast(offset, type), rank)})};
  const double momentum = double(n.real("momentum", 0.9f));
  for (const auto& [old, recent] : {std::pair(mean, now), std::pair(variance, spread)}) {
    const Output flat = n.b.cast(n.reshape(recent, {-1}), n.b.dtype(old)), keeps = n.scalar(old, momentum), takes = n.scalar(old, 1 - momentum);
    const Output kept = n.op("Mul", {old, keeps});
    out.push_back(n.op("AddV2", {kept, n.op("Mul", {flat, takes})}));
  }
  return out;
}

Translation instanceNormalization(ImportNode& n) {
  const int rank = n.rank(0);
  if (rank < 3) return unimplemented("an input of rank ", rank, "; expected 3 or more");
  Ints axes;
  for (int d = 2; d < rank; ++d) axes.push_back(d);
  const Output unit = standardized(n, n.in(0), axes, double(n.real("epsilon", 1e-5f)));
  const Output product = n.op("Mul", {unit, perChannel(n, n.in(1), rank)});
  return Outputs{n.op("AddV2", {product, perChannel(n, n.in(2), rank)})};
}

Translation groupNormalization(ImportNode& n) {
  const Output x = n.in(0);
  const Shape shape = n.b.shape(x);
  const int64_t groups = n.integer("num_groups", 1);
  if (shape.rank() < 3 || shape.dim(1) < 0 || groups < 1 || shape.dim(1) % groups)
    return unimplemented("an input of shape ", shape.toString(), " in ", groups, " groups");
  const Output sizes = n.shapeOf(x);
  const Output parts = n.op("Reshape", {x, n.concat({n.slice(sizes, 0, 0, 1), n.intVector({groups, -1})}, 0)});
  const Output unit = n.op("Reshape", {standardized(n, parts, {2}, double(n.real("epsilon", 1e-5f))), sizes});
  Output scale = n.in(1), offset = n.in(2);
  // Before version 21, one number for each group.
  if (n.opset < 21 && n.b.shape(scale).rank() == 1 && n.b.shape(scale).dim(0) == groups && groups != shape.dim(1)) {
    const auto spread = [&](Output v) {
      const Output times = n.intVector({1, shape.dim(1) / groups});
      return n.reshape(n.op("Tile", {n.reshape(v, {groups, 1}), times}), {-1});
    };
    scale = spread(scale);
    offset = spread(offset);
  }
  const Output product = n.op("Mul", {unit, perChannel(n, scale, shape.rank())});
  return Outputs{n.op("AddV2", {product, perChannel(n, offset, shape.rank())})};
}

Result<Ints> trailingAxes(ImportNode& n) {
  const int rank = n.rank(0);
  const int64_t axis = rank < 0 ? -1 : axisOf(n.integer("axis", -1), rank);
  if (axis < 0) return unimplemented("the rank of its input is not known");
  Ints axes;
  for (int64_t d = axis; d < rank; ++d) axes.push_back(d);
  return axes;
}

Translation layerNormalization(ImportNode& n) {
  WEFT_LET(const Ints axes, trailingAxes(n));
  const Output given = n.in(0);
  const DType type = n.b.dtype(given);
  const bool wide = type == DType::Half || type == DType::BFloat16;  // stash_type: moments are computed in float
  const Output x = wide ? n.b.cast(given, DType::Float) : given;
  Outputs moments;
  Output made = n.b.cast(standardized(n, x, axes, double(n.real("epsilon", 1e-5f)), &moments), type);
  made = n.op("Mul", {made, n.in(1)});
  if (n.has(2)) made = n.op("AddV2", {made, n.in(2)});
  return Outputs{made, moments[0], moments[1]};
}

Translation rmsNormalization(ImportNode& n) {
  WEFT_LET(const Ints axes, trailingAxes(n));
  const Output given = n.in(0);
  const DType type = n.b.dtype(given);
  const Output x = type == DType::Half || type == DType::BFloat16 ? n.b.cast(given, DType::Float) : given;
  const Output square = n.reduce("Mean", n.op("Square", {x}), axes, true);
  const Output unit = n.op("Mul", {x, n.op("Rsqrt", {shifted(n, square, double(n.real("epsilon", 1e-5f)))})});
  return Outputs{n.op("Mul", {n.b.cast(unit, type), n.in(1)})};
}

Translation meanVariance(ImportNode& n) {
  Ints axes = n.integers("axes");
  if (axes.empty()) axes = {0, 2, 3};
  const Output x = n.in(0);
  const Output mean = n.reduce("Mean", x, axes, true);
  const Output difference = n.op("Sub", {x, mean});
  const Output variance = n.reduce("Mean", n.op("Square", {difference}), axes, true);
  const Output deviation = shifted(n, n.op("Sqrt", {variance}), 1e-9);
  return Outputs{n.op("RealDiv", {difference, deviation})};
}

Translation lpNormalization(ImportNode& n) {
  const Output x = n.in(0);
  const Ints axes{n.integer("axis", -1)};
  const int64_t p = n.integer("p", 2);
  if (p != 1 && p != 2) return invalidArgument("p is ", p, "; expected 1 or 2");
  const Output sum = n.reduce("Sum", n.op(p == 1 ? "Abs" : "Square", {x}), axes, true);
  const Output norm = p == 1 ? sum : n.op("Sqrt", {sum});
  // 0 / 0 counts as 0.
  return Outputs{n.op("DivNoNan", {x, norm})};
}

/// Weft's LRN takes as many channels on both sides, ONNX one more after than before where their number is even.
Translation localResponse(ImportNode& n) {
  const int64_t size = n.integer("size", 1);
  if (n.rank(0) != 4 || size < 1) return unimplemented("an input of rank ", n.rank(0), "; expected 4");
  const float alpha = n.real("alpha", 1e-4f), beta = n.real("beta", 0.75f), bias = n.real("bias", 1);
  n.channelsLast = true;
  const Output x = n.last(0);
  if (size % 2 == 1 && n.b.dtype(x) == DType::Float)
    return Outputs{n.op("LRN", {x}, {{"depth_radius", (size - 1) / 2}, {"bias", bias}, {"alpha", alpha / float(size)}, {"beta", beta}})};
  const int64_t before = (size - 1) / 2, after = size - 1 - before, channels = n.b.shape(x).dim(3);
  if (channels < 0 || size > 1024) return unimplemented("channels whose number is not known");
  const Output squares = n.pad(n.op("Square", {x}), {0, 0, 0, before}, {0, 0, 0, after});
  Output sum = n.slice(squares, 3, 0, channels);
  for (int64_t i = 1; i < size; ++i) sum = n.op("AddV2", {sum, n.slice(squares, 3, i, i + channels)});
  const Output factor = n.scalar(x, double(alpha / float(size))), exponent = n.scalar(x, double(beta));
  const Output base = shifted(n, n.op("Mul", {sum, factor}), double(bias));
  return Outputs{n.op("RealDiv", {x, n.op("Pow", {base, exponent})})};
}

}  // namespace

std::vector<ImportRule> normalizationImports() {
  return {{"BatchNormalization", batchNormalization},       {"GroupNormalization", groupNormalization},
          {"InstanceNormalization", instanceNormalization}, {"LRN", localResponse},
          {"LayerNormalization", layerNormalization},       {"LpNormalization", lpNormalization},
          {"MeanVarianceNormalization", meanVariance},      {"RMSNormalization", rmsNormalization}};
}

}  // namespace weft::onnx_io
