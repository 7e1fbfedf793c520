#include "adapters/graph_difference.h"

#include <map>
#include <set>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "common/format.h"

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

/// Nodes of `b` that are missing in `a`, each grouped under its outermost scope that is also missing in `a`.
QVector<widgets::Ghost> missingIn(const Graph& a, const Graph& b) {
  std::set<std::string, std::less<>> scopes;
  for (int id = 0; id < a.size(); ++id) {
    const std::string name = nameOf(a, id);
    for (size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) scopes.insert(name.substr(0, slash));
  }
  struct Part {
    std::string name;
    int nodes = 0;
    QString op, before, after;
  };
  std::map<std::string, Part> parts;
  std::vector<Part*> partOf(size_t(b.size()), nullptr);
  for (int id = 0; id < b.size(); ++id) {
    const Node* node = b.node(id);
    if (!node || a.find(node->name)) continue;
    std::string top = node->name;
    for (size_t slash = top.find('/'); slash != top.npos; slash = top.find('/', slash + 1)) {
      if (scopes.count(top.substr(0, slash))) continue;
      top.resize(slash);
      break;
    }
    Part& part = parts[top];
    part.name = top;
    part.op = text(node->op);
    ++part.nodes;
    partOf[size_t(id)] = &part;
  }
  for (int id = 0; id < b.size(); ++id) {
    const Node* node = b.node(id);
    if (!node) continue;
    for (const Output o : node->inputs) {
      Part *from = partOf[size_t(o.node)], *to = partOf[size_t(id)];
      if (to && !from && to->before.isEmpty()) to->before = text(nameOf(b, o.node));
      if (from && !to && from->after.isEmpty()) from->after = text(node->name);
    }
  }
  QVector<widgets::Ghost> out;
  for (const auto& [name, part] : parts) out << widgets::Ghost{text(name), part.nodes == 1 ? part.op : widgets::formatOps(part.nodes), part.before, part.after};
  return out;
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
    if (!other) out.removed << text(node->name);
    else if (!equal(a, *node, b, *other)) out.changed << text(node->name);
  }
  for (int id = 0; id < b.size(); ++id) {
    const Node* node = b.node(id);
    if (node && !a.find(node->name)) out.added << text(node->name);
  }
  out.missing = missingIn(a, b);
  for (QStringList* list : {&out.added, &out.removed, &out.changed}) list->sort();
  return out;
}

}  // namespace weft::app
