// Initial values that the variables of a layer keep when the layer is built again.
#include <algorithm>

#include "api/recipe_parts.h"
#include "weft/op_traits.h"

namespace weft::recipes {
namespace {

/// The op that gives a variable its initial value; null: there is none below the variable.
const Node* assignmentOf(const Graph& graph, const Node& variable) {
  const Node* assign = graph.find(variable.name + "/Assign");
  const bool fits = assign && roleOf(*assign) == OpRole::Assign && assign->inputs.size() == 2 && assign->inputs[0].node == variable.id;
  return fits ? assign : nullptr;
}

/// The ops that a value is computed from, those that it needs first; only those below `scope`.
std::vector<int> sourcesOf(const Graph& graph, int value, const std::string& scope) {
  std::vector<int> out, open{value};
  std::set<int> seen;
  while (!open.empty()) {
    const int id = open.back();
    if (!inScope(graph.node(id)->name, scope) || std::count(out.begin(), out.end(), id)) {
      open.pop_back();
      continue;
    }
    if (!seen.insert(id).second) {
      out.push_back(id);
      open.pop_back();
      continue;
    }
    for (const Output in : graph.node(id)->inputs)
      if (!seen.count(in.node)) open.push_back(in.node);
  }
  return out;
}

template <typename T>
const T* attrOf(const Node& n, const char* name) {
  const Attr* a = n.attrs.find(name);
  return a ? a->get<T>() : nullptr;
}

}  // namespace

InitialValues::InitialValues(const Graph& graph, const Recipe& r, const std::vector<int>& nodes) {
  constexpr std::string_view kEnd = "/Initializer/initial_value";
  std::map<std::string, std::string> ownNames;
  for (const auto& [own, kept] : keptNames(r)) ownNames.emplace(kept, r.scope + "/" + own);
  const std::set<int> all(nodes.begin(), nodes.end());
  for (const int id : nodes) {
    const Node& n = *graph.node(id);
    if (isConstant(n) && n.name.ends_with(kEnd)) {
      const std::string variable = n.name.substr(0, n.name.size() - kEnd.size());
      const auto own = ownNames.find(variable);
      if (const Tensor* value = attrOf<Tensor>(n, "value")) constants_[own == ownNames.end() ? variable : own->second] = *value;
    }
    if (!r.parameters.count(kFolded) || !isVariable(n)) continue;
    const Node* assign = assignmentOf(graph, n);
    if (!assign) continue;
    Initializer kept{n.name, attrOf<Shape>(n, "shape") ? *attrOf<Shape>(n, "shape") : Shape::unknown(), baseType(n.outputTypes[0]), {}, assign->inputs[1]};
    bool whole = true;
    for (const int source : sourcesOf(graph, assign->inputs[1].node, n.name)) {
      whole = whole && all.count(source);
      kept.ops.push_back(*graph.node(source));
    }
    // An op of the layer that is not the variable's own goes with the layer.
    for (const Node& op : kept.ops)
      for (const Output in : op.inputs) whole = whole && (inScope(graph.node(in.node)->name, n.name) || !all.count(in.node));
    if (kept.ops.empty() && all.count(kept.value.node)) whole = false;
    if (whole && kept.shape.isFullyKnown()) initializers_.push_back(std::move(kept));
  }
}

Status InitialValues::restore(GraphEditor& editor) const {
  Graph& graph = editor.graph();
  for (const Initializer& kept : initializers_) {
    const Node* variable = graph.find(kept.variable);
    const Shape* shape = variable ? attrOf<Shape>(*variable, "shape") : nullptr;
    const Node* assign = variable ? assignmentOf(graph, *variable) : nullptr;
    if (!shape || !assign || !(*shape == kept.shape) || baseType(variable->outputTypes[0]) != kept.type) continue;
    const int assignId = assign->id;
    const std::vector<int> now = sourcesOf(graph, assign->inputs[1].node, kept.variable);
    std::map<int, int> ids;  // before and now
    std::map<std::string, std::string> names;
    for (const Node& op : kept.ops) {
      Node added = op;
      added.name = editor.uniqueName(op.name + "_kept");
      names.emplace(added.name, op.name);
      added.controls.clear();
      added.raw = nullptr;
      for (Output& in : added.inputs)
        if (const auto at = ids.find(in.node); at != ids.end()) in.node = at->second;
      WEFT_LET(ids[op.id], graph.add(std::move(added)));
      editor.touch(ids[op.id]);
    }
    const auto at = ids.find(kept.value.node);
    const Output value{at == ids.end() ? kept.value.node : at->second, kept.value.index};
    WEFT_TRY(graph.change(assignId, [&](Node& n) { n.inputs[1] = value; }));
    editor.touch(assignId);
    if (!now.empty()) WEFT_TRY(editor.remove(now));
    std::erase_if(names, [&](const auto& n) { return graph.find(n.second) != nullptr; });
    if (!names.empty()) WEFT_TRY(editor.renameNodes(names));
  }
  return {};
}

}  // namespace weft::recipes
