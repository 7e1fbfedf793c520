#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "weft/session.h"

namespace weft {

/// A kernel call of a plan.
struct PlannedStep {
  int node = -1;  ///< Of the session's graph.
  std::string name, op;
  std::vector<int> merged;  ///< Further nodes that it does the work of: a fused group.
  double bytes = 0;         ///< What it reads and writes; 0 if the shapes are known only when it runs.
};

/// A place in the arena of a plan.
struct PlannedBlock {
  std::string tensor;  ///< The first that lies there.
  size_t offset = 0, bytes = 0;
  int first = 0, last = 0;  ///< Steps during which it is needed, both included.
};

/// What a plan became.
struct PlanReport {
  std::vector<std::string> passes;   ///< "constant_folding: 12 nodes": what each rewrite did.
  std::vector<PlannedStep> steps;    ///< In order.
  std::vector<PlannedBlock> blocks;  ///< By first step; empty before the second run of a plan, and of dataflow plans.
  size_t arenaBytes = 0;
  size_t leastBytes = 0;                                   ///< Most bytes that are needed at one time: no arena could be smaller.
  std::vector<std::pair<int, std::vector<Shape>>> shapes;  ///< Of the outputs of nodes of the session's graph, those of merged ones included.

  /// Bytes in use during each step.
  WEFT_API std::vector<size_t> bytesOverTime() const;
};

/// The newest plan of the newest signature for which `wanted(fetches, targets)` holds. NOT_FOUND if there is none (yet).
WEFT_API Result<PlanReport> planReport(const Session& session,
                                       const std::function<bool(const std::vector<std::string>& fetches, const std::vector<std::string>& targets)>& wanted);

struct Trace;
struct MachineRoof;

/// Completes costs of the nodes of `trace` by the shapes that `plan` was made for; those that stand for fused groups get the FLOPs of all that they
/// do, and the bytes that go in and out.
WEFT_API void describePlan(Trace& trace, const Graph& graph, const PlanReport& plan);

/// A node's time beside what the machine needs for it at least: the longer of its arithmetic and its memory traffic, as if nothing were in a
/// cache. What finds its operands there can be faster.
struct NodeFloor {
  std::string name, op;
  double ns = 0, floorNs = 0;   ///< Per step.
  double flops = 0, bytes = 0;  ///< Per step.
};
/// Of all nodes that took time, what could be gained most first.
WEFT_API std::vector<NodeFloor> nodeFloors(const Trace& trace, const MachineRoof& roof);

}  // namespace weft
