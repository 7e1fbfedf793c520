#pragma once

#include <cstddef>
#include <vector>

#include "weft/export.h"

namespace weft {

/// A block of memory with the span of steps during which it is needed, both ends included.
struct MemoryBlock {
  size_t bytes = 0;
  int first = 0, last = 0;
  size_t offset = 0;  ///< Set by packBlocks().
};

/// Gives blocks offsets (multiples of 64) so that blocks needed at the same time do not overlap; returns the size of the whole.
/// Greedy by size: the largest first, each at the lowest place that is free during its span; where that is not near the lower bound, other
/// orders are tried. Among very many blocks small ones are not worth the search and get places of their own.
WEFT_API size_t packBlocks(std::vector<MemoryBlock>& blocks);

/// Most bytes needed at one time: no packing can need less.
WEFT_API size_t peakOf(const std::vector<MemoryBlock>& blocks);

}  // namespace weft
