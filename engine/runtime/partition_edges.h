#pragma once

#include <string>
#include <vector>

#include "weft/graph.h"

// The edges of a registered graph that lead to other tasks and to the caller, and when they allow to run it in stages.
namespace weft {

/// One `_Send` or `_Recv`.
struct PartitionEdge {
  int node = -1;
  std::string key;   ///< In the rendezvous, outside loops.
  std::string name;  ///< Of the node.
};

struct PartitionEdges {
  explicit PartitionEdges(const Graph& graph);

  std::vector<PartitionEdge> feeds, fetches;   ///< From and to the caller.
  std::vector<PartitionEdge> receives, sends;  ///< From and to other devices.
  bool mayBeDead = false;                      ///< Branches or loops are in the graph.
};

/// Names of the nodes to ask for so that every node runs.
std::vector<std::string> partitionTargets(const Graph& graph);

/// How to run a graph as two plans: everything that `early` needs, then, when all tensors have come from other tasks, everything else. Waiting for all of them
/// then holds up no send that some of them may depend on.
struct PartitionStages {
  bool possible = false;
  std::vector<std::string> early;  ///< Sends that wait for no receive.
  std::vector<std::string> late;   ///< Other targets.
};
/// Possible if each send depends on all receives or on none, receives wait for nothing, nothing blocks but receives, and no node with effects is needed twice.
PartitionStages partitionStages(const Graph& graph, const PartitionEdges& edges, const std::vector<std::string>& targets);

/// `graph` without the control edges that leave these nodes.
Result<Graph> withoutControlsFrom(Graph graph, const std::vector<PartitionEdge>& nodes);

}  // namespace weft
