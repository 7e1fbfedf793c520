// What runs of a program compute, and which losses they train.
#include "doctor/program_runs.h"

#include <algorithm>
#include <utility>

#include "weft/op_traits.h"

namespace weft::doctor {

std::vector<char> computedBy(const Graph& graph, const ProgramRun& run) {
  std::set<Output> fed;
  std::vector<char> seen(size_t(graph.size()), 0);
  std::vector<int> queue;
  const auto add = [&](Output o) {
    if (o.valid() && !fed.contains(o)) queue.push_back(o.node);
  };
  for (const std::string& name : run.feeds)
    if (const auto o = graph.findOutput(name); o.ok()) fed.insert(*o);
  for (const std::string& name : run.fetches)
    if (const auto o = graph.findOutput(name); o.ok()) add(*o);
  for (const std::string& name : run.targets)
    if (const Node* n = graph.find(name)) queue.push_back(n->id);
  while (!queue.empty()) {
    const Node* n = graph.node(queue.back());
    queue.pop_back();
    if (!n || std::exchange(seen[size_t(n->id)], 1)) continue;
    for (const Output o : n->inputs) add(o);
    queue.insert(queue.end(), n->controls.begin(), n->controls.end());
  }
  return seen;
}

static std::string lossByName(const Graph& graph, const Node& seed) {
  // TensorFlow names the gradient of NODE `SCOPE/NODE_grad/…`, and its first value `SCOPE/grad_ys_0`.
  const size_t slash = seed.name.rfind("/grad_ys_");
  if (slash == std::string::npos) return {};
  const std::string scope = seed.name.substr(0, slash + 1);
  const auto readers = graph.consumers();
  std::vector<int> queue{seed.id};
  for (size_t i = 0; i < queue.size() && i < 64; ++i) {
    for (const int id : readers[size_t(queue[i])]) {
      const std::string& name = graph.node(id)->name;
      const size_t end = name.find("_grad/");
      if (name.starts_with(scope) && end != std::string::npos) {
        const std::string node = name.substr(scope.size(), end - scope.size());
        if (graph.find(node)) return node + ":0";
      }
      queue.push_back(id);
    }
  }
  return {};
}

std::vector<std::string> lossesOf(const MetaGraph& meta, const std::vector<char>& computed, const std::vector<Differentiation>& gradients,
                                  const std::set<std::string>& trainable, bool* trains) {
  const Graph& graph = meta.graph;
  std::vector<std::string> out;
  std::vector<int> queue;
  std::vector<char> seen(size_t(graph.size()), 0);
  *trains = false;
  std::vector<int> changed;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = computed[size_t(id)] ? graph.node(id) : nullptr;
    if (!n || n->inputs.empty()) continue;
    const OpRole role = roleOf(*n);
    if (role == OpRole::ApplyGradient) *trains = true;
    else if (!changesVariable(role) || !trainable.contains(graph.node(n->inputs[0].node)->name)) continue;
    for (size_t i = 1; i < n->inputs.size(); ++i) queue.push_back(n->inputs[i].node);
  }
  const auto madeFor = [&](int id) -> const Differentiation* {
    // Of nested ones, that which made the other.
    for (const Differentiation& d : gradients)
      if (id >= d.first && id < d.end) return &d;
    return nullptr;
  };
  const auto add = [&](const std::string& tensor) {
    if (!tensor.empty() && std::find(out.begin(), out.end(), tensor) == out.end()) out.push_back(tensor);
  };
  for (size_t i = 0; i < queue.size(); ++i) {
    const Node* n = graph.node(queue[i]);
    if (!n || std::exchange(seen[size_t(n->id)], 1) || isVariable(*n)) continue;
    if (const Differentiation* d = madeFor(n->id)) {
      for (const Output o : d->of) add(graph.tensorName(o));
      continue;
    }
    if (n->name.find("/grad_ys_") != std::string::npos) add(lossByName(graph, *n));
    for (const Output o : n->inputs) queue.push_back(o.node);
  }
  *trains = *trains || !out.empty();
  return out;
}

}  // namespace weft::doctor
