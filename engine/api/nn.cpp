#include "api/nn.h"

#include <limits>

#include "api/narrow.h"
#include "api/variables.h"
#include "ops/grad_ops.h"

namespace weft::api {

Output reduceAll(GraphBuilder& b, std::string_view op, Output x, std::string_view name) {
  const Shape s = b.shape(x);
  Output axes;
  if (s.hasRank()) {
    std::vector<int32_t> all(size_t(s.rank()));
    for (int i = 0; i < s.rank(); ++i) all[size_t(i)] = i;
    axes = b.constant(Tensor::vector(all));
  } else {
    const Output rank = b.op("Rank", {x});
    axes = py::range(b, 0, rank);
  }
  return b.op(op, {x, axes}, {}, name);
}

Output argMax(GraphBuilder& b, Output x, int64_t axis, std::string_view name) {
  const py::Scope scope(b, name);
  const Output dimension = b.scalar<int32_t>(fit32(b, axis, "axis"), "dimension");
  return b.op("ArgMax", {x, dimension}, {}, scope.name());
}

Output activation(GraphBuilder& b, Output x, const std::string& kind) {
  static const std::map<std::string, std::string> kOps = {
      {"relu", "Relu"}, {"relu6", "Relu6"}, {"tanh", "Tanh"},         {"sigmoid", "Sigmoid"},   {"softmax", "Softmax"},
      {"elu", "Elu"},   {"selu", "Selu"},   {"softplus", "Softplus"}, {"softsign", "Softsign"}, {"log_softmax", "LogSoftmax"}};
  if (kind.empty() || kind == "linear" || kind == "none") return x;
  const auto it = kOps.find(kind);
  if (it == kOps.end()) {
    b.fail(invalidArgument("There is no activation '", kind, "'; expected relu, tanh, sigmoid, softmax, elu, softplus or linear"));
    return {};
  }
  return b.op(it->second, {x});
}

Output dropout(GraphBuilder& b, Output x, const DropoutRate& rate, std::optional<int64_t> seed, std::string_view name) {
  const DType type = b.dtype(x);
  const py::Scope scope(b, name);
  const Output r = rate.tensor.valid() ? rate.tensor : b.number(type, rate.value, "rate");
  const Output shape = py::shape(b, x);
  const Output random = randomUniform(b, shape, 0, 1, type, seed);
  const Output keep = py::sub(b, 1, r);
  const Output scale = py::truediv(b, 1, keep);
  const Output mask = b.op("GreaterEqual", {random, r});
  const Output scaled = py::mul(b, x, scale);
  const Output out = py::mul(b, scaled, b.cast(mask, type));
  b.setShape(out, b.shape(x));
  return out;
}

namespace {

// tf.slice with parts that may be tensors.
Output slice(GraphBuilder& b, Output x, Output beginPart, std::optional<int32_t> begin, Output sizePart, std::optional<int32_t> size) {
  const py::Scope scope(b, "Slice");
  const Output from = begin ? b.ints({*begin}, "begin") : b.op("Pack", {beginPart}, {{"axis", 0}}, "begin");
  const Output count = size ? b.ints({*size}, "size") : b.op("Pack", {sizePart}, {{"axis", 0}}, "size");
  return b.op("Slice", {x, from, count}, {}, scope.name());
}

// All but the last dimension as one.
Output flattenOuter(GraphBuilder& b, Output x) {
  const Output rank = py::rank(b, x);
  const Output shape = py::shape(b, x);
  const Output last = py::call(b, "Sub", rank, 1);
  const Output size = slice(b, shape, last, {}, {}, 1);
  const Output dims = py::concat(b, {std::vector<int64_t>{-1}, size}, 0);
  return b.op("Reshape", {x, dims});
}

}  // namespace

Output softmaxCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view name) {
  const py::Scope scope(b, name);
  const Output rank = py::rank(b, logits);
  const Output shape = py::shape(b, logits);
  const Output x = flattenOuter(b, logits);
  const Output y = flattenOuter(b, labels);
  const Output cost = b.op("SoftmaxCrossEntropyWithLogits", {x, y}, {}, scope.name());
  const Output outer = py::call(b, "Sub", rank, 1);
  const Output dims = slice(b, shape, {}, 0, outer, {});
  const Output out = b.op("Reshape", {cost, dims});
  const Shape s = b.shape(logits);
  if (s.hasRank() && s.rank() > 0) b.setShape(out, s.slice(0, -1));
  return out;
}

