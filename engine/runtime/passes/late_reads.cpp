#include <algorithm>
#include <map>
#include <set>

#include "runtime/plan_graph.h"

namespace weft {
namespace {

/// Whether input `k` of `n` is a reference that the op writes through.
bool writesInput(const Node& n, size_t k) {
  if (k >= n.inputTypes.size() || !isRef(n.inputTypes[k]) || flowRole(n) != FlowRole::None) return false;
  return n.op != "IsVariableInitialized" && n.op != "RefIdentity";
}

/// All nodes that wait for `from`, directly or not.
std::vector<char> descendantsOf(int from, const std::vector<std::vector<int>>& next) {
  std::vector<char> seen(next.size(), 0);
  std::vector<int> work = {from};
  while (!work.empty()) {
    const int i = work.back();
    work.pop_back();
    for (const int to : next[i]) {
      if (seen[to]) continue;
      seen[to] = 1;
      work.push_back(to);
    }
  }
  return seen;
}

}  // namespace

/// In TensorFlow 1.x the value that Identity reads from a reference variable is the variable's own memory, and updates write there. So whoever
/// uses a read, and is ordered after an update of that variable, sees the updated value, even if the read itself is not ordered:
/// `with control_dependencies([train_op]): average = decay * v.read + …` averages the new value. Here a read is a value; so such users
/// get a read of their own, which waits for the updates as they do. This is meaning, not speed: it cannot be switched off.
void separateLateReads(PlanGraph& plan) {
  const int n = int(plan.nodes.size());
  std::map<Output, std::vector<int>> reads, updates;  // by reference output
  for (int i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.alive || !p.node) continue;
    for (size_t k = 0; k < p.inputs.size(); ++k) {
      const PlanNode& from = plan.nodes[p.inputs[k].node];
      if (!from.node || from.types.empty() || !isRef(from.types[p.inputs[k].index])) continue;
      // Updates pass the reference on: all of a chain belong to the variable at its beginning.
      Output source = p.inputs[k];
      while (plan.nodes[source.node].node && !plan.nodes[source.node].inputs.empty() && writesInput(*plan.nodes[source.node].node, 0))
        source = plan.nodes[source.node].inputs[0];
      if (writesInput(*p.node, k))
        updates[source].push_back(i);
      else if (p.node->op == "Identity" && source == p.inputs[k])
        reads[source].push_back(i);
    }
  }
  if (updates.empty() || reads.empty()) return;

  std::vector<std::vector<int>> next(n);
  for (int i = 0; i < n; ++i) {
    const PlanNode& p = plan.nodes[i];
    if (!p.alive) continue;
    const auto edge = [&](int from) {
      // What the next iteration does is no order within this one.
      if (!plan.nodes[from].node || flowRole(*plan.nodes[from].node) != FlowRole::NextIteration) next[from].push_back(i);
    };
    for (const Output& in : p.inputs) edge(in.node);
    for (const int c : p.controls) edge(c);
  }
  for (const auto& [variable, readers] : reads) {
    const auto found = updates.find(variable);
    if (found == updates.end()) continue;
    std::vector<std::pair<int, std::vector<char>>> after;
    for (const int u : found->second) after.emplace_back(u, descendantsOf(u, next));
    for (const int r : readers) {
      std::map<std::vector<int>, int> copies;  // what to wait for -> the read that does
      for (const int user : std::set<int>(next[r].begin(), next[r].end())) {
        if (plan.nodes[user].node && flowRole(*plan.nodes[user].node) == FlowRole::Merge) continue;
        // The late read waits for those neighbours of its user that come after an update: they live whenever the user does.
        std::vector<int> wait;
        const auto consider = [&](int neighbour) {
          for (const auto& [u, below] : after)
            if (neighbour != r && (neighbour == u || below[neighbour]) && !below[r]) wait.push_back(neighbour);
        };
        for (const Output& in : plan.nodes[user].inputs) consider(in.node);
        for (const int c : plan.nodes[user].controls) consider(c);
        if (wait.empty()) continue;
        std::sort(wait.begin(), wait.end());
        wait.erase(std::unique(wait.begin(), wait.end()), wait.end());
        const auto [copy, isNew] = copies.try_emplace(wait, int(plan.nodes.size()));
        if (isNew) {
          PlanNode late = plan.nodes[r];
          late.controls.insert(late.controls.end(), wait.begin(), wait.end());
          plan.nodes.push_back(std::move(late));
        }
        for (Output& in : plan.nodes[user].inputs)
          if (in.node == r) in.node = copy->second;
      }
    }
  }
}

}  // namespace weft
