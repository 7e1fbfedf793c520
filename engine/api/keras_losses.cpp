// Losses and metrics of Keras: means over all samples, of probabilities unless `from_logits` says otherwise.
#include <map>

#include "api/keras_layer.h"
#include "api/nn.h"
#include "ops/grad_ops.h"

namespace weft::api::keras {
using namespace records;

namespace {

constexpr double kSmallest = 1e-7;  // Keras's epsilon

/// The input of the op that made `x`, if that is of this type: cross entropies are computed from logits, which is exact where probabilities round to 0.
Output inputOf(GraphBuilder& b, Output x, std::string_view op) {
  while (b.ok() && x.valid()) {
    const Node& n = b.nodeAt(x.node);
    if (n.op == op) return n.inputs[0];
    if (n.op != "Identity") return {};
    x = n.inputs[0];
  }
  return {};
}

Output clipped(GraphBuilder& b, Output x) {
  const DType type = b.dtype(x);
  return b.op("Maximum", {b.op("Minimum", {x, b.number(type, 1 - kSmallest, "one")}), b.number(type, kSmallest, "zero")});
}

Output meanOf(GraphBuilder& b, Output x, int64_t axis) { return b.op("Mean", {x, ints(b, {axis}, "axis")}); }

/// Rows of classes, for ops that take matrices.
Output matrix(GraphBuilder& b, Output x) {
  const Shape s = b.shape(x);
  return !s.hasRank() || s.rank() == 2 ? x : b.op("Reshape", {x, ints(b, {-1, s.dim(s.rank() - 1)}, "rows")});
}

Output sparseCrossEntropy(GraphBuilder& b, Output labels, Output predictions, bool fromLogits) {
  const Output classes = b.op("Reshape", {isInteger(b.dtype(labels)) ? labels : b.cast(labels, DType::Int64), ints(b, {-1}, "all")}, {}, "classes");
  Output logits = fromLogits ? predictions : inputOf(b, predictions, "Softmax");
  // The softmax of log probabilities is the probabilities themselves.
  if (!logits.valid()) logits = b.op("Log", {clipped(b, predictions)});
  return {b.node("SparseSoftmaxCrossEntropyWithLogits", {matrix(b, logits), classes}), 0};
}

Output crossEntropy(GraphBuilder& b, Output labels, Output predictions, bool fromLogits, double smoothing) {
  const DType type = b.dtype(predictions);
  labels = b.cast(labels, type);
  const Shape s = b.shape(predictions);
  const double classes = s.hasRank() && s.rank() > 0 ? double(std::max<int64_t>(1, s.dim(s.rank() - 1))) : 1;
  if (smoothing > 0) labels = py::add(b, py::mul(b, labels, 1 - smoothing), smoothing / classes);
  const Output logits = fromLogits ? predictions : inputOf(b, predictions, "Softmax");
  if (logits.valid()) return {b.node("SoftmaxCrossEntropyWithLogits", {matrix(b, logits), matrix(b, labels)}), 0};
  const Output sum = b.op("Sum", {predictions, ints(b, {-1}, "axis")}, {{"keep_dims", true}});
  const Output share = b.op("Log", {clipped(b, b.op("RealDiv", {predictions, sum}))});
  return b.op("Neg", {b.op("Sum", {b.op("Mul", {labels, share}), ints(b, {-1}, "axis")})});
}

Output binaryCrossEntropy(GraphBuilder& b, Output labels, Output predictions, bool fromLogits, double smoothing) {
  const DType type = b.dtype(predictions);
  labels = b.cast(labels, type);
  if (smoothing > 0) labels = py::add(b, py::mul(b, labels, 1 - smoothing), smoothing / 2);
  const Output logits = fromLogits ? predictions : inputOf(b, predictions, "Sigmoid");
  if (logits.valid()) return meanOf(b, sigmoidCrossEntropy(b, labels, logits), -1);
  const Output p = clipped(b, predictions);
  const Output hit = b.op("Mul", {labels, b.op("Log", {py::add(b, p, kSmallest)})});
  const Output miss = b.op("Mul", {py::sub(b, 1.0, labels), b.op("Log", {py::add(b, py::sub(b, 1.0, p), kSmallest)})});
  return meanOf(b, b.op("Neg", {b.op("Add", {hit, miss})}), -1);
}

Output unit(GraphBuilder& b, Output x) {
  const Output norm = b.op("Sum", {b.op("Square", {x}), ints(b, {-1}, "axis")}, {{"keep_dims", true}});
  return b.op("Mul", {x, b.op("Rsqrt", {b.op("Maximum", {norm, b.number(b.dtype(x), 1e-12, "least")})})});
}

using Rule = Output (*)(GraphBuilder& b, Output labels, Output predictions, const Arguments& a);

Output raised(GraphBuilder& b, Output x) { return b.op("Maximum", {x, b.number(b.dtype(x), 0, "zero")}); }

/// -1 and 1 for labels that are 0 and 1.
Output signs(GraphBuilder& b, Output labels) {
  const Output zeros = b.cast(b.op("Equal", {labels, b.number(b.dtype(labels), 0, "zero")}), b.dtype(labels));
  return b.op("Sub", {labels, zeros});
}

const std::map<std::string, Rule>& rules() {
  static const std::map<std::string, Rule> kRules = {
      {"mean_squared_error",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         return b.op("SquaredDifference", {p, y});
       }},
      {"mean_absolute_error",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         return b.op("Abs", {b.op("Sub", {p, y})});
       }},
      {"mean_absolute_percentage_error",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         const Output size = b.op("Maximum", {b.op("Abs", {y}), b.number(b.dtype(y), kSmallest, "least")});
         return py::mul(b, b.op("Abs", {b.op("RealDiv", {b.op("Sub", {y, p}), size})}), 100.0);
       }},
      {"mean_squared_logarithmic_error",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         const auto log = [&](Output v) { return b.op("Log", {py::add(b, b.op("Maximum", {v, b.number(b.dtype(v), kSmallest, "least")}), 1.0)}); };
         return b.op("SquaredDifference", {log(p), log(y)});
       }},
      {"hinge",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         return raised(b, py::sub(b, 1.0, b.op("Mul", {signs(b, y), p})));
       }},
      {"squared_hinge",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         return b.op("Square", {raised(b, py::sub(b, 1.0, b.op("Mul", {signs(b, y), p})))});
       }},
      {"categorical_hinge",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         const Output axis = ints(b, {-1}, "axis");
         const Output right = b.op("Sum", {b.op("Mul", {y, p}), axis}), wrong = b.op("Max", {b.op("Mul", {py::sub(b, 1.0, y), p}), axis});
         return raised(b, py::add(b, b.op("Sub", {wrong, right}), 1.0));
       }},
      {"logcosh",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         const Output x = b.op("Sub", {p, y});
         return py::sub(b, b.op("Add", {x, b.op("Softplus", {py::mul(b, x, -2.0)})}), 0.69314718055994529);
       }},
      {"huber_loss",
       [](GraphBuilder& b, Output y, Output p, const Arguments& a) {
         const Output error = b.op("Abs", {b.op("Sub", {p, y})}), near = b.op("Minimum", {error, b.number(b.dtype(p), a.number("delta"), "delta")});
         return b.op("Add", {py::mul(b, b.op("Square", {near}), 0.5), py::mul(b, b.op("Sub", {error, near}), a.number("delta"))});
       }},
      {"kullback_leibler_divergence",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         const auto bounded = [&](Output v) {
           return b.op("Maximum", {b.op("Minimum", {v, b.number(b.dtype(v), 1, "one")}), b.number(b.dtype(v), kSmallest, "least")});
         };
         const Output t = bounded(y);
         return b.op("Sum", {b.op("Mul", {t, b.op("Log", {b.op("RealDiv", {t, bounded(p)})})}), ints(b, {-1}, "axis")});
       }},
      {"poisson",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         return b.op("Sub", {p, b.op("Mul", {y, b.op("Log", {py::add(b, p, kSmallest)})})});
       }},
      {"cosine_similarity",
       [](GraphBuilder& b, Output y, Output p, const Arguments&) {
         return b.op("Neg", {b.op("Sum", {b.op("Mul", {unit(b, y), unit(b, p)}), ints(b, {-1}, "axis")})});
       }},
  };
  return kRules;
}

