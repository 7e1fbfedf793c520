#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/cluster_placement.h"
#include "runtime/plan_graph.h"

namespace weft {

/// Names for the nodes that cutting a graph adds: "w/read_S0", "w/read_S1", …. One per session, for all its steps, because a worker keeps the kernels of
/// sends and receives by session and node name: two that differ must not share a name. Not synchronised.
class WEFT_API AddedNames {
 public:
  /// A name that no node of `graph` has and that was not returned before.
  std::string next(const std::string& stem, const Graph& graph);

 private:
  int64_t next_ = 0;
};

/// The part of a graph that one step needs, on the devices of a cluster, before it is cut into one graph per task. A feed is a _Recv and a fetch is a _Send;
/// both are on the master's own device (`client`) and marked client_terminated, as in TensorFlow.
struct StepGraph {
  PlanGraph plan;
  std::vector<int> devices;       ///< By node of the plan; an index in `cluster`.
  std::vector<int> loopControls;  ///< By node of the plan: the Merge that starts an iteration on the node's device, if receives of the node wait for it; or -1.
  std::vector<int> feeds, fetches;  ///< By feed and fetch of the signature: the plan's node; -1 for a feed that nothing reads.
  const Graph& graph;
  std::span<const ClusterDevice> cluster;
  AddedNames& names;

  StepGraph(const Graph& g, std::span<const ClusterDevice> c, AddedNames& n) : graph(g), cluster(c), names(n) {}

  /// Adds a node to the plan; returns its number.
  Result<int> add(std::string name, const char* op, AttrMap attrs, int device, std::vector<Output> inputs);
};

/// A node of op `op` without inputs; its types follow from the attributes.
Result<Node> addedNode(std::string name, const char* op, AttrMap attrs);
/// Attributes of a _Send or _Recv, except for the type.
AttrMap transferAttrs(const std::string& tensorName, const ClusterDevice& from, const ClusterDevice& to, bool clientTerminated);
/// The key by which sender and receiver find each other outside of loops.
std::string rendezvousKey(const ClusterDevice& from, const ClusterDevice& to, const std::string& tensorName);

/// Prunes a placed graph to a signature and adds feeds and fetches. Errors in TensorFlow's words.
Result<StepGraph> stepGraph(const Graph& graph, std::span<const int> placement, std::span<const ClusterDevice> cluster, int client, const Signature& signature,
                            AddedNames& names);

/// Adds what is needed so that each device can run its part of a loop (runtime/partition_loops.cpp).
Status addControlLoops(StepGraph& step);

}  // namespace weft
