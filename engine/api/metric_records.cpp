// tf.metrics: accumulate over batches in local variables; each returns the current value and the op that adds a batch.
#include <algorithm>

#include "api/checks.h"
#include "api/metric_parts.h"
#include "api/nn_functions.h"
#include "api/weights.h"

namespace weft::api {
namespace metrics {

Output assignAdd(GraphBuilder& b, const VariablePtr& v, Output value, tf::Name name) {
  if (!v->resource) return emit(b, "AssignAdd", {v, value}, {{"use_locking", false}}, name);
  const int id = emitNode(b, "AssignAddVariableOp", {v, value}, {{"dtype", v->dtype}}, name);
  const auto wait = b.controlDependencies({id});
  return read(b, *v);
}

/// Adds `values` to the rows `indices` of a counter.
Output scatterAdd(GraphBuilder& b, const VariablePtr& v, Output indices, Output values) {
  if (!v->resource) return emit(b, "ScatterAdd", {v, indices, values});
  const int id = emitNode(b, "ResourceScatterAdd", {v, indices, values}, {{"dtype", v->dtype}});
  const auto wait = b.controlDependencies({id});
  return read(b, *v);
}

VariablePtr counter(GraphBuilder& b, const Argument& shape, DType type, std::string_view name) {
  VariableOptions options;
  options.trainable = false;
  options.kind = "local_variables";
  options.collections = {"local_variables", "metric_variables"};
  const auto make = [&b, shape, type] { return tf::zeros(b, shape, type); };
  if (VariablePtr v = clientCounter(b, name, make)) return v;
  return variable(b, make, name, options);
}

void addToCollections(const Call& c, const std::string& parameter, Output o) {
  if (!c.b.ok()) return;
  for (const Argument& a : c.list(parameter)) {
    if (const auto* s = std::get_if<std::string>(&a)) c.b.addToCollection(*s, c.b.graph().tensorName(o));
  }
}

Built result(const Call& c, Output value, Output update) {
  addToCollections(c, "metrics_collections", value);
  addToCollections(c, "updates_collections", update);
  return Values{{value, update}, {}};
}

Given given(GraphBuilder& b, const Argument& predictionsGiven, const Argument& labelsGiven, const Argument& weightsGiven) {
  Given g;
  g.predictions = toTensor(b, predictionsGiven, {});
  if (!isNone(labelsGiven)) {
    std::tie(g.labels, g.predictions) = weights::removeSqueezable(b, labelsGiven, g.predictions);
    if (b.ok() && !b.shape(g.predictions).compatibleWith(b.shape(g.labels)))
      b.fail(invalidArgument("Shapes ", b.shape(g.predictions).toPythonString(), " and ", b.shape(g.labels).toPythonString(), " are incompatible"));
  }
  if (isNone(weightsGiven) || !b.ok()) return g;
  g.weights = toTensor(b, weightsGiven, {});
  const Shape ws = b.shape(g.weights), ps = b.shape(g.predictions);
  if (ws.isScalar()) return g;
  if (ws.hasRank() && ps.hasRank()) {
    if (ws.rank() - ps.rank() == 1) g.weights = tf::squeeze(b, g.weights, {-1});
    else if (ps.rank() - ws.rank() == 1) g.weights = tf::expandDims(b, g.weights, std::vector<int64_t>{-1});
    return g;
  }
  const Output wanted = tf::rank(b, g.weights);
  const Output difference = tf::minus(b, wanted, tf::rank(b, g.predictions));
  const Output w = g.weights;
  const auto pick = [&](Output test, const std::function<Output()>& yes, const std::function<Output()>& no) {
    const auto out = cond(
        b, test, [&]() -> std::vector<Output> { return {yes()}; }, [&]() -> std::vector<Output> { return {no()}; });
    return out.empty() ? Output{} : out[0];
  };
  const bool mayShrink = !ws.hasRank() || ws.dim(ws.rank() - 1) == 1 || ws.dim(ws.rank() - 1) < 0;
  const auto shrunk = [&] { return mayShrink ? tf::squeeze(b, w, {-1}) : w; };
  const auto grown = [&] {
    return pick(
        emit(b, "Equal", {difference, -1}), [&] { return tf::expandDims(b, w, std::vector<int64_t>{-1}); }, [&] { return w; });
  };
  g.weights = pick(
      emit(b, "Equal", {wanted, 0}), [&] { return w; },
      [&] {
        return pick(emit(b, "Equal", {difference, 1}), shrunk, grown);
      });
  return g;
}

Metric mean(GraphBuilder& b, const Argument& givenValues, const Argument& givenWeights, const std::string& name) {
  const VariableScope scope(b, name, "mean");
  Output values = tf::cast(b, givenValues, DType::Float);
  const VariablePtr total = counter(b, Shape{}, DType::Float, "total"), count = counter(b, Shape{}, DType::Float, "count");
  Output n;
  if (isNone(givenWeights)) {
    n = tf::cast(b, tf::size(b, values), DType::Float);
  } else {
    const Given g = given(b, values, {}, givenWeights);
    const Output w = weights::broadcast(b, tf::cast(b, g.weights, DType::Float), g.predictions);
    values = b.op("Mul", {g.predictions, w});
    n = tf::reduce(b, "Sum", w);
  }
  const Output totalNow = assignAdd(b, total, tf::reduce(b, "Sum", values));
  Output countNow;
  {
    const auto wait = b.controlDependencies({values.node});
    countNow = assignAdd(b, count, n);
  }
  const Output so = tf::divNoNan(b, total, emit(b, "Maximum", {count, 0}), "value");
  return {so, tf::divNoNan(b, totalNow, emit(b, "Maximum", {countNow, 0}), "update_op")};
}

Metric counted(GraphBuilder& b, Output values, const Argument& w) {
  checks::isType(b, values, DType::Bool, {});
  const VariablePtr count = counter(b, Shape{}, DType::Float, "count");
  Output x = tf::cast(b, values, DType::Float);
  if (!isNone(w)) {
    const Output weights = tf::cast(b, toTensor(b, w, {}), DType::Float);
    x = b.op("Mul", {x, weights});
  }
  const Output so = tf::identity(b, count);
  return {so, assignAdd(b, count, tf::reduce(b, "Sum", x))};
}

Metric confusionCount(GraphBuilder& b, const std::string& name, const std::string& usual, const Argument& labels, bool label, const Argument& predictions,
                      bool prediction, const Argument& weights) {
  const VariableScope scope(b, name, usual);
  const Output p = tf::cast(b, predictions, DType::Bool), y = tf::cast(b, labels, DType::Bool);
  const Given g = given(b, p, y, weights);
  const Output isLabel = emit(b, "Equal", {g.labels, label});
  const Output isPrediction = emit(b, "Equal", {g.predictions, prediction});
  return counted(b, b.op("LogicalAnd", {isLabel, isPrediction}), g.weights.valid() ? Argument(g.weights) : Argument());
}

}  // namespace metrics

namespace {

using namespace metrics;

// The share of x in x + y where that is positive, else 0.
Output share(GraphBuilder& b, Output x, Output y, const char* name) {
  const Output some = emit(b, "Greater", {tf::plus(b, x, y), 0});
  const Output quotient = tf::div(b, x, tf::plus(b, x, y));
  return tf::where(b, some, quotient, 0, name);
}

CallFunction hitRate(std::string usual, std::string misses, bool label, bool prediction) {
  return [=](Call& c) -> Built {
    GraphBuilder& b = c.b;
    const VariableScope scope(b, c.name(), usual);
    const Output p = tf::cast(b, c["predictions"], DType::Bool), y = tf::cast(b, c["labels"], DType::Bool);
    const Given g = given(b, p, y, c["weights"]);
    const Argument w = g.weights.valid() ? Argument(g.weights) : Argument();
    const Metric hits = confusionCount(b, {}, "true_positives", g.labels, true, g.predictions, true, w);
    const Metric others = confusionCount(b, {}, misses, g.labels, label, g.predictions, prediction, w);
    const Output value = share(b, hits.value, others.value, "value");
    return result(c, value, share(b, hits.update, others.update, "update_op"));
  };
}

// A metric that is the mean of something computed of labels and predictions.
CallFunction meanOf(std::string usual, std::function<Output(Call&, const Given&)> values) {
  return [=](Call& c) -> Built {
    const Given g = given(c.b, c["predictions"], c["labels"], c["weights"]);
    if (!c.b.ok()) return c.b.status().error();
    const Metric m = mean(c.b, values(c, g), g.weights.valid() ? Argument(g.weights) : Argument(), c.name(usual));
    return result(c, m.value, m.update);
  };
}

Built meanTensor(Call& c) {
  GraphBuilder& b = c.b;
  const VariableScope scope(b, c.name(), "mean");
  Output values = tf::cast(b, c["values"], DType::Float);
  const Argument shape = b.shape(values);
  const VariablePtr total = counter(b, shape, DType::Float, "total_tensor"), count = counter(b, shape, DType::Float, "count_tensor");
  Output n = tf::onesLike(b, values);
  if (c.has("weights")) {
    const Given g = given(b, values, {}, c["weights"]);
    const Output w = weights::broadcast(b, tf::cast(b, g.weights, DType::Float), g.predictions);
    values = b.op("Mul", {g.predictions, w});
    n = b.op("Mul", {n, w});
  }
  const Output totalNow = assignAdd(b, total, values);
  Output countNow;
  {
    const auto wait = b.controlDependencies({values.node});
    countNow = assignAdd(b, count, n);
  }
  const Output so = tf::divNoNan(b, total, emit(b, "Maximum", {count, 0}), "value");
  return result(c, so, tf::divNoNan(b, totalNow, emit(b, "Maximum", {countNow, 0}), "update_op"));
}

Output flat(GraphBuilder& b, Output x) { return b.shape(x).rank() > 1 ? tf::reshape(b, x, std::vector<int64_t>{-1}) : x; }

Built meanIou(Call& c) {
  GraphBuilder& b = c.b;
  const VariableScope scope(b, c.name(), "mean_iou");
  const int64_t n = c.a.integer("num_classes");
  const VariablePtr total = counter(b, Shape{n, n}, DType::Double, "total_confusion_matrix");
  Output p = tf::cast(b, c["predictions"], DType::Int64), y = tf::cast(b, c["labels"], DType::Int64);
  const Output classes = tf::cast(b, n, DType::Int64);
  p = flat(b, p);
  y = flat(b, y);
  Argument w;
  if (c.has("weights")) w = flat(b, c.tensor("weights"));
  auto matrix = buildApi(b, "confusion_matrix", {{"labels", y}, {"predictions", p}, {"num_classes", classes}, {"weights", w}, {"dtype", DType::Double}});
  if (!matrix.ok()) return matrix.error();
  const Output update = assignAdd(b, total, matrix->outputs[0]);
  const Output rows = tf::cast(b, tf::reduce(b, "Sum", total, 0), DType::Float), columns = tf::cast(b, tf::reduce(b, "Sum", total, 1), DType::Float);
  const Output diagonal = tf::cast(b, emit(b, "DiagPart", {total}), DType::Float);
  Output united = tf::minus(b, tf::plus(b, rows, columns), diagonal);
  const Output valid = tf::reduce(b, "Sum", tf::cast(b, emit(b, "NotEqual", {united, 0}), DType::Float));
  const Output some = emit(b, "Greater", {united, 0});
  united = tf::where(b, some, united, tf::onesLike(b, united));
  const Output each = tf::div(b, diagonal, united);
  const Output any = emit(b, "Greater", {valid, 0});
  const Output average = tf::over(b, tf::reduce(b, "Sum", each, {}, false, "mean_iou"), valid);
  return result(c, tf::where(b, any, average, 0), update);
}

Built meanPerClass(Call& c) {
  GraphBuilder& b = c.b;
  const VariableScope scope(b, c.name(), "mean_accuracy");
  const int64_t n = c.a.integer("num_classes");
  const Output y = flat(b, tf::cast(b, c["labels"], DType::Int64));
  Output p = flat(b, c.tensor("predictions"));
  const VariablePtr total = counter(b, Shape{n}, DType::Float, "total"), count = counter(b, Shape{n}, DType::Float, "count");
  Output ones = tf::ones(b, ArgumentList{tf::size(b, y)});
  p = tf::cast(b, p, b.dtype(y));
  Output right = tf::cast(b, b.op("Equal", {p, y}), DType::Float);
  if (c.has("weights")) {
    const Output w = tf::cast(b, flat(b, c.tensor("weights")), DType::Float);
    right = tf::times(b, right, w);
    ones = tf::times(b, ones, w);
  }
  const Output totalNow = scatterAdd(b, total, y, ones), countNow = scatterAdd(b, count, y, right);
  const Output each = tf::divNoNan(b, count, emit(b, "Maximum", {total, 0}));
  const Output value = tf::reduce(b, "Mean", each, {}, false, "mean_accuracy");
  return result(c, value, tf::divNoNan(b, countNow, emit(b, "Maximum", {totalNow, 0}), "update_op"));
}

Built confusionMatrix(Call& c) {
  GraphBuilder& b = c.b;
  const auto scope = c.scope("confusion_matrix");
  const Output givenLabels = c.tensor("labels"), givenPredictions = c.tensor("predictions");
  auto [labels, predictions] = weights::removeSqueezable(b, givenLabels, givenPredictions);
  predictions = tf::cast(b, predictions, DType::Int64);
  labels = tf::cast(b, labels, DType::Int64);
  const auto checked = [&](Output x, std::string_view sign, const std::string& message, Output bound) {
    checks::Options o;
    o.message = message;
    const int node = bound.valid() ? checks::binary(b, sign, x, bound, o) : checks::sign(b, sign, x, o);
    return b.ok() ? nn::withDependencies(b, {node}, x) : Output{};
  };
  labels = checked(labels, ">=", "`labels` contains negative values", {});
  predictions = checked(predictions, ">=", "`predictions` contains negative values", {});
  Argument n = c["num_classes"];
  if (isNone(n)) {
    const Output p = tf::reduce(b, "Max", predictions);
    n = tf::plus(b, b.op("Maximum", {p, tf::reduce(b, "Max", labels)}), 1);
  } else {
    const Output bound = tf::cast(b, n, DType::Int64);
    labels = checked(labels, "<", "`labels` out of bound", bound);
    predictions = checked(predictions, "<", "`predictions` out of bound", bound);
  }
  const DType type = c.a.dtype("dtype");
  Output w;
  if (c.has("weights")) w = tf::cast(b, c.tensor("weights"), type);
  const Output shape = tf::stack(b, ArgumentList{n, n});
  const Output indices = tf::stack(b, ArgumentList{labels, predictions}, 1);
  if (!w.valid()) w = tf::onesLike(b, predictions, type);
  const Output sizes = tf::cast(b, shape, DType::Int64);
  const Output zeros = tf::zeros(b, tf::cast(b, shape, DType::Int32), type);
  return c.one(b.op("SparseTensorDenseAdd", {indices, w, sizes, zeros}));
}

}  // namespace

void registerMetricFunctions(ApiRegistry& r) {
  def(r, "confusion_matrix math.confusion_matrix", "labels|predictions|num_classes=None|dtype: dtype=int32|name|weights=None",
      "Confusion matrix: counts of each pair of label and prediction.", "[classes, classes]; rows are labels.", confusionMatrix);
  const std::string rest = "|metrics_collections: any=None|updates_collections: any=None|name", pair = "labels|predictions|weights=None";
  const std::string returns = "tuple: The value over the batches so far, and the op that adds a batch and returns the new value.";
  def(r, "metrics.mean", "values|weights=None" + rest, "Mean over all batches.", returns, [](Call& c) {
    const Metric m = mean(c.b, c["values"], c["weights"], c.name());
    return result(c, m.value, m.update);
  });
  def(r, "metrics.mean_tensor", "values|weights=None" + rest, "Element-wise mean over all batches.", returns, meanTensor);
  def(r, "metrics.accuracy", pair + rest, "Accuracy over all batches: the fraction of predictions that equal their labels.", returns,
      meanOf("accuracy", [](Call& c, const Given& g) {
        const Output p = tf::cast(c.b, g.predictions, c.b.dtype(g.labels));
        return tf::cast(c.b, c.b.op("Equal", {p, g.labels}), DType::Float);
      }));
  def(r, "metrics.mean_absolute_error", pair + rest, "Mean absolute error over all batches.", returns,
      meanOf("mean_absolute_error", [](Call& c, const Given& g) { return tf::abs(c.b, tf::minus(c.b, g.predictions, g.labels)); }));
  def(r, "metrics.mean_squared_error", pair + rest, "Mean squared error over all batches.", returns, meanOf("mean_squared_error", [](Call& c, const Given& g) {
        return c.b.op("SquaredDifference", {g.labels, g.predictions});
      }));
  def(r, "metrics.mean_relative_error", "labels|predictions|normalizer -- Values by which errors are divided.|weights=None" + rest,
      "Mean relative error over all batches.", returns, [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        const Given g = given(b, c["predictions"], c["labels"], c["weights"]);
        const auto [p, normalizer] = weights::removeSqueezable(b, g.predictions, c["normalizer"]);
        const Output none = emit(b, "Equal", {normalizer, 0.0});
        const Output zeros = tf::zerosLike(b, g.labels);
        const Output errors = tf::where(b, none, zeros, tf::div(b, tf::abs(b, tf::minus(b, g.labels, p)), normalizer));
        const Metric m = mean(b, errors, g.weights.valid() ? Argument(g.weights) : Argument(), c.name("mean_relative_error"));
        return result(c, m.value, m.update);
      });
  def(r, "metrics.root_mean_squared_error", pair + rest, "Root mean squared error over all batches.", returns, [](Call& c) -> Built {
    GraphBuilder& b = c.b;
    const Given outer = given(b, c["predictions"], c["labels"], c["weights"]);
    const Given g = given(b, outer.predictions, outer.labels, outer.weights.valid() ? Argument(outer.weights) : Argument());
    const Metric m =
        mean(b, b.op("SquaredDifference", {g.labels, g.predictions}), g.weights.valid() ? Argument(g.weights) : Argument(), c.name("root_mean_squared_error"));
    const Output value = b.op("Sqrt", {m.value});
    return result(c, value, b.op("Sqrt", {m.update}));
  });
  def(r, "metrics.mean_cosine_distance", "labels|predictions|dim: int -- Dimension along which the vectors lie.|weights=None" + rest,
      "Mean cosine distance over all batches.", returns, [](Call& c) -> Built {
        GraphBuilder& b = c.b;
        const Given g = given(b, c["predictions"], c["labels"], c["weights"]);
        const Output products = tf::reduce(b, "Sum", b.op("Mul", {g.predictions, g.labels}), std::vector<int64_t>{c.a.integer("dim")}, true);
        const Metric m = mean(b, products, g.weights.valid() ? Argument(g.weights) : Argument(), c.name("mean_cosine_distance"));
        const Output value = emit(b, "Sub", {1.0, m.value});
        return result(c, value, emit(b, "Sub", {1.0, m.update}));
      });
  def(r, "metrics.percentage_below", "values|threshold -- The threshold.|weights=None" + rest, "Fraction of values below a threshold, over all batches.",
      returns, [](Call& c) {
        const Output below = tf::cast(c.b, emit(c.b, "Less", {c["values"], c["threshold"]}), DType::Float);
        const Metric m = mean(c.b, below, c["weights"], c.name("percentage_below_threshold"));
        return result(c, m.value, m.update);
      });
  struct Kind {
    std::string_view name;
    bool label, prediction;
  };
  static constexpr Kind kKinds[] = {
      {"true_positives", true, true}, {"false_negatives", true, false}, {"true_negatives", false, false}, {"false_positives", false, true}};
  for (const Kind& k : kKinds) {
    def(r, "metrics." + std::string(k.name), pair + rest, "Count over all batches.", returns, [k](Call& c) {
      const Metric m = confusionCount(c.b, c.name(), std::string(k.name), c["labels"], k.label, c["predictions"], k.prediction, c["weights"]);
      return result(c, m.value, m.update);
    });
  }
  def(r, "metrics.precision", pair + rest, "Precision over all batches: the fraction of positive predictions that are true.", returns,
      hitRate("precision", "false_positives", false, true));
  def(r, "metrics.recall", pair + rest, "Recall over all batches: the fraction of positive labels that are predicted.", returns,
      hitRate("recall", "false_negatives", true, false));
  def(r, "metrics.mean_iou", "labels|predictions|num_classes: int|weights=None" + rest, "Mean intersection over union (IoU) of the classes, over all batches.",
      returns, meanIou);
  def(r, "metrics.mean_per_class_accuracy", "labels|predictions|num_classes: int|weights=None" + rest, "Mean accuracy per class, over all batches.", returns,
      meanPerClass);
  registerThresholdMetrics(r);
  registerRankMetrics(r);
}

}  // namespace weft::api
