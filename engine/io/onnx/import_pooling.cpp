#include <algorithm>

#include "io/onnx/import_windows.h"

// Pools. TensorFlow pads by SAME or not at all, so other padding is done before: with the smallest number for a maximum, with zeros for a sum.

namespace weft::onnx_io {

Status roundUp(const Shape& input, Windows* w) {
  for (int d = 0; d < w->spatial(); ++d) {
    const size_t i = size_t(d);
    const int64_t size = input.hasRank() ? input.dim(d + 2) : -1;
    if (size < 0) return unimplemented("ceil_mode for an input whose size is not known");
    const int64_t room = size + w->before[i] + w->after[i] - w->reach(d);
    if (room < 0) return invalidArgument("its windows are larger than its input");
    int64_t windows = (room + w->strides[i] - 1) / w->strides[i] + 1;
    // The last window must begin inside the input or before it.
    if ((windows - 1) * w->strides[i] >= size + w->before[i]) --windows;
    w->after[i] += std::max<int64_t>(0, (windows - 1) * w->strides[i] - room);
  }
  return {};
}

namespace {

constexpr int64_t kMostPlaces = 4096;  // of a dilated window, or channels, for which a structure of zeros is made

/// The input of a pool, with channels last and two or three spatial dimensions, and its windows.
struct Pool {
  Output x;
  Windows windows;
  bool heightAdded = false;
  Windows stated;  ///< Without what ceil_mode adds.
};

Result<Pool> poolOf(ImportNode& n) {
  Pool p;
  const int rank = n.rank(0);
  if (rank < 3 || rank > 5) return unimplemented("an input of rank ", rank, "; expected 3 to 5");
  p.x = n.last(0);
  const Shape shape = n.b.shape(p.x);
  Shape first{shape.dim(0), shape.dim(rank - 1)};
  for (int d = 1; d < rank - 1; ++d) first.append(shape.dim(d));
  WEFT_LET(p.windows, windowsOf(n, {}, first));
  p.stated = p.windows;
  if (n.integer("ceil_mode") && !p.windows.same) WEFT_TRY(roundUp(first, &p.windows));
  if (rank == 3) {
    const Output at = n.b.scalar(int32_t(1));
    p.x = n.op("ExpandDims", {p.x, at});
    p.heightAdded = true;
    for (Windows* w : {&p.windows, &p.stated}) {
      for (Ints* list : {&w->kernel, &w->strides, &w->dilations}) list->insert(list->begin(), 1);
      for (Ints* list : {&w->before, &w->after}) list->insert(list->begin(), 0);
    }
  }
  return p;
}

Output poolBy(ImportNode& n, const char* op, Output x, const Windows& w) {
  const std::string name = w.spatial() == 3 ? concat(op, "3D") : op;
  return n.op(name, {x}, {{"ksize", spatialOnly(w.kernel)}, {"strides", spatialOnly(w.strides)}, {"padding", w.same ? "SAME" : "VALID"}});
}

Output finished(ImportNode& n, const Pool& p, Output made) {
  n.channelsLast = true;
  return p.heightAdded ? n.b.op("Squeeze", {made}, {{"squeeze_dims", Ints{1}}}) : made;
}

bool isDilated(const Windows& w) {
  return std::any_of(w.dilations.begin(), w.dilations.end(), [](int64_t d) { return d != 1; });
}

double lowestOf(DType type) {
  switch (type) {
    case DType::UInt8: return 0;
    case DType::Int8: return -128;
    case DType::Half: return -65504;
    case DType::Double: return -1.7976931348623157e308;
    default: return -3.4028234663852886e38;
  }
}

Translation maxPool(ImportNode& n) {
  if (n.wants(1)) return unimplemented("its second output, the places of the maxima");
  WEFT_LET(Pool p, poolOf(n));
  const Windows& w = p.windows;
  if (w.padded()) {
    const Ints before = spatialOnly(w.before, 0), after = spatialOnly(w.after, 0);
    p.x = n.pad(p.x, before, after, lowestOf(n.b.dtype(p.x)));
  }
  if (!isDilated(w)) return Outputs{finished(n, p, poolBy(n, "MaxPool", p.x, w))};
  // A dilation (of morphology) by a structure of zeros is a maximum over places apart.
  const int64_t channels = n.b.shape(p.x).dim(3);
  if (w.spatial() != 2 || w.same || channels < 0 || w.kernel[0] * w.kernel[1] > kMostPlaces || channels > kMostPlaces)
    return unimplemented("dilated windows in three dimensions, or with channels whose number is not known");
  WEFT_TRY(n.spend(w.kernel[0] * w.kernel[1] * channels * int64_t(sizeof(float))));
  const Output zeros = n.b.cast(n.b.constant(Tensor::zeros(DType::Float, {w.kernel[0], w.kernel[1], channels})), n.b.dtype(p.x));
  return Outputs{
      finished(n, p, n.op("Dilation2D", {p.x, zeros}, {{"strides", spatialOnly(w.strides)}, {"rates", spatialOnly(w.dilations)}, {"padding", "VALID"}}))};
}

/// The average of the elements that count: padding does if count_include_pad says so, what ceil_mode adds never does.
Translation averagePool(ImportNode& n) {
  WEFT_LET(Pool p, poolOf(n));
  if (isDilated(p.windows)) return unimplemented("dilated windows");
  const bool padsCount = n.integer("count_include_pad") != 0;
  const Windows& w = p.windows;
  const auto padded = [&](Output x, const Windows& by, double value) { return n.pad(x, spatialOnly(by.before, 0), spatialOnly(by.after, 0), value); };
  const bool extended = w.after != p.stated.after;
  if (w.same && padsCount) return unimplemented("count_include_pad with SAME_UPPER");
  const Output sums = poolBy(n, "AvgPool", padded(p.x, w, 0), w);
  if (!w.padded() || (padsCount && !extended)) return Outputs{finished(n, p, sums)};
  Output ones = n.op("OnesLike", {p.x});
  Windows rest = w;
  if (padsCount) {
    ones = padded(ones, p.stated, 1);
    rest.before.assign(w.before.size(), 0);
    for (size_t d = 0; d < w.after.size(); ++d) rest.after[d] = w.after[d] - p.stated.after[d];
  }
  const Output counted = poolBy(n, "AvgPool", padded(ones, rest, 0), w);
  return Outputs{finished(n, p, n.op("RealDiv", {sums, counted}))};
}

/// (sum |x|^p)^(1/p)
Translation lpPool(ImportNode& n) {
  WEFT_LET(Pool p, poolOf(n));
  if (isDilated(p.windows) || p.windows.same) return unimplemented("dilated windows, or SAME_UPPER");
  const double power = double(n.integer("p", 2));
  const Output size = n.op("Abs", {p.x}), exponent = n.scalar(p.x, power), inverse = n.scalar(p.x, 1 / power);
  Output raised = n.op("Pow", {size, exponent});
  const Ints before = spatialOnly(p.windows.before, 0), after = spatialOnly(p.windows.after, 0);
  raised = n.pad(raised, before, after);
  double count = 1;
  for (const int64_t k : p.windows.kernel) count *= double(k);
  const Output factor = n.scalar(p.x, count), mean = poolBy(n, "AvgPool", raised, p.windows);
  return Outputs{finished(n, p, n.op("Pow", {n.op("Mul", {mean, factor}), inverse}))};
}

template <bool IsMax>
Translation globalPool(ImportNode& n) {
  const int rank = n.rank(0);
  if (rank < 3) return unimplemented("an input of rank ", rank, "; expected 3 or more");
  const bool last = n.isLast(0);
  const Output x = n.inAnyOrder(0);
  Ints axes;
  for (int d = 2; d < rank; ++d) axes.push_back(last ? d - 1 : d);
  return Outputs{n.reduce(IsMax ? "Max" : "Mean", x, axes, true)};
}

Translation globalLp(ImportNode& n) {
  const int rank = n.rank(0);
  if (rank < 3) return unimplemented("an input of rank ", rank, "; expected 3 or more");
  const Output x = n.in(0);
  Ints axes;
  for (int d = 2; d < rank; ++d) axes.push_back(d);
  const double power = double(n.integer("p", 2));
  const Output size = n.op("Abs", {x}), exponent = n.scalar(x, power), inverse = n.scalar(x, 1 / power);
  const Output sum = n.reduce("Sum", n.op("Pow", {size, exponent}), axes, true);
  return Outputs{n.op("Pow", {sum, inverse})};
}

}  // namespace

std::vector<ImportRule> poolingImports() {
  return {{"MaxPool", maxPool},
          {"AveragePool", averagePool},
          {"LpPool", lpPool},
          {"GlobalAveragePool", globalPool<false>},
          {"GlobalMaxPool", globalPool<true>},
          {"GlobalLpPool", globalLp}};
}

}  // namespace weft::onnx_io
