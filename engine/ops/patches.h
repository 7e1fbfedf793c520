#pragma once

#include "kernel/kernel.h"

// The windows of ExtractImagePatches and ExtractVolumePatches, checked: shared by the kernels of all devices.
namespace weft {

/// Images are volumes with one plane. Axes: planes, rows, columns.
struct PatchPlan {
  Shape shape;  ///< Of the result.
  int64_t size[3] = {1, 1, 1}, window[3] = {1, 1, 1}, stride[3] = {1, 1, 1}, rate[3] = {1, 1, 1}, before[3] = {0, 0, 0}, output[3] = {1, 1, 1};
  int64_t depth = 0, length = 0;  ///< Of a pixel and of a patch.
};
/// `axes`: 2 for images, 3 for volumes.
WEFT_API Result<PatchPlan> planPatches(KernelContext& c, int axes);

}  // namespace weft
