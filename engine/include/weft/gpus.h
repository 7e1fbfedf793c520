#pragma once

#include <vector>

#include "weft/error.h"

namespace weft {

/// Numbers the machine's GPUs anew: GPU:i is the one that had number order[i], and the ones left out follow. This is ConfigProto's visible_device_list. It is for
/// the whole process, and the first session that uses GPUs settles it: later, another order is ALREADY_EXISTS. INVALID_ARGUMENT for a number that no GPU has, or
/// one given twice. Without GPUs nothing happens. Any thread.
WEFT_API Status chooseGpus(const std::vector<int>& order);

/// Lets this process take at most this share of each GPU's memory: per_process_gpu_memory_fraction. The first call decides; returns whether this one's number
/// holds. REQUIRES: 0 < fraction <= 1. Any thread.
WEFT_API bool limitGpuMemory(double fraction);

/// Settles the order of GPUs. For sessions that use them.
void settleGpus();

}  // namespace weft
