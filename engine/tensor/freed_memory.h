#pragma once

#include <cstddef>

#include "weft/export.h"

namespace weft {

/// Sets how many bytes of freed blocks the host allocator keeps for reuse at most, and frees what is above that. 512 MB if this is never called. Thread-safe.
WEFT_API void keepFreedMemory(size_t bytes);

}  // namespace weft
