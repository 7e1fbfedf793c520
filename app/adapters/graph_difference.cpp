#include "adapters/graph_difference.h"

#include <set>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"

namespace weft::app {
namespace {

std::string nameOf(const Graph& graph, int id) {
  const Node* node = graph.node(id);
  return node ? node->name : std::string();
}

bool equal(const Graph& a, const Node& x, const Graph& b, const Node& y) {
  if (x.op != y.op || x.device != y.device || x.inputs.size() != y.inputs.size() || x.controls.size() != y.controls.size()) return false;
  for (size_t i = 0; i < x.inputs.size(); ++i) {
    if (x.inputs[i].index != y.inputs[i].index || nameOf(a, x.inputs[i].node) != nameOf(b, y.inputs[i].node)) return false;
  }
  std::set<std::string> controls;
  for (const int id : x.controls) controls.insert(nameOf(a, id));
  for (const int id : y.controls) {
    if (!controls.count(nameOf(b, id))) return false;
  }
  if (x.raw && y.raw && *x.raw == *y.raw) return true;
  auto other = y.attrs.begin();
  for (const auto& [name, value] : x.attrs) {
    if (other == y.attrs.end() || other->first != name || attrText(value) != attrText(other->second)) return false;
    ++other;
  }
  return other == y.attrs.end();
}

}  // namespace

GraphDifference graphDifference(const GraphContents& first, const GraphContents& second) {
  const Graph& a = first.engine->loaded.meta.graph;
  const Graph& b = second.engine->loaded.meta.graph;
  GraphDifference out;
  for (int id = 0; id < a.size(); ++id) {
    const Node* node = a.node(id);
    if (!node) continue;
    const Node* other = b.find(node->name);
    if (!other)
      out.removed << text(node->name);
    else if (!equal(a, *node, b, *other))
      out.changed << text(node->name);
  }
  for (int id = 0; id < b.size(); ++id) {
    const Node* node = b.node(id);
    if (node && !a.find(node->name)) out.added << text(node->name);
  }
  for (QStringList* list : {&out.added, &out.removed, &out.changed}) list->sort();
  return out;
}

}  // namespace weft::app
