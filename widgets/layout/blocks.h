// How the flow of one container is parted into series, blocks and stages. Used by grouping.cpp.
#pragma once

#include "layout/grouping.h"

namespace weft::layout {

/// One box of the plan: an item, or a group of further ones.
struct Planned {
  std::int32_t item = -1;
  Group::Kind kind = Group::Kind::Stage;
  std::string title;
  std::vector<Planned> parts;
};

struct BlockInput {
  std::vector<std::int32_t> items;
  std::vector<std::uint64_t> structure;                     ///< per item: equal if alike
  std::vector<std::int32_t> ops;                            ///< per item: 1 for a node
  std::vector<char> isInput;                                ///< per item
  std::vector<std::pair<std::int32_t, std::int32_t>> arcs;  ///< by place in `items`
  std::function<std::string(std::int32_t item)> title;
  int budget = 40, series = 6;
};

/// Boxes in the order of the items; items that stay as they are may be left out. No group makes a cycle with what is around it.
std::vector<Planned> planBlocks(const BlockInput& input);

/// What titles have in common: `layer_[0–11]`, `res2 … res5`.
std::string commonTitle(const std::vector<std::string>& titles);
/// A title with its numbers as `#`, and without one at its end that only tells namesakes apart: `conv_2` is `conv`.
std::string stemOf(const std::string& title);
/// Whether it says little: of ops that shape, cast or add up what others compute.
bool isPlainTitle(const std::string& title);

}  // namespace weft::layout
