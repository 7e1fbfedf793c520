// Loop frames and conditional lanes drawn around visible items.
#pragma once

#include "layout/graph_layout.h"

namespace weft::layout {

struct DrawnFrame {
  enum class Kind : std::uint8_t { Loop, Conditional };
  /// The name of a loop variable, above its Enter or Exit.
  struct Name {
    std::int32_t source = -1;  ///< node that names it
    Point at;                  ///< left end of the baseline
    double width = 0;          ///< available width
    bool entry = true;
  };
  /// The nodes computed if the predicate is true, or if it is false.
  struct Lane {
    Box box;
    bool whenTrue = false;
  };
  Kind kind = Kind::Loop;
  std::int32_t scope = -1;  ///< scope in which it is drawn, -1: the top level
  std::int32_t id = -1;     ///< of a loop: its index in the facts
  bool isScope = false;     ///< the box of the scope is the frame: everything in it belongs to the loop
  Box box;                  ///< of a loop
  std::vector<Name> names;
  std::vector<Lane> lanes;
};

/// Frames of open scopes. A loop has none if its frame would enclose foreign items. O(nodes × depth + edges).
std::vector<DrawnFrame> framesOf(const Graph& graph, const Result& result, int root);

/// Per scope, open or closed: whether it is a loop or a conditional as a whole. Scopes that contain a loop among other nodes are None.
enum class ScopeFlow : std::uint8_t { None, Loop, Conditional };
std::vector<ScopeFlow> scopeFlows(const Graph& graph);

}  // namespace weft::layout
