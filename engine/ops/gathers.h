#pragma once

#include "kernel/kernel.h"

// What gathers read, checked: shared by the kernels of all devices. Indices are not looked at.
namespace weft {

/// A gather along an axis. Params are [batches, outer, limit, row], indices [batches, count], the result [batches, outer, count, row].
struct GatherPlan {
  Shape shape;  ///< Of the result.
  int64_t batches = 1, outer = 1, limit = 0, count = 1, row = 1;
};
/// Of Gather or GatherV2.
WEFT_API Result<GatherPlan> planGather(KernelContext& c);
/// REQUIRES: batch <= axis < rank of params; batch <= rank of indices.
WEFT_API GatherPlan planGather(const Shape& params, const Shape& indices, int64_t axis, int64_t batch);
/// "indices[…] = … is not in [0, limit)".
WEFT_API Error indexOutside(const Tensor& indices, int64_t i, int64_t limit);

/// A gather at index vectors of length `depth`; the result has `count` slices of `row` elements.
struct GatherNdPlan {
  Shape shape;
  int64_t count = 0, depth = 0, row = 0;
};
WEFT_API Result<GatherNdPlan> planGatherNd(const Shape& params, const Shape& indices);

/// The variable's value that ResourceGather reads, checked together with the attribute batch_dims.
WEFT_API Result<Tensor> gatheredVariable(KernelContext& c);
/// The same for ResourceGatherNd.
WEFT_API Result<Tensor> gatheredNdVariable(KernelContext& c);

/// The shape of DynamicStitch's result. The indices are read: they must be in host memory.
WEFT_API Result<Shape> stitchedShape(KernelContext& c);

}  // namespace weft