Output sparseSoftmaxCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view name) {
  const auto scope = b.nameScope(name.empty() ? "SparseSoftmaxCrossEntropyWithLogits" : name);
  const Output shape = py::shape(b, labels);
  const Shape s = b.shape(logits);
  if (s.hasRank() && s.rank() == 2) return b.op("SparseSoftmaxCrossEntropyWithLogits", {logits, labels}, {}, name);
  const Output classes = py::at(b, py::shape(b, logits), -1);
  const Output x = py::reshape(b, logits, py::stack(b, {-1, classes}));
  const Output y = py::reshape(b, labels, std::vector<int64_t>{-1});
  const Output cost = b.op("SparseSoftmaxCrossEntropyWithLogits", {x, y}, {}, name);
  const Output out = py::reshape(b, cost, shape);
  b.setShape(out, b.shape(labels));
  return out;
}

Output sigmoidCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view name) {
  const py::Scope scope(b, name);
  const Output zero = py::zerosLike(b, logits);
  const Output positive = b.op("GreaterEqual", {logits, zero});
  const Output relu = b.op("Select", {positive, logits, zero});
  const Output negative = py::neg(b, logits);
  const Output minusAbs = b.op("Select", {positive, negative, logits});
  const Output product = py::mul(b, logits, labels);
  const Output difference = py::sub(b, relu, product);
  const Output tail = b.op("Log1p", {b.op("Exp", {minusAbs})});
  return b.op("Add", {difference, tail}, {}, scope.name());
}

Output accuracy(GraphBuilder& b, Output logits, Output labels, std::string_view name) {
  const auto scope = b.nameScope(name);
  const DType type = b.dtype(labels);
  Output predicted;
  {
    const py::Scope own(b, "ArgMax");
    const Output dimension = b.scalar<int32_t>(1, "dimension");
    predicted = b.op("ArgMax", {logits, dimension}, {{"output_type", type == DType::Int32 ? DType::Int32 : DType::Int64}}, own.name());
  }
  Output truth = labels;
  if (b.shape(labels).rank() == 2) truth = argMax(b, labels, 1);
  const Output right = b.op("Equal", {predicted, truth});
  return reduceAll(b, "Mean", b.cast(right, DType::Float));
}

std::pair<std::vector<Gradient>, Output> clipByGlobalNorm(GraphBuilder& b, const std::vector<Gradient>& grads, double clipNorm) {
  std::vector<Output> values;
  for (const Gradient& g : grads) values.push_back(g.slices ? g.slices->values : g.dense);
  Output norm;
  {
    const auto scope = b.nameScope("global_norm");
    std::vector<py::Operand> halves;
    for (Output v : values) {
      if (!v.valid()) continue;
      const auto where = b.colocateWith(v.node);
      halves.emplace_back(b.op("L2Loss", {v}));
    }
    const Output half = reduceAll(b, "Sum", py::stack(b, halves));
    const Output two = b.number(b.dtype(half), 2);
    norm = b.op("Sqrt", {py::mul(b, half, two)}, {}, "global_norm");
  }
  const py::Scope scope(b, "clip_by_global_norm");
  const DType type = b.dtype(norm);
  const Output inverse = py::truediv(b, 1, norm);
  const Output one = b.number(type, 1);
  const Output limit = py::truediv(b, one, clipNorm);
  const Output least = b.op("Minimum", {inverse, limit});
  const Output finite = py::mul(b, clipNorm, least);
  const Output isFinite = b.op("IsFinite", {norm});
  const Output nan = b.number(type, std::numeric_limits<double>::quiet_NaN());
  const Output scale = b.op("Select", {isFinite, finite, nan});
  std::vector<Gradient> out = grads;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].valid()) continue;
    const auto where = b.colocateWith(values[i].node);
    const Output clipped = b.identity(py::mul(b, values[i], scale), scope.name() + "_" + std::to_string(i));
    if (out[i].slices) out[i].slices->values = clipped;
    else out[i].dense = clipped;
  }
  return {std::move(out), norm};
}

}  // namespace weft::api
