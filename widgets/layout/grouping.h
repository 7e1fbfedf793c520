// Groups that a drawing makes of parallel items in a scope, so that at most some forty boxes are visible at once: helpers by purpose, siblings that differ only
// in a number, equal blocks of a chain, and stages of a long chain. A group is a scope of the drawing, not of the graph. Pure functions over flat arrays.
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
    Arranged,  ///< made earlier by the caller: the boxes of an arrangement that replaces scopes
  };
  Kind kind = Kind::Helpers;
  Part part = Part::Network;  ///< of helpers
  std::int32_t members = 0;   ///< number of direct members
  std::string title;          ///< of a series, a block or a stage
  std::uint64_t key = 0;      ///< identity across calls: from container, kind and first member (of helpers: their part)
};

struct GroupingInput {
  std::vector<Part> nodePart;
  std::vector<std::uint64_t> nodeKind;                  ///< hash of the op: equal for alike nodes
  std::vector<char> nodeFixed, scopeFixed;              ///< placed by hand: in no group; may be empty
  std::function<std::string(std::int32_t item)> title;  ///< last part of a name; called only for items that may be grouped
  std::function<bool(std::int32_t node)> isParameter;   ///< a variable or a constant
  std::function<bool(std::int32_t node)> isInput;       ///< fed from outside: drawn individually while there is room; may be empty
  bool flow = true;                                     ///< false: only helpers are grouped
  int budget = 40;                                      ///< maximum boxes visible at once
  int series = 6;                                       ///< this many equal siblings are always grouped
};

/// Sets the roles and masses of `graph`, appends its groups as scopes and puts their members into them. The given scopes must come after their parents, or in
/// `scopeOrder`. Returns one record per added scope. Linear except for sorting and a bounded search.
std::vector<Group> groupGraph(Graph& graph, const GroupingInput& input);
/// Writes `scopeOrder`: all scopes, parents before children.
void orderScopes(Graph& graph);

/// Which scopes are open when a graph is first shown: none, unless nearly all of its network lies in one scope beside a few boxes. That scope is opened, so
/// that the first picture shows the network. Per scope; call groupGraph first. O(nodes + scopes).
std::vector<char> openAtFirst(const Graph& graph);

}  // namespace weft::layout
