#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/async_kernel.h"
#include "runtime/executable_plan.h"
#include "runtime/executor.h"

// Static structure of a plan with control flow. Every node belongs to one frame: the outermost one, or the body of a while loop, which Enter
// opens and Exit leaves. Each iteration of a frame has its own values. The structure is built once per plan; a run keeps only counters and values.
namespace weft::dataflow {

/// Location of an input.
struct InputSource {
  enum class Kind : uint8_t { Slot, Constant, Invariant } kind = Kind::Slot;
  int index = 0;  ///< Slot of the frame, index into Structure::constants, or slot of the frame's invariants.
  bool isRef = false;
};

/// A reader of an output. Consumers of NextIteration, Enter and Exit are listed too, although they lie in another iteration or frame.
struct Consumer {
  int node;
  int input;  ///< -1: control edge.
};

struct DataNode {
  const PlanNode* plan = nullptr;
  std::shared_ptr<Kernel> kernel;  ///< Null for constants and for nodes that only forward (control flow, Identity).
  AsyncKernel* waits = nullptr;    ///< The same kernel if it is asynchronous, else null.
  FlowRole role = FlowRole::None;
  int frame = 0;        ///< Frame of its inputs.
  int outputFrame = 0;  ///< Frame of its outputs.
  int local = 0;        ///< Index of its counters in `frame`.
  int firstSlot = 0;    ///< Index in outputFrame of the slot of output 0.
  int outputCount = 0;
  bool invariant = false;        ///< Enter(is_constant): its value is available in every iteration.
  bool isConstantValue = false;  ///< A constant that must wait for its control inputs.
  bool cheapForward = false;     ///< Identity: forwards without a kernel call.
  int pending = 0;               ///< Inputs and control edges to wait for (Merge: control edges).
  int dataInputs = 0;            ///< Number of non-constant data inputs.
  bool allowsUninitialized = false;
  bool ignoresDead = false;  ///< ControlTrigger.
  bool transfers = false;    ///< Send or Receive: runs even if it is dead, as the task at the other end waits for it.
  bool watched = false;      ///< Its outputs are shown to a ValueWatch.
  int frameId = -1;          ///< Enter: the frame that it opens; else -1.
  std::vector<InputSource> inputs;
  std::vector<std::vector<Consumer>> consumers;  ///< Per output.
  std::vector<Consumer> controlConsumers;
};

struct FrameInfo {
  int parent = -1;
  std::string name;
  int parallelIterations = 10;
  int nodeCount = 0, slotCount = 0, invariantCount = 0;
  int enterCount = 0;                ///< Number of Enter nodes; the frame is complete when all have arrived.
  std::vector<int> nodes;            ///< Global node indices by local index.
  std::vector<int> pendingTemplate;  ///< By local index.
  std::vector<int> usesTemplate;     ///< By slot: number of consumers.
};

struct Structure {
  PlanGraph graph;
  std::vector<DataNode> nodes;  ///< By plan node index.
  std::vector<FrameInfo> frames;
  std::vector<const Tensor*> constants;
  std::vector<int> roots;  ///< Nodes without inputs or control inputs to wait for.
};

/// INVALID_ARGUMENT for graphs whose frames do not nest.
Status buildStructure(PlanGraph graph, SessionState& session, Structure& out);

}  // namespace weft::dataflow
