#include "adapters/event_graph.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <algorithm>

#include "adapters/border.h"
#include "adapters/engine_graph.h"
#include "adapters/file_contents.h"
#include "adapters/tasks.h"
#include "weft/events.h"
#include "weft/op_traits.h"

namespace weft::app {
namespace {

struct EventGraphs {
  Q_DECLARE_TR_FUNCTIONS(EventGraphs)
};

constexpr qsizetype kMostOutputs = 40;

/// Whether the node belongs to the training only.
bool isOfTraining(const QString& name) {
  for (const char* part : {"gradients", "save", "train", "init", "Adam", "GradientDescent", "Momentum", "report_uninitialized"})
    if (name.startsWith(QLatin1String(part)) || name.contains(u'/' + QLatin1String(part))) return true;
  return false;
}

/// How unlikely the node is an output; 0: most likely.
int rankOf(const Node& node, bool read) {
  const OpRole role = roleOf(node);
  if (role == OpRole::Softmax || role == OpRole::LogSoftmax || role == OpRole::Sigmoid) return 0;
  if (role == OpRole::ArgMax) return 1;
  if (node.name.find("logits") != std::string::npos && (role == OpRole::BiasAdd || role == OpRole::MatMul || role == OpRole::Sum)) return 2;
  if (!read) return 3;
  return 9;
}

}  // namespace

bool holdsEventGraph(const FileContents& contents) {
  if (contents.kind != QLatin1String("events")) return false;
  return contents.report.value(QLatin1String("graph")).isObject() || contents.report.value(QLatin1String("meta_graph")).isObject();
}

QVector<EventRun> eventRunsOf(const FileContents& contents) {
  QVector<EventRun> out;
  const auto add = [&](const QString& path, const QJsonObject& from, bool hasGraph) {
    for (const QJsonValue& tag : from.value(QLatin1String("run_metadata")).toArray())
      if (const EventRun run{path, tag.toString(), hasGraph}; !out.contains(run)) out << run;
  };
  if (contents.kind == QLatin1String("events")) add(contents.path, contents.report, holdsEventGraph(contents));
  if (contents.kind != QLatin1String("logdir")) return out;
  for (const QJsonValue& run : contents.report.value(QLatin1String("runs")).toArray())
    add(QDir::cleanPath(contents.path + u'/' + run.toObject().value(QLatin1String("run")).toString()), run.toObject(),
        run.toObject().value(QLatin1String("graph")).toBool());
  return out;
}

OpenOutcome openEventGraph(const QString& path, TaskState& task) {
  OpenOutcome out;
  const QString failure = failureOf([&] {
    auto bytes = readEventGraph(path.toStdString(), nullptr, [&task] { return task.cancelled.load(); });
    if (!bytes.ok()) {
      out.error = bytes.error().code == Code::NotFound ? EventGraphs::tr("%1 contains no graph.").arg(QFileInfo(path).fileName()) : errorText(bytes.error());
      return;
    }
    auto loaded = loadGraphBytes(std::make_shared<const std::string>(std::move(*bytes)), path.toStdString());
    if (!loaded.ok()) out.error = errorText(loaded.error());
    else out.contents = makeContents(std::move(loaded).value());
  });
  if (!failure.isEmpty()) return {nullptr, path + QStringLiteral(": ") + failure};
  return out;
}

QStringList likelyOutputs(const GraphContents& contents) {
  const Graph& graph = contents.engine->loaded.meta.graph;
  const auto readers = graph.consumers();
  QVector<QPair<int, QString>> found;
  for (int id = graph.size() - 1; id >= 0; --id) {
    const Node* n = graph.node(id);
    if (!n || n->outputTypes.empty() || isConstant(*n) || isPlaceholder(*n) || isVariable(*n) || roleOf(*n) == OpRole::ReadVariable ||
        roleOf(*n) == OpRole::ProbeVariable || roleOf(*n) == OpRole::Summary || roleOf(*n) == OpRole::MergeSummary)
      continue;
    const QString name = text(n->name);
    if (isOfTraining(name)) continue;
    if (const int rank = rankOf(*n, !readers[size_t(id)].empty()); rank < 9) found.append({rank, name});
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  QStringList out;
  for (const auto& [rank, name] : found)
    if (out.size() < kMostOutputs) out << name;
  return out;
}

}  // namespace weft::app
