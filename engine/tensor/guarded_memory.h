#pragma once

#include "weft/export.h"

namespace weft {

/// From now on, every block of hostAllocator() ends at an inaccessible page and is unmapped when its last tensor is freed, so that a kernel which reads or
/// writes past the end of a tensor crashes there. For tests: slow, and cannot be turned off again.
WEFT_API void guardHostMemory();

}  // namespace weft
