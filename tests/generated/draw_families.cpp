// Ops whose arguments follow from the tensor at hand: axes within its rank, sizes that fit.
#include <algorithm>
#include <numeric>

#include "drawing.h"
#include "values.h"

namespace weft::generated {
namespace {

using List = std::vector<Output>;

DType indexType(Drawing& d) { return d.random().chance(0.7) ? DType::Int32 : DType::Int64; }
Output ints(Drawing& d, const std::vector<int64_t>& v) { return d.fresh(integers(indexType(d), v)); }
int64_t axisOf(Drawing& d, const Value& v) {
  const int64_t axis = d.random().below(v.shape.rank());
  return d.random().chance(0.3) ? axis - v.shape.rank() : axis;
}
int64_t dimAt(const Value& v, int64_t axis) { return v.shape.dim(int(axis < 0 ? axis + v.shape.rank() : axis)); }
bool done(int id) { return id >= 0; }

std::vector<int64_t> someAxes(Drawing& d, const Value& v) {
  std::vector<int64_t> out;
  for (int i = 0; i < v.shape.rank(); ++i)
    if (d.random().chance(0.5)) out.push_back(d.random().chance(0.2) ? i - v.shape.rank() : i);
  return out;
}

bool unary(Drawing& d) {
  static const std::vector<std::string> kOps = {"Neg",   "Tanh",       "Sigmoid",   "Exp",          "Square",    "Abs",      "Relu",     "Relu6",
                                                "Elu",   "Selu",       "Softplus",  "Softsign",     "Sin",       "Cos",      "Atan",     "Sqrt",
                                                "Rsqrt", "Log",        "Log1p",     "Expm1",        "Floor",     "Ceil",     "Round",    "Rint",
                                                "Sign",  "Reciprocal", "Identity",  "StopGradient", "ZerosLike", "OnesLike", "Snapshot", "PreventGradient",
                                                "Erf",   "Inv",        "LeakyRelu", "IsNan",        "IsFinite"};
  const Value v = *d.numbers(0, 8, d.random().chance(0.9));
  const std::string& op = d.random().pick(kOps);
  const OpRecord* record = OpRegistry::instance().find(op);
  if (!record || !hasKernel(*record, "T", v.type)) return false;
  return done(d.add(op, {v.out}));
}

bool binary(Drawing& d) {
  static const std::vector<std::string> kOps = {
      "Add",      "AddV2",    "Sub",   "Mul",   "RealDiv",  "Div",          "Maximum",   "Minimum", "SquaredDifference",
      "FloorDiv", "FloorMod", "Pow",   "Less",  "Greater",  "GreaterEqual", "LessEqual", "Equal",   "NotEqual",
      "DivNoNan", "MulNoNan", "Atan2", "Xdivy", "TanhGrad", "SigmoidGrad",  "ReluGrad"};
  const Value v = *d.numbers();
  const std::string& op = d.random().pick(kOps);
  const OpRecord* record = OpRegistry::instance().find(op);
  if (!record || !hasKernel(*record, "T", v.type)) return false;
  Shape other = v.shape;
  const bool grads = op.ends_with("Grad");
  if (!grads && d.random().chance(0.5)) {
    if (d.random().chance(0.4)) other = other.slice(int(d.random().below(other.rank() + 1)));
    for (int i = 0; i < other.rank(); ++i)
      if (d.random().chance(0.35)) other.setDim(i, 1);
  }
  const Output o = d.similar(v.type, other);
  return done(d.random().chance(0.5) ? d.add(op, {v.out, o}) : d.add(op, {o, v.out}));
}

bool reduction(Drawing& d) {
  static const std::vector<std::string> kOps = {"Sum", "Sum", "Mean", "Prod", "Max", "Min", "EuclideanNorm", "ArgMax", "ArgMin", "Cumsum", "Cumprod"};
  const Value v = *d.numbers(1);
  const std::string& op = d.random().pick(kOps);
  if (op.starts_with("Arg")) return done(d.add(op, {v.out, d.freshInt(axisOf(d, v))}));
  if (op.starts_with("Cum"))
    return done(d.add(op, {v.out, d.freshInt(axisOf(d, v))}, {{"exclusive", d.random().chance(0.5)}, {"reverse", d.random().chance(0.5)}}));
  if (!hasKernel(*OpRegistry::instance().find(op), "T", v.type)) return false;
  const Output axes = d.random().chance(0.3) ? d.freshInt(axisOf(d, v)) : ints(d, someAxes(d, v));
  return done(d.add(op, {v.out, axes}, {{"keep_dims", d.random().chance(0.5)}}));
}

bool arrange(Drawing& d) {
  const Value v = *d.numbers();
  const int rank = v.shape.rank();
  Random& r = d.random();
  switch (r.below(12)) {
    case 0: {
      std::vector<int64_t> perm(size_t(rank), 0);
      std::iota(perm.begin(), perm.end(), 0);
      for (size_t i = perm.size(); i > 1; --i) std::swap(perm[i - 1], perm[size_t(r.below(int64_t(i)))]);
      return done(d.add(r.chance(0.85) ? "Transpose" : "ConjugateTranspose", {v.out, ints(d, perm)}));
    }
    case 1: {
      std::vector<int64_t> shape = v.shape.toVector();
      if (r.chance(0.4)) shape = {v.shape.elements()};
      else if (shape.size() > 1) {
        const size_t at = size_t(r.below(int64_t(shape.size()) - 1));
        shape[at] *= shape[at + 1];
        shape.erase(shape.begin() + long(at) + 1);
      } else shape.insert(shape.begin() + r.below(int64_t(shape.size()) + 1), 1);
      if (v.shape.elements() > 0 && r.chance(0.4) && !shape.empty()) shape[size_t(r.below(int64_t(shape.size())))] = -1;
      return done(d.add("Reshape", {v.out, ints(d, shape)}));
    }
    case 2: {
      std::vector<int64_t> pads, full = v.shape.toVector();
      for (int i = 0; i < rank; ++i) pads.insert(pads.end(), {r.below(3), r.below(3)});
      const Tensor flat = integers(indexType(d), pads);
      const Output o = d.fresh(flat.reshaped({int64_t(rank), 2}));
      if (r.chance(0.5)) return done(d.add("Pad", {v.out, o}));
      return done(d.add("PadV2", {v.out, o, d.fresh(filled(v.type, {}, [](int64_t) { return 1.5; }))}));
    }
    case 3: {
      std::vector<int64_t> begin, size;
      for (int i = 0; i < rank; ++i) {
        begin.push_back(r.below(v.shape.dim(i) + 1));
        size.push_back(r.chance(0.2) ? -1 : r.below(v.shape.dim(i) - begin.back() + 1));
      }
      const DType t = indexType(d);
      return done(d.add("Slice", {v.out, d.fresh(integers(t, begin)), d.fresh(integers(t, size))}));
    }
    case 4: {
      std::vector<int64_t> begin, end, strides;
      const int64_t n = r.below(rank + 1);
      for (int i = 0; i < n; ++i) {
        const bool back = r.chance(0.3);
        begin.push_back(back ? v.shape.dim(i) - 1 : r.below(std::max<int64_t>(v.shape.dim(i), 1)));
        end.push_back(back ? -v.shape.dim(i) - 1 : r.between(begin.back(), v.shape.dim(i)));
        strides.push_back((back ? -1 : 1) * r.pick(std::vector<int64_t>{1, 1, 2, 3}));
      }
      const DType t = indexType(d);
      const auto mask = [&] { return r.chance(0.3) ? r.below(8) : 0; };
      return done(d.add("StridedSlice", {v.out, d.fresh(integers(t, begin)), d.fresh(integers(t, end)), d.fresh(integers(t, strides))},
                        {{"begin_mask", mask()}, {"end_mask", mask()}, {"shrink_axis_mask", mask()}, {"new_axis_mask", r.chance(0.1) ? mask() : 0}}));
    }
    case 5: return done(d.add("ExpandDims", {v.out, d.freshInt(r.between(-rank - 1, rank))}));
    case 6: {
      std::vector<int64_t> dims;
      for (int i = 0; i < rank; ++i)
        if (v.shape.dim(i) == 1 && r.chance(0.7)) dims.push_back(i);
      return done(d.add("Squeeze", {v.out}, {{"squeeze_dims", dims}}));
    }
    case 7: {
      std::vector<int64_t> times;
      for (int i = 0; i < rank; ++i) times.push_back(r.pick(std::vector<int64_t>{1, 1, 2, 0, 3}));
      return v.shape.elements() <= 512 && done(d.add("Tile", {v.out, ints(d, times)}));
    }
    case 8: {
      std::vector<int64_t> axes = someAxes(d, v);
      std::sort(axes.begin(), axes.end(), [&](int64_t a, int64_t b) { return (a + rank) % rank < (b + rank) % rank; });
      return done(d.add("ReverseV2", {v.out, ints(d, axes)}));
    }
    case 9: {
      std::vector<int64_t> to = v.shape.toVector();
      for (int64_t& n : to)
        if (n == 1 && r.chance(0.6)) n = r.between(0, 3);
      if (r.chance(0.5)) to.insert(to.begin(), r.between(0, 3));
      return done(d.add("BroadcastTo", {v.out, ints(d, to)}));
    }
    case 10: return done(d.add(r.chance(0.5) ? "Shape" : r.chance(0.5) ? "Size" : "Rank", {v.out}));
    default: {
      if (rank < 1) return false;
      return done(d.add("InvertPermutation", {d.fresh(integers(DType::Int32, {2, 0, 1}))})) &&
             done(d.add("Roll", {v.out, d.freshInt(r.between(-3, 3)), d.freshInt(axisOf(d, v))}));
    }
  }
}

bool joining(Drawing& d) {
  Random& r = d.random();
  const Value v = *d.numbers(r.chance(0.5) ? 1 : 0);
  const int64_t n = r.between(1, 4);
  List parts{v.out};
  if (v.shape.rank() == 0 || r.chance(0.35)) {
    while (int64_t(parts.size()) < n) parts.push_back(d.similar(v.type, v.shape));
    if (r.chance(0.3)) return done(d.add("AddN", parts));
    return done(d.add("Pack", parts, {{"axis", r.between(-v.shape.rank() - 1, v.shape.rank())}}));
  }
  const int64_t axis = axisOf(d, v);
  while (int64_t(parts.size()) < n) {
    Shape s = v.shape;
    s.setDim(int(axis < 0 ? axis + s.rank() : axis), r.below(4));
    parts.push_back(d.similar(v.type, s));
  }
  if (n < 2) return false;
  parts.push_back(d.freshInt(axis, indexType(d)));
  return done(d.add("ConcatV2", parts, {{"N", n}}));
}

bool splitting(Drawing& d) {
  Random& r = d.random();
  const Value v = *d.numbers(1);
  const int64_t axis = axisOf(d, v), dim = dimAt(v, axis);
  if (r.chance(0.3)) return dim <= 5 && done(d.add("Unpack", {v.out}, {{"num", dim}, {"axis", axis}}));
  if (r.chance(0.5)) {
    const int64_t parts = dim > 0 && dim % 2 == 0 ? 2 : dim > 0 && dim % 3 == 0 ? 3 : 1;
    return done(d.add("Split", {d.freshInt(axis), v.out}, {{"num_split", parts}}));
  }
  const int64_t a = r.below(dim + 1);
  const std::vector<int64_t> sizes = {a, r.chance(0.3) ? -1 : dim - a};
  return done(d.add("SplitV", {v.out, ints(d, sizes), d.freshInt(axis)}, {{"num_split", int64_t(2)}}));
}

bool gathering(Drawing& d) {
  Random& r = d.random();
  const Value v = *d.numbers(1);
  const int64_t axis = r.chance(0.6) ? 0 : axisOf(d, v), dim = dimAt(v, axis);
  if (dim == 0) return false;
  const Tensor indices =
      randomBetween(r, indexType(d), d.random().chance(0.5) ? Shape{r.below(5)} : Shape{r.between(1, 2), r.between(1, 3)}, 0, double(dim - 1));
  switch (r.below(5)) {
    case 0: return axis == 0 && done(d.add("Gather", {v.out, d.fresh(indices)}));
    case 1: {
      Shape s = indices.shape();
      s.append(1);
      return axis == 0 && done(d.add("GatherNd", {v.out, d.fresh(indices.reshaped(s))}));
    }
    case 2: {
      const Tensor ids = randomBetween(r, DType::Int32, {v.shape.dim(0)}, 0, 3);
      return done(d.add(r.chance(0.5) ? "UnsortedSegmentSum" : "UnsortedSegmentMax", {v.out, d.fresh(ids), d.freshInt(4)}));
    }
    case 3: {
      int64_t at = 0;
      const Tensor ids = filled(DType::Int32, {v.shape.dim(0)}, [&](int64_t) { return double(at += r.below(2)); });
      return done(d.add(r.pick(std::vector<std::string>{"SegmentSum", "SegmentMean", "SegmentMax", "SegmentMin", "SegmentProd"}), {v.out, d.fresh(ids)}));
    }
    default: return done(d.add("GatherV2", {v.out, d.fresh(indices), d.freshInt(axis, indexType(d))}));
  }
}

bool product(Drawing& d) {
  Random& r = d.random();
  const Value v = *d.numbers(2, 4, true);
  const int rank = v.shape.rank();
  const int64_t rows = v.shape.dim(rank - 2), columns = v.shape.dim(rank - 1), free = r.between(1, 5);
  const bool ta = r.chance(0.3), tb = r.chance(0.3);
  const int64_t inner = ta ? rows : columns;
  Shape other = v.shape;
  other.setDim(rank - 2, tb ? free : inner);
  other.setDim(rank - 1, tb ? inner : free);
  const Output o = d.similar(v.type, other);
  int id = -1;
  if (rank == 2) id = d.add("MatMul", {v.out, o}, {{"transpose_a", ta}, {"transpose_b", tb}});
  else id = d.add(r.chance(0.5) ? "BatchMatMul" : "BatchMatMulV2", {v.out, o}, {{"adj_x", ta}, {"adj_y", tb}});
  if (id < 0) return false;
  if (r.chance(0.4)) {
    const int bias = d.add("BiasAdd", {{id, 0}, d.similar(v.type, {free})});
    if (bias >= 0 && r.chance(0.5)) return done(d.add(r.pick(std::vector<std::string>{"Relu", "Tanh", "Sigmoid"}), {{bias, 0}}));
  }
  return true;
}

bool convolution(Drawing& d) {
  Random& r = d.random();
  const Value v = *d.numbers(4, 4, true);
  if (v.shape.elements() == 0 || v.type != DType::Float) return false;
  const int64_t kh = r.between(1, 3), kw = r.between(1, 3), depth = r.between(1, 4), s = r.between(1, 2);
  const std::string padding = r.chance(0.6) ? "SAME" : "VALID";
  const std::vector<int64_t> strides = {1, s, s, 1};
  const int64_t channels = v.shape.dim(3);
  switch (r.below(4)) {
    case 0: return done(d.add("MaxPool", {v.out}, {{"ksize", std::vector<int64_t>{1, kh, kw, 1}}, {"strides", strides}, {"padding", padding}}));
    case 1: return done(d.add("AvgPool", {v.out}, {{"ksize", std::vector<int64_t>{1, kh, kw, 1}}, {"strides", strides}, {"padding", padding}}));
    case 2:
      return done(
          d.add("DepthwiseConv2dNative", {v.out, d.similar(v.type, {kh, kw, channels, r.between(1, 2)})}, {{"strides", strides}, {"padding", padding}}));
    default: {
      const int id = d.add("Conv2D", {v.out, d.similar(v.type, {kh, kw, channels, depth})}, {{"strides", strides}, {"padding", padding}});
      if (id < 0) return false;
      if (!r.chance(0.6)) return true;
      const int bias = d.add("BiasAdd", {{id, 0}, d.similar(v.type, {depth})});
      if (bias < 0) return false;
      const int relu = r.chance(0.6) ? d.add("Relu", {{bias, 0}}) : -1;
      if (relu >= 0 && r.chance(0.5)) d.add("MaxPool", {{relu, 0}}, {{"ksize", std::vector<int64_t>{1, 2, 2, 1}}, {"strides", strides}, {"padding", padding}});
      return true;
    }
  }
}

bool various(Drawing& d) {
  Random& r = d.random();
  const Value v = *d.numbers();
  switch (r.below(8)) {
    case 0: {
      const DType to = d.randomType();
      return done(d.add("Cast", {v.out}, {{"DstT", to}}));
    }
    case 1: {
      if (!isFloating(v.type) || v.shape.rank() < 1) return false;
      return done(d.add(r.chance(0.5) ? "Softmax" : "LogSoftmax", {v.out}));
    }
    case 2:
      return done(d.add("OneHot", {d.fresh(randomBetween(r, DType::Int32, {r.below(4)}, -1, 4)), d.freshInt(4),
                                   d.fresh(filled(v.type, {}, [](int64_t) { return 1; })), d.fresh(filled(v.type, {}, [](int64_t) { return 0; }))}));
    case 3: {
      const Output c = d.similar(DType::Bool, v.shape);
      return done(d.add("Select", {c, v.out, d.similar(v.type, v.shape)}));
    }
    case 4: return done(d.add("Fill", {ints(d, {r.below(3), r.between(1, 4)}), d.fresh(randomTensor(r, v.type, {}))}));
    case 5: return done(d.add("Range", {d.freshInt(r.between(-2, 2)), d.freshInt(r.between(2, 9)), d.freshInt(r.between(1, 3))}));
    case 6: {
      if (v.shape.rank() < 1 || v.shape.dim(v.shape.rank() - 1) < 1) return false;
      return done(d.add("TopKV2", {v.out, d.freshInt(r.between(0, v.shape.dim(v.shape.rank() - 1)))}, {{"sorted", true}}));
    }
    default: {
      if (v.shape.rank() != 1) return false;
      return done(d.add(r.chance(0.5) ? "Unique" : "UniqueWithCounts", {v.out}));
    }
  }
}

}  // namespace

bool drawFamily(Drawing& d) {
  const double kind = d.random().uniform();
  if (kind < 0.22) return unary(d);
  if (kind < 0.44) return binary(d);
  if (kind < 0.54) return reduction(d);
  if (kind < 0.68) return arrange(d);
  if (kind < 0.75) return joining(d);
  if (kind < 0.80) return splitting(d);
  if (kind < 0.86) return gathering(d);
  if (kind < 0.92) return product(d);
  if (kind < 0.95) return convolution(d);
  return various(d);
}

bool drawRandom(Drawing& d) {
  Random& r = d.random();
  const Shape shape = d.randomShape();
  AttrMap attrs{{"seed", r.between(1, 1000)}, {"seed2", r.between(1, 1000)}};
  const Output size = ints(d, shape.toVector());
  switch (r.below(6)) {
    case 0: return d.add("RandomUniformInt", {size, d.freshInt(-3), d.freshInt(r.between(0, 50))}, attrs) >= 0;
    case 1: return d.add("Multinomial", {d.similar(DType::Float, {2, 5}), d.freshInt(r.between(0, 6))}, attrs) >= 0;
    case 2: return d.add("RandomShuffle", {d.numbers(1)->out}, attrs) >= 0;
    case 3:
      return d.add(r.chance(0.5) ? "StatelessRandomUniform" : "StatelessRandomNormal", {size, d.fresh(integers(DType::Int64, {r.below(100), r.below(100)}))},
                   {{"dtype", r.chance(0.7) ? DType::Float : DType::Double}}) >= 0;
    default:
      attrs.set("dtype", r.pick(std::vector<DType>{DType::Float, DType::Float, DType::Double, DType::Half}));
      return d.add(r.pick(std::vector<std::string>{"RandomUniform", "RandomStandardNormal", "TruncatedNormal"}), {size}, attrs) >= 0;
  }
}

}  // namespace weft::generated
