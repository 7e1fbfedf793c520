// A graph as Graphviz DOT.
#include <algorithm>
#include <functional>
#include <map>

#include "weft/defects.h"
#include "weft/edit.h"
#include "weft/graph_text.h"
#include "weft/op_traits.h"
#include "weft/scopes.h"

namespace weft {
namespace {

std::string dotString(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

struct Scope {
  std::map<std::string, Scope> inner;
  std::vector<const Node*> nodes;
};

}  // namespace

std::string graphToDot(const Graph& graph, const std::string& title) {
  Scope root;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || isNotGiven(*n) || (isOpenInput(*n) && n->name.starts_with("open_inputs/"))) continue;
    Scope* at = &root;
    std::string_view rest = shownScopeOf(n->name);
    while (!rest.empty()) {
      const size_t slash = std::min(rest.find('/'), rest.size());
      at = &at->inner[std::string(rest.substr(0, slash))];
      rest.remove_prefix(std::min(slash + 1, rest.size()));
    }
    at->nodes.push_back(n);
  }
  std::string out = "digraph " + dotString(title) + " {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontsize=10];\n  edge [fontsize=9];\n";
  int clusters = 0;
  const std::function<void(const Scope&, const std::string&, const std::string&)> print = [&](const Scope& scope, const std::string& path,
                                                                                              const std::string& indent) {
    for (const Node* n : scope.nodes) {
      const std::string last = n->name.substr(n->name.rfind('/') + 1);
      const bool source = isPlaceholder(*n) || isConstant(*n) || isVariable(*n);
      if (isMissing(*n)) {
        out += indent + dotString(n->name) + " [label=" + dotString(last) + ", xlabel=\"missing\", style=\"rounded,dashed\", color=red];\n";
        continue;
      }
      out += indent + dotString(n->name) + " [label=" + dotString(last) + (last == n->op ? "" : ", xlabel=" + dotString(n->op)) +
             (source ? ", shape=ellipse" : "") + "];\n";
    }
    for (const auto& [name, inner] : scope.inner) {
      const std::string full = path.empty() ? name : path + "/" + name;
      out += indent + "subgraph " + dotString("cluster_" + std::to_string(clusters++)) + " {\n" + indent + "  label=" + dotString(name) + ";\n";
      print(inner, full, indent + "  ");
      out += indent + "}\n";
    }
  };
  print(root, {}, "  ");
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    for (size_t i = 0; i < n->inputs.size(); ++i) {
      const Node* from = graph.node(n->inputs[i].node);
      if (!from || isOpenInput(*from) || isNotGiven(*from)) continue;
      const Shape& shape = graph.shape(n->inputs[i]);
      out += "  " + dotString(from->name) + " -> " + dotString(n->name) + (shape.hasRank() ? " [label=" + dotString(shape.toString()) + "]" : "") + ";\n";
    }
    for (const int c : n->controls)
      if (graph.node(c)) out += "  " + dotString(graph.node(c)->name) + " -> " + dotString(n->name) + " [style=dashed];\n";
  }
  return out + "}\n";
}

}  // namespace weft
