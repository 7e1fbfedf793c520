#include "adapters/schedule.h"

#include <QCoreApplication>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/sample_feeds.h"
#include "weft/op_traits.h"
#include "weft/saturation.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft::app {
namespace {

constexpr qint64 kMostPoints = 2000;
constexpr qint64 kOtherwise = 10'000;     // steps if the document does not specify any
constexpr int64_t kStepTimeoutMs = 5000;  // for one step

struct ScheduleWords {
  Q_DECLARE_TR_FUNCTIONS(Schedule)
};

bool isScalarInteger(const Node& node) {
  const DType type = node.attrs.type("dtype");
  return (type == DType::Int64 || type == DType::Int32) && node.attrs.shape("shape").isScalar();
}

/// The node that counts the steps among the dependencies of a number: the document's counter, a variable of that name, or the only integer there.
const Node* stepCounter(const MetaGraph& meta, const std::set<int>& needs) {
  std::string named;
  if (const auto settings = trainingSettingsOf(meta); settings.ok()) named = settings->globalStep.substr(0, settings->globalStep.find(':'));
  const Node* best = nullptr;
  int bestRank = 0;
  for (const int id : needs) {
    const Node* n = meta.graph.node(id);
    if (!n) continue;
    const bool variable = isVariable(*n);
    if ((!variable && !isPlaceholder(*n)) || !isScalarInteger(*n)) continue;
    const bool speaks = n->name.find("step") != std::string::npos;
    const int rank = n->name == named ? 4 : n->name.ends_with("global_step") ? 3 : speaks ? 2 : variable ? 1 : 0;
    if (rank <= bestRank) continue;
    best = n;
    bestRank = rank;
  }
  return best;
}

std::vector<std::pair<std::string, Tensor>> feedsFor(const GraphContents& contents, const std::set<int>& needs, const Node* counter) {
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const int id : needs) {
    const Node* n = contents.engine->loaded.meta.graph.node(id);
    if (n && isPlaceholder(*n) && n != counter && !n->outputTypes.empty()) feeds.emplace_back(n->name + ":0", trainingValue(contents, *n));
  }
  return feeds;
}

Tensor stepTensor(DType type, qint64 step) { return type == DType::Int32 ? Tensor::scalar(int32_t(step)) : Tensor::scalar(int64_t(step)); }

}  // namespace

bool changesWithSteps(const GraphContents& contents, const QString& node) {
  const MetaGraph& meta = contents.engine->loaded.meta;
  const Node* n = meta.graph.find(node.toStdString());
  if (!n || n->outputTypes.empty() || isVariable(*n)) return false;
  const DType type = baseType(n->outputTypes[0]);
  return (type == DType::Float || type == DType::Double) && n->outputShapes[0].isScalar() && stepCounter(meta, needed(meta.graph, n->id)) != nullptr;
}

QString learningRateOf(const GraphContents& contents) {
  const Graph& g = contents.engine->loaded.meta.graph;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (const int at = n ? learningRateInput(*n) : -1; at >= 0) return text(g.tensorName(n->inputs[size_t(at)]));
  }
  return {};
}

ScheduleCurve scheduleCurve(const ScheduleRequest& request, const std::atomic<bool>& cancelled) {
  ScheduleCurve out;
  const GraphContents& contents = *request.contents;
  const MetaGraph& meta = contents.engine->loaded.meta;
  out.tensor = request.tensor.isEmpty() ? learningRateOf(contents) : request.tensor;
  if (!out.tensor.isEmpty() && !out.tensor.contains(u':')) out.tensor += QStringLiteral(":0");
  out.lastStep = request.lastStep > 0 ? request.lastStep : contents.training.steps > 0 ? contents.training.steps : kOtherwise;
  const auto fail = [&](const QString& why) {
    out.error = why;
    out.points.clear();
    return out;
  };
  if (out.tensor.isEmpty()) return fail(ScheduleWords::tr("This graph has no optimizer, and no tensor was named."));
  const auto output = meta.graph.findOutput(out.tensor.toStdString());
  if (!output.ok()) return fail(errorText(output.error()));
  if (const Shape& shape = meta.graph.shape(*output); shape.hasRank() && shape.rank() > 0)
    return fail(ScheduleWords::tr("%1 is not a scalar.").arg(out.tensor));
  const std::set<int> needs = needed(meta.graph, output->node);
  const Node* counter = stepCounter(meta, needs);
  if (counter) out.step = text(counter->name);
  SessionOptions options;
  options.threads = 1;
  auto session = Session::create(meta.graph, options);
  if (!session.ok()) return fail(errorText(session.error()));
  RunOptions run;
  run.timeoutMs = kStepTimeoutMs;
  if (const std::vector<std::string> targets = initializers(meta, needs); !targets.empty()) {
    const auto fresh = (*session)->run({}, {}, targets, run);
    if (!fresh.ok()) return fail(errorText(fresh.error()));
  }
  auto feeds = feedsFor(contents, needs, counter);
  const bool fed = counter && isPlaceholder(*counter);
  const DType type = counter ? counter->attrs.type("dtype") : DType::Int64;
  if (fed) feeds.emplace_back(counter->name + ":0", stepTensor(type, 0));
  std::vector<std::string> names;
  std::vector<Tensor> values;
  for (auto& [name, value] : feeds) {
    names.push_back(name);
    values.push_back(value);
  }
  const auto callable = (*session)->prepare(names, {out.tensor.toStdString()});
  if (!callable.ok()) return fail(errorText(callable.error()));
  const qint64 count = counter ? std::min(out.lastStep + 1, kMostPoints) : 2;
  for (qint64 k = 0; k < count && !cancelled; ++k) {
    const qint64 step = count < 2 ? 0 : k * out.lastStep / (count - 1);
    if (fed) values.back() = stepTensor(type, step);
    else if (counter)
      if (const Status set = (*session)->setVariable(counter->name, stepTensor(type, step)); !set.ok()) return fail(errorText(set.error()));
    const auto result = callable->run(values, run);
    if (!result.ok()) return fail(errorText(result.error()));
    const Tensor& t = result->front();
    if (t.elements() != 1 || t.dtype() == DType::String) return fail(ScheduleWords::tr("%1 is not a scalar.").arg(out.tensor));
    out.points << widgets::Sample{double(step), 0, t.asDouble(0)};
  }
  return out;
}

}  // namespace weft::app
