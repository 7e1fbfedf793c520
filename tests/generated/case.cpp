#include "case.h"

#include <algorithm>
#include <map>

namespace weft::generated {
namespace {

int nodeOf(const Graph& graph, const std::string& tensor) {
  const Node* n = graph.find(tensor.substr(0, tensor.rfind(':') == std::string::npos ? tensor.size() : tensor.rfind(':')));
  return n ? n->id : -1;
}

}  // namespace

bool fetchable(DType type) {
  const DType t = baseType(type);
  return t != DType::Resource && t != DType::Variant && t != DType::Invalid;
}

bool isFlow(const std::string& op) {
  for (const char* name :
       {"Switch", "RefSwitch", "Merge", "RefMerge", "Enter", "RefEnter", "Exit", "RefExit", "NextIteration", "RefNextIteration", "LoopCond"}) {
    if (op == name) return true;
  }
  return false;
}

std::vector<int> neededBy(const Graph& graph, const Step& step) {
  std::vector<bool> seen(size_t(graph.size()), false);
  std::vector<Output> fed;
  for (const auto& [name, value] : step.feeds) {
    if (const auto o = graph.findOutput(name); o.ok()) fed.push_back(*o);
  }
  std::vector<int> open;
  const auto take = [&](int id) {
    if (id < 0 || seen[size_t(id)]) return;
    seen[size_t(id)] = true;
    open.push_back(id);
  };
  const auto takeOutput = [&](Output o) {
    if (std::find(fed.begin(), fed.end(), o) == fed.end()) take(o.node);
  };
  for (const std::string& f : step.fetches) {
    if (const auto o = graph.findOutput(f); o.ok()) takeOutput(*o);
  }
  for (const std::string& t : step.targets) take(nodeOf(graph, t));
  while (!open.empty()) {
    const Node& n = *graph.node(open.back());
    open.pop_back();
    for (const Output& in : n.inputs) takeOutput(in);
    for (const int c : n.controls) take(c);
  }
  std::vector<int> out;
  for (int id = 0; id < graph.size(); ++id)
    if (seen[size_t(id)]) out.push_back(id);
  return out;
}

Case pruned(const Case& whole) {
  const Graph& graph = whole.meta.graph;
  std::vector<bool> keep(size_t(graph.size()), false);
  for (const Step& s : whole.steps) {
    for (const int id : neededBy(graph, s)) keep[size_t(id)] = true;
    for (const auto& [name, value] : s.feeds)
      if (const int id = nodeOf(graph, name); id >= 0) keep[size_t(id)] = true;
    for (const std::string& name : s.fetches)
      if (const int id = nodeOf(graph, name); id >= 0) keep[size_t(id)] = true;
  }
  // A node that is always fed does not need its inputs, but must have them: they stay, with everything they depend on.
  for (bool more = true; more;) {
    more = false;
    for (int id = 0; id < graph.size(); ++id) {
      if (!keep[size_t(id)]) continue;
      const auto need = [&](int n) {
        if (!keep[size_t(n)]) keep[size_t(n)] = more = true;
      };
      for (const Output& in : graph.node(id)->inputs) need(in.node);
      for (const int c : graph.node(id)->controls) need(c);
    }
  }
  Case out;
  out.seed = whole.seed;
  out.steps = whole.steps;
  out.files = whole.files;
  out.meta.graph.versions = graph.versions;
  out.meta.graph.functions = graph.functions;
  out.meta.graph.statesShapes = graph.statesShapes;
  std::map<int, int> ids;
  for (int id = 0, next = 0; id < graph.size(); ++id)
    if (keep[size_t(id)]) ids[id] = next++;
  for (const auto& [old, id] : ids) {
    Node n = *graph.node(old);
    n.raw = nullptr;
    for (Output& in : n.inputs) in.node = ids[in.node];
    for (int& c : n.controls) c = ids[c];
    if (!out.meta.graph.add(std::move(n)).ok()) return whole;
  }
  for (const Derivative& d : whole.derivatives) {
    const auto has = [&](const std::string& tensor) { return nodeOf(out.meta.graph, tensor) >= 0; };
    if (std::all_of(d.ys.begin(), d.ys.end(), has) && has(d.x) && has(d.dx) && (d.indices.empty() || has(d.indices))) out.derivatives.push_back(d);
  }
  return out;
}

std::vector<bool> dependents(const Graph& graph, int node) {
  const auto consumers = graph.consumers();
  std::vector<bool> out(size_t(graph.size()), false);
  std::vector<int> open{node};
  out[size_t(node)] = true;
  while (!open.empty()) {
    const int id = open.back();
    open.pop_back();
    for (const int c : consumers[size_t(id)]) {
      if (out[size_t(c)]) continue;
      out[size_t(c)] = true;
      open.push_back(c);
    }
  }
  return out;
}

std::string describe(const Case& one) {
  std::string out = concat("# seed ", one.seed, "\n");
  MetaGraph meta = one.meta;
  if (const auto text = serializeGraph(meta, GraphFormat::GraphText); text.ok()) out += *text;
  else out += "# " + text.error().toString() + "\n";
  for (size_t s = 0; s < one.steps.size(); ++s) {
    out += concat("# step ", s, "\n");
    for (const auto& [name, value] : one.steps[s].feeds) out += concat("#   feed ", name, " = ", value.toString(64), "\n");
    for (const std::string& f : one.steps[s].fetches) out += concat("#   fetch ", f, "\n");
    for (const std::string& t : one.steps[s].targets) out += concat("#   target ", t, "\n");
  }
  return out;
}

}  // namespace weft::generated
