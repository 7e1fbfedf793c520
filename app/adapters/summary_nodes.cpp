#include "adapters/summary_nodes.h"

#include <QRegularExpression>
#include <algorithm>

#include "adapters/engine_graph.h"
#include "weft/op_traits.h"

namespace weft::app {
namespace {

bool isSummary(const Node& node) { return roleOf(node) == OpRole::Summary && node.inputs.size() >= 2; }

/// Name of the node that a summary op logs: its inputs are the tag (or tags), then the tensor.
QString loggedBy(const Graph& graph, const Node& summary) {
  const Node* from = graph.node(summary.inputs[1].node);
  return from ? text(from->name) : QString();
}

bool hasTag(const Graph& graph, const Node& summary, const std::string& tag) {
  const Node* from = graph.node(summary.inputs[0].node);
  const Attr* value = from && isConstant(*from) ? from->attrs.find("value") : nullptr;
  const Tensor* tags = value ? value->get<Tensor>() : nullptr;
  if (!tags || !tags->hasValue() || tags->dtype() != DType::String) return false;
  const auto all = tags->flat<std::string>();
  return std::find(all.begin(), all.end(), tag) != all.end();
}

}  // namespace

QString nodeOfTag(const GraphContents& contents, const QString& tag) {
  static const QRegularExpression kNumber(QStringLiteral("/(image|audio)(/\\d+)?$"));
  if (!contents.engine) return {};
  const Graph& graph = contents.engine->loaded.meta.graph;
  for (const QString& wanted : {tag, QString(tag).remove(kNumber)}) {
    const std::string name = wanted.toStdString();
    for (int id = 0; id < graph.size(); ++id) {
      const Node* node = graph.node(id);
      if (node && isSummary(*node) && hasTag(graph, *node, name)) return loggedBy(graph, *node);
    }
    if (const Node* node = graph.find(name)) return isSummary(*node) ? loggedBy(graph, *node) : wanted;
  }
  return {};
}

}  // namespace weft::app
