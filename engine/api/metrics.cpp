#include "api/metrics.h"

#include "api/control_flow.h"
#include "api/nn.h"
#include "api/records.h"
#include "api/variables.h"
#include "ops/grad_ops.h"

namespace weft::api {
namespace metrics {
namespace {

constexpr int kThresholds = 200;

VariablePtr counter(GraphBuilder& b, const Shape& shape, std::string_view name) {
  VariableOptions options;
  options.trainable = false;
  options.collections = {"local_variables", "metric_variables"};
  options.kind = "local_variables";
  return getVariable(b, name, shape, zerosInitializer(), options);
}

Output assignAdd(GraphBuilder& b, const VariablePtr& variable, Output value) { return b.op("AssignAdd", {variable->handle, value}); }

/// x / y where y > 0, else 0, as a node of that name.
Output ratio(GraphBuilder& b, Output x, Output rest, std::string_view name) {
  const Output positive = py::call(b, "Greater", py::add(b, x, rest), 0.0);
  const Output sum = py::add(b, x, rest);
  const Output quotient = b.op("RealDiv", {x, sum}, {}, "div");
  const py::Scope scope(b, name);
  const Output none = b.number(DType::Float, 0, "e");
  return b.op("Select", {positive, quotient, none}, {}, scope.name());
}

Output equals(GraphBuilder& b, Output x, bool y) {
  const py::Scope scope(b, "Equal");
  const Output value = b.scalar<bool>(y, "y");
  return b.op("Equal", {x, value}, {}, scope.name());
}

/// tf.metrics.true_positives and similar: number of cases with this label and this prediction.
Metric counted(GraphBuilder& b, std::string_view name, Output labels, bool label, Output predictions, bool prediction) {
  const VariableScope scope(b, name);
  const Output isLabel = equals(b, labels, label);
  const Output isPrediction = equals(b, predictions, prediction);
  const Output both = b.op("LogicalAnd", {isLabel, isPrediction});
  {
    const auto check = b.nameScope("assert_type");
    b.node("NoOp", {}, {}, "statically_determined_correct_type");
  }
  const VariablePtr count = counter(b, Shape{}, "count");
  const Output values = b.cast(both, DType::Float);
  const Output value = b.identity(count->snapshot);
  return {value, assignAdd(b, count, reduceAll(b, "Sum", values))};
}

bool sameShapes(GraphBuilder& b, Output labels, Output predictions) {
  if (!b.ok()) return false;
  const Shape x = b.shape(predictions), y = b.shape(labels);
  if (x.compatibleWith(y) && x.hasRank() == y.hasRank()) return true;
  b.fail(invalidArgument("Shapes ", x.toPythonString(), " and ", y.toPythonString(), " are incompatible"));
  return false;
}

/// Precision and recall, from true positives and false positives or false negatives.
Metric hitRate(GraphBuilder& b, Output labels, Output predictions, std::string_view base, const std::string& name, std::string_view misses, bool missedLabel) {
  if (!sameShapes(b, labels, predictions)) return {};
  const VariableScope scope(b, name, base);
  predictions = py::cast(b, predictions, DType::Bool);
  labels = py::cast(b, labels, DType::Bool);
  const Metric hits = counted(b, "true_positives", labels, true, predictions, true);
  const Metric others = counted(b, misses, labels, missedLabel, predictions, !missedLabel);
  const Output value = ratio(b, hits.value, others.value, "value");
  return {value, ratio(b, hits.update, others.update, "update_op")};
}

/// tf.debugging.assert_greater_equal and assert_less_equal against a number, as a statement of a graph: the node to wait for.
int assertBound(GraphBuilder& b, std::string_view scopeName, std::string_view op, Output x, double bound, const char* sign) {
  Output y;
  {
    const auto cast = b.nameScope("Cast");  // the scope that tf.cast opens for a number
    y = b.number(b.dtype(x), bound, "x");
  }
  const auto scope = b.nameScope(scopeName);
  const Output holds = b.op(op, {x, y});
  const Output all = reduceAll(b, "All", holds);
  const auto guarded = b.nameScope("Assert");
  if (!b.ok()) return -1;
  const std::string texts[] = {"predictions must be in [0, 1]", std::string("Condition x ") + sign + " y did not hold element-wise:",
                               "x (" + b.graph().tensorName(x) + ") = ", "y (" + b.graph().tensorName(y) + ") = "};
  for (const std::string& text : texts) b.constant(Tensor::scalar(text));
  const auto branch = [&b](std::string_view pivot, int done, std::string_view name) {
    const auto wait = b.controlDependencies({done});
    const auto o = b.graph().findOutput(b.currentScope() + std::string(pivot) + ":0");
    if (!o.ok()) return std::vector<Output>{Output{}};
    const std::vector<std::string> beside{"loc:@" + b.graph().node(o->node)->name};
    return std::vector<Output>{b.op("Identity", {*o}, {{"_class", beside}}, name)};
  };
  const auto merged = cond(
      b, all, [&] { return branch("switch_t", b.node("NoOp", {}), "control_dependency"); },
      [&] {
        int failed = -1;
        {
          const py::Scope own(b, "Assert");
          Inputs inputs;
          inputs.add(all);
          const auto text = [&](int i, int at) { inputs.add(b.constant(Tensor::scalar(texts[i]), "data_" + std::to_string(at))); };
          text(0, 0), text(1, 1), text(2, 2);
          inputs.add(x);
          text(3, 4);
          inputs.add(y);
          failed = b.node("Assert", inputs, {{"T", std::vector<DType>{DType::String, DType::String, DType::String, b.dtype(x), DType::String, b.dtype(y)}}},
                          own.name());
        }
        return branch("switch_f", failed, "control_dependency");
      },
      "AssertGuard");
  return merged.empty() ? -1 : merged[0].node;
}

struct Confusion {
  Output truePositives, falseNegatives, trueNegatives, falsePositives;
};

/// Area under the curve of true over false positive rates, by the trapezoidal rule.
Output area(GraphBuilder& b, const Confusion& c, std::string_view name) {
  constexpr double kEpsilon = 1e-6;
  const Output found = py::add(b, c.truePositives, kEpsilon);
  const Output real = py::add(b, py::add(b, c.truePositives, c.falseNegatives), kEpsilon);
  const Output recall = b.op("RealDiv", {found, real}, {}, "div");
  const Output negatives = py::add(b, py::add(b, c.falsePositives, c.trueNegatives), kEpsilon);
  const Output rate = b.op("RealDiv", {c.falsePositives, negatives}, {}, "div");
  const Output before = py::sliceTo(b, rate, double(kThresholds - 1));
  const Output width = py::sub(b, before, py::sliceFrom(b, rate, 1));
  const Output high = py::sliceTo(b, recall, double(kThresholds - 1));
  const Output sum = py::add(b, high, py::sliceFrom(b, recall, 1));
  const Output height = py::truediv(b, sum, 2.0);
  return reduceAll(b, "Sum", b.op("Mul", {width, height}), name);
}

}  // namespace

Metric mean(GraphBuilder& b, Output values, const std::string& name) {
  const VariableScope scope(b, name, "mean");
  values = py::cast(b, values, DType::Float);
  const VariablePtr total = counter(b, Shape{}, "total"), count = counter(b, Shape{}, "count");
  const Output number = b.cast(py::size(b, values), DType::Float);
  const Output newTotal = assignAdd(b, total, reduceAll(b, "Sum", values));
  Output newCount;
  {
    const auto wait = b.controlDependencies({values.node});
    newCount = assignAdd(b, count, number);
  }
  const Output seen = py::call(b, "Maximum", count->snapshot, 0.0);
  const Output value = b.op("DivNoNan", {total->snapshot, seen}, {}, "value");
  const Output seenNow = py::call(b, "Maximum", newCount, 0.0);
  return {value, b.op("DivNoNan", {newTotal, seenNow}, {}, "update_op")};
}

Metric precision(GraphBuilder& b, Output labels, Output predictions, const std::string& name) {
  return hitRate(b, labels, predictions, "precision", name, "false_positives", false);
}

Metric recall(GraphBuilder& b, Output labels, Output predictions, const std::string& name) {
  return hitRate(b, labels, predictions, "recall", name, "false_negatives", true);
}

Metric auc(GraphBuilder& b, Output labels, Output predictions, const std::string& name) {
  if (!sameShapes(b, labels, predictions)) return {};
  const VariableScope scope(b, name, "auc");
  const int least = assertBound(b, "assert_greater_equal", "GreaterEqual", predictions, 0, ">=");
  const int most = assertBound(b, "assert_less_equal", "LessEqual", predictions, 1, "<=");
  if (!b.ok()) return {};
  {
    const auto wait = b.controlDependencies({least, most});
    predictions = py::cast(b, predictions, DType::Float);
    labels = py::cast(b, labels, DType::Bool);
  }
  const Output column = py::reshape(b, predictions, std::vector<int64_t>{-1, 1});
  const Output row = py::reshape(b, labels, std::vector<int64_t>{1, -1});
  const int64_t known = b.shape(column).dim(0);
  const Output samples = known >= 0 ? Output{} : py::at(b, py::shape(b, column), 0);
  std::vector<float> limits{-1e-7F};
  for (int i = 0; i < kThresholds - 2; ++i) limits.push_back(float((i + 1) * 1.0 / (kThresholds - 1)));
  limits.push_back(float(1.0 + 1e-7));
  const Output thresholds = b.constant(Tensor::vector(limits));
  Output standing;
  {
    const py::Scope expand(b, "ExpandDims");
    standing = b.op("ExpandDims", {thresholds, b.ints({1}, "dim")}, {}, expand.name());
  }
  const Output times = known >= 0 ? b.ints({1, int32_t(known)}, "stack") : py::stack(b, {1.0, samples});
  const Output tiled = b.op("Tile", {standing, times});
  const auto forEach = [&](Output x) {
    const py::Scope tile(b, "Tile");
    return b.op("Tile", {x, b.ints({kThresholds, 1}, "multiples")}, {}, tile.name());
  };
  Output lying;
  {
    const py::Scope turn(b, "transpose");
    lying = b.op("Transpose", {column, b.ints({1, 0}, "perm")}, {}, turn.name());
  }
  const Output said = b.op("Greater", {forEach(lying), tiled});
  const Output denied = b.op("LogicalNot", {said});
  const Output is = forEach(row);
  const Output isNot = b.op("LogicalNot", {is});
  Confusion now, updated;
  const auto count = [&](const char* what, Output label, Output prediction, Output* value, Output* update) {
    const VariablePtr variable = counter(b, Shape{kThresholds}, what);
    const Output both = b.cast(b.op("LogicalAnd", {label, prediction}), DType::Float);
    const py::Scope sum(b, "Sum");
    const Output axis = b.scalar<int32_t>(1, "reduction_indices");
    const Output total = b.op("Sum", {both, axis}, {}, sum.name());
    *value = variable->snapshot;
    *update = total;
    return variable;
  };
  struct Part {
    const char* name;
    Output label, prediction;
    Output Confusion::*field;
  };
  const Part parts[] = {{"true_positives", is, said, &Confusion::truePositives},
                        {"false_negatives", is, denied, &Confusion::falseNegatives},
                        {"true_negatives", isNot, denied, &Confusion::trueNegatives},
                        {"false_positives", isNot, said, &Confusion::falsePositives}};
  for (const Part& part : parts) {
    Output total;
    const VariablePtr variable = count(part.name, part.label, part.prediction, &(now.*part.field), &total);
    updated.*part.field = assignAdd(b, variable, total);
  }
  const Output value = area(b, now, "value");
  return {value, area(b, updated, "update_op")};
}

}  // namespace metrics

using namespace records;

void registerMetrics(ApiRegistry& r) {
  const auto pair = [&](const std::string& kind, std::string summary, std::string predictions,
                        metrics::Metric (*build)(GraphBuilder&, Output, Output, const std::string&)) {
    add(
        r, "metrics." + kind, std::move(summary), "The value over the batches so far, and the op that updates it with this batch and returns the new value.",
        {required("labels", "tensor", "Labels; 0 is negative, anything else positive."), required("predictions", "tensor", std::move(predictions)),
         nameParameter()},
        [build](GraphBuilder& b, const Arguments& a) -> Built {
          const metrics::Metric m = build(b, a.tensor("labels"), a.tensor("predictions"), a.text("name"));
          return Values{{m.update, m.value}, {}};
        },
        ApiRecipe{"accuracy", "Metrics", {}});
  };
  pair("precision", "Precision over all batches: the fraction of positive predictions that are true.", "Predictions; 0 is negative, anything else positive.",
       metrics::precision);
  pair("recall", "Recall over all batches: the fraction of positive labels that are predicted.", "Predictions; 0 is negative, anything else positive.",
       metrics::recall);
  pair("auc", "Area under the ROC curve, over all batches.", "Predicted probabilities of the positive class, from 0 to 1.", metrics::auc);
  add(
      r, "metrics.mean", "Mean over all batches.", "The value over the batches so far, and the op that updates it with this batch and returns the new value.",
      {required("values", "tensor", "Values to average."), nameParameter()},
      [](GraphBuilder& b, const Arguments& a) -> Built {
        const metrics::Metric m = metrics::mean(b, a.tensor("values"), a.text("name"));
        return Values{{m.update, m.value}, {}};
      },
      ApiRecipe{"accuracy", "Metrics", {}});
}

}  // namespace weft::api
