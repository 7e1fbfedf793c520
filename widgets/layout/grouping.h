// Groups that a drawing makes of what lies side by side in a scope, so that at most some forty boxes are seen at once: helpers by what they are
// for, siblings that are alike but for a number, equal blocks of a chain, and stages of a long one. A group is a scope of the drawing, not of the
// graph. Pure functions over flat arrays.
#pragma once

#include <functional>
#include <string>

#include "layout/graph_layout.h"
#include "layout/part.h"

namespace weft::layout {

struct Group {
  enum class Kind : std::uint8_t {
    Helpers,   ///< of one part: initializers, savers, summaries, …; gradients and updates, too
    Series,    ///< equal siblings, `layer_0` to `layer_11`, or equal blocks of a chain
    Block,     ///< one of the blocks of a series
    Stage,     ///< a piece of a long chain
    Arranged,  ///< made by the caller before: what an arrangement of the drawing shows in place of scopes
  };
  Kind kind = Kind::Helpers;
  Part part = Part::Network;  ///< of helpers
  std::int32_t members = 0;   ///< what it holds directly
  std::string title;          ///< of a series, a block or a stage
  std::uint64_t key = 0;      ///< identity across calls: of its container, its kind and its first member (of helpers: their part)
};

struct GroupingInput {
  std::vector<Part> nodePart;
  std::vector<std::uint64_t> nodeKind;                  ///< hash of the op: what is alike
  std::vector<char> nodeFixed, scopeFixed;              ///< placed by hand: in no group; may be empty
  std::function<std::string(std::int32_t item)> title;  ///< last part of a name; asked for what may be grouped only
  std::function<bool(std::int32_t node)> isParameter;   ///< a variable or a constant
  std::function<bool(std::int32_t node)> isInput;       ///< fed from outside: seen by itself as long as there is room; may be empty
  bool flow = true;                                     ///< false: helpers alone are grouped
  int budget = 40;                                      ///< boxes that are seen at once
  int series = 6;                                       ///< so many equal siblings always become one
};

/// Sets the roles and masses of `graph`, adds its groups as scopes after those that are there and puts their members into them. The scopes given
/// must come after their parents, or in `scopeOrder`. Returns one record for each scope added. Linear but for sorting and a bounded search.
std::vector<Group> groupGraph(Graph& graph, const GroupingInput& input);
/// Writes `scopeOrder`: all scopes, parents before what they hold.
void orderScopes(Graph& graph);

/// Which scopes are open when a graph is first seen: none, unless nearly all of its network lies in one scope beside a few boxes. Then that one is, so
/// that the first picture shows the network. Per scope; `graph` after groupGraph. O(nodes + scopes).
std::vector<char> openAtFirst(const Graph& graph);

}  // namespace weft::layout
