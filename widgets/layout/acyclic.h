#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace weft::layout {

/// Order of `count` things in which every arc leads onwards, but for those that close loops: `back[arc]` is set for them.
/// Depth-first from the sources in the order of their numbers, so that the arc that returns to what came first is the one that is
/// called back. O(count + arcs).
std::vector<std::int32_t> acyclicOrder(std::int32_t count, const std::vector<std::pair<std::int32_t, std::int32_t>>& arcs,
                                       std::vector<char>& back);

}  // namespace weft::layout
