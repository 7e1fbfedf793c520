#include "api/nn.h"
#include "api/variables.h"
#include "ops/grad_ops.h"

namespace weft::api::losses {
namespace {

Output named(GraphBuilder& b, Output x, bool rank, std::string_view name) {
  const Shape s = b.shape(x);
  if (rank) return s.hasRank() ? b.scalar<int32_t>(s.rank(), name) : b.op("Rank", {x}, {}, name);
  if (!s.isFullyKnown()) return b.op("Shape", {x}, {}, name);
  std::vector<int32_t> dims;
  for (int64_t d : s.dims()) dims.push_back(int32_t(d));
  return b.constant(Tensor::vector(dims), name);
}

// The checks that weights (a scalar here) fit the values: nodes that the following ones wait for.
int assertBroadcastable(GraphBuilder& b, Output weights, Output values) {
  const auto scope = b.nameScope("assert_broadcastable");
  if (!weights.valid()) weights = b.number(DType::Float, 1, "weights");
  named(b, weights, false, "weights/shape");
  named(b, weights, true, "weights/rank");
  named(b, values, false, "values/shape");
  named(b, values, true, "values/rank");
  return b.node("NoOp", {}, {}, "static_scalar_check_success");
}

Output numPresent(GraphBuilder& b, Output losses, Output weights) {
  const py::Scope scope(b, "num_present");
  const Output isZero = py::call(b, "Equal", weights, 0);
  const Output none = py::zerosLike(b, weights);
  const Output one = py::onesLike(b, weights);
  const Output present = b.op("Select", {isZero, none, one});
  Output spread;
  {
    const py::Scope inner(b, "broadcast_weights");
    if (b.shape(losses).isScalar()) {
      spread = present;
    } else {
      const auto wait = b.controlDependencies({assertBroadcastable(b, present, losses)});
      spread = b.op("Mul", {present, py::onesLike(b, losses)}, {}, inner.name());
    }
  }
  return reduceAll(b, "Sum", spread, scope.name());
}

// tf.losses.compute_weighted_loss with weight 1 and SUM_BY_NONZERO_WEIGHTS, in the current scope.
Output weighted(GraphBuilder& b, Output losses, Output weights = {}) {
  const int checked = assertBroadcastable(b, weights, losses);
  const auto wait = b.controlDependencies({checked});
  const DType type = b.dtype(losses);
  const Output values = b.cast(losses, DType::Float);
  if (!weights.valid()) {
    const auto scope = b.nameScope("Cast");  // the scope that tf.cast opens for a number
    weights = b.number(DType::Float, 1, "x");
  }
  const Output product = b.op("Mul", {values, weights});
  const Output sum = reduceAll(b, "Sum", product);
  const Output present = numPresent(b, values, weights);
  const Output total = reduceAll(b, "Sum", sum);
  const Output loss = b.cast(b.op("DivNoNan", {total, present}, {}, "value"), type);
  if (b.ok()) b.addToCollection("losses", b.graph().tensorName(loss));
  return loss;
}

// As TensorFlow: the known parts of both shapes must be equal. False once the builder has failed.
bool compatible(GraphBuilder& b, Output outputs, Output labels) {
  if (!b.ok()) return false;
  if (b.shape(outputs).compatibleWith(b.shape(labels))) return true;
  b.fail(invalidArgument("Shapes ", b.shape(outputs).toPythonString(), " and ", b.shape(labels).toPythonString(), " are incompatible"));
  return false;
}

}  // namespace

Output meanSquaredError(GraphBuilder& b, Output labels, Output predictions, std::string_view scope) {
  const auto inside = b.nameScope(scope);
  if (!compatible(b, predictions, labels)) return {};
  return weighted(b, b.op("SquaredDifference", {predictions, labels}));
}

Output softmaxCrossEntropy(GraphBuilder& b, Output onehotLabels, Output logits, std::string_view scope) {
  const auto inside = b.nameScope(scope);
  if (!compatible(b, logits, onehotLabels)) return {};
  const Output labels = b.op("StopGradient", {b.cast(onehotLabels, b.dtype(logits))}, {}, "labels_stop_gradient");
  return weighted(b, api::softmaxCrossEntropy(b, labels, logits, "xentropy"));
}

Output sparseSoftmaxCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view scope) {
  const auto inside = b.nameScope(scope);
  const Output weights = b.number(DType::Float, 1);  // a tensor already where labels may have to lose a dimension
  return weighted(b, api::sparseSoftmaxCrossEntropy(b, labels, logits, "xentropy"), weights);
}

Output sigmoidCrossEntropy(GraphBuilder& b, Output labels, Output logits, std::string_view scope) {
  const auto inside = b.nameScope(scope);
  if (!compatible(b, logits, labels)) return {};
  return weighted(b, api::sigmoidCrossEntropy(b, b.cast(labels, b.dtype(logits)), logits, "xentropy"));
}

}  // namespace weft::api::losses
