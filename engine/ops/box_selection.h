#pragma once

#include "kernel/kernel.h"

namespace weft {

/// The inputs of NonMaxSuppression…, checked: all but boxes and scores are numbers in host memory.
struct BoxSelection {
  int64_t boxes = 0, limit = 0;
  float threshold = 0.5f, least = 0, sigma = 0;
};
WEFT_API Result<BoxSelection> boxSelectionOf(KernelContext& c);

}  // namespace weft
