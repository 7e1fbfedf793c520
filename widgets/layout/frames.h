// The frames of loops and the lanes of conditionals that are drawn around what can be seen.
#pragma once

#include "layout/graph_layout.h"

namespace weft::layout {

struct DrawnFrame {
  enum class Kind : std::uint8_t { Loop, Conditional };
  /// The name of a loop's variable, above where it enters or leaves.
  struct Name {
    std::int32_t source = -1;  ///< node after which it is called
    Point at;                  ///< left end of the base line
    double width = 0;          ///< room
    bool entry = true;
  };
  /// What is computed if the predicate is true, or if it is false.
  struct Lane {
    Box box;
    bool whenTrue = false;
  };
  Kind kind = Kind::Loop;
  std::int32_t scope = -1;  ///< in which it is drawn, -1: the top level
  std::int32_t id = -1;     ///< of a loop: its number in the facts
  bool isScope = false;     ///< the box of the scope is the frame: everything in it belongs to the loop
  Box box;                  ///< of a loop
  std::vector<Name> names;
  std::vector<Lane> lanes;
};

/// Frames of what is open; a loop whose frame would enclose something that does not belong to it has none. O(nodes × depth + edges).
std::vector<DrawnFrame> framesOf(const Graph& graph, const Result& result, int root);

/// Per scope: what it is as a whole, closed or open; scopes that only contain a loop among other things are none.
enum class ScopeFlow : std::uint8_t { None, Loop, Conditional };
std::vector<ScopeFlow> scopeFlows(const Graph& graph);

}  // namespace weft::layout
