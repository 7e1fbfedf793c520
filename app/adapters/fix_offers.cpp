#include "adapters/fix_offers.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "adapters/engine_graph.h"
#include "adapters/graph_edit.h"
#include "weft/edit.h"
#include "weft/recipes.h"

namespace weft::app {
namespace {

struct FixWords {
  Q_DECLARE_TR_FUNCTIONS(FixOffers)
};

constexpr int kMostWireTrials = 8, kMostOffers = 3;
constexpr int kLargestForWires = 20000;  // nodes

QString dims(const std::vector<int64_t>& v) {
  QStringList parts;
  for (const int64_t d : v) parts << QString::number(d);
  return u'[' + parts.join(u',') + u']';
}

FixOffer reshape(const std::vector<int64_t>& target) {
  return {FixWords::tr("Insert Reshape to %1").arg(dims(target)), QStringLiteral("reshape"), {QStringLiteral("target_shape=") + dims(target)}, {}};
}

}  // namespace

QVector<FixOffer> shapeOffers(const Shape& shape) {
  QVector<FixOffer> out;
  if (!shape.hasRank()) return out;
  if (shape.rank() > 2) out.append({FixWords::tr("Insert Flatten"), QStringLiteral("layers.flatten"), {}, {}});
  if (shape.rank() == 2 && shape[1] > 0) {
    for (const int64_t channels : {1, 3}) {
      const auto side = int64_t(std::llround(std::sqrt(double(shape[1]) / double(channels))));
      if (side > 1 && side * side * channels == shape[1]) out.append(reshape({-1, side, side, channels}));
    }
  }
  if (shape.rank() == 3 && shape[1] > 0 && shape[2] > 0) out.append(reshape({-1, shape[1], shape[2], 1}));
  if (shape.rank() == 2 && shape[1] > 1) out.append(reshape({-1, 1, 1, shape[1]}));
  if (shape.rank() == 1) out.append(reshape({-1, 1}));
  if (shape.rank() == 2 && shape[1] == 1) out.append(reshape({-1}));
  if (shape.rank() == 2) out.append({FixWords::tr("Insert Transpose"), QStringLiteral("transpose"), {QStringLiteral("perm=[1,0]")}, {}});
  return out;
}

bool fixesNode(const EngineGraph& graph, const QStringList& command, const std::string& node, QString* result) {
  const ParsedEdit parsed = editFromWords(command.front(), command.mid(1), {}, {});
  if (!parsed.edit.run) return false;
  const EditOutcome outcome = parsed.edit.run(graph);
  if (!outcome.graph) return false;
  const auto& before = graph.loaded.problems;
  const auto& after = outcome.graph->loaded.problems;
  const bool inserts = command.front() == QLatin1String("graph.insert") || command.front() == QLatin1String("graph.add");
  if (result && inserts) *result = shapeOfResult(*outcome.graph, outcome.select.value(0));
  const bool clean = std::none_of(after.begin(), after.end(), [&](const Error& e) { return e.node == node; });
  return after.size() < before.size() || (clean && after.size() <= before.size());
}

QString engineWords(const GraphContents& contents, const QString& node) {
  for (const Error& e : contents.engine->loaded.problems)
    if (!e.node.empty() && text(e.node) == node) return text(e.message);
  return {};
}

QString shapeOfResult(const EngineGraph& graph, const QString& name) {
  const Graph& g = graph.loaded.meta.graph;
  std::string tensor = name.toStdString() + ":0";
  for (const Recipe& r : recipesOf(graph.loaded.meta))
    if (r.scope == name.toStdString() && !r.outputs.empty()) tensor = r.outputs[0];
  const auto output = g.findOutput(tensor);
  QString shape;
  if (output.ok()) shapeText(g.shape(*output), &shape);
  return shape;
}

QVector<FixOffer> wireOffers(const GraphContents& contents, const QString& tensor, const QString& input) {
  const EngineGraph& engine = *contents.engine;
  const Graph& graph = engine.loaded.meta.graph;
  if (graph.nodeCount() > kLargestForWires) return {};
  const auto from = graph.findOutput(tensor.toStdString());
  if (!from.ok()) return {};
  QVector<FixOffer> candidates;
  // Another type: try casts to the usual types.
  const DType given = baseType(graph.dtype(*from));
  if (given != DType::String && given != DType::Resource && given != DType::Variant)
    for (const DType want : {DType::Float, DType::Int32, DType::Int64, DType::Bool})
      if (want != given)
        candidates.append(
            {FixWords::tr("Insert Cast to %1").arg(text(dtypeName(want))), QStringLiteral("Cast"), {QStringLiteral("DstT=") + text(dtypeName(want))}, {}});
  candidates = shapeOffers(graph.shape(*from)) + candidates;
  QVector<FixOffer> out;
  int trials = 0;
  for (FixOffer& offer : candidates) {
    if (out.size() >= kMostOffers || ++trials > kMostWireTrials) break;
    QStringList command{QStringLiteral("graph.add"), offer.type, QStringLiteral("--from"), tensor, QStringLiteral("--to"), input};
    for (const QString& setting : offer.settings) command << QStringLiteral("--set") << setting;
    if (!fixesNode(engine, command, input.section(u':', 0, 0).toStdString(), &offer.result)) continue;
    out.append(offer);
  }
  return out;
}

}  // namespace weft::app
