#pragma once

#include <cstdint>

#include "weft/export.h"

namespace weft {

/// Memory that programs can still get, of the machine or of this process's control group, whichever is less; −1: unknown.
WEFT_API int64_t availableBytes();
/// Memory of this process now; 0: unknown.
WEFT_API int64_t residentBytes();

}  // namespace weft
