#include "api/weights.h"

#include "api/checks.h"
#include "api/control_flow.h"
#include "api/tf.h"
#include "ops/grad_ops.h"

namespace weft::api::weights {
namespace {

constexpr const char* kCannot = "weights can not be broadcast to values.";

struct Sized {
  Output tensor, shape, rank;
};

Sized sized(GraphBuilder& b, const Argument& given, std::string_view name) {
  const py::Scope scope(b, name);
  Sized out;
  out.tensor = toTensor(b, given, scope.name());
  out.shape = tf::shape(b, out.tensor, "shape");
  out.rank = tf::rank(b, out.tensor, "rank");
  return out;
}

// Whether each dimension of the weights is 1 or equals that of the values.
Output validDims(GraphBuilder& b, Output weights, Output values) {
  const py::Scope scope(b, "has_invalid_dims");
  const Output v = tf::expandDims(b, values, -1);
  const Output valid = tf::concatenate(b, ArgumentList{v, tf::onesLike(b, v)}, 1);
  const Output w = tf::expandDims(b, weights, -1);
  const auto invalid = emitAll(b, "DenseToDenseSetOperation", {w, valid}, {{"set_operation", "a-b"}, {"validate_indices", true}});
  if (!b.ok()) return {};
  const Output count = tf::size(b, invalid[1], "num_invalid_dims");
  return emit(b, "Equal", {0, count}, {}, scope.name());
}

Output validShape(GraphBuilder& b, const Sized& weights, const Sized& values) {
  const py::Scope scope(b, "has_valid_nonscalar_shape");
  const Output same = b.op("Equal", {values.rank, weights.rank}, {}, "is_same_rank");
  const auto out = cond(
      b, same, [&]() -> std::vector<Output> { return {validDims(b, weights.shape, values.shape)}; }, [&]() -> std::vector<Output> { return {same}; },
      scope.name());
  return out.empty() ? Output{} : out[0];
}

}  // namespace

int assertBroadcastable(GraphBuilder& b, const Argument& givenWeights, const Argument& givenValues) {
  const py::Scope scope(b, "assert_broadcastable");
  const Sized w = sized(b, givenWeights, "weights"), v = sized(b, givenValues, "values");
  if (!b.ok()) return -1;
  const Shape ws = b.shape(w.tensor), vs = b.shape(v.tensor);
  if (ws.hasRank() && vs.hasRank()) {
    if (ws.rank() == 0) return b.node("NoOp", {}, {}, "static_scalar_check_success");
    if (ws.rank() != vs.rank()) {
      b.fail(invalidArgument(kCannot, " values.rank=", vs.rank(), ". weights.rank=", ws.rank(), ". values.shape=", vs.toPythonString(),
                             ". weights.shape=", ws.toPythonString(), "."));
      return -1;
    }
    if (ws.isFullyKnown() && vs.isFullyKnown()) {
      for (int i = 0; i < vs.rank(); ++i) {
        if (ws.dim(i) == 1 || ws.dim(i) == vs.dim(i)) continue;
        b.fail(invalidArgument(kCannot, " Mismatch at dim ", i, ". values.shape=", vs.toPythonString(), " weights.shape=", ws.toPythonString(), "."));
        return -1;
      }
      return b.node("NoOp", {}, {}, "static_dims_check_success");
    }
  }
  const Output isScalar = emit(b, "Equal", {0, w.rank}, {}, "is_scalar");
  if (!b.ok()) return -1;
  const ArgumentList data = {kCannot,      "weights.shape=", b.graph().tensorName(w.tensor), w.shape, "values.shape=", b.graph().tensorName(v.tensor), v.shape,
                             "is_scalar=", isScalar};
  const auto valid = cond(
      b, isScalar, [&]() -> std::vector<Output> { return {isScalar}; }, [&]() -> std::vector<Output> { return {validShape(b, w, v)}; }, "is_valid_shape");
  return valid.empty() ? -1 : checks::require(b, valid[0], data, {}, scope.name());
}

Output broadcast(GraphBuilder& b, const Argument& givenWeights, const Argument& givenValues) {
  const py::Scope scope(b, "broadcast_weights");
  const Output values = toTensor(b, givenValues, "values");
  const Output weights = toTensor(b, givenWeights, "weights", b.dtype(values));
  const Shape ws = b.shape(weights), vs = b.shape(values);
  if (ws.isFullyKnown() && vs.isFullyKnown() && ws.compatibleWith(vs)) return weights;
  const auto wait = b.controlDependencies({assertBroadcastable(b, weights, values)});
  return b.op("Mul", {weights, tf::onesLike(b, values)}, {}, scope.name());
}

std::pair<Output, Output> removeSqueezable(GraphBuilder& b, const Argument& givenLabels, const Argument& givenPredictions, int expected) {
  const py::Scope scope(b, "remove_squeezable_dimensions");
  Output predictions = toTensor(b, givenPredictions, {}), labels = toTensor(b, givenLabels, {});
  const Shape ps = b.shape(predictions), ls = b.shape(labels);
  if (!b.ok()) return {};
  if (ls.hasRank() && ps.hasRank()) {
    const int difference = ps.rank() - ls.rank();
    if (difference == expected + 1) predictions = tf::squeeze(b, predictions, {-1});
    else if (difference == expected - 1) labels = tf::squeeze(b, labels, {-1});
    return {labels, predictions};
  }
  const Output rankOfPredictions = tf::rank(b, predictions);
  const Output difference = tf::minus(b, rankOfPredictions, tf::rank(b, labels));
  const auto lastIsOne = [](const Shape& s) { return !s.hasRank() || (s.rank() > 0 && (s.dim(s.rank() - 1) == 1 || s.dim(s.rank() - 1) < 0)); };
  const auto squeezed = [&](Output x, int when) {
    const Output is = emit(b, "Equal", {when, difference});
    const auto out = cond(
        b, is, [&]() -> std::vector<Output> { return {tf::squeeze(b, x, {-1})}; }, [&]() -> std::vector<Output> { return {x}; });
    return out.empty() ? Output{} : out[0];
  };
  if (lastIsOne(ps)) predictions = squeezed(predictions, expected + 1);
  if (lastIsOne(ls)) labels = squeezed(labels, expected - 1);
  return {labels, predictions};
}

}  // namespace weft::api::weights
