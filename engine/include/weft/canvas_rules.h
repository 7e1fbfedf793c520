// Which nodes a drawing puts among the helpers and which into the network, in the user's own words (collection `weft/canvas`).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/parts.h"

namespace weft {

/// Says where all items that match a pattern are drawn.
struct CanvasRule {
  std::string pattern;  ///< Matches the full name of a node or scope: `*` any characters including slashes, `?` one character. A scope includes its contents.
  bool helper = true;   ///< False: in the network.
  friend bool operator==(const CanvasRule&, const CanvasRule&) = default;
};

WEFT_API std::vector<CanvasRule> canvasRulesOf(const MetaGraph& meta);
WEFT_API void setCanvasRules(MetaGraph& meta, const std::vector<CanvasRule>& rules);

/// Whether the pattern matches the node or scope of that name, or a scope around it.
WEFT_API bool fitsPattern(std::string_view pattern, std::string_view name);
/// Applies the rules to `parts`. If several match, the last one counts. Items that are already helpers keep their part, and so do weights of the
/// network.
WEFT_API std::vector<Part> withRules(const Graph& graph, std::vector<Part> parts, const std::vector<CanvasRule>& rules);
/// The parts for drawing: partsOf() with the document's rules.
WEFT_API std::vector<Part> drawnParts(const MetaGraph& meta);

/// Whether a part is none of network, weight, gradient and update.
WEFT_API bool isHelperPart(Part part);
/// Moves nodes and scopes by rules with their own names. Rules without effect are removed. Items that are already there stay.
WEFT_API Status moveByRules(MetaGraph& meta, const std::vector<std::string>& names, bool helper);
/// Replaces the rules. Removes the places of nodes and scopes that thereby change sides, and returns these as (name, is scope).
WEFT_API std::set<std::pair<std::string, bool>> changeRules(MetaGraph& meta, const std::vector<CanvasRule>& rules);
/// Removes the places of these items, but not of their contents.
WEFT_API void forgetOwnPlaces(MetaGraph& meta, const std::set<std::pair<std::string, bool>>& items);

}  // namespace weft
