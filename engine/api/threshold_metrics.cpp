// tf.metrics that look at predictions at several thresholds: areas under curves, precision and recall at thresholds and at k.
#include <algorithm>

#include "api/checks.h"
#include "api/metric_parts.h"
#include "api/weights.h"

namespace weft::api {
namespace {

using namespace metrics;

constexpr double kEpsilon = 1e-7;

enum Which : unsigned { kTruePositives = 1, kFalseNegatives = 2, kTrueNegatives = 4, kFalsePositives = 8, kAll = 15 };

struct Confusion {
  Output tp, fn, tn, fp;
};
struct Counts {
  Confusion value, update;
  std::map<Which, VariablePtr> variables;
};

std::vector<double> evenly(int64_t n, double below = 0.0 - kEpsilon, double above = 1.0 + kEpsilon) {
  std::vector<double> out = {below};
  for (int64_t i = 0; i < n - 2; ++i) out.push_back(double(i + 1) * 1.0 / double(n - 1));
  out.push_back(above);
  return out;
}

Counts atThresholds(Call& c, const std::vector<double>& thresholds, unsigned which) {
  GraphBuilder& b = c.b;
  const Output predictions = c.tensor("predictions");
  const DType type = b.dtype(predictions);
  Given g;
  {
    checks::Options options;
    options.message = "predictions must be in [0, 1]";
    const int low = checks::binary(b, ">=", predictions, tf::cast(b, 0.0, type), options);
    const int high = checks::binary(b, "<=", predictions, tf::cast(b, 1.0, type), options);
    const auto wait = b.controlDependencies({low, high});
    const Output p = tf::cast(b, predictions, DType::Float), y = tf::cast(b, c["labels"], DType::Bool);
    g = given(b, p, y, c["weights"]);
  }
  if (!b.ok()) return {};
  using Ints = std::vector<int64_t>;
  const auto n = int64_t(thresholds.size());
  const Output p = tf::reshape(b, g.predictions, Ints{-1, 1});
  const Output y = tf::reshape(b, tf::cast(b, g.labels, DType::Bool), Ints{1, -1});
  const int64_t known = b.shape(p).dim(0);
  const Argument count = known >= 0 ? Argument(known) : Argument(tf::at(b, tf::shape(b, p), 0));
  const Output limits = tf::expandDims(b, tf::constant(b, Literal{Tensor::vector(thresholds), true}), Ints{1});
  const Output tiled = emit(b, "Tile", {limits, tf::stack(b, ArgumentList{1, count})});
  const Output positive = b.op("Greater", {emit(b, "Tile", {tf::transpose(b, p), Ints{n, 1}}), tiled});
  Output negative, isNegative;
  if (which & (kFalseNegatives | kTrueNegatives)) negative = b.op("LogicalNot", {positive});
  const Output isPositive = emit(b, "Tile", {y, Ints{n, 1}});
  if (which & (kFalsePositives | kTrueNegatives)) isNegative = b.op("LogicalNot", {isPositive});
  Output w;
  if (g.weights.valid()) {
    const Output wide = weights::broadcast(b, tf::cast(b, g.weights, DType::Float), g.predictions);
    w = emit(b, "Tile", {tf::reshape(b, wide, Ints{1, -1}), Ints{n, 1}});
  }
  Counts out;
  const auto one = [&](Which kind, const char* name, Output label, Output said, Output Confusion::*field) {
    if (!(which & kind)) return;
    const VariablePtr v = counter(b, Shape{n}, DType::Float, name);
    Output is = tf::cast(b, b.op("LogicalAnd", {label, said}), DType::Float);
    if (w.valid()) is = tf::times(b, is, w);
    out.update.*field = assignAdd(b, v, tf::reduce(b, "Sum", is, 1));
    out.value.*field = v->resource ? read(b, *v) : v->snapshot;
    out.variables[kind] = v;
  };
  one(kTruePositives, "true_positives", isPositive, positive, &Confusion::tp);
  one(kFalseNegatives, "false_negatives", isPositive, negative, &Confusion::fn);
  one(kTrueNegatives, "true_negatives", isNegative, negative, &Confusion::tn);
  one(kFalsePositives, "false_positives", isNegative, positive, &Confusion::fp);
  return out;
}

Output interpolated(GraphBuilder& b, const Confusion& k, int64_t n) {
  const auto first = [&](Output x) { return tf::part(b, x, {}, n - 1); };
  const auto rest = [&](Output x) { return tf::part(b, x, 1, {}); };
  const Output tpFirst = first(k.tp);
  const Output dtp = tf::minus(b, tpFirst, rest(k.tp));
  const Output p = tf::plus(b, k.tp, k.fp);
  const Output pFirst = first(p);
  const Output width = emit(b, "Maximum", {tf::minus(b, pFirst, rest(p)), 0});
  const Output slope = tf::divNoNan(b, dtp, width, "prec_slope");
  const Output tpRest = rest(k.tp);
  const Output intercept = tf::minus(b, tpRest, b.op("Mul", {slope, rest(p)}));
  const Output left = tf::compare(b, "Greater", first(p), 0), right = tf::compare(b, "Greater", rest(p), 0);
  const Output both = b.op("LogicalAnd", {left, right});
  const Output upper = first(p);
  const Output ratio = tf::divNoNan(b, upper, emit(b, "Maximum", {rest(p), 0}), "recall_relative_ratio");
  const Output safe = tf::where(b, both, ratio, tf::onesLike(b, rest(p)));
  const Output area = tf::times(b, slope, tf::plus(b, dtp, tf::times(b, intercept, b.op("Log", {safe}))));
  const Output tpNext = rest(k.tp);
  const Output all = emit(b, "Maximum", {tf::plus(b, tpNext, rest(k.fn)), 0});
  return tf::reduce(b, "Sum", tf::divNoNan(b, area, all, "pr_auc_increment"), {}, false, "interpolate_pr_auc");
}

Built areaUnder(Call& c) {
  GraphBuilder& b = c.b;
  const std::string curve = c.a.text("curve"), method = c.a.text("summation_method");
  const VariableScope scope(b, c.name(), "auc");
  if (curve != "ROC" && curve != "PR") return invalidArgument("curve must be either ROC or PR, ", curve, " unknown");
  std::vector<double> thresholds = evenly(c.a.integer("num_thresholds"));
  if (c.has("thresholds")) {
    thresholds.clear();
    for (const Argument& a : c.list("thresholds")) thresholds.push_back(Arguments{{"v", a}}.number("v"));
    std::sort(thresholds.begin(), thresholds.end());
    thresholds.insert(thresholds.begin(), 0.0 - kEpsilon);
    thresholds.push_back(1.0 + kEpsilon);
  }
  const auto n = int64_t(thresholds.size());
  static const std::vector<std::string> kMethods = {"trapezoidal", "careful_interpolation", "minoring", "majoring"};
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end()) return invalidArgument("Invalid summation_method: ", method);
  const Counts counts = atThresholds(c, thresholds, kAll);
  const auto area = [&](const Confusion& k, const char* name) {
    if (curve == "PR" && method == "careful_interpolation") return interpolated(b, k, n);
    constexpr double e = 1.0e-6;
    const Output hits = tf::plus(b, k.tp, e);
    const Output recall = tf::div(b, hits, tf::plus(b, tf::plus(b, k.tp, k.fn), e));
    Output x, y;
    if (curve == "ROC") {
      x = tf::div(b, k.fp, tf::plus(b, tf::plus(b, k.fp, k.tn), e));
      y = recall;
    } else {
      const Output found = tf::plus(b, k.tp, e);
      y = tf::div(b, found, tf::plus(b, tf::plus(b, k.tp, k.fp), e));
      x = recall;
    }
    const Output xFirst = tf::part(b, x, {}, n - 1);
    const Output width = tf::minus(b, xFirst, tf::part(b, x, 1, {}));
    const Output yFirst = tf::part(b, y, {}, n - 1);
    const Output yRest = tf::part(b, y, 1, {});
    const Output height = method == "minoring"   ? b.op("Minimum", {yFirst, yRest})
                          : method == "majoring" ? b.op("Maximum", {yFirst, yRest})
                                                 : tf::over(b, tf::plus(b, yFirst, yRest), 2.0);
    return tf::reduce(b, "Sum", b.op("Mul", {width, height}), {}, false, name);
  };
  const Output value = area(counts.value, "value");
  return result(c, value, area(counts.update, "update_op"));
}

Output sensitivity(GraphBuilder& b, const Confusion& k, double specificity, const char* name) {
  const Output specificities = tf::div(b, k.tn, tf::plus(b, tf::plus(b, k.tn, k.fp), kEpsilon));
  const Output distance = tf::abs(b, tf::minus(b, specificities, specificity));
  const Output place = tf::cast(b, emit(b, "ArgMin", {distance, 0}), DType::Int32);
  const Output tp = tf::at(b, k.tp, place);
  const Output again = tf::at(b, k.tp, place);
  return tf::div(b, tp, tf::plus(b, tf::plus(b, again, tf::at(b, k.fn, place)), kEpsilon), name);
}

Output specificity(GraphBuilder& b, const Confusion& k, double wanted, const char* name) {
  const Output sensitivities = tf::div(b, k.tp, tf::plus(b, tf::plus(b, k.tp, k.fn), kEpsilon));
  const Output least = tf::reduce(b, "Min", tf::abs(b, tf::minus(b, sensitivities, wanted)));
  const Output distance = tf::abs(b, tf::minus(b, sensitivities, wanted));
  const Output there = tf::cast(b, b.op("Equal", {distance, least}), DType::Int64);
  const Output place = tf::cast(b, emit(b, "ArgMax", {emit(b, "Cumsum", {there, 0}), 0}), DType::Int32);
  const Output tn = tf::at(b, k.tn, place);
  const Output again = tf::at(b, k.tn, place);
  return tf::div(b, tn, tf::plus(b, tf::plus(b, again, tf::at(b, k.fp, place)), kEpsilon), name);
}

std::vector<double> thresholdsOf(Call& c) {
  std::vector<double> out;
  for (const Argument& a : c.list("thresholds")) out.push_back(Arguments{{"v", a}}.number("v"));
  return out;
}

}  // namespace

