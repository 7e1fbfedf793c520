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

/// Assigns offsets (multiples of 64) such that blocks needed at the same time do not overlap; returns the total size.
/// Greedy: the largest block first, each at the lowest offset that is free during its span. If the result is not close to the lower bound, other
/// orders are tried. With very many blocks, small ones do not share memory, because the search would cost too much.
WEFT_API size_t packBlocks(std::vector<MemoryBlock>& blocks);

/// Peak of the bytes needed at one time, the lower bound for any packing.
WEFT_API size_t peakOf(const std::vector<MemoryBlock>& blocks);

}  // namespace weft
