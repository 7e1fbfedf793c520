#pragma once

#include <cstdint>
#include <vector>

#include "runtime/plan_graph.h"

namespace weft {

/// The branches that must all be taken for a node to be alive, each encoded as predicate and side. Sorted.
using LiveWhen = std::vector<int64_t>;

/// Adds `more` to the conditions `to`.
void unite(LiveWhen& to, const LiveWhen& more);
/// The condition that `predicate` is true (1) or false (0).
int64_t takenBranch(Output predicate, int side);

/// LiveWhen of every node. Nodes with equal lists are alive together and dead together. Exact for graphs built by tf.cond and tf.while_loop; a Merge of
/// another form gets a new condition. `known` is 0 for nodes on a cycle, for which liveness cannot be determined.
struct Liveness {
  std::vector<LiveWhen> when;
  std::vector<uint8_t> known;
};
Liveness livenessOf(const PlanGraph& plan);

/// By node: whether it depends on one of `from`; edges from NextIteration to Merge are ignored.
std::vector<uint8_t> runsAfter(const PlanGraph& plan, const std::vector<int>& from);

}  // namespace weft
