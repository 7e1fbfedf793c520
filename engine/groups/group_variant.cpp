// Bodies of groups with their ports, and what instances are connected to.
#include <algorithm>

#include "graph/edit_internal.h"
#include "groups/group_parts.h"

namespace weft::groups {

bool Variant::isPort(int id) const {
  const Node& n = *meta.graph.node(id);
  return n.name.starts_with(kInputScope) || n.name.starts_with(kOutputScope);
}

int Variant::inputOf(int id) const {
  const auto at = std::find(inputNodes.begin(), inputNodes.end(), id);
  return at == inputNodes.end() ? -1 : int(at - inputNodes.begin());
}

std::string withPrefix(const std::string& expression, const std::string& prefix) {
  const auto parsed = Expression::parse(expression);
  if (!parsed.ok()) return expression;
  return parsed->renamed([&](const std::string& r) { return r.find('.') == r.npos ? r : prefix + r; });
}

RecipesByScope byScope(const std::vector<Recipe>& recipes) {
  RecipesByScope out;
  for (const Recipe& r : recipes)
    if (!r.trains()) out.emplace(r.scope, &r);
  return out;
}

FollowedIn followedIn(const MetaGraph& meta) {
  FollowedIn out;
  for (FollowedField& f : followedFieldsOf(meta)) out.emplace(std::move(f.field), std::move(f.expression));
  return out;
}

Status readVariant(const GroupDefinition& d, Variant& v) {
  const Graph& graph = v.meta.graph;
  v.layers = recipesOf(v.meta);
  v.inner = groupInstancesOf(v.meta);
  v.follows = followedFieldsOf(v.meta);
  v.layerAt = byScope(v.layers);
  const auto port = [&](std::string_view scope, const GroupPort& p, std::vector<std::string>& names, std::vector<int>& nodes) -> Status {
    const Node* n = graph.find(concat(scope, p.name));
    if (!n || n->outputTypes.empty()) return dataLoss("The body of the group ", d.name, " has no port ", scope, p.name);
    names.push_back(p.name);
    nodes.push_back(n->id);
    return {};
  };
  for (const GroupPort& p : d.inputs) WEFT_TRY(port(kInputScope, p, v.inputs, v.inputNodes));
  for (const GroupPort& p : d.outputs) WEFT_TRY(port(kOutputScope, p, v.outputs, v.outputNodes));
  v.readers.resize(v.inputNodes.size());
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || v.isPort(id)) continue;
    for (size_t k = 0; k < n->inputs.size(); ++k)
      if (const int from = v.inputOf(n->inputs[k].node); from >= 0) v.readers[size_t(from)].emplace_back(id, int(k));
  }
  for (const int id : v.outputNodes) {
    if (graph.node(id)->inputs.empty()) return dataLoss("The port ", graph.node(id)->name, " of the group ", d.name, " reads nothing");
    v.results.push_back(graph.node(id)->inputs[0]);
  }
  return {};
}

std::vector<Output> boundInputs(const GraphEditor& editor, const RecipesByScope& layers, const std::string& scope, const Variant& v) {
  const Graph& graph = const_cast<GraphEditor&>(editor).graph();
  std::vector<Output> out(v.inputs.size());
  const auto fits = [&](Output o) {
    const Node* from = graph.node(o.node);
    return from && !isOpenInput(*from) && !inside(from->name, scope);
  };
  for (size_t p = 0; p < v.inputs.size(); ++p) {
    for (const auto& [id, index] : v.readers[p]) {
      const Node* n = graph.find(scope + "/" + v.meta.graph.node(id)->name);
      if (!n || size_t(index) >= n->inputs.size() || !fits(n->inputs[size_t(index)])) continue;
      out[p] = n->inputs[size_t(index)];
      break;
    }
    if (out[p].valid()) continue;
    // A layer that waits, or is of another kind now, names its inputs itself.
    const std::string port = concat(kInputScope, v.inputs[p], ":0");
    for (const Recipe& r : v.layers) {
      const auto own = layers.find(scope + "/" + r.scope);
      if (own == layers.end()) continue;
      for (size_t k = 0; k < r.inputs.size() && k < own->second->inputs.size() && !out[p].valid(); ++k) {
        if (r.inputs[k] != port || own->second->inputs[k].empty()) continue;
        if (const auto o = graph.findOutput(own->second->inputs[k]); o.ok() && fits(*o)) out[p] = *o;
      }
    }
  }
  return out;
}

