#pragma once

#include <cstdint>
#include <vector>

#include "runtime/plan_graph.h"

namespace weft {

/// When a node is alive: all of these branches are taken, each written as a number for a predicate and its side. Sorted.
using LiveWhen = std::vector<int64_t>;

/// Adds `more` to the conditions `to`.
void unite(LiveWhen& to, const LiveWhen& more);
/// The condition that `predicate` is true (1) or false (0).
int64_t takenBranch(Output predicate, int side);

/// LiveWhen of every node (its inputs, as far as they decide). Equal lists mean: alive together and dead together. Exact for what tf.cond and
/// tf.while_loop build; a Merge of another form has a condition of its own.
/// `known` is 0 for nodes on a cycle, of which nothing can be said.
struct Liveness {
  std::vector<LiveWhen> when;
  std::vector<uint8_t> known;
};
Liveness livenessOf(const PlanGraph& plan);

/// By node: whether it can run only after one of `from` has; edges from NextIteration to Merge are left out.
std::vector<uint8_t> runsAfter(const PlanGraph& plan, const std::vector<int>& from);

}  // namespace weft
