#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cluster_placement.h"
#include "runtime/plan_graph.h"
#include "runtime/step_graph.h"

namespace weft {

/// One task's part of a step: what the task's worker is given with RegisterGraph and RunGraph.
struct StepPartition {
  std::string task;                                        ///< "/job:ps/replica:0/task:0"
  Graph graph;                                             ///< All nodes with their full device names; functions and versions are those of the session's graph.
  std::vector<std::pair<std::string, std::string>> feeds;  ///< Tensors that the client gives to this task, and their rendezvous keys.
  std::vector<std::pair<std::string, std::string>> fetches;  ///< The same for what the client gets. Feeds and fetches are all in the client's task.
  bool hasControlFlow = false;                               ///< Whether the part has Switch, Merge, Enter, …
};

/// Cuts the part of a graph that a signature needs into one graph per task, as TensorFlow 1.15's master does. `placement`: each node's device
/// (placeOnCluster); `client`: the device of feeds and fetches, the first of the master's own task. Tasks are in the order of `cluster`.
///
/// - A value that another task needs goes through one pair of _Send and _Recv (_HostSend and _HostRecv for host memory), which all its readers there share.
///   A reference is read once per reader, after the reader's other inputs, as if the reader read it itself.
/// - A control edge becomes an empty Const, a _Send, a _Recv and an Identity.
/// - Within a loop, each receive happens once per iteration (runtime/partition_loops.cpp).
/// - Devices of one task stay in one graph, without sends in between; the worker separates them.
///
/// Of Switch, Exit, Enter and NextIteration, those that pass a value on move to the value's device, whatever they request.
/// The same arguments give the same result. Errors are in TensorFlow's words; INVALID_ARGUMENT also if a reference would have to leave its task.
WEFT_API Result<std::vector<StepPartition>> partitionStep(const Graph& graph, std::span<const int> placement, std::span<const ClusterDevice> cluster,
                                                          int client, const Signature& signature, AddedNames& names);

}  // namespace weft
