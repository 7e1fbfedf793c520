#pragma once

#include <cstdint>

#include "weft/dtype.h"

namespace weft::cpu {

/// Converts n elements as Cast does: complex numbers lose their imaginary part, numbers to bool are compared with zero, floats to whole
/// numbers are cut. `truncate`: floats to narrower floats are cut instead of rounded.
using ConvertFunction = void (*)(const void* from, void* to, int64_t n, bool truncate);

/// Null if the pair has no conversion (strings, resources).
WEFT_API ConvertFunction findConversion(DType from, DType to);

}  // namespace weft::cpu
