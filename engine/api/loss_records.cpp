// tf.losses: each computes a loss per element; weights and a reduction combine them into one.
#include "api/nn_functions.h"
#include "api/weights.h"

namespace weft::api {
namespace {

constexpr const char* kByNonzero = "weighted_sum_by_nonzero_weights";

Output elementCount(GraphBuilder& b, Output losses) {
  const py::Scope scope(b, "num_elements");
  return tf::cast(b, tf::size(b, losses, scope.name()), b.dtype(losses));
}

Output present(GraphBuilder& b, Output losses, Output weights, bool perBatch) {
  const py::Scope scope(b, "num_present");
  weights = tf::cast(b, weights, DType::Float);
  const Output isZero = emit(b, "Equal", {weights, 0.0});
  const Output none = tf::zerosLike(b, weights), one = tf::onesLike(b, weights);
  const Output all = weights::broadcast(b, tf::where(b, isZero, none, one), losses);
  if (!perBatch) return tf::reduce(b, "Sum", all, {}, false, scope.name());
  return tf::reduce(b, "Sum", all, tf::range(b, 1, tf::rank(b, all)), true, scope.name());
}

Output safeMean(GraphBuilder& b, Output sum, Output count) {
  const Output total = tf::reduce(b, "Sum", sum);
  return tf::divNoNan(b, total, count, "value");
}

void collect(const Call& c, Output loss) {
  if (!c.b.ok() || !c.has("loss_collection")) return;
  c.b.addToCollection(c.a.text("loss_collection"), c.b.graph().tensorName(loss));
}

Built weighted(Call& c, const Argument& losses, const Argument& weights, const std::string& scopeName) {
  GraphBuilder& b = c.b;
  const std::string reduction = c.has("reduction") ? c.a.text("reduction") : "None";
  static const std::vector<std::string> kAll = {"none", "weighted_sum", "weighted_mean", "weighted_sum_over_batch_size", kByNonzero};
  if (std::find(kAll.begin(), kAll.end(), reduction) == kAll.end()) return invalidArgument("Invalid Reduction Key ", reduction, ".");
  const py::Scope scope(b, scopeName);
  const auto wait = b.controlDependencies({weights::assertBroadcastable(b, weights, losses)});
  Output x = toTensor(b, losses, {});
  const DType type = b.dtype(x);
  x = tf::cast(b, x, DType::Float);
  const Output w = tf::cast(b, weights, DType::Float);
  Output loss = b.op("Mul", {x, w});
  if (reduction != "none") loss = tf::reduce(b, "Sum", loss);
  if (reduction == "weighted_mean") loss = safeMean(b, loss, tf::reduce(b, "Sum", tf::times(b, tf::onesLike(b, x), w)));
  if (reduction == kByNonzero) loss = safeMean(b, loss, present(b, x, w, false));
  if (reduction == "weighted_sum_over_batch_size") loss = safeMean(b, loss, elementCount(b, x));
  loss = tf::cast(b, loss, type);
  collect(c, loss);
  return c.one(loss);
}

Status notNone(const Call& c, std::initializer_list<const char*> names) {
  for (const char* n : names) {
    if (!c.has(n)) return invalidArgument(n, " must not be None.");
  }
  return {};
}

bool compatible(GraphBuilder& b, Output x, Output y) {
  if (!b.ok()) return false;
  if (b.shape(x).compatibleWith(b.shape(y))) return true;
  b.fail(invalidArgument("Shapes ", b.shape(x).toPythonString(), " and ", b.shape(y).toPythonString(), " are incompatible"));
  return false;
}

// Common to most losses: predictions and labels as floats of one shape.
using Elementwise = std::function<Output(Call&, Output predictions, Output labels)>;
CallFunction elementwise(std::string scope, const char* second, Elementwise losses) {
  return [scope, second, losses](Call& c) -> Built {
    GraphBuilder& b = c.b;
    WEFT_TRY(notNone(c, {"labels", second}));
    const py::Scope inside(b, c.has("scope") ? c.a.text("scope") : scope);
    const Output p = tf::cast(b, c[second], DType::Float), y = tf::cast(b, c["labels"], DType::Float);
    if (!compatible(b, p, y)) return b.status().error();
    return weighted(c, losses(c, p, y), c["weights"], inside.name());
  };
}

Built pairwise(Call& c) {
  GraphBuilder& b = c.b;
  WEFT_TRY(notNone(c, {"labels", "predictions"}));
  const py::Scope scope(b, c.has("scope") ? c.a.text("scope") : std::string("mean_pairwise_squared_error"));
  const Output w = tf::cast(b, c["weights"], DType::Float), y = tf::cast(b, c["labels"], DType::Float);
  const auto wait = b.controlDependencies({weights::assertBroadcastable(b, w, y)});
  const Output p = tf::cast(b, c["predictions"], DType::Float);
  if (!compatible(b, p, y)) return b.status().error();
  const Output diffs = b.op("Sub", {p, y});
  const Output axis = tf::range(b, 1, tf::rank(b, diffs));
  const Output squares = tf::reduce(b, "Sum", b.op("Square", {diffs}), axis, true);
  const Output count = present(b, diffs, w, true);
  const Output pairs = emit(b, "Maximum", {tf::minus(b, count, 1), 0});
  const Output first = tf::times(b, 2.0, tf::divNoNan(b, squares, pairs, "value"));
  const Output sum = tf::reduce(b, "Sum", diffs, axis, true);
  const Output squareOfSum = b.op("Square", {sum});
  const Output less = tf::minus(b, count, 1);
  const Output products = emit(b, "Maximum", {b.op("Mul", {count, less}), 0});
  const Output second = tf::times(b, 2.0, tf::divNoNan(b, squareOfSum, products, "value"));
  const Output product = b.op("Mul", {tf::minus(b, first, second), w});
  const Output loss = tf::reduce(b, "Sum", product);
  const Output some = tf::compare(b, "Greater", tf::reduce(b, "Sum", count), 0);
  const Output zero = tf::zerosLike(b, loss);
  const Output mean = tf::where(b, some, loss, zero, "value");
  collect(c, mean);
  return c.one(mean);
}

Built softmaxLoss(Call& c) {
  GraphBuilder& b = c.b;
  WEFT_TRY(notNone(c, {"onehot_labels", "logits"}));
  const py::Scope scope(b, c.has("scope") ? c.a.text("scope") : std::string("softmax_cross_entropy_loss"));
  const Output x = toTensor(b, c["logits"], {});
  Output y = tf::cast(b, c["onehot_labels"], b.dtype(x));
  if (!compatible(b, x, y)) return b.status().error();
  const double smoothing = c.a.number("label_smoothing");
  if (smoothing > 0) {
    const Output classes = tf::cast(b, tf::at(b, tf::shape(b, y), -1), b.dtype(x));
    const Output negative = tf::over(b, smoothing, classes);
    y = tf::plus(b, tf::times(b, y, 1.0 - smoothing), negative);
  }
  y = b.op("StopGradient", {y}, {}, "labels_stop_gradient");
  return weighted(c, nn::softmaxCrossEntropy(b, y, x, -1, "xentropy"), c["weights"], scope.name());
}

Built sigmoidLoss(Call& c) {
  GraphBuilder& b = c.b;
  WEFT_TRY(notNone(c, {"multi_class_labels", "logits"}));
  const py::Scope scope(b, c.has("scope") ? c.a.text("scope") : std::string("sigmoid_cross_entropy_loss"));
  const Output x = toTensor(b, c["logits"], {});
  Output y = tf::cast(b, c["multi_class_labels"], b.dtype(x));
  if (!compatible(b, x, y)) return b.status().error();
  const double smoothing = c.a.number("label_smoothing");
  if (smoothing > 0) y = tf::plus(b, tf::times(b, y, 1.0 - smoothing), 0.5 * smoothing);
  return weighted(c, nn::sigmoidCrossEntropy(b, y, x, "xentropy"), c["weights"], scope.name());
}

Built sparseSoftmaxLoss(Call& c) {
  GraphBuilder& b = c.b;
  WEFT_TRY(notNone(c, {"labels", "logits"}));
  const py::Scope scope(b, c.has("scope") ? c.a.text("scope") : std::string("sparse_softmax_cross_entropy_loss"));
  const auto [labels, logits] = weights::removeSqueezable(b, c["labels"], c["logits"], 1);
  Output w = toTensor(b, c["weights"], {});
  const Shape ls = b.shape(labels), ws = b.shape(w);
  if (ls.hasRank() && ws.hasRank() && ws.rank() - ls.rank() == 1) w = tf::squeeze(b, w, {-1});
  return weighted(c, nn::sparseSoftmaxCrossEntropy(b, labels, logits, "xentropy"), w, scope.name());
}

std::vector<Output> inCollection(Call& c, const std::string& name, const std::string& scope) {
  std::vector<Output> out;
  const auto it = c.b.meta().collections.find(name);
  if (it == c.b.meta().collections.end()) return out;
  for (const std::string& tensor : it->second.nodes) {
    const auto o = c.b.graph().findOutput(tensor);
    if (o.ok() && tensor.starts_with(scope)) out.push_back(*o);
  }
  return out;
}

constexpr const char* kRegularization = "regularization_losses";

}  // namespace

void registerLosses(ApiRegistry& r) {
  const std::string rest = "|weights=1.0|scope: string=None|loss_collection: string=losses", reduction = "|reduction: string=weighted_sum_by_nonzero_weights";
  const std::string returns = "A scalar; with reduction NONE, one loss per element.";
  const std::string pair = "labels|predictions";
  def(r, "losses.mean_squared_error", pair + rest + reduction, "Mean squared error.", returns,
      elementwise("mean_squared_error", "predictions", [](Call& c, Output p, Output y) {
        return c.b.op("SquaredDifference", {p, y});
      }));
  def(r, "losses.absolute_difference", pair + rest + reduction, "Mean absolute error.", returns,
      elementwise("absolute_difference", "predictions", [](Call& c, Output p, Output y) {
        return tf::abs(c.b, c.b.op("Sub", {p, y}));
      }));
  def(r, "losses.cosine_distance",
      "labels|predictions|axis: int=None|weights=1.0|scope: string=None|loss_collection: string=losses" + reduction + "|dim: int=None -- Deprecated; use axis.",
      "Cosine distance: one minus the dot product of unit vectors.", returns, [](Call& c) -> Built {
        if (c.has("axis") && c.has("dim")) return invalidArgument("Cannot specify both 'axis' and 'dim'");
        if (!c.has("axis") && !c.has("dim")) return invalidArgument("You must specify 'axis'.");
        const int64_t axis = c.a.integer(c.has("axis") ? "axis" : "dim");
        return elementwise("cosine_distance_loss", "predictions", [axis](Call& k, Output p, Output y) {
          const Output product = k.b.op("Mul", {p, y});
          return tf::minus(k.b, 1, tf::reduce(k.b, "Sum", product, std::vector<int64_t>{axis}, true));
        })(c);
      });
  def(r, "losses.hinge_loss", "labels|logits" + rest + reduction, "Hinge loss for labels 0 and 1.", returns,
      elementwise("hinge_loss", "logits", [](Call& c, Output p, Output y) {
        GraphBuilder& b = c.b;
        const Output ones = tf::onesLike(b, y);
        const Output sign = b.op("Sub", {tf::times(b, 2, y), ones});
        return b.op("Relu", {b.op("Sub", {ones, b.op("Mul", {sign, p})})});
      }));
  def(r, "losses.huber_loss",
      "labels|predictions|weights=1.0|delta: float=1.0 -- Error at which the loss changes from quadratic to linear.|scope: string=None|loss_collection: "
      "string=losses" +
          reduction,
      "Huber loss: quadratic for small errors, linear for large ones.", returns, elementwise("huber_loss", "predictions", [](Call& c, Output p, Output y) {
        GraphBuilder& b = c.b;
        const double delta = c.a.number("delta");
        const Output error = tf::abs(b, b.op("Sub", {p, y}));
        const Output quadratic = emit(b, "Minimum", {error, delta});
        const Output linear = b.op("Sub", {error, quadratic});
        const Output half = b.number(b.dtype(quadratic), 0.5);
        const Output curved = b.op("Mul", {half, b.op("Mul", {quadratic, quadratic})});
        return b.op("Add", {curved, emit(b, "Mul", {delta, linear})});
      }));
  def(r, "losses.log_loss",
      "labels|predictions|weights=1.0|epsilon: float=1e-7 -- Small constant added before taking logarithms.|scope: string=None|loss_collection: string=losses" +
          reduction,
      "Log loss: binary cross entropy of probabilities.", returns, elementwise("log_loss", "predictions", [](Call& c, Output p, Output y) {
        GraphBuilder& b = c.b;
        const double epsilon = c.a.number("epsilon");
        const Output yes = tf::negative(b, b.op("Mul", {y, b.op("Log", {tf::plus(b, p, epsilon)})}));
        const Output rest = tf::minus(b, 1, y);
        const Output no = b.op("Mul", {rest, b.op("Log", {tf::plus(b, tf::minus(b, 1, p), epsilon)})});
        return tf::minus(b, yes, no);
      }));
  def(r, "losses.mean_pairwise_squared_error", pair + rest, "Mean squared error between the pairwise differences of labels and of predictions.", "A scalar.",
      pairwise);
  const std::string smoothing =
      "|logits|weights=1.0|label_smoothing: float=0 -- Fraction of the probability to spread evenly over all classes.|scope: string=None|loss_collection: "
      "string=losses" +
      reduction;
  def(r, "losses.softmax_cross_entropy", "onehot_labels -- Class probabilities, such as one-hot rows." + smoothing,
      "Softmax cross entropy with class probabilities as labels.", returns, softmaxLoss);
  def(r, "losses.sigmoid_cross_entropy", "multi_class_labels -- Labels 0 or 1 for each class." + smoothing,
      "Sigmoid cross entropy with independent binary labels.", returns, sigmoidLoss);
  def(r, "losses.sparse_softmax_cross_entropy", "labels|logits" + rest + reduction, "Softmax cross entropy with class indices as labels.", returns,
      sparseSoftmaxLoss);
  def(r, "losses.compute_weighted_loss", "losses -- Element-wise losses." + rest + reduction, "Weights element-wise losses and reduces them to one.", returns,
      [](Call& c) { return weighted(c, c["losses"], c["weights"], c.has("scope") ? c.a.text("scope") : std::string("weighted_loss")); });
  def(r, "losses.add_loss", "loss -- The loss to add.|loss_collection: string=losses", "Adds a loss to a collection.", "nothing: Nothing.",
      [](Call& c) -> Built {
        collect(c, c.tensor("loss"));
        return Values{};
      });
  def(r, "losses.get_losses", "scope: string=None|loss_collection: string=losses", "The losses of a collection.", "tensors: The losses.",
      [](Call& c) { return c.all(inCollection(c, c.a.text("loss_collection"), c.a.text("scope"))); });
  def(r, "losses.get_regularization_losses", "scope: string=None", "The losses added by regularizers.", "tensors: The losses.",
      [](Call& c) { return c.all(inCollection(c, kRegularization, c.a.text("scope"))); });
  def(r, "losses.get_regularization_loss", "scope: string=None|name: string=total_regularization_loss -- Name of the op.", "Sum of the regularization losses.",
      "A scalar.", [](Call& c) {
        const auto all = inCollection(c, kRegularization, c.a.text("scope"));
        return c.one(all.empty() ? c.b.scalar(0.0f) : tf::addN(c.b, Argument(all), c.name("total_regularization_loss")));
      });
  def(r, "losses.get_total_loss",
      "add_regularization_losses: bool=true -- Whether to include regularization losses.|name: string=total_loss -- Name of the op.|scope: string=None",
      "Sum of all losses of a collection.", "A scalar.", [](Call& c) {
        auto all = inCollection(c, "losses", c.a.text("scope"));
        if (c.a.flag("add_regularization_losses")) {
          const auto more = inCollection(c, kRegularization, c.a.text("scope"));
          all.insert(all.end(), more.begin(), more.end());
        }
        return c.one(tf::addN(c.b, Argument(all), c.name("total_loss")));
      });
}

}  // namespace weft::api
