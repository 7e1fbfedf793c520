// Finds the scopes that are drawn as loops or conditionals, and the roles of their children.
#pragma once

#include <vector>

#include "layout/container_layout.h"

namespace weft::layout {

struct FrameScope {
  Frame frame = Frame::None;
  std::int32_t id = -1;  ///< of the loop or conditional
  bool pure = false;     ///< everything in it belongs to the loop
  bool whole = false;    ///< like `pure`, except for nodes that only enter the loop: the scope can be called a loop
};

struct FrameScopes {
  std::vector<FrameScope> ofScope;  ///< per scope, the top level last. Empty: there are neither loops nor conditionals
  std::vector<Station> station;     ///< per item, within its frame
  const FrameScope* of(int scope) const {
    if (ofScope.empty()) return nullptr;
    const FrameScope& home = ofScope[scope < 0 ? ofScope.size() - 1 : static_cast<std::size_t>(scope)];
    return home.frame == Frame::None ? nullptr : &home;
  }
};

/// A loop is drawn in the scope of its LoopCond, a conditional in that of its Merges; a scope with several of them is drawn normally. O(nodes × depth).
FrameScopes findFrameScopes(const Graph& graph);

/// Per node: whether it is an op of a loop or conditional that is drawn individually, in no group. Ops of loops with very many variables are not.
std::vector<char> ungroupedFlowOps(const Graph& graph);

}  // namespace weft::layout
