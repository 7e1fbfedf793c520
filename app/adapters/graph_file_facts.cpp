#include "adapters/graph_file_facts.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <map>
#include <set>

#include "adapters/engine_graph.h"
#include "common/format.h"
#include "weft/compare.h"
#include "weft/defects.h"
#include "weft/inspect.h"
#include "weft/op.h"

namespace weft::app {
namespace {

struct Facts {
  Q_DECLARE_TR_FUNCTIONS(GraphFileFacts)
};
using Kind = GraphFact::Kind;

constexpr int kListed = 200;

GraphFact plain(const QString& name, const QString& value, const QString& tip = {}) { return {name, value, {}, tip, Kind::Plain, {}}; }

QString nodeOf(const std::string& name) { return text(name.substr(0, name.find(':'))); }

GraphFact collectionFact(const std::string& key, const Collection& c) {
  static constexpr const char* kKinds[] = {"node_list", "bytes_list", "int64_list", "float_list", "any_list"};
  const size_t count = c.nodes.size() + c.bytes.size() + c.ints.size() + c.floats.size() + c.anys.size();
  GraphFact fact = plain(text(key), QStringLiteral("%1 · %2").arg(count).arg(QLatin1String(kKinds[int(c.kind)])));
  for (const std::string& name : c.nodes) {
    if (fact.parts.size() >= kListed) break;
    fact.parts << GraphFact{text(name), {}, nodeOf(name), {}, Kind::Plain, {}};
  }
  for (const int64_t v : c.ints)
    if (fact.parts.size() < kListed) fact.parts << plain(QString::number(v), {});
  for (const float v : c.floats)
    if (fact.parts.size() < kListed) fact.parts << plain(QString::number(double(v)), {});
  return fact;
}

/// The inputs of a merged summary, and the placeholders that must be fed to compute it.
GraphFact mergeFact(const Graph& graph, const Node& merge) {
  GraphFact fact{text(merge.name), Facts::tr("%n summary op(s)", nullptr, int(merge.inputs.size())), text(merge.name), {}, Kind::Plain, {}};
  std::set<int> seen;
  std::vector<int> open;
  for (const Output& in : merge.inputs) open.push_back(in.node);
  QStringList needed;
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    const Node* node = graph.node(id);
    if (!node || !seen.insert(id).second) continue;
    if (isPlaceholder(*node)) needed << text(node->name);
    for (const Output& in : node->inputs) open.push_back(in.node);
    for (const int c : node->controls) open.push_back(c);
  }
  needed.sort();
  for (const Output& in : merge.inputs)
    if (const Node* node = graph.node(in.node); node && fact.parts.size() < kListed)
      fact.parts << GraphFact{text(node->name), text(node->op), text(node->name), {}, Kind::Plain, {}};
  GraphFact feeds{Facts::tr("must be fed"),
                  needed.isEmpty() ? Facts::tr("nothing") : QString::number(needed.size()),
                  {},
                  {},
                  needed.isEmpty() ? Kind::Good : Kind::Plain,
                  {}};
  for (const QString& name : needed) feeds.parts << GraphFact{name, {}, name, {}, Kind::Plain, {}};
  fact.parts.prepend(feeds);
  fact.tip =
      needed.isEmpty()
          ? QString()
          : Facts::tr("Running it requires %1. Summaries of other models in the graph add their own placeholders: merge the summaries of one scope instead.")
                .arg(needed.join(QStringLiteral(", ")));
  return fact;
}

/// Variables that the saver saves, and those that it leaves out.
void addSaver(const MetaGraph& meta, QVector<GraphFact>* facts) {
  const auto names = restoredVariables(meta.graph);
  const std::set<std::string> restored(names.begin(), names.end());
  QVector<GraphFact> left;
  bool step = false, stepSaved = false, averages = false;
  int variables = 0;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* node = meta.graph.node(id);
    if (!node || !isVariable(*node)) continue;
    ++variables;
    const bool kept = restored.count(node->name) > 0;
    const QString name = text(node->name), last = widgets::lastPart(name);
    const bool isStep = last == QLatin1String("global_step");
    step = step || isStep;
    stepSaved = stepSaved || (isStep && kept);
    if (kept) continue;
    averages = averages || last.startsWith(QLatin1String("moving_")) || last.startsWith(QLatin1String("ExponentialMovingAverage"));
    if (left.size() < kListed) left << GraphFact{name, {}, name, {}, Kind::Plain, {}};
  }
  if (!variables) return;
  if (restored.empty()) {
    facts->append(
        {Facts::tr("Saver"), Facts::tr("none"), {}, Facts::tr("The graph has no restore ops: add a Saver to save its variables."), Kind::Warning, {}});
    return;
  }
  GraphFact saver = plain(Facts::tr("Saver"), Facts::tr("%1 of %n variable(s)", nullptr, variables).arg(restored.size()));
  if (meta.saver) {
    saver.parts << plain(Facts::tr("version"), meta.saver->version == 2 ? QStringLiteral("V2: .index + .data") : QStringLiteral("V1"),
                         meta.saver->version == 2 ? Facts::tr("Each save writes NAME.index, NAME.data-00000-of-00001, NAME.meta and the file checkpoint.")
                                                  : Facts::tr("Each save writes NAME, NAME.meta and the file checkpoint."));
    saver.parts << plain(Facts::tr("keeps"), meta.saver->maxToKeep > 0 ? QString::number(meta.saver->maxToKeep) : Facts::tr("all"));
    saver.parts << plain(Facts::tr("sharded"), meta.saver->sharded ? Facts::tr("yes") : Facts::tr("no"));
    const QString restore = text(meta.saver->restoreOp);
    saver.parts << GraphFact{Facts::tr("restore op"), restore, restore, {}, Kind::Plain, {}};
  }
  if (!left.isEmpty()) {
    GraphFact unsaved = plain(Facts::tr("not saved"), QString::number(left.size()));
    unsaved.parts = left;
    saver.parts << unsaved;
  }
  facts->append(saver);
  if (averages)
    facts->append({Facts::tr("Moving averages are not saved"),
                   {},
                   {},
                   Facts::tr("After a restore, batch normalisation starts from its initial averages. Add them to the Saver."),
                   Kind::Warning,
                   {}});
  if (step && !stepSaved)
    facts->append({Facts::tr("global_step is not saved"), {}, {}, Facts::tr("After a restore, training counts from 0."), Kind::Warning, {}});
  if (!step)
    facts->append({Facts::tr("no global_step"), {}, {}, Facts::tr("MonitoredTrainingSession and its hooks expect a variable of that name."), Kind::Plain, {}});
}

