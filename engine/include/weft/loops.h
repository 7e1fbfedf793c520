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
    int parent = -1;    ///< The enclosing loop.
    std::string frame;  ///< Attribute frame_name of its Enter nodes.
  };
  /// One side of a conditional. Conditionals with the same predicate in the same place count as one.
  struct Branch {
    int parent = -1;  ///< The enclosing branch.
    int conditional = -1;
    bool whenTrue = false;
  };
  struct Place {
    FlowOp op = FlowOp::None;
    int loop = -1;             ///< The innermost loop in which it runs. For Enter the loop it leads into, for Exit the loop it leads out of.
    int branch = -1;           ///< The innermost branch in which it runs.
    int conditional = -1;      ///< For a Switch or Merge of a conditional (not of a loop).
    std::uint8_t outputs = 0;  ///< For such a Switch: bit k is set if output k is read.
    int source = -1;           ///< For Enter: the node outside all loops that provides the value, if it can be traced.
    int forward = -1;          ///< For a gradient's node: the op that it belongs to.
  };
  std::vector<Loop> loops;
  std::vector<Branch> branches;
  std::vector<Place> nodes;  ///< By id.
  std::vector<int> losses;   ///< Nodes that tf.gradients was called for, inferred from names; ascending.
};

/// Linear in nodes and edges. A graph with cycles other than loops yields nothing.
WEFT_API ControlFlow controlFlowOf(const Graph& graph);

}  // namespace weft
