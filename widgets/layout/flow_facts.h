// What a graph's loops, branches and gradients are, as far as a drawing needs it. Given by whoever knows the graph.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::layout {

enum class FlowOp : std::uint8_t { None, Enter, Merge, Switch, LoopCond, NextIteration, Exit };

struct NodeFlow {
  FlowOp op = FlowOp::None;
  std::int32_t loop = -1;         ///< the innermost loop in which it runs; of Enter the one that it leads into, of Exit the one that it leads out of
  std::int32_t branch = -1;       ///< the innermost branch in which it runs
  std::int32_t conditional = -1;  ///< of a Switch or Merge that belongs to a conditional
  std::uint8_t outputs = 0;       ///< of such a Switch: bit 0 if its false output is read, bit 1 if its true one is
  std::int32_t source = -1;       ///< of Enter: the node after which the variable is called
  std::int32_t forward = -1;      ///< of a node of a gradient: the node that it belongs to
};

struct FlowFacts {
  struct Loop {
    std::int32_t parent = -1;
    std::string frame;  ///< its name
  };
  struct Branch {
    std::int32_t parent = -1, conditional = -1;
    bool whenTrue = false;
  };
  std::vector<NodeFlow> nodes;  ///< by node; may be empty: there are none
  std::vector<Loop> loops;
  std::vector<Branch> branches;
  std::vector<std::int32_t> losses;  ///< nodes for which gradients were taken; may be empty: not known
};

}  // namespace weft::layout