/// Lists the cluster tasks that nodes are placed on, each with its number of nodes and its variables.
void addCluster(const Graph& graph, QVector<GraphFact>* facts) {
  struct Task {
    int nodes = 0;
    QVector<GraphFact> variables;
    QString first;
  };
  std::map<QString, Task> tasks;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* node = graph.node(id);
    if (!node || node->device.find("/job:") == std::string::npos || node->device.find("/job:localhost") != std::string::npos) continue;
    QString job, number = QStringLiteral("?");
    for (const QString& part : text(node->device).split(u'/', Qt::SkipEmptyParts)) {
      if (part.startsWith(QLatin1String("job:"))) job = part.mid(4);
      if (part.startsWith(QLatin1String("task:"))) number = part.mid(5);
    }
    Task& task = tasks[job + u' ' + number];
    if (++task.nodes == 1) task.first = text(node->name);
    if (isVariable(*node) && task.variables.size() < kListed) task.variables << GraphFact{text(node->name), {}, text(node->name), {}, Kind::Plain, {}};
  }
  if (tasks.empty()) return;
  GraphFact all = plain(
      Facts::tr("Cluster"), QString::number(tasks.size()),
      Facts::tr(
          "Nodes placed on tasks of a cluster. Weft has no clusters: it shows and saves such a graph, and runs it only with these devices removed or with soft placement."));
  for (const auto& [name, task] : tasks) {
    GraphFact one{name, Facts::tr("nodes: %1").arg(task.nodes), task.first, Facts::tr("Job and task requested by these nodes"), Kind::Plain, {}};
    if (!task.variables.isEmpty()) one.parts << GraphFact{Facts::tr("variables"), QString::number(task.variables.size()), {}, {}, Kind::Plain, task.variables};
    all.parts << one;
  }
  facts->append(all);
}

void addSignatures(const QJsonObject& report, QVector<GraphFact>* facts) {
  const QJsonObject signatures = report.value(QLatin1String("signatures")).toObject();
  if (signatures.isEmpty()) return;
  GraphFact all = plain(Facts::tr("Signatures"), QString::number(signatures.size()));
  for (auto it = signatures.begin(); it != signatures.end(); ++it) {
    const QJsonObject s = it.value().toObject();
    GraphFact one = plain(it.key(), s.value(QLatin1String("method")).toString());
    for (const char* side : {"inputs", "outputs"}) {
      const QJsonObject tensors = s.value(QLatin1String(side)).toObject();
      for (auto t = tensors.begin(); t != tensors.end(); ++t) {
        const QString tensor = t.value().toObject().value(QLatin1String("name")).toString();
        one.parts << GraphFact{QLatin1String(side[0] == 'i' ? "→ " : "← ") + t.key(),         tensor,      nodeOf(tensor.toStdString()),
                               t.value().toObject().value(QLatin1String("dtype")).toString(), Kind::Plain, {}};
      }
    }
    all.parts << one;
  }
  facts->append(all);
}

}  // namespace

