#include <algorithm>
#include <cmath>

#include "io/onnx/importer.h"

// Resize and Upsample. Every mode is linear and separable: along one axis, each new element is a weighted sum of old ones. So an axis is resized by a gather where
// one element decides (nearest), else by a product with the matrix of weights.

namespace weft::onnx_io {
namespace {

/// How one axis is resized.
struct Resampling {
  int64_t from = 0, to = 0;
  double scale = 1, start = 0, end = 1;  ///< start, end: the region of interest
  std::string mode, coordinates, nearest;
  double cubic = -0.75;
  bool antialias = false, excludeOutside = false;
};

double sourceOf(const Resampling& r, double x) {
  const double in = double(r.from), out = r.scale * in;  // not a whole number where the scale is given
  const std::string& how = r.coordinates;
  if (how == "asymmetric") return x / r.scale;
  if (how == "align_corners") return out == 1 ? 0 : x * (in - 1) / (out - 1);
  if (how == "pytorch_half_pixel") return r.to == 1 ? 0 : (x + 0.5) / r.scale - 0.5;
  if (how == "tf_half_pixel_for_nn") return (x + 0.5) / r.scale;
  if (how == "tf_crop_and_resize") return out == 1 ? (r.start + r.end) * (in - 1) / 2 : r.start * (in - 1) + x * (r.end - r.start) * (in - 1) / (out - 1);
  if (how == "half_pixel_symmetric") return in / 2 * (1 - double(r.to) / out) + (x + 0.5) / r.scale - 0.5;
  return (x + 0.5) / r.scale - 0.5;
}

double cubicWeight(double x, double a) {
  x = std::abs(x);
  if (x < 1) return (a + 2) * x * x * x - (a + 3) * x * x + 1;
  if (x < 2) return a * x * x * x - 5 * a * x * x + 8 * a * x - 4 * a;
  return 0;
}

int64_t nearestTo(const Resampling& r, double x) {
  if (r.nearest == "floor") return int64_t(std::floor(x));
  if (r.nearest == "ceil") return int64_t(std::ceil(x));
  if (r.nearest == "round_prefer_ceil") return int64_t(std::floor(x + 0.5));
  return int64_t(std::ceil(x - 0.5));
}

/// Adds the weights of one new element to its row.
void weigh(const Resampling& r, double x, std::vector<double>* row) {
  const double whole = std::floor(x) == x ? x - 1 : std::floor(x), ratio = x - whole, shrink = r.antialias ? std::min(r.scale, 1.0) : 1.0;
  const bool cubic = r.mode == "cubic";
  const int64_t first = int64_t(std::floor((cubic ? -2 : -1) / shrink)) + 1, past = 2 - first;
  double total = 0;
  std::vector<std::pair<int64_t, double>> taps;
  for (int64_t i = first; i < past; ++i) {
    const double away = (double(i) - ratio) * shrink, weight = cubic ? cubicWeight(away, r.cubic) : std::max(0.0, 1 - std::abs(away));
    const int64_t at = int64_t(whole) + i;
    if (r.excludeOutside && (at < 0 || at >= r.from)) continue;
    taps.emplace_back(std::clamp<int64_t>(at, 0, r.from - 1), weight);
    total += weight;
  }
  const bool normalized = r.excludeOutside || r.antialias;
  for (const auto& [at, weight] : taps) (*row)[size_t(at)] += normalized && total != 0 ? weight / total : weight;
}

Result<Output> resampled(ImportNode& n, Output x, int axis, const Resampling& r, double outside) {
  const int rank = n.b.shape(x).rank();
  const bool crops = r.coordinates == "tf_crop_and_resize";
  if (r.to < 1 || r.to > (1 << 16) || r.from < 1 || r.from > (1 << 16) || r.to * r.from > (1 << 24))
    return unimplemented("from ", r.from, " to ", r.to, " elements");
  WEFT_TRY(n.spend((r.mode == "nearest" && !crops ? r.to : r.from * r.to) * int64_t(sizeof(float))));
  std::vector<int32_t> nearest;
  std::vector<float> matrix(size_t(r.from * r.to), 0), beyond(size_t(r.to), 0);  // matrix: [from, to]
  bool anyBeyond = false;
  for (int64_t i = 0; i < r.to; ++i) {
    const double at = sourceOf(r, double(i));
    const bool isBeyond = crops && (at < 0 || at > double(r.from - 1));
    anyBeyond = anyBeyond || isBeyond;
    nearest.push_back(int32_t(std::clamp<int64_t>(nearestTo(r, at), 0, r.from - 1)));
    if (isBeyond) {
      beyond[size_t(i)] = float(outside);
      continue;
    }
    std::vector<double> row(size_t(r.from), 0);
    if (r.mode == "nearest") row[size_t(nearest.back())] = 1;
    else weigh(r, at, &row);
    for (int64_t k = 0; k < r.from; ++k) matrix[size_t(k * r.to + i)] = float(row[size_t(k)]);
  }
  if (r.mode == "nearest" && !anyBeyond) return n.gather(x, n.b.constant(Tensor::vector(nearest)), axis);
  const DType type = n.b.dtype(x);
  if (!isFloating(type)) return unimplemented("the mode ", r.mode, " for ", dtypeName(type));
  if (rank < 2) return unimplemented("an input of rank ", rank);
  Ints perm;
  for (int d = 0; d < rank; ++d) perm.push_back(d);
  std::swap(perm[size_t(axis)], perm.back());
  const Output weights = n.b.cast(n.b.constant(Tensor::of(matrix, {r.from, r.to})), type);
  Output made = n.op(rank == 2 ? "MatMul" : "BatchMatMulV2", {n.transpose(x, perm), weights});
  if (anyBeyond) made = n.op("AddV2", {made, n.b.cast(n.b.constant(Tensor::vector(beyond)), type)});
  return n.transpose(made, perm);
}

Result<std::vector<double>> numbersOf(ImportNode& n, int input) {
  const auto known = n.value(n.in(input));
  WEFT_TRY(n.b.status());
  if (!known || sizeOf(known->dtype()) == 0) return unimplemented("its input ", input, " is computed by the graph; only a constant is supported");
  std::vector<double> out;
  for (int64_t i = 0; i < known->elements(); ++i) out.push_back(known->asDouble(i));
  return out;
}

/// Whole factors for an image whose size is not known: each element is repeated.
Result<Output> repeated(ImportNode& n, const std::vector<double>& scales, const Resampling& r) {
  const bool whole = scales.size() == 4 && scales[0] == 1 && scales[1] == 1 && std::floor(scales[2]) == scales[2] && std::floor(scales[3]) == scales[3] &&
                     scales[2] >= 1 && scales[3] >= 1;
  const bool plain = (r.coordinates == "asymmetric" && r.nearest == "floor") || (r.coordinates == "half_pixel" && r.nearest == "round_prefer_floor");
  if (r.mode != "nearest" || !whole || !plain) return unimplemented("the size of its input is not known");
  n.channelsLast = true;
  const Output x = n.last(0), factors = n.intVector({int64_t(scales[2]), int64_t(scales[3])});
  const Output size = n.op("Mul", {n.slice(n.shapeOf(x), 0, 1, 3), factors});
  return n.op("ResizeNearestNeighbor", {x, size});
}

Translation resize(ImportNode& n) {
  const bool upsample = n.opType() == "Upsample", old = upsample || n.opset < 11;
  const Shape shape = n.b.shape(n.in(0));
  Resampling usual;
  usual.mode = n.text("mode", "nearest");
  if (usual.mode == "bilinear") usual.mode = "linear";
  usual.coordinates = old ? "asymmetric" : n.text("coordinate_transformation_mode", "half_pixel");
  usual.nearest = old ? "floor" : n.text("nearest_mode", "round_prefer_floor");
  usual.cubic = double(n.real("cubic_coeff_a", -0.75f));
  usual.antialias = n.integer("antialias") != 0;
  usual.excludeOutside = n.integer("exclude_outside") != 0;
  if (!shape.hasRank()) return unimplemented("the rank of its input is not known");
  std::vector<double> scales, sizes, region;
  if (upsample && n.opset < 9) {
    for (const float s : n.reals("scales")) scales.push_back(double(s));
  } else if (const int input = old ? 1 : 2; n.has(input) && n.b.shape(n.in(input)).elements() != 0) {
    WEFT_LET(scales, numbersOf(n, input));
  } else if (n.has(3)) {
    const Shape known = n.importer().shapeValue(n.in(3));
    if (!known.hasRank()) return unimplemented("its sizes are computed by the graph");
    for (const int64_t size : known.dims()) sizes.push_back(double(size));
  }
  if (usual.coordinates == "tf_crop_and_resize") {
    WEFT_LET(region, numbersOf(n, 1));
  }
  Ints axes = n.integers("axes");
  if (axes.empty())
    for (int d = 0; d < shape.rank(); ++d) axes.push_back(d);
  const size_t count = axes.size();
  if ((scales.size() != count && sizes.size() != count) || (!region.empty() && region.size() != 2 * count))
    return invalidArgument("it has neither ", count, " scales nor ", count, " sizes");
  const std::string policy = n.text("keep_aspect_ratio_policy", "stretch");
  double shared = 0;
  bool checked = false;
  for (size_t i = 0; i < count; ++i) {
    axes[i] = axisOf(axes[i], shape.rank());
    if (axes[i] < 0) return invalidArgument("an axis is outside of ", shape.rank(), " dimensions");
    // A size that is not known may be that of a dimension that stays; whether it is shows when the model runs.
    if (!sizes.empty() && sizes[i] < 0 && shape.dim(int(axes[i])) < 0) {
      checked = true;
      continue;
    }
    if (!sizes.empty() && sizes[i] < 0) return unimplemented("its sizes are computed by the graph");
    if (shape.dim(int(axes[i])) < 1 && (scales.empty() || scales[i] != 1)) {
      if (scales.empty()) return unimplemented("the size of its input is not known");
      WEFT_LET(const Output made, repeated(n, scales, usual));
      return Outputs{made};
    }
    if (scales.empty() && policy != "stretch") {
      const double own = sizes[i] / double(shape.dim(int(axes[i])));
      shared = shared == 0 ? own : policy == "not_larger" ? std::min(shared, own) : std::max(shared, own);
    }
  }
  Output x = n.in(0);
  const Output start = x;
  for (size_t i = 0; i < count; ++i) {
    Resampling r = usual;
    r.from = shape.dim(int(axes[i]));
    if (r.from < 0) continue;
    r.scale = !scales.empty() ? scales[i] : shared != 0 ? shared : sizes[i] / double(r.from);
    const double to = !scales.empty() ? std::floor(double(r.from) * r.scale) : shared != 0 ? std::floor(double(r.from) * r.scale + 0.5) : sizes[i];
    if (!(to >= 1 && to <= (1 << 16)) || !(r.scale > 0)) return invalidArgument("dimension ", axes[i], " gets ", to, " elements");
    r.to = int64_t(to);
    if (!region.empty()) r.start = region[i], r.end = region[i + count];
    if (r.from == r.to && (r.scale == 1 || usual.coordinates == "align_corners") && (region.empty() || (r.start == 0 && r.end == 1))) continue;
    WEFT_LET(x, resampled(n, x, int(axes[i]), r, double(n.real("extrapolation_value", 0))));
  }
  if (checked && int(count) == shape.rank()) x = n.op("Reshape", {x, n.in(3)});
  return Outputs{x == start ? n.b.identity(x) : x};
}

}  // namespace

std::vector<ImportRule> resizeImports() { return {{"Resize", resize}, {"Upsample", resize}}; }

}  // namespace weft::onnx_io
