#pragma once

#include "weft/export.h"

namespace weft {

/// From now on every block of hostAllocator() lies at the end of pages of its own with a page behind them that nobody may touch, and is given
/// back to the system when its last tensor is gone: a kernel that reads or writes behind a tensor dies there. For tests; slow; for good.
WEFT_API void guardHostMemory();

}  // namespace weft
