#include "weft/sync_replicas.h"

#include <algorithm>
#include <set>

#include "proto/meta_graph.pb.h"
#include "weft/coordinator.h"
#include "weft/op_traits.h"

namespace weft {
namespace {

constexpr const char* kTokenQueue = "sync_token_q";  // the queue's shared_name, by which tasks find it

/// Whether an optimizer's step is among the nodes that run before `id`.
bool comesAfterUpdate(const Graph& graph, int id) {
  std::set<int> seen;
  std::vector<int> queue{id};
  while (!queue.empty()) {
    const Node* n = graph.node(queue.back());
    queue.pop_back();
    if (!n || !seen.insert(n->id).second) continue;
    if (roleOf(*n) == OpRole::ApplyGradient) return true;
    for (const Output input : n->inputs) queue.push_back(input.node);
    queue.insert(queue.end(), n->controls.begin(), n->controls.end());
  }
  return false;
}

std::set<std::string> opsOfRunners(const MetaGraph& meta) {
  std::set<std::string> ops;
  const auto collection = meta.collections.find("queue_runners");
  if (collection == meta.collections.end()) return ops;
  for (const std::string& bytes : collection->second.bytes)
    if (const auto runner = QueueRunner::parse(bytes); runner.ok()) ops.insert(runner->enqueueOps.begin(), runner->enqueueOps.end());
  return ops;
}

}  // namespace

int globalStepOf(const MetaGraph& meta) {
  const Node* step = meta.graph.find("global_step");
  if (const auto it = meta.collections.find("global_step"); it != meta.collections.end()) {
    // A list of variables is kept as their names, or as VariableDefs.
    std::string name = it->second.nodes.empty() ? std::string() : it->second.nodes[0];
    tensorflow::VariableDef def;
    if (!it->second.bytes.empty() && def.ParseFromString(it->second.bytes[0])) name = def.variable_name();
    if (const Node* named = meta.graph.find(name.substr(0, name.find(':')))) step = named;
  }
  return step && isVariable(*step) ? step->id : -1;
}

bool isSupervised(const MetaGraph& meta) {
  for (const char* name : {"ready_op", "init_op", "local_init_op", "ready_for_local_init_op"})
    if (const auto it = meta.collections.find(name); it != meta.collections.end() && !it->second.nodes.empty()) return true;
  return false;
}

std::optional<SyncReplicas> findSyncReplicas(const MetaGraph& meta) {
  const Graph& graph = meta.graph;
  SyncReplicas found;
  for (int id = 0; id < graph.size() && found.tokens < 0; ++id)
    if (const Node* n = graph.node(id); n && roleOf(*n) == OpRole::Queue && n->attrs.text("shared_name") == kTokenQueue) found.tokens = id;
  if (found.tokens < 0) return std::nullopt;
  const auto readers = graph.consumers();
  for (const int id : readers[size_t(found.tokens)]) {
    const Node& n = *graph.node(id);
    if (roleOf(n) == OpRole::Dequeue) {
      found.training = id;
      for (const int next : readers[size_t(id)])
        if (roleOf(*graph.node(next)) == OpRole::Assign) found.training = next;
    } else if (roleOf(n) == OpRole::Enqueue) {
      (comesAfterUpdate(graph, id) ? found.update : found.initialTokens) = id;
    }
  }
  found.globalStep = globalStepOf(meta);
  if (found.update >= 0) {
    // With moving averages the runner runs what comes after the tokens.
    const auto ops = opsOfRunners(meta);
    found.hasRunner = std::any_of(ops.begin(), ops.end(), [&](const std::string& op) { return graph.find(op) && comesAfterUpdate(graph, graph.find(op)->id); });
  }
  return found;
}

}  // namespace weft