void registerThresholdMetrics(ApiRegistry& r) {
  const std::string rest = "|metrics_collections: any=None|updates_collections: any=None|name";
  const std::string returns = "tuple: The value over the batches so far, and the op that adds a batch and returns the new value.";
  def(r, "metrics.auc",
      "labels|predictions -- Predicted probabilities, from 0 to 1.|weights=None|num_thresholds: int=200 -- Number of thresholds at which the curve is "
      "evaluated.|metrics_collections: any=None|updates_collections: any=None|curve: string=ROC -- \"ROC\" or \"PR\".|name|summation_method: "
      "string=trapezoidal -- Integration method between points.|thresholds: floats=None -- Explicit thresholds.",
      "Area under the ROC or precision-recall curve, over all batches.", returns, areaUnder);
  def(r, "metrics.sensitivity_at_specificity",
      "labels|predictions -- Predicted probabilities, from 0 to 1.|specificity: float -- Required specificity.|weights=None|num_thresholds: int=200 -- "
      "Number of thresholds to try." +
          rest,
      "Sensitivity at a given specificity, over all batches.", returns, [](Call& c) -> Built {
        const double wanted = c.a.number("specificity");
        if (wanted < 0 || wanted > 1) return invalidArgument("`specificity` must be in the range [0, 1].");
        const VariableScope scope(c.b, c.name(), "sensitivity_at_specificity");
        const Counts k = atThresholds(c, evenly(c.a.integer("num_thresholds")), kAll);
        const Output value = sensitivity(c.b, k.value, wanted, "value");
        return result(c, value, sensitivity(c.b, k.update, wanted, "update_op"));
      });
  def(r, "metrics.specificity_at_sensitivity",
      "labels|predictions -- Predicted probabilities, from 0 to 1.|sensitivity: float -- Required sensitivity.|weights=None|num_thresholds: int=200 -- "
      "Number of thresholds to try." +
          rest,
      "Specificity at a given sensitivity, over all batches.", returns, [](Call& c) -> Built {
        const double wanted = c.a.number("sensitivity");
        if (wanted < 0 || wanted > 1) return invalidArgument("`sensitivity` must be in the range [0, 1].");
        const VariableScope scope(c.b, c.name(), "specificity_at_sensitivity");
        const Counts k = atThresholds(c, evenly(c.a.integer("num_thresholds"), 0.0 - kEpsilon, 1.0 - kEpsilon), kAll);
        const Output value = specificity(c.b, k.value, wanted, "value");
        return result(c, value, specificity(c.b, k.update, wanted, "update_op"));
      });
  struct Rate {
    std::string_view name;
    Which other;
    Output Confusion::*field;
  };
  static constexpr Rate kRates[] = {{"precision", kFalsePositives, &Confusion::fp}, {"recall", kFalseNegatives, &Confusion::fn}};
  for (const Rate& k : kRates) {
    def(r, "metrics." + std::string(k.name) + "_at_thresholds",
        "labels|predictions -- Predicted probabilities, from 0 to 1.|thresholds: floats -- The thresholds.|weights=None" + rest, "The value at each threshold.",
        returns, [k](Call& c) {
          GraphBuilder& b = c.b;
          const VariableScope scope(b, c.name(), std::string(k.name) + "_at_thresholds");
          const Counts counts = atThresholds(c, thresholdsOf(c), kTruePositives | k.other);
          const auto rate = [&](const Confusion& now, const char* name) {
            return tf::div(b, now.tp, tf::plus(b, tf::plus(b, kEpsilon, now.tp), now.*k.field), std::string(k.name) + "_" + name);
          };
          const Output value = rate(counts.value, "value");
          return result(c, value, rate(counts.update, "update_op"));
        });
  }
  struct Single {
    std::string_view name;
    Which which;
    Output Confusion::*field;
  };
  static constexpr Single kSingles[] = {{"true_positives", kTruePositives, &Confusion::tp},
                                        {"false_negatives", kFalseNegatives, &Confusion::fn},
                                        {"true_negatives", kTrueNegatives, &Confusion::tn},
                                        {"false_positives", kFalsePositives, &Confusion::fp}};
  for (const Single& k : kSingles) {
    def(r, "metrics." + std::string(k.name) + "_at_thresholds",
        "labels|predictions -- Predicted probabilities, from 0 to 1.|thresholds: floats -- The thresholds.|weights=None" + rest, "Count at each threshold.",
        returns, [k](Call& c) -> Built {
          const VariableScope scope(c.b, c.name(), k.name);
          const Counts counts = atThresholds(c, thresholdsOf(c), k.which);
          if (!c.b.ok()) return c.b.status().error();
          const Output value = tf::identity(c.b, counts.variables.at(k.which));
          return result(c, value, counts.update.*k.field);
        });
  }
}

}  // namespace weft::api
