#pragma once

#include <vector>

#include "kernel/kernel.h"

// Checks of ops based on the order of numbers, for the kernels of all devices.
namespace weft {

/// The rows that TopK searches.
struct TopKShape {
  int64_t rows = 0, columns = 0, k = 0;
  Shape out;
};
WEFT_API Result<TopKShape> topKShapeOf(KernelContext& c);

/// The sorted boundaries of Bucketize.
WEFT_API Result<std::vector<float>> bucketBoundaries(const AttrMap& attrs);
/// The number of bins of Bincount.
WEFT_API Result<int64_t> binsOf(KernelContext& c);

/// The bins of HistogramFixedWidth.
struct HistogramRange {
  double low = 0, high = 0;
  int64_t bins = 0;
};
WEFT_API Result<HistogramRange> histogramRange(KernelContext& c);

}  // namespace weft
