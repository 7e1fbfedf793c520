#include "api/nn_functions.h"

#include <numeric>

#include "api/checks.h"

namespace weft::api::nn {
namespace {

// All but the last dimension as one.
Output flattenOuter(GraphBuilder& b, Output x) {
  const Output rank = tf::rank(b, x);
  const Output shape = tf::shape(b, x);
  const Output last = emit(b, "Sub", {rank, 1});
  const Output size = emit(b, "Slice", {shape, ArgumentList{last}, std::vector<int64_t>{1}});
  const Output out = tf::reshape(b, x, tf::concatenate(b, ArgumentList{std::vector<int64_t>{-1}, size}, 0));
  const Shape s = b.shape(x);
  if (s.hasRank() && s.rank() > 0 && s.slice(0, -1).isFullyKnown()) b.setShape(out, Shape{s.slice(0, -1).elements(), s.dim(s.rank() - 1)});
  return out;
}

bool sameShape(GraphBuilder& b, Output x, Output y, std::string_view what) {
  if (!b.ok()) return false;
  if (b.shape(x).compatibleWith(b.shape(y))) return true;
  b.fail(invalidArgument(what, " must have the same shape (", b.shape(x).toPythonString(), " vs ", b.shape(y).toPythonString(), ")"));
  return false;
}

Output moveToEnd(GraphBuilder& b, Output x, int64_t axis, Output rank) {
  const Output before = tf::range(b, 0, axis), after = tf::range(b, axis + 1, rank);
  return tf::transpose(b, x, tf::concatenate(b, ArgumentList{before, after, std::vector<int64_t>{axis}}, 0));
}

}  // namespace

Output withDependencies(GraphBuilder& b, const std::vector<int>& nodes, Output x, Name name) {
  const py::Scope scope(b, otherwise(name, "control_dependency"));
  const auto beside = b.colocateWith(x.node);
  const auto wait = b.controlDependencies(nodes);
  return b.op("Identity", {x}, {}, scope.name());
}

Output biasAdd(GraphBuilder& b, const Argument& value, const Argument& bias, const std::string& dataFormat, Name name) {
  const py::Scope scope(b, otherwise(name, "BiasAdd"));
  AttrMap attrs;
  if (!dataFormat.empty()) {
    const bool first = dataFormat.starts_with("NC"), last = dataFormat.starts_with("N") && dataFormat.ends_with("C");
    if (!first && !last) {
      b.fail(invalidArgument("data_format must be of the form `N...C` or `NC...`"));
      return {};
    }
    attrs.set("data_format", first ? "NCHW" : "NHWC");
  }
  const Output x = toTensor(b, value, "input");
  return b.op("BiasAdd", {x, toTensor(b, bias, "bias", b.dtype(x))}, std::move(attrs), scope.name());
}

Output softmaxCrossEntropy(GraphBuilder& b, const Argument& labels, const Argument& logits, int64_t axis, Name name) {
  const py::Scope scope(b, otherwise(name, "softmax_cross_entropy_with_logits"));
  const Output x = toTensor(b, logits, "logits");
  Output y = toTensor(b, labels, "labels");
  const DType type = b.dtype(x);
  const bool narrow = type == DType::Half || type == DType::BFloat16;
  Output precise = narrow ? tf::cast(b, x, DType::Float) : x;
  y = tf::cast(b, y, b.dtype(precise));
  const Output rank = tf::rank(b, precise);
  if (axis != -1) {
    precise = moveToEnd(b, precise, axis, rank);
    y = moveToEnd(b, y, axis, rank);
  }
  const Output shape = tf::shape(b, precise);
  precise = flattenOuter(b, precise);
  y = flattenOuter(b, y);
  const Output cost = b.op("SoftmaxCrossEntropyWithLogits", {precise, y}, {}, scope.name());
  const Output outer = emit(b, "Sub", {rank, 1});
  const Output dims = emit(b, "Slice", {shape, std::vector<int64_t>{0}, ArgumentList{outer}});
  const Output out = tf::reshape(b, cost, dims);
  if (const Shape s = b.shape(x); s.hasRank() && s.rank() > 0) {
    auto left = s.toVector();
    left.erase(axis < 0 ? left.end() + axis : left.begin() + axis);
    b.setShape(out, Shape(left));
  }
  return narrow ? tf::cast(b, out, type) : out;
}

Output sparseSoftmaxCrossEntropy(GraphBuilder& b, const Argument& labels, const Argument& logits, Name name) {
  const py::Scope scope(b, otherwise(name, "SparseSoftmaxCrossEntropyWithLogits"));
  Output y = toTensor(b, labels, {});
  const Output x = toTensor(b, logits, {});
  const bool half = b.dtype(x) == DType::Half;
  Output precise = half ? tf::cast(b, x, DType::Float) : x;
  const Shape ys = b.shape(y), xs = b.shape(x);
  const Output shape = tf::shape(b, y);
  if (!b.ok()) return {};
  const bool known = ys.isFullyKnown() && xs.hasRank() && xs.rank() > 0 && xs.slice(0, -1).isFullyKnown();
  if (xs.isScalar()) b.fail(invalidArgument("Logits cannot be scalars - received shape ", xs.toPythonString(), "."));
  else if (xs.hasRank() && ys.hasRank() && ys.rank() != xs.rank() - 1)
    b.fail(invalidArgument("Rank mismatch: Rank of labels (received ", ys.rank(), ") should equal rank of logits minus 1 (received ", xs.rank(), ")."));
  else if (known && !(ys == xs.slice(0, -1)))
    b.fail(invalidArgument("Shape mismatch: The shape of labels (received ", ys.toPythonString(),
                           ") should equal the shape of logits except for the last dimension (received ", xs.toPythonString(), ")."));
  // The given name is used again inside the scope.
  if (xs.rank() == 2) {
    const Output cost = b.op("SparseSoftmaxCrossEntropyWithLogits", {precise, y}, {}, name);
    return half ? tf::cast(b, cost, DType::Half) : cost;
  }
  std::vector<int> checks;
  if (!known) {
    const Output own = tf::shape(b, y);
    checks.push_back(checks::binary(b, "==", own, tf::part(b, tf::shape(b, x), {}, -1), {}));
  }
  const auto wait = b.controlDependencies(checks);
  const Output dims = tf::shape(b, x);
  const Output classes = tf::at(b, dims, tf::minus(b, tf::rank(b, x), 1));
  precise = tf::reshape(b, precise, ArgumentList{-1, classes});
  y = tf::reshape(b, y, std::vector<int64_t>{-1});
  const Output flat = b.op("SparseSoftmaxCrossEntropyWithLogits", {precise, y}, {}, name);
  const Output cost = tf::reshape(b, flat, shape);
  b.setShape(cost, ys);
  return half ? tf::cast(b, cost, DType::Half) : cost;
}

Output sigmoidCrossEntropy(GraphBuilder& b, const Argument& labels, const Argument& logits, Name name) {
  const py::Scope scope(b, otherwise(name, "logistic_loss"));
  const Output x = toTensor(b, logits, "logits"), y = toTensor(b, labels, "labels");
  if (!sameShape(b, x, y, "logits and labels")) return {};
  const Output zeros = tf::zerosLike(b, x);
  const Output positive = b.op("GreaterEqual", {x, zeros});
  const Output relu = tf::where(b, positive, x, zeros);
  const Output negative = tf::where(b, positive, tf::negative(b, x), x);
  const Output linear = tf::minus(b, relu, tf::times(b, x, y));
  return b.op("Add", {linear, b.op("Log1p", {b.op("Exp", {negative})})}, {}, scope.name());
}

std::pair<Output, Output> moments(GraphBuilder& b, const Argument& x, const Argument& axes, bool keepDims, Name name) {
  const py::Scope scope(b, otherwise(name, "moments"));
  const Output given = toTensor(b, x, {});
  const bool half = b.dtype(given) == DType::Half;
  const Output y = half ? tf::cast(b, given, DType::Float) : given;
  Output mean = tf::reduce(b, "Mean", y, axes, true, "mean");
  const Output still = b.op("StopGradient", {mean});
  Output variance = tf::reduce(b, "Mean", b.op("SquaredDifference", {y, still}), axes, true, "variance");
  if (!keepDims) {
    const Arguments a = {{"axes", axes}};
    mean = tf::squeeze(b, mean, a.integers("axes"));
    variance = tf::squeeze(b, variance, a.integers("axes"));
  }
  if (!half) return {mean, variance};
  mean = tf::cast(b, mean, DType::Half);
  return {mean, tf::cast(b, variance, DType::Half)};
}

Output batchNormalization(GraphBuilder& b, const Argument& x, const Argument& mean, const Argument& variance, const Argument& offset, const Argument& scale,
                          const Argument& epsilon, Name name) {
  const py::Scope scope(b, otherwise(name, "batchnorm"));
  Output inverse = b.op("Rsqrt", {tf::plus(b, variance, epsilon)});
  if (!isNone(scale)) inverse = tf::times(b, inverse, scale);
  const DType type = typeOf(b, x);
  const Output scaled = tf::times(b, x, tf::cast(b, inverse, type));
  Output shift;
  if (isNone(offset)) {
    const Output m = toTensor(b, mean, {});
    shift = tf::times(b, tf::negative(b, m), inverse);
  } else {
    shift = tf::minus(b, offset, tf::times(b, mean, inverse));
  }
  return tf::plus(b, scaled, tf::cast(b, shift, type));
}

Output dropout(GraphBuilder& b, const Argument& x, const Argument& rate, const Argument& noiseShape, std::optional<int64_t> seed, Name name) {
  const py::Scope scope(b, otherwise(name, "dropout"));
  const Output t = toTensor(b, x, "x");
  const DType type = b.dtype(t);
  if (!b.ok()) return {};
  if (!isFloating(type)) {
    b.fail(invalidArgument("x has to be a floating point tensor since it's going to be scaled. Got a <dtype: '", dtypeName(type), "'> tensor instead."));
    return {};
  }
  if (!holdsTensor(rate)) {
    const Arguments a = {{"rate", rate}};
    const double v = a.number("rate");
    if (!(v >= 0 && v < 1)) {
      b.fail(invalidArgument("rate must be a scalar tensor or a float in the range [0, 1), got ", v));
      return {};
    }
    if (v == 0) return t;
  }
  const Output r = toTensor(b, rate, "rate", type);
  if (const auto known = b.constantValue(r); known && known->elements() == 1 && known->asDouble(0) == 0) return t;
  Argument dims = noiseShape;
  if (isNone(noiseShape)) {
    dims = tf::shape(b, t);
  } else if (!holdsTensor(noiseShape)) {
    Argument known = noiseShape;
    if (const auto* items = std::get_if<ArgumentList>(&known)) {
      ArgumentList sizes = *items;
      for (Argument& size : sizes) size = isNone(size) ? Argument(int64_t(-1)) : size;
      known = std::move(sizes);
    } else if (const auto* shape = std::get_if<Shape>(&known); shape && shape->hasRank()) {
      known = shape->toVector();
    }
    const Arguments a = {{"shape", known}};
    auto list = a.integers("shape");
    if (const Shape s = b.shape(t); s.rank() == int(list.size())) {
      for (size_t i = 0; i < list.size(); ++i) list[i] = list[i] < 0 ? s.dim(int(i)) : list[i];
    }
    if (std::any_of(list.begin(), list.end(), [](int64_t d) { return d < 0; })) {
      b.fail(invalidArgument("Cannot convert a partially known TensorShape to a Tensor: ", Shape(list).toPythonString()));
      return {};
    }
    dims = list;
  }
  const Output random = tf::randomUniform(b, dims, 0, {}, type, seed);
  const Output keep = tf::minus(b, 1, r);
  const Output scale = tf::over(b, 1, keep);
  const Output mask = b.op("GreaterEqual", {random, r});
  const Output scaled = tf::times(b, t, scale);
  const Output out = tf::times(b, scaled, tf::cast(b, mask, type));
  b.setShape(out, b.shape(t));
  return out;
}

Output softmax(GraphBuilder& b, std::string_view op, const Argument& logits, int64_t axis, Name name) {
  const Output x = toTensor(b, logits, {});
  const Shape s = b.shape(x);
  if (!b.ok()) return {};
  if (axis == -1 || (s.hasRank() && axis == s.rank() - 1)) return b.op(op, {x}, {}, name);
  if (!s.hasRank() || axis < -s.rank() || axis >= s.rank()) {
    b.fail(invalidArgument("Dimension (", axis, ") must be in the range [", -s.rank(), ", ", s.rank(), ") where ", s.rank(),
                           " is the number of dimensions in the input.")
               .ofKind("InvalidArgumentError"));
    return {};
  }
  // Swaps the dimension with the last one, and back.
  Argument at = axis;
  const Output ndims = tf::rank(b, x);
  if (axis < 0) at = tf::plus(b, axis, ndims);
  const Output rank = tf::rank(b, x);
  const Argument dim = holdsTensor(at) ? Argument(tf::mod(b, at, s.rank())) : Argument(axis % s.rank());
  const auto swapped = [&](Output t, Name as) {
    const Output last = emit(b, "Sub", {rank, 1});
    const Output before = tf::range(b, 0, dim);
    const Output between = holdsTensor(dim) ? tf::range(b, tf::plus(b, dim, 1), last) : tf::range(b, std::get<int64_t>(dim) + 1, last);
    const Output perm = tf::concatenate(b, ArgumentList{before, ArgumentList{last}, between, ArgumentList{dim}}, 0);
    return tf::transpose(b, t, perm, as);
  };
  const Output turned = swapped(x, {});
  const Output values = b.op(op, {turned});
  const Output out = swapped(values, name);
  b.setShape(out, s);
  return out;
}

Output clipByNorm(GraphBuilder& b, Output x, const Argument& norm, const Argument& axes) {
  auto made = buildApi(b, "clip_by_norm", {{"t", x}, {"clip_norm", norm}, {"axes", axes}});
  if (!made.ok()) b.fail(made.error());
  return made.ok() ? made->outputs[0] : Output{};
}

namespace {

Output limited(GraphBuilder& b, Output rows, const Argument& ids, const Argument& maxNorm) {
  if (isNone(maxNorm)) return rows;
  const Output i = toTensor(b, ids, {});
  const int from = b.shape(i).rank(), to = b.shape(rows).rank();
  Argument axes;
  if (from > 0 && to > 0) {
    std::vector<int64_t> list(size_t(std::max(0, to - from)));
    std::iota(list.begin(), list.end(), from);
    axes = list;
  } else {
    const Argument first = from > 0 ? Argument(from) : Argument(tf::rank(b, i)), end = to > 0 ? Argument(to) : Argument(tf::rank(b, rows));
    axes = tf::range(b, first, end);
  }
  return clipByNorm(b, rows, maxNorm, axes);
}

}  // namespace

Output embeddingLookup(GraphBuilder& b, const Argument& params, const Argument& given, const std::string& strategy, Name name, const Argument& maxNorm) {
  ArgumentList parts =
      std::holds_alternative<ArgumentList>(params) || std::holds_alternative<std::vector<Output>>(params) ? items(params) : ArgumentList{params};
  if (parts.empty()) {
    b.fail(invalidArgument("Need at least one param"));
    return {};
  }
  const py::Scope scope(b, otherwise(name, "embedding_lookup"));
  bool resources = false;
  for (const Argument& p : parts) {
    const auto* v = std::get_if<VariablePtr>(&p);
    resources = resources || (v && (*v)->resource);
  }
  if (!resources) {
    for (size_t i = 0; i < parts.size(); ++i) parts[i] = toTensor(b, parts[i], "params_" + std::to_string(i));
  }
  const Output ids = toTensor(b, given, "ids");
  if (!b.ok()) return {};
  const auto beside = [&](const Argument& p) {
    const auto* o = std::get_if<Output>(&p);
    const auto* v = std::get_if<VariablePtr>(&p);
    return b.colocateWith(o ? o->node : v ? (*v)->handle.node : -1);
  };
  const auto shapeOf = [&](const Argument& p) {
    const auto* v = std::get_if<VariablePtr>(&p);
    return v ? (*v)->shape : b.shape(std::get<Output>(p));
  };
  const auto n = int64_t(parts.size());
  if (n == 1) {
    Output rows;
    {
      const auto there = beside(parts[0]);
      rows = limited(b, tf::gather(b, parts[0], ids, {}, scope.name()), ids, maxNorm);
    }
    return tf::identity(b, rows);
  }
  const Output flat = tf::reshape(b, ids, std::vector<int64_t>{-1});
  const Output places = tf::range(b, 0, tf::size(b, flat));
  Output part, inside;
  if (strategy == "mod") {
    part = tf::mod(b, flat, n);
    inside = tf::floordiv(b, flat, n);
  } else if (strategy == "div") {
    int64_t rows = 0;
    for (const Argument& p : parts) {
      const Shape s = shapeOf(p);
      const int64_t d = s.hasRank() && s.rank() > 0 ? s.dim(0) : -1;
      rows = rows < 0 || d < 0 ? -1 : rows + d;
    }
    Output total;
    if (rows > 0) {
      total = b.number(b.dtype(flat), double(rows));
    } else {
      ArgumentList sizes;
      for (const Argument& p : parts) {
        const Shape s = shapeOf(p);
        if (s.hasRank() && s.dim(0) >= 0) {
          sizes.emplace_back(s.dim(0));
        } else {
          const auto there = beside(p);
          sizes.emplace_back(tf::at(b, tf::shape(b, p), 0));
        }
      }
      total = tf::reduce(b, "Sum", tf::cast(b, tf::stack(b, sizes), b.dtype(flat)));
    }
    const Output each = tf::floordiv(b, total, n), extra = tf::mod(b, total, n);
    const Output large = tf::floordiv(b, flat, tf::plus(b, each, 1));
    const Output small = tf::floordiv(b, tf::minus(b, flat, extra), each);
    part = b.op("Maximum", {large, small});
    const Output early = tf::compare(b, "Less", part, extra);
    const Output inLarge = tf::mod(b, flat, tf::plus(b, each, 1));
    const Output inSmall = tf::mod(b, tf::minus(b, flat, extra), each);
    inside = tf::where(b, early, inLarge, inSmall);
  } else {
    b.fail(invalidArgument("Unrecognized partition strategy: ", strategy));
    return {};
  }
  part = tf::cast(b, part, DType::Int32);
  const auto idsOf = emitAll(b, "DynamicPartition", {inside, part}, {{"num_partitions", n}});
  const auto placesOf = emitAll(b, "DynamicPartition", {places, part}, {{"num_partitions", n}});
  if (!b.ok()) return {};
  std::vector<Output> found;
  for (int64_t p = 0; p < n; ++p) {
    const auto there = beside(parts[size_t(p)]);
    found.push_back(tf::gather(b, parts[size_t(p)], idsOf[size_t(p)]));
  }
  const Output joined = emit(b, "ParallelDynamicStitch", {Argument(placesOf), Argument(found)}, {}, scope.name());
  Shape element = shapeOf(parts[0]).slice(1);
  for (const Argument& p : parts) {
    if (auto merged = element.mergedWith(shapeOf(p).slice(1)); merged.ok()) element = *merged;
  }
  Argument tail = element;
  if (!element.isFullyKnown()) {
    Output shape;
    {
      const auto there = beside(parts[0]);
      shape = tf::shape(b, parts[0]);
    }
    tail = tf::part(b, shape, 1, {});
  }
  const Output dims = tf::concatenate(b, ArgumentList{tf::shape(b, ids), tail}, 0);
  const Output out = tf::reshape(b, joined, dims);
  Shape whole = b.shape(ids);
  if (whole.hasRank()) {
    whole.append(element);
    b.setShape(out, whole);
  }
  return limited(b, out, ids, maxNorm);
}

}  // namespace weft::api::nn
