#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernel/async_kernel.h"
#include "runtime/executable_plan.h"
#include "runtime/executor.h"

// Static structure of a plan with control flow. Every node belongs to one frame: the outermost one, or the body of a while loop, which Enter
// opens and Exit leaves. Inside a frame values live per iteration. The structure is made once per plan; a run only keeps counters and values.
namespace weft::dataflow {

/// Where a node finds an input.
struct InputSource {
  enum class Kind : uint8_t { Slot, Constant, Invariant } kind = Kind::Slot;
  int index = 0;  ///< Slot of the frame, index into Structure::constants, or slot of the frame's invariants.
  bool isRef = false;
};

/// Who waits for an output. For NextIteration, Enter and Exit the target lies in another iteration or frame; it is listed all the same.
struct Consumer {
  int node;
  int input;  ///< -1: control edge.
};

struct DataNode {
  const PlanNode* plan = nullptr;
  std::shared_ptr<Kernel> kernel;  ///< Null for constants, and for what only forwards (control flow, Identity).
  AsyncKernel* waits = nullptr;    ///< The same kernel, if it may have to wait.
  FlowRole role = FlowRole::None;
  int frame = 0;        ///< In which its outputs' consumers count: for Enter the child, for Exit the parent's … see outputFrame.
  int outputFrame = 0;  ///< Frame of its outputs.
  int local = 0;        ///< Index of its counters within its frame.
  int firstSlot = 0;    ///< In outputFrame.
  int outputCount = 0;
  bool invariant = false;        ///< Enter(is_constant): its value is there in every iteration.
  bool isConstantValue = false;  ///< A constant that must wait for its control inputs.
  bool cheapForward = false;     ///< Identity: forwards without a kernel call.
  int pending = 0;               ///< Inputs and control edges to wait for (Merge: control edges).
  int dataInputs = 0;            ///< Non-constant ones.
  bool allowsUninitialized = false;
  bool ignoresDead = false;  ///< ControlTrigger.
  bool watched = false;      ///< A ValueWatch is shown its outputs.
  int frameId = -1;          ///< Enter: the frame that it opens.
  std::vector<InputSource> inputs;
  std::vector<std::vector<Consumer>> consumers;  ///< Per output.
  std::vector<Consumer> controlConsumers;
};

struct FrameInfo {
  int parent = -1;
  std::string name;
  int parallelIterations = 10;
  int nodeCount = 0, slotCount = 0, invariantCount = 0;
  int enterCount = 0;                ///< Enter nodes that open it: it is complete when all of them have come.
  std::vector<int> nodes;            ///< Global node indices by local index.
  std::vector<int> pendingTemplate;  ///< By local index.
  std::vector<int> usesTemplate;     ///< By slot: how many consumers read it.
};

struct Structure {
  PlanGraph graph;
  std::vector<DataNode> nodes;  ///< By plan node index.
  std::vector<FrameInfo> frames;
  std::vector<const Tensor*> constants;
  std::vector<int> roots;  ///< Nodes that wait for nothing.
};

/// INVALID_ARGUMENT for graphs whose frames do not nest.
Status buildStructure(PlanGraph graph, SessionState& session, Structure& out);

}  // namespace weft::dataflow
