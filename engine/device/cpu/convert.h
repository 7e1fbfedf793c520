#pragma once

#include <cstdint>

#include "weft/dtype.h"

namespace weft::cpu {

/// Converts n elements as Cast does: complex numbers lose their imaginary part, conversion to bool tests for nonzero, floats are truncated to integers.
/// `truncate`: conversion to a narrower float truncates instead of rounding.
using ConvertFunction = void (*)(const void* from, void* to, int64_t n, bool truncate);

/// Null if the pair has no conversion (strings, resources).
WEFT_API ConvertFunction findConversion(DType from, DType to);

}  // namespace weft::cpu
