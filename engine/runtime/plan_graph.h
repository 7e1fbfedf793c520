#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernel/device.h"
#include "kernel/kernel.h"
#include "weft/graph.h"
#include "weft/planned_memory.h"
#include "weft/session.h"

namespace weft {

struct NativeLoop;

/// One node of a plan: an op of the user's graph, a feed, or a node made by a rewrite.
struct PlanNode {
  const Node* node = nullptr;     ///< The node that the kernel gets; owned by the session's graph or by PlanGraph::made. Null for a feed.
  int origin = -1;                ///< Id in the user's graph, for errors, traces and the debugger.
  int feed = -1;                  ///< Index of the feed that this node represents, or -1.
  std::vector<Output> inputs;     ///< In this plan.
  std::vector<int> controls;      ///< In this plan.
  std::vector<DType> types;       ///< Of the outputs.
  std::vector<Shape> shapes;      ///< Of the outputs, as far as known for the plan's feeds.
  std::vector<Tensor> constants;  ///< Values of all outputs if known before the run; else empty.
  Device* device = nullptr;
  std::vector<char> hostOutputs;           ///< Outputs that are in host memory although the device is a GPU; empty: none.
  std::shared_ptr<Kernel> kernel;          ///< Set by a rewrite that provides the kernel; otherwise made from the op's record.
  std::shared_ptr<const NativeLoop> loop;  ///< Set for a whole loop (runtime/native_loop.h); its kernel is made when the shapes of its inputs are known.
  std::vector<int> merged;                 ///< Ids (user's graph) of other nodes that are fused into this one.
  bool alive = true;
  bool isCopy = false;  ///< Only moves its origin's value between host and devices.
  bool again = false;   ///< A copy that computes its origin's values a second time (passes/recomputation.cpp).

  bool isConstant() const { return !constants.empty(); }
  bool isHostOutput(int k) const { return size_t(k) < hostOutputs.size() && hostOutputs[size_t(k)]; }
  Allocator& allocatorOf(int k) const { return isHostOutput(k) ? hostAllocator() : device->allocator(); }
  int placeOf(int k) const { return isHostOutput(k) ? 0 : device->place(); }  ///< Buffer::place() of output k.
};

/// Whether the node has one float32 output, runs on a CPU, and has no kernel from a rewrite.
inline bool isFloatOnCpu(const PlanNode& p) {
  return p.node && p.alive && !p.isConstant() && !p.kernel && p.device && p.device->type() == "CPU" && p.types.size() == 1 && p.types[0] == DType::Float;
}
/// As isFloatOnCpu(), and not a whole loop.
inline bool isFloatOpOnCpu(const PlanNode& p) { return isFloatOnCpu(p) && !p.loop; }

/// The part of a graph that one signature needs, in the form that rewrites work on.
struct PlanGraph {
  std::vector<PlanNode> nodes;
  std::vector<Output> fetches;
  std::vector<int> targets;
  std::vector<int> feedNodes;        ///< Plan node of each feed; -1 if it is unused.
  std::deque<Node> made;             ///< Nodes that rewrites made.
  bool hasControlFlow = false;       ///< Switch, Merge, Enter, …, or Receive: tensors may be dead, which needs the dataflow executor.
  bool sideBySide = false;           ///< Calls that use one thread may run side by side (pass side_by_side).
  PlannedMemory memory;              ///< Set by the pass recomputation.
  std::vector<std::string> applied;  ///< Summary of each pass, such as "constant_folding: 12 nodes".

  /// Topological order; edges from NextIteration to Merge are ignored.
  WEFT_API std::vector<int> order() const;
};

/// Roles in v1 control flow; None for all other ops.
enum class FlowRole { None, Switch, Merge, Enter, Exit, NextIteration, LoopCond };
FlowRole flowRole(const Node& node);

/// A signature as tensor and node names.
struct Signature {
  std::vector<std::string> feeds, fetches, targets;
};

/// Prunes `graph` to the signature. NOT_FOUND or INVALID_ARGUMENT, in TensorFlow's words, for unknown names and for ops that the engine does not
/// know (each with its number of nodes).
WEFT_API Result<PlanGraph> pruneGraph(const Graph& graph, const Signature& signature);

/// Devices by name of node.
using KeptDevices = std::unordered_map<std::string, Device*>;
/// Chooses a device for every node by TensorFlow's rules: explicit device, colocation, reference edges, soft placement. A group with a node in `kept`, if given, goes
/// to that node's device, and users of a fed handle whose plan node has a device go there. `reasons`, if given, gets one line per node of the plan.
WEFT_API Status placeNodes(const Graph& graph, PlanGraph& plan, const std::vector<Device*>& devices, const SessionOptions& options,
                           std::vector<std::string>* reasons, const KeptDevices* kept = nullptr);

struct PassContext {
  SessionState& session;
  const std::vector<Shape>* feedShapes = nullptr;      ///< For this variant of the plan; null: any shapes.
  const std::vector<std::string>* disabled = nullptr;  ///< Disabled passes, for plans nested in this one.
  size_t memoryLimit = 0;                              ///< SessionOptions::memoryLimitBytes, for a whole step.
  Recomputation recomputation = Recomputation::Never;
};
/// A rewrite (runtime/passes/): named and switchable. All rewrites preserve results and PlanNode::origin.
struct Pass {
  const char* name;
  const char* summary;
  Status (*run)(PlanGraph& plan, PassContext& context);
};
/// In the order in which they run.
WEFT_API const std::vector<Pass>& passes();
Status runPasses(PlanGraph& plan, PassContext& context, const std::vector<std::string>& disabled);

/// Inserts copies on edges between host and device memory. The last change to a plan.
WEFT_API Status insertDeviceCopies(PlanGraph& plan);

/// Marks nodes dead that no fetch or target needs.
WEFT_API void removeUnused(PlanGraph& plan);

}  // namespace weft
