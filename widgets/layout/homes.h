// Which scopes are drawn as loops and conditionals, and which part their children play in them.
#pragma once

#include <vector>

#include "layout/container_layout.h"

namespace weft::layout {

struct Home {
  Frame frame = Frame::None;
  std::int32_t id = -1;  ///< of the loop or conditional
  bool pure = false;     ///< everything in it belongs to the loop
  bool whole = false;    ///< the same, but for what only enters it: the scope can be called a loop
};

struct Homes {
  std::vector<Home> ofScope;     ///< per scope; the last one is the top level. Empty: there are neither loops nor conditionals
  std::vector<Station> station;  ///< per item, in its home
  const Home* of(int scope) const {
    if (ofScope.empty()) return nullptr;
    const Home& home = ofScope[scope < 0 ? ofScope.size() - 1 : static_cast<std::size_t>(scope)];
    return home.frame == Frame::None ? nullptr : &home;
  }
};

/// A loop is at home where its LoopCond is, a conditional where its Merges are; a scope in which several are at home is drawn as any other.
/// O(nodes × depth).
Homes findHomes(const Graph& graph);

/// Per node: whether it is an op of a loop or conditional that is drawn by itself, in no group. Those of a loop with very many variables are not.
std::vector<char> standAlone(const Graph& graph);

}  // namespace weft::layout