Built loss(KerasLayer& l, const std::string& kind) {
  GraphBuilder& b = l.b;
  const Output labels = l.a.tensor("labels"), predictions = l.a.tensor("predictions");
  if (!b.ok()) return b.status().error();
  if (!isFloating(b.dtype(predictions)))
    return l.fail(invalidArgument("predictions are ", dtypeName(b.dtype(predictions)), ", expected floating-point numbers"));
  Output each;
  if (kind == "sparse_categorical_crossentropy") each = sparseCrossEntropy(b, labels, predictions, l.a.flag("from_logits"));
  else if (kind == "categorical_crossentropy") each = crossEntropy(b, labels, predictions, l.a.flag("from_logits"), l.a.number("label_smoothing"));
  else if (kind == "binary_crossentropy") each = binaryCrossEntropy(b, labels, predictions, l.a.flag("from_logits"), l.a.number("label_smoothing"));
  else each = rules().at(kind)(b, b.cast(labels, b.dtype(predictions)), predictions, l.a);
  Output value = reduceAll(b, "Mean", each, "value");
  if (const double weight = l.a.number("weight"); weight != 1) value = py::mul(b, value, weight);
  return l.done(value);
}

Built accuracyOf(KerasLayer& l) {
  GraphBuilder& b = l.b;
  const Output labels = l.a.tensor("labels"), predictions = l.a.tensor("predictions");
  const std::string mode = l.a.text("mode");
  if (!b.ok()) return b.status().error();
  Output hits;
  if (mode == "binary") {
    const Output positive = b.cast(b.op("Greater", {predictions, b.number(b.dtype(predictions), l.a.number("threshold"), "threshold")}), b.dtype(predictions));
    hits = b.op("Equal", {b.cast(labels, b.dtype(predictions)), positive});
  } else {
    const Output found = argMax(b, predictions, -1, "found");
    Output classes = labels;
    if (mode == "categorical") classes = argMax(b, labels, -1, "classes");
    classes = b.op("Reshape", {b.cast(classes, DType::Int64), ints(b, {-1}, "all")});
    hits = b.op("Equal", {classes, b.op("Reshape", {found, ints(b, {-1}, "all")})});
  }
  return l.done(reduceAll(b, "Mean", b.cast(hits, DType::Float), "value"));
}

}  // namespace

