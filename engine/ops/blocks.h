#pragma once

#include <vector>

#include "kernel/kernel.h"

// Blocks of space that move into the batch and back, checked: shared by the kernels of all devices.
namespace weft {

/// The block sizes, and the number of rows added (or cropped) before and after each blocked dimension.
struct Blocks {
  std::vector<int64_t> size, before, after;
  int64_t product() const {
    int64_t p = 1;
    for (int64_t s : size) p *= s;
    return p;
  }
};
struct BlockPlan {
  Blocks blocks;
  Shape shape;  ///< Of the result.
};
/// Of SpaceToBatch and SpaceToBatchND, or of BatchToSpace and BatchToSpaceND.
WEFT_API Result<BlockPlan> planBlocks(KernelContext& c, bool toBatch);

}  // namespace weft
