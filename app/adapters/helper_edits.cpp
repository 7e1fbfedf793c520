// Edits of which nodes are drawn as helpers: by name, and by rules.
#include <algorithm>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "adapters/helper_rules.h"
#include "weft/canvas_rules.h"

namespace weft::app {
namespace {

std::vector<std::string> plain(const QStringList& names) {
  std::vector<std::string> out;
  for (const QString& name : names) out.push_back(name.toStdString());
  return out;
}

QString shown(const QStringList& names) { return names.size() == 1 ? lastPart(names.first()) : GraphEdits::tr("%n item(s)", nullptr, int(names.size())); }

}  // namespace

GraphEdit toHelpersEdit(const EditWords& w) {
  const QStringList names = w.names();
  return makeEdit(GraphEdits::tr("Move %1 to helpers").arg(shown(names)),
                  [names](LayerEditor& layers, EditOutcome&) -> Status { return moveByRules(layers.editor().meta(), plain(names), true); });
}

GraphEdit toNetworkEdit(const EditWords& w) {
  const QStringList names = w.names();
  return makeEdit(GraphEdits::tr("Move %1 to network").arg(shown(names)),
                  [names](LayerEditor& layers, EditOutcome&) -> Status { return moveByRules(layers.editor().meta(), plain(names), false); });
}

GraphEdit helperRuleEdit(const EditWords& w) {
  const std::string pattern = w.positional[0].toStdString();
  const QString part = w.positional[1];
  return makeEdit(GraphEdits::tr("Rule for %1").arg(w.positional[0]), [pattern, part](LayerEditor& layers, EditOutcome&) -> Status {
    MetaGraph& meta = layers.editor().meta();
    std::vector<CanvasRule> rules = canvasRulesOf(meta);
    const bool had = std::erase_if(rules, [&](const CanvasRule& r) { return r.pattern == pattern; }) > 0;
    if (part != QLatin1String("none")) rules.push_back({pattern, part == QLatin1String("helpers")});
    else if (!had) return notFound("There is no rule for ", pattern);
    changeRules(meta, rules);
    return {};
  });
}

QVector<HelperRule> helperRulesOf(const GraphContents& contents) {
  QVector<HelperRule> out;
  for (const CanvasRule& rule : canvasRulesOf(contents.engine->loaded.meta)) out.append({text(rule.pattern), rule.helper});
  return out;
}

int nodesThatFit(const GraphContents& contents, const QString& pattern) {
  const std::string wanted = pattern.toStdString();
  const Graph& graph = contents.engine->loaded.meta.graph;
  int count = 0;
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id); n && fitsPattern(wanted, n->name)) ++count;
  return count;
}

GraphEdit setHelperRules(const QVector<HelperRule>& rules) {
  return makeEdit(GraphEdits::tr("Rules for helpers"), [rules](LayerEditor& layers, EditOutcome&) -> Status {
    std::vector<CanvasRule> now;
    for (const HelperRule& rule : rules) now.push_back({rule.pattern.toStdString(), rule.helper});
    changeRules(layers.editor().meta(), now);
    return {};
  });
}

}  // namespace weft::app