QVector<GraphFact> modelFacts(const FileContents& model, int graph) {
  QVector<GraphFact> facts;
  const QJsonArray graphs = model.report.value(QLatin1String("meta_graphs")).toArray();
  addSignatures(graphs.at(graph).toObject(), &facts);
  const QStringList tags = graphsOfModel(model);
  if (tags.size() > 1) {
    GraphFact all = plain(Facts::tr("Graphs"), QString::number(tags.size()), Facts::tr("Enter or double-click shows one of them"));
    for (int i = 0; i < tags.size(); ++i) {
      GraphFact one = plain(
          tags[i].isEmpty() ? Facts::tr("graph %1").arg(i) : tags[i],
          i == graph ? Facts::tr("shown here")
                     : Facts::tr("%n node(s)", nullptr, graphs[i].toObject().value(QLatin1String("graph")).toObject().value(QLatin1String("nodes")).toInt()));
      one.command = {QStringLiteral("inspect.open-graph"), QString::number(i)};
      if (i == graph) one.kind = Kind::Good;
      all.parts << one;
    }
    facts << all;
  }
  if (!variablesOf(model).isEmpty()) {
    GraphFact variables = plain(Facts::tr("Variables"),
                                QString::number(model.report.value(QLatin1String("variables")).toObject().value(QLatin1String("tensors")).toArray().size()),
                                Facts::tr("Enter or double-click opens the model's checkpoint"));
    variables.command = {QStringLiteral("inspect.open-variables")};
    facts << variables;
  }
  GraphFact page = plain(Facts::tr("Model page"), QFileInfo(model.path).fileName(),
                         Facts::tr("Enter or double-click shows the contents of the SavedModel on a page of its own"));
  page.command = {QStringLiteral("inspect.show-model")};
  facts << page;
  return facts;
}

QVector<GraphFact> graphFileFacts(const GraphContents& contents, const QString& path) {
  QVector<GraphFact> facts;
  const MetaGraph& meta = contents.engine->loaded.meta;
  const QJsonObject report = path.isEmpty() ? QJsonObject() : QJsonDocument::fromJson(QByteArray::fromStdString(inspectPath(path.toStdString()).json)).object();
  facts << plain(Facts::tr("Format"), contents.format);
  if (const QString version = report.value(QLatin1String("tf_version")).toString(); !version.isEmpty()) facts << plain(Facts::tr("TensorFlow"), version);
  facts << plain(Facts::tr("Producer"), QString::number(meta.graph.versions.producer), Facts::tr("GraphDef version of the TensorFlow that wrote the file"));
  std::map<std::string, int> ops;
  QVector<GraphFact> unknown;
  QSet<QString> named;
  QVector<GraphFact> merges;
  for (int id = 0; id < meta.graph.size(); ++id) {
    const Node* node = meta.graph.node(id);
    if (!node || isMissing(*node)) continue;
    ++ops[node->op];
    if (!node->record && !OpRegistry::instance().find(node->op) && !named.contains(text(node->op))) {
      named.insert(text(node->op));
      unknown << GraphFact{text(node->op), text(node->name), text(node->name), {}, Kind::Plain, {}};
    }
    if (roleOf(*node) == OpRole::MergeSummary) merges << mergeFact(meta.graph, *node);
  }
  GraphFact kinds = plain(Facts::tr("Op types"),
                          unknown.isEmpty() ? Facts::tr("%1, all known").arg(ops.size()) : Facts::tr("%1, %2 unknown").arg(ops.size()).arg(unknown.size()));
  kinds.parts = unknown;
  if (!unknown.isEmpty()) {
    kinds.kind = Kind::Warning;
    kinds.tip = Facts::tr("Ops that neither Weft nor plain TensorFlow provides: load the library that registers them before import_meta_graph.");
  }
  facts << kinds;
  addSaver(meta, &facts);
  addCluster(meta.graph, &facts);
  addSignatures(report, &facts);
  if (!merges.isEmpty()) {
    GraphFact all = plain(Facts::tr("Merged summaries"), QString::number(merges.size()));
    all.parts = merges;
    facts << all;
  }
  if (!meta.collections.empty()) {
    GraphFact all = plain(Facts::tr("Collections"), QString::number(meta.collections.size()));
    for (const auto& [key, collection] : meta.collections) all.parts << collectionFact(key, collection);
    facts << all;
  }
  return facts;
}

}  // namespace weft::app
