#include "adapters/graph_difference.h"

#include <algorithm>
#include <map>
#include <set>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "common/format.h"
#include "weft/defects.h"
#include "weft/diff.h"

namespace weft::app {
namespace {

std::string nameOf(const Graph& graph, int id) {
  const Node* node = graph.node(id);
  return node ? node->name : std::string();
}

/// Nodes of two graphs that stand for each other: those of one name, or the pairs of matchByStructure().
class Pairing {
 public:
  Pairing(const Graph& a, const Graph& b) : a_(a), b_(b) {
    ids_.reserve(size_t(a.size()));
    for (int id = 0; id < a.size(); ++id) {
      const Node* x = a.node(id);
      const Node* y = x ? b.find(x->name) : nullptr;
      ids_.push_back(y ? y->id : -1);
    }
  }
  Pairing(const Graph& a, const Graph& b, std::vector<int> ids) : a_(a), b_(b), ids_(std::move(ids)), byStructure_(true) {}
  bool isByStructure() const { return byStructure_; }
  int of(int id) const { return id >= 0 && size_t(id) < ids_.size() ? ids_[size_t(id)] : -1; }
  /// Whether two inputs are the same; inputs that are not in the file are known by their names.
  bool isSame(int a, int b) const { return of(a) >= 0 ? of(a) == b : nameOf(a_, a) == nameOf(b_, b); }

 private:
  const Graph &a_, &b_;
  std::vector<int> ids_;
  bool byStructure_ = false;
};

bool equal(const Pairing& pairs, const Node& x, const Node& y) {
  if (x.op != y.op || x.device != y.device || x.inputs.size() != y.inputs.size() || x.controls.size() != y.controls.size()) return false;
  for (size_t i = 0; i < x.inputs.size(); ++i) {
    if (x.inputs[i].index != y.inputs[i].index || !pairs.isSame(x.inputs[i].node, y.inputs[i].node)) return false;
  }
  for (const int id : x.controls) {
    if (std::none_of(y.controls.begin(), y.controls.end(), [&](int there) { return pairs.isSame(id, there); })) return false;
  }
  if (x.raw && y.raw && *x.raw == *y.raw) return true;
  const auto skips = [&pairs](const std::string& name) {  // these hold names of nodes, which may differ
    return pairs.isByStructure() && (name == "_class" || name == "shared_name" || name == "container");
  };
  auto other = y.attrs.begin();
  const auto skip = [&] {
    while (other != y.attrs.end() && skips(other->first)) ++other;
  };
  for (const auto& [name, value] : x.attrs) {
    if (skips(name)) continue;
    skip();
    if (other == y.attrs.end() || other->first != name || attrText(value) != attrText(other->second)) return false;
    ++other;
  }
  skip();
  return other == y.attrs.end();
}

/// Nodes of `b` that have no partner in `a`, each grouped under its outermost scope that is also missing in `a`.
QVector<widgets::Ghost> missingIn(const Graph& a, const Graph& b, const std::vector<bool>& known) {
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
    if (!node || known[size_t(id)]) continue;
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

GraphDifference differenceOf(const Graph& a, const Graph& b, const Pairing& pairs) {
  GraphDifference out;
  std::vector<bool> known(size_t(b.size()), false);
  for (int id = 0; id < a.size(); ++id) {
    const Node* node = a.node(id);
    if (!node) continue;
    const Node* other = pairs.of(id) < 0 ? nullptr : b.node(pairs.of(id));
    if (other) known[size_t(other->id)] = true;
    if (!other) out.removed << text(node->name);
    else if (!equal(pairs, *node, *other)) out.changed << text(node->name);
    else if (node->name != other->name) out.renamed << qMakePair(text(node->name), text(other->name));
  }
  for (int id = 0; id < b.size(); ++id) {
    const Node* node = b.node(id);
    if (node && !known[size_t(id)]) out.added << text(node->name);
  }
  out.missing = missingIn(a, b, known);
  for (QStringList* list : {&out.added, &out.removed, &out.changed}) list->sort();
  std::sort(out.renamed.begin(), out.renamed.end());
  return out;
}

}  // namespace

GraphDifference graphDifference(const GraphContents& first, const GraphContents& second) {
  const Graph& a = first.engine->loaded.meta.graph;
  const Graph& b = second.engine->loaded.meta.graph;
  return differenceOf(a, b, Pairing(a, b));
}

GraphDifference graphDifferenceByStructure(const GraphContents& first, const GraphContents& second) {
  const Graph& a = first.engine->loaded.meta.graph;
  const Graph& b = second.engine->loaded.meta.graph;
  std::vector<int> pairs = matchByStructure(a, b);
  // Nodes that the files only refer to take part in no match; one name stands for one of them.
  std::vector<bool> known(size_t(b.size()), false);
  for (const int id : pairs)
    if (id >= 0) known[size_t(id)] = true;
  for (int id = 0; id < a.size(); ++id) {
    const Node* x = a.node(id);
    const Node* y = x && isMissing(*x) && pairs[size_t(id)] < 0 ? b.find(x->name) : nullptr;
    if (y && !known[size_t(y->id)]) pairs[size_t(id)] = y->id;
  }
  return differenceOf(a, b, Pairing(a, b, std::move(pairs)));
}

}  // namespace weft::app
