#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "kernel/device.h"
#include "kernel/kernel.h"
#include "weft/graph.h"

namespace weft {

struct NativeLoop;

/// One node of a plan: an op of the user's graph, a feed, or something a rewrite made.
struct PlanNode {
  const Node* node = nullptr;     ///< What the kernel sees; lives in the session's graph or in PlanGraph::made. Null for a feed.
  int origin = -1;                ///< Id in the user's graph; what errors, traces and the debugger speak of.
  int feed = -1;                  ///< Index of the feed that this node stands for, or -1.
  std::vector<Output> inputs;     ///< Of this plan.
  std::vector<int> controls;      ///< Of this plan.
  std::vector<DType> types;       ///< Of the outputs.
  std::vector<Shape> shapes;      ///< Of the outputs, as far as known for the plan's feeds.
  std::vector<Tensor> constants;  ///< All outputs, if they are known before the run; else empty.
  Device* device = nullptr;
  std::shared_ptr<Kernel> kernel;          ///< Set by a rewrite that brings its own; else made from the op's record.
  std::shared_ptr<const NativeLoop> loop;  ///< A whole loop (runtime/native_loop.h); its kernel is made when the shapes of its inputs are known.
  std::vector<int> merged;                 ///< Ids in the user's graph of further nodes that this one does the work of.
  bool alive = true;

  bool isConstant() const { return !constants.empty(); }
};

/// Whether a node is to make one float32 tensor on a CPU and no rewrite has brought a kernel for it.
inline bool isFloatOnCpu(const PlanNode& p) {
  return p.node && p.alive && !p.isConstant() && !p.kernel && p.device && p.device->type() == "CPU" && p.types.size() == 1 && p.types[0] == DType::Float;
}
/// As isFloatOnCpu(), and not a whole loop.
inline bool isFloatOpOnCpu(const PlanNode& p) { return isFloatOnCpu(p) && !p.loop; }

/// The part of a graph that one signature needs, as rewrites see it. Plain data.
struct PlanGraph {
  std::vector<PlanNode> nodes;
  std::vector<Output> fetches;
  std::vector<int> targets;
  std::vector<int> feedNodes;        ///< Plan node of each feed; -1 if nothing needs it.
  std::deque<Node> made;             ///< Nodes that rewrites made.
  bool hasControlFlow = false;       ///< Switch, Merge, Enter, …: needs the dataflow executor.
  std::vector<std::string> applied;  ///< "constant_folding: 12 nodes": what the passes did.

  /// Producers before consumers; edges from NextIteration to Merge are left out.
  WEFT_API std::vector<int> order() const;
};

/// Roles in v1 control flow; None for all other ops.
enum class FlowRole { None, Switch, Merge, Enter, Exit, NextIteration, LoopCond };
FlowRole flowRole(const Node& node);

/// A signature in names.
struct Signature {
  std::vector<std::string> feeds, fetches, targets;
};

/// Prunes `graph` to what the signature needs. NOT_FOUND and INVALID_ARGUMENT in TensorFlow's words for names that do not exist and for
/// ops that the engine does not know (each named with its number of nodes).
WEFT_API Result<PlanGraph> pruneGraph(const Graph& graph, const Signature& signature);

/// Chooses a device for every node by TensorFlow's rules: explicit device, colocation, reference edges, soft placement.
/// `reasons`, if given, gets one line per node of the plan.
WEFT_API Status placeNodes(const Graph& graph, PlanGraph& plan, const std::vector<Device*>& devices, const SessionOptions& options,
                           std::vector<std::string>* reasons);

/// A rewrite: named, switchable, in a file of its own (runtime/passes/). All keep results, and keep PlanNode::origin.
struct PassContext {
  SessionState& session;
  const std::vector<Shape>* feedShapes = nullptr;      ///< Of this variant of the plan; null: for any feeds.
  const std::vector<std::string>* disabled = nullptr;  ///< Passes that are switched off, for plans inside of this one.
};
struct Pass {
  const char* name;
  const char* summary;
  Status (*run)(PlanGraph& plan, PassContext& context);
};
/// In the order in which they run.
WEFT_API const std::vector<Pass>& passes();
Status runPasses(PlanGraph& plan, PassContext& context, const std::vector<std::string>& disabled);

/// Puts copies between host and device memory where an edge needs one. The last thing that changes a plan.
WEFT_API Status insertDeviceCopies(PlanGraph& plan);

/// Marks dead what neither fetches, targets nor effects need.
WEFT_API void removeUnused(PlanGraph& plan);

}  // namespace weft