std::vector<Output> boundOutputs(const Graph& graph, const RecipesByScope& layers, const std::string& scope, const Variant& v) {
  std::vector<Output> out(v.outputs.size());
  for (size_t p = 0; p < v.outputs.size(); ++p) {
    if (v.inputOf(v.results[p].node) >= 0) continue;
    const std::string local = v.meta.graph.tensorName(v.results[p]);
    for (const Recipe& r : v.layers) {
      const auto at = std::find(r.outputs.begin(), r.outputs.end(), local);
      const auto own = layers.find(scope + "/" + r.scope);
      if (at == r.outputs.end() || own == layers.end()) continue;
      const size_t k = size_t(at - r.outputs.begin());
      if (k >= own->second->outputs.size()) continue;
      if (const auto o = graph.findOutput(own->second->outputs[k]); o.ok()) out[p] = *o;
    }
    if (out[p].valid()) continue;
    const Node* n = graph.find(scope + "/" + v.meta.graph.node(v.results[p].node)->name);
    if (n && v.results[p].index < int(n->outputTypes.size())) out[p] = {n->id, v.results[p].index};
  }
  return out;
}

bool matches(const GraphEditor& editor, const RecipesByScope& layers, const std::vector<GroupInstance>& instances, const FollowedIn& follows,
             const std::string& scope, const Variant& v, const std::vector<int>& nodes) {
  const Graph& graph = const_cast<GraphEditor&>(editor).graph();
  const Graph& body = v.meta.graph;
  const std::string prefix = scope + "/";
  const auto plain = [](const Recipe& r) {
    std::map<std::string, std::string> out;
    for (const auto& [name, text] : r.parameters)
      if (!name.starts_with('~')) out.emplace(name, text);
    return out;
  };
  const auto inLayer = [&](const std::string& name) {
    for (std::string_view s = scopeOf(name); !s.empty(); s = scopeOf(s))
      if (v.layerAt.count(std::string(s))) return true;
    return v.layerAt.count(name) > 0;
  };
  size_t ownLayers = 0;
  for (auto own = layers.lower_bound(prefix); own != layers.end() && own->first.starts_with(prefix); ++own) ++ownLayers;
  if (ownLayers != v.layers.size()) return false;
  for (const Recipe& r : v.layers) {
    const auto own = layers.find(prefix + r.scope);
    if (own == layers.end() || own->second->kind != r.kind || plain(*own->second) != plain(r)) return false;
  }
  for (const GroupInstance& i : v.inner)
    if (std::none_of(instances.begin(), instances.end(),
                     [&](const GroupInstance& own) { return own.scope == prefix + i.scope && own.group == i.group && own.overrides == i.overrides; }))
      return false;
  size_t ownFields = 0;
  for (auto own = follows.lower_bound(prefix); own != follows.end() && own->first.starts_with(prefix); ++own) ++ownFields;
  if (ownFields != v.follows.size()) return false;
  for (const FollowedField& f : v.follows) {
    const auto own = follows.find(prefix + f.field);
    if (own == follows.end() || own->second != withPrefix(f.expression, prefix)) return false;
  }
  const std::vector<Output> bound = boundInputs(editor, layers, scope, v);
  size_t count = 0;
  for (int id = 0; id < body.size(); ++id) {
    const Node* n = body.node(id);
    if (!n || v.isPort(id) || inLayer(n->name)) continue;
    ++count;
    const Node* own = graph.find(prefix + n->name);
    if (!own || own->op != n->op || own->inputs.size() != n->inputs.size() || isMuted(*own) != isMuted(*n)) return false;
    AttrMap a = own->attrs, b = n->attrs;
    a.erase("_class");
    b.erase("_class");
    if (!(a == b)) return false;
    for (size_t k = 0; k < n->inputs.size(); ++k) {
      const Output from = n->inputs[k], now = own->inputs[k];
      if (const int port = v.inputOf(from.node); port >= 0) {
        if (bound[size_t(port)].valid() ? !(now == bound[size_t(port)]) : inside(graph.node(now.node)->name, scope)) return false;
        continue;
      }
      const std::string& source = body.node(from.node)->name;
      if (inLayer(source)) continue;  // its ops have other names where an activation differs
      if (graph.node(now.node)->name != prefix + source || now.index != from.index) return false;
    }
  }
  // Nodes that were added by hand.
  return size_t(std::count_if(nodes.begin(), nodes.end(), [&](int id) { return !inLayer(graph.node(id)->name.substr(prefix.size())); })) == count;
}

}  // namespace weft::groups
