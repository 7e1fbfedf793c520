#include "adapters/graph_text.h"

#include <QRegularExpression>
#include <set>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/graph_text.h"

namespace weft::app {
namespace {

Result<std::vector<int>> idsOf(const Graph& graph, const QStringList& names) {
  if (!names.isEmpty()) return nodesNamed(graph, names);
  std::vector<int> all;
  for (int id = 0; id < graph.size(); ++id)
    if (graph.node(id)) all.push_back(id);
  return all;
}

/// Splits "12:3: message" into its line and the message.
QPair<int, QString> placed(const QString& message) {
  static const QRegularExpression place(QStringLiteral("^(\\d+):(\\d+): (.*)$"), QRegularExpression::DotMatchesEverythingOption);
  const auto match = place.match(message);
  return match.hasMatch() ? qMakePair(match.captured(1).toInt(), match.captured(3)) : qMakePair(1, message);
}

}  // namespace

QVector<NodePlace> nodePlaces(const QString& text) {
  QVector<NodePlace> out;
  for (const NodeLines& n : nodeLinesOf(text.toStdString())) out << NodePlace{weft::app::text(n.name), n.first, n.last};
  return out;
}

QString graphText(const GraphContents& contents, const QStringList& names, QString* error) {
  const Graph& graph = contents.engine->loaded.meta.graph;
  const auto ids = idsOf(graph, names);
  if (!ids.ok()) {
    *error = errorText(ids.error());
    return {};
  }
  const auto written = nodesToText(graph, *ids);
  if (!written.ok()) *error = errorText(written.error());
  return written.ok() ? text(*written) : QString();
}

int countNodes(const GraphContents& contents, const QStringList& names) {
  const auto ids = idsOf(contents.engine->loaded.meta.graph, names);
  return ids.ok() ? int(ids->size()) : 0;
}

TextCheck checkText(const GraphContents& contents, const QString& before, const QString& after) {
  TextCheck out;
  const auto change = applyNodesText(contents.engine->loaded, before.toStdString(), after.toStdString());
  if (!change.ok()) {
    const auto [line, message] = placed(text(change.error().message));
    out.errors.insert(line, message);
    return out;
  }
  out.changed = int(change->changed.size());
  out.added = int(change->added.size());
  out.removed = int(change->removed.size());
  std::set<std::pair<std::string, std::string>> known;
  for (const Error& e : contents.engine->loaded.problems) known.emplace(e.node, e.message);
  QHash<QString, int> lines;
  for (const NodePlace& p : nodePlaces(after)) lines.insert(p.name, p.first);
  for (const Error& e : change->loaded.problems) {
    if (known.count({e.node, e.message})) continue;
    const int line = lines.value(text(e.node), 1);
    QString& all = out.problems[line];
    all += (all.isEmpty() ? QString() : QStringLiteral("\n")) + errorText(e);
  }
  return out;
}

GraphEdit textEdit(const QString& before, const QString& after) {
  return {GraphEdits::tr("Edit text"), [before, after](const EngineGraph& was) -> EditOutcome {
            auto change = applyNodesText(was.loaded, before.toStdString(), after.toStdString());
            if (!change.ok()) {
              const auto [line, message] = placed(text(change.error().message));
              return {nullptr, GraphEdits::tr("Line %1: %2").arg(line).arg(message), {}, {}};
            }
            EditOutcome out;
            LoadedGraph& loaded = change->loaded;
            GraphEditor editor(loaded.meta, loaded.problems);
            LayerEditor layers(editor);
            // A layer with an op that was changed by hand is detached from its recipe.
            for (const auto* names : {&change->changed, &change->removed, &change->added})
              for (const std::string& name : *names) byHand(layers, name);
            std::vector<std::string> notes;
            const Status status = layers.finish(&notes);
            if (!status.ok()) return {nullptr, errorText(status.error()), {}, {}};
            for (const std::string& note : notes) out.note += (out.note.isEmpty() ? QString() : QStringLiteral(" ")) + text(note);
            for (const auto* names : {&change->added, &change->changed})
              for (const std::string& name : *names) out.select << text(name);
            out.graph = std::make_shared<const EngineGraph>(std::move(loaded));
            return out;
          }};
}

}  // namespace weft::app
