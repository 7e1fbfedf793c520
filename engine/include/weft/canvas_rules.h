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

/// Where everything that fits a pattern stands.
struct CanvasRule {
  std::string pattern;  ///< Of the full name of a node or scope: `*` stands for any characters, slashes too, `?` for one. A scope stands for all in it.
  bool helper = true;   ///< false: in the network
  friend bool operator==(const CanvasRule&, const CanvasRule&) = default;
};

WEFT_API std::vector<CanvasRule> canvasRulesOf(const MetaGraph& meta);
WEFT_API void setCanvasRules(MetaGraph& meta, const std::vector<CanvasRule>& rules);

/// Whether a rule with this pattern speaks of the node or scope of that name: by itself or by a scope around it.
WEFT_API bool fitsPattern(std::string_view pattern, std::string_view name);
/// Parts as the rules have them; of several rules that fit the last one counts. Helpers that are one already keep their part, and so do weights
/// of the network.
WEFT_API std::vector<Part> withRules(const Graph& graph, std::vector<Part> parts, const std::vector<CanvasRule>& rules);
/// The parts that a drawing shows: partsOf() with the document's rules.
WEFT_API std::vector<Part> drawnParts(const MetaGraph& meta);

/// Neither of the network, nor one of its weights, gradients or updates.
WEFT_API bool isHelperPart(Part part);
/// Moves nodes and scopes by rules of their own names; rules that have no effect any more go. What is there already stays as it is.
WEFT_API Status moveByRules(MetaGraph& meta, const std::vector<std::string>& names, bool helper);
/// Replaces the rules and forgets the places of the nodes and scopes (name, is scope) that stand elsewhere because of it. Returns those.
WEFT_API std::set<std::pair<std::string, bool>> changeRules(MetaGraph& meta, const std::vector<CanvasRule>& rules);
/// Forgets the places of these alone, not of what is in them.
WEFT_API void forgetOwnPlaces(MetaGraph& meta, const std::set<std::pair<std::string, bool>>& items);

}  // namespace weft
