#include "runtime/partition_edges.h"

#include <algorithm>
#include <utility>

#include "kernel/rendezvous.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

/// Marks the nodes that `from` depends on, itself included. Does not go beyond nodes marked in `border`.
void markAncestors(const Graph& graph, int from, std::vector<char>& marks, const std::vector<char>& border = {}) {
  std::vector<int> stack;
  const auto reach = [&](int id) {
    if (!std::exchange(marks[size_t(id)], char(1)) && (border.empty() || !border[size_t(id)])) stack.push_back(id);
  };
  reach(from);
  while (!stack.empty()) {
    const Node& n = *graph.node(stack.back());
    stack.pop_back();
    for (const Output& in : n.inputs) reach(in.node);
    for (const int c : n.controls) reach(c);
  }
}

bool mayBlock(const Node& node) { return any(effectsOf(node) & (Effect::Queue | Effect::Object | Effect::Program)); }

}  // namespace

PartitionEdges::PartitionEdges(const Graph& graph) {
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n) continue;
    const OpRole role = roleOf(*n);
    mayBeDead |= isFlow(role);
    if (role != OpRole::Send && role != OpRole::Receive) continue;
    const bool callers = n->attrs.flag("client_terminated");
    auto& list = role == OpRole::Send ? (callers ? fetches : sends) : callers ? feeds : receives;
    list.push_back({id, RendezvousKey::ofEdge(n->attrs), n->name});
  }
}

std::vector<std::string> partitionTargets(const Graph& graph) {
  const std::vector<std::vector<int>> consumers = graph.consumers();
  std::vector<std::string> targets;
  std::vector<char> runs(size_t(graph.size()), 0);
  const auto ask = [&](int id) {
    targets.push_back(graph.node(id)->name);
    markAncestors(graph, id, runs);
  };
  for (int id = 0; id < graph.size(); ++id)
    if (graph.node(id) && consumers[size_t(id)].empty()) ask(id);
  // Loops that nothing leaves have no end to ask for.
  for (int id = 0; id < graph.size(); ++id)
    if (graph.node(id) && !runs[size_t(id)]) ask(id);
  return targets;
}

PartitionStages partitionStages(const Graph& graph, const PartitionEdges& edges, const std::vector<std::string>& targets) {
  PartitionStages stages;
  const size_t size = size_t(graph.size());
  std::vector<char> isEdge(size, 0), given(size, 0);
  for (const auto* list : {&edges.feeds, &edges.fetches, &edges.receives, &edges.sends})
    for (const PartitionEdge& e : *list) isEdge[size_t(e.node)] = 1;
  for (const auto* list : {&edges.feeds, &edges.receives}) {
    for (const PartitionEdge& e : *list) {
      if (!graph.node(e.node)->controls.empty()) return stages;
      given[size_t(e.node)] = 1;
    }
  }
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (n && !isEdge[size_t(id)] && mayBlock(*n)) return stages;
  }

  std::vector<char> isEarly(size, 0), early(size, 0), late(size, 0);
  for (const PartitionEdge& send : edges.sends) {
    std::vector<char> needs(size, 0);
    markAncestors(graph, send.node, needs);
    const auto count = std::count_if(edges.receives.begin(), edges.receives.end(), [&](const PartitionEdge& r) { return needs[size_t(r.node)] != 0; });
    if (count != 0 && count != ptrdiff_t(edges.receives.size())) return stages;
    if (count != 0) continue;
    isEarly[size_t(send.node)] = 1;
    stages.early.push_back(send.name);
    markAncestors(graph, send.node, early, given);
  }
  for (const std::string& target : targets) {
    const int id = graph.find(target)->id;
    if (isEarly[size_t(id)]) continue;
    stages.late.push_back(target);
    markAncestors(graph, id, late, given);
  }
  for (size_t id = 0; id < size; ++id) {
    if (!early[id] || !late[id] || given[id]) continue;
    if (any(effectsOf(*graph.node(int(id))) & ~Effect::Makes)) return stages;
  }
  stages.possible = true;
  return stages;
}

Result<Graph> withoutControlsFrom(Graph graph, const std::vector<PartitionEdge>& nodes) {
  const std::vector<std::vector<int>> consumers = graph.consumers();
  for (const PartitionEdge& e : nodes) {
    for (const int to : consumers[size_t(e.node)]) {
      const std::vector<int>& controls = graph.node(to)->controls;
      if (std::find(controls.begin(), controls.end(), e.node) == controls.end()) continue;
      WEFT_TRY(graph.change(to, [&](Node& n) { std::erase(n.controls, e.node); }));
    }
  }
  return graph;
}

}  // namespace weft
