#include "adapters/gradient_norms.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "adapters/engine_graph.h"
#include "adapters/sample_feeds.h"
#include "weft/op_traits.h"
#include "weft/session.h"
#include "weft/tensor_statistics.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct GradientNormWords {
  Q_DECLARE_TR_FUNCTIONS(GradientNorms)
};

}  // namespace

GradientNorms gradientNorms(const ProbeRequest& request) {
  GradientNorms out;
  const MetaGraph& meta = request.contents->engine->loaded.meta;
  std::vector<std::string> fetches;
  QStringList variables;
  std::set<int> needs;
  for (const AppliedGradient& g : appliedGradients(meta.graph)) {
    fetches.push_back(g.tensor);
    variables << text(g.variable);
    needs.merge(needed(meta.graph, meta.graph.findOutput(g.tensor)->node));
  }
  if (fetches.empty()) {
    out.error = GradientNormWords::tr("This graph has no gradients: add training first.");
    return out;
  }
  SessionOptions options;
  options.threads = 1;
  auto session = Session::create(meta.graph, options);
  if (!session.ok()) {
    out.error = errorText(session.error());
    return out;
  }
  const std::map<std::string, Tensor> batch = sampleOf(meta, request.folder.toStdString(), 0, kMeasuredRows, &out.error);
  if (!out.error.isEmpty()) return out;
  std::vector<std::pair<std::string, Tensor>> feeds;
  for (const int id : needs) {
    const Node* n = meta.graph.node(id);
    if (!n || !isPlaceholder(*n) || n->outputTypes.empty()) continue;
    const auto it = batch.find(n->name + ":0");
    feeds.emplace_back(n->name + ":0", it != batch.end() ? it->second : syntheticValue(baseType(n->outputTypes[0]), n->outputShapes[0]));
  }
  if (request.checkpoint.isEmpty() || !restoreVariables(**session, meta, request.checkpoint.toStdString()).ok()) {
    const auto fresh = (*session)->run({}, {}, initializers(meta, needs));
    if (!fresh.ok()) {
      out.error = errorText(fresh.error());
      return out;
    }
  }
  const auto values = (*session)->run(feeds, fetches);
  if (!values.ok()) {
    out.error = errorText(values.error());
    return out;
  }
  for (size_t i = 0; i < values->size(); ++i) out.ofVariable.insert(variables[qsizetype(i)], statisticsOf((*values)[i]).norm);
  return out;
}

HeatValues gradientHeat(const GraphContents& contents, const GradientNorms& norms) {
  HeatValues out;
  QHash<QString, double> squares;  // by scope
  for (auto it = norms.ofVariable.cbegin(); it != norms.ofVariable.cend(); ++it) {
    squares[it.key()] = it.value() * it.value();
    if (const qsizetype slash = it.key().lastIndexOf(u'/'); slash > 0) squares[it.key().left(slash)] += it.value() * it.value();
    if (it.value() <= 0 || !std::isfinite(it.value())) continue;
    out.least = out.least <= 0 ? it.value() : std::min(out.least, it.value());
    out.most = std::max(out.most, it.value());
  }
  for (const double square : std::as_const(squares))
    if (std::isfinite(square)) out.most = std::max(out.most, std::sqrt(square));
  const double span = out.most > out.least && out.least > 0 ? std::log(out.most / out.least) : 1;
  for (const auto& node : contents.arrays.nodes) {
    double value = -1;
    for (QString scope = node.name; value < 0 && !scope.isEmpty(); scope = scope.left(std::max<qsizetype>(0, scope.lastIndexOf(u'/'))))
      if (const auto it = squares.constFind(scope); it != squares.constEnd()) value = std::sqrt(*it);
    // Values that are not finite get the maximum; nodes without a gradient get the minimum.
    out.heat.push_back(value < 0 ? -1.0 : !std::isfinite(value) ? 1.0 : value <= out.least ? 0.0 : std::log(value / out.least) / span);
  }
  return out;
}

}  // namespace weft::app
