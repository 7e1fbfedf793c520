// The loops and conditionals of a graph, found by its Enter, Switch and Merge ops.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/error.h"

namespace weft {

class Graph;

/// What a node does in a loop or conditional.
enum class FlowOp : std::uint8_t { None, Enter, Merge, Switch, LoopCond, NextIteration, Exit };

struct ControlFlow {
  struct Loop {
    int parent = -1;    ///< The loop around it.
    std::string frame;  ///< The attribute frame_name of its Enter nodes.
  };
  /// One side of a conditional. Two conditionals with the same predicate, in the same place, are one.
  struct Branch {
    int parent = -1;  ///< The branch around it.
    int conditional = -1;
    bool whenTrue = false;
  };
  struct Place {
    FlowOp op = FlowOp::None;
    int loop = -1;             ///< The innermost loop in which it runs; of Enter the one that it leads into, of Exit the one that it leads out of.
    int branch = -1;           ///< The innermost branch in which it runs.
    int conditional = -1;      ///< Of a Switch or Merge of a conditional, not of a loop.
    std::uint8_t outputs = 0;  ///< Of such a Switch: bit k is set if output k is read.
    int source = -1;           ///< Of Enter: the node outside of all loops that gives the value, where it can be followed.
    int forward = -1;          ///< Of a node of a gradient: the op that it belongs to.
  };
  std::vector<Loop> loops;
  std::vector<Branch> branches;
  std::vector<Place> nodes;  ///< By id.
  std::vector<int> losses;   ///< What tf.gradients was called for, where its names say so; ascending.
};

/// Linear in nodes and edges. A graph with cycles that are no loops has none.
WEFT_API ControlFlow controlFlowOf(const Graph& graph);

}  // namespace weft
