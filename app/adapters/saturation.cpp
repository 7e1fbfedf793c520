#include "adapters/saturation.h"

#include <QCoreApplication>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "adapters/preview_words.h"
#include "weft/op_traits.h"
#include "weft/preview.h"
#include "weft/saturation.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft::app {
namespace {

constexpr size_t kMostActivations = 64;
constexpr int64_t kProbeTimeoutMs = 20'000;

struct SaturationWords {
  Q_DECLARE_TR_FUNCTIONS(SaturationProbe)
};

SaturationShare shareOf(const Graph& g, const Node& node, const Tensor& t) {
  const Saturation s = saturationOf(g, node, t);
  return {text(node.name), text(node.op), s.dead, s.counted, s.all};
}

}  // namespace

struct SaturationProbe::Impl {
  GraphContentsPtr contents;
  std::unique_ptr<Session> session;
  Callable run;
  std::vector<Tensor> feeds;
  std::vector<const Node*> activations;
  std::vector<std::string> variables;

  const Graph& graph() const { return contents->engine->loaded.meta.graph; }
};

SaturationProbe::SaturationProbe(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SaturationProbe::~SaturationProbe() = default;

std::shared_ptr<SaturationProbe> SaturationProbe::make(const GraphContentsPtr& contents, const QString& folder, QString* error) {
  auto impl = std::make_unique<Impl>();
  impl->contents = contents;
  const MetaGraph& meta = contents->engine->loaded.meta;
  const Graph& g = impl->graph();
  const auto fail = [&](const QString& why) {
    *error = why;
    return nullptr;
  };
  const auto settings = trainingSettingsOf(meta);
  if (!settings.ok()) return fail(errorText(settings.error()));
  const auto loss = g.findOutput(settings->loss);
  if (!loss.ok()) return fail(errorText(loss.error()));
  std::set<int> needs;
  std::vector<std::string> fetches;
  for (const int id : nodesNeededBy(g, loss->node)) {
    const Node* n = g.node(id);
    if (!n || !canSaturate(*n) || impl->activations.size() >= kMostActivations) continue;
    const std::set<int> own = nodesNeededBy(g, id);
    // Skip values inside while loops: there are many, and they cannot be fetched.
    if (std::any_of(own.begin(), own.end(), [&](int k) { return roleOf(*g.node(k)) == OpRole::Enter; })) continue;
    impl->activations.push_back(n);
    fetches.push_back(n->name + ":0");
    needs.insert(own.begin(), own.end());
  }
  if (fetches.empty()) return fail(SaturationWords::tr("No activation outside loops can saturate: there is no Relu, Elu, Tanh or Sigmoid before the loss."));
  if (PipelineFeeder::readsPipeline(g, needs))
    return fail(SaturationWords::tr("This graph reads its samples from an input pipeline: measuring would take samples away from training."));
  const auto batch = sampleRows(meta, folder.toStdString(), 0, kMeasuredRows);
  if (!batch.ok()) return fail(previewErrorText(batch.error()));
  std::vector<std::string> names;
  for (const int id : needs) {
    const Node* n = g.node(id);
    if (isVariable(*n)) impl->variables.push_back(n->name);
    if (!isPlaceholder(*n) || n->outputTypes.empty()) continue;
    const auto it = batch->find(n->name + ":0"), bare = batch->find(n->name);
    names.push_back(n->name + ":0");
    impl->feeds.push_back(it != batch->end() ? it->second : bare != batch->end() ? bare->second : trainingValue(meta, *n));
  }
  SessionOptions options;
  options.threads = 1;
  auto session = Session::create(g, options);
  if (!session.ok()) return fail(errorText(session.error()));
  impl->session = std::move(*session);
  auto run = impl->session->prepare(names, fetches);
  if (!run.ok()) return fail(errorText(run.error()));
  impl->run = std::move(*run);
  return std::shared_ptr<SaturationProbe>(new SaturationProbe(std::move(impl)));
}

QVector<SaturationShare> SaturationProbe::measure(const TrainedModel& model, qint64* step, QString* error) {
  *step = model.step();
  const std::map<std::string, Tensor> variables = model.trainer()->session().variables();
  for (const std::string& name : impl_->variables) {
    const auto it = variables.find(name);
    if (it == variables.end()) continue;
    if (const Status set = impl_->session->setVariable(name, it->second); !set.ok()) {
      *error = errorText(set.error());
      return {};
    }
  }
  RunOptions options;
  options.timeoutMs = kProbeTimeoutMs;
  const auto values = impl_->run.run(impl_->feeds, options);
  if (!values.ok()) {
    *error = errorText(values.error());
    return {};
  }
  QVector<SaturationShare> out;
  for (size_t i = 0; i < values->size(); ++i) out << shareOf(impl_->graph(), *impl_->activations[i], (*values)[i]);
  return out;
}

}  // namespace weft::app