void registerLosses(ApiRegistry& r) {
  const ApiParameter labels = required("labels", "tensor", "The true labels."), predictions = required("predictions", "tensor", "Outputs of the network.");
  const ApiParameter weight = optional("weight", "float", 1.0, "Factor of this loss.");
  const ApiParameter logits = optional("from_logits", "bool", false, "Whether the predictions are logits instead of probabilities.");
  const ApiParameter smoothing = optional("label_smoothing", "float", 0.0, "Share of each label that is spread over all classes.");
  const auto add = [&](const std::string& kind, std::string summary, Parameters more) {
    Parameters p{labels, predictions};
    p.insert(p.end(), more.begin(), more.end());
    p.push_back(weight);
    layer(
        r, "losses." + kind, std::move(summary), std::move(p), [kind](KerasLayer& l) { return loss(l, kind); }, "loss");
  };
  add("sparse_categorical_crossentropy", "Cross entropy with class indices as labels.", {logits});
  add("categorical_crossentropy", "Cross entropy with class probabilities as labels.", {logits, smoothing});
  add("binary_crossentropy", "Cross entropy with independent binary labels.", {logits, smoothing});
  add("huber_loss", "Huber loss: quadratic for small differences, linear for large ones.",
      {optional("delta", "float", 1.0, "Difference at which the loss changes from quadratic to linear.")});
  for (const auto& [kind, rule] : rules())
    if (kind != "huber_loss") add(kind, "The loss of that name of tf.keras.losses.", {});
  layer(r, "metrics.accuracy", "Fraction of the samples that are classified correctly.",
        {labels, predictions,
         optional("mode", "string", std::string("sparse_categorical"), "What the labels are.", {"sparse_categorical", "categorical", "binary"}),
         optional("threshold", "float", 0.5, "Of binary labels: the prediction from which on it means yes.")},
        accuracyOf, "accuracy");
}

}  // namespace weft::api::keras
