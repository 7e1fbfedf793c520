// Splits the flow of one container into series, blocks and stages. Used by grouping.cpp.
#pragma once

#include "layout/grouping.h"

namespace weft::layout {

/// One box of the plan: an item, or a group of planned boxes.
struct Planned {
  std::int32_t item = -1;
  Group::Kind kind = Group::Kind::Stage;
  std::string title;
  std::vector<Planned> parts;
};

struct BlockInput {
  std::vector<std::int32_t> items;
  std::vector<std::uint64_t> structure;                     ///< per item: equal for alike items
  std::vector<std::int32_t> ops;                            ///< per item: 1 for a node
  std::vector<char> isInput;                                ///< per item
  std::vector<std::pair<std::int32_t, std::int32_t>> arcs;  ///< by index into `items`
  std::function<std::string(std::int32_t item)> title;
  int budget = 40, series = 6;
};

/// Boxes in item order; items that remain single may be omitted. No group creates a cycle.
std::vector<Planned> planBlocks(const BlockInput& input);

/// The common title of several titles: `layer_[0–11]`, `res2 … res5`.
std::string commonTitle(const std::vector<std::string>& titles);
/// A title with its numbers as `#`, without a final number that only separates namesakes: `conv_2` becomes `conv`.
std::string stemOf(const std::string& title);
/// Whether a title carries little information: ops that reshape, cast or add up results of others.
bool isPlainTitle(const std::string& title);

}  // namespace weft::layout
