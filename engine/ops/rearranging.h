#pragma once

#include <vector>

#include "kernel/kernel.h"

// Checks of ops that rearrange rows: shared by the kernels of all devices.
namespace weft {

/// Of ReverseSequence, without the values of seq_lengths.
WEFT_API Status checkReverseSequence(KernelContext& c);
/// "seq_lens(i) …": length i is outside of [0, longest].
WEFT_API Error wrongSequenceLength(const Tensor& lengths, int64_t i, int64_t seqDim);
/// Shift of each dim in Roll, in [0, size of the dim).
WEFT_API Result<std::vector<int64_t>> rollShifts(KernelContext& c);
/// Number of rows of each result of DynamicPartition. `partitions` is input 1, in host memory.
WEFT_API Result<std::vector<int64_t>> partitionSizes(KernelContext& c, const Tensor& partitions);

}  // namespace weft
