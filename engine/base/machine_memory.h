#pragma once

#include <cstdint>

namespace weft {

/// Memory that programs can still get, of the machine or of this process's control group, whichever is less; −1: unknown.
int64_t availableBytes();
/// Memory of this process now; 0: unknown.
int64_t residentBytes();

}  // namespace weft
