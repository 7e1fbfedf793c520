// Facts about a graph's loops, branches and gradients for the layout, supplied by the caller.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weft::layout {

enum class FlowOp : std::uint8_t { None, Enter, Merge, Switch, LoopCond, NextIteration, Exit };

struct NodeFlow {
  FlowOp op = FlowOp::None;
  std::int32_t loop = -1;         ///< the innermost loop in which it runs; for Enter the loop that it enters, for Exit the one that it leaves
  std::int32_t branch = -1;       ///< the innermost branch in which it runs
  std::int32_t conditional = -1;  ///< of a Switch or Merge that belongs to a conditional
  std::uint8_t outputs = 0;       ///< of such a Switch: bit 0 if its false output is read, bit 1 if its true one is
  std::int32_t source = -1;       ///< of Enter: the node that names the variable
  std::int32_t forward = -1;      ///< of a gradient node: the forward node that it belongs to
};

struct FlowFacts {
  struct Loop {
    std::int32_t parent = -1;
    std::string frame;  ///< frame name
  };
  struct Branch {
    std::int32_t parent = -1, conditional = -1;
    bool whenTrue = false;
  };
  std::vector<NodeFlow> nodes;  ///< per node; empty: the graph has none
  std::vector<Loop> loops;
  std::vector<Branch> branches;
  std::vector<std::int32_t> losses;  ///< nodes that were differentiated; empty: unknown
};

}  // namespace weft::layout
