#pragma once

#include "weft/error.h"
#include "weft/op.h"

namespace weft {

/// Adds an op of the program's own to the registry; graphs may contain it from now on. ALREADY_EXISTS if there is one of that name. Thread-safe.
WEFT_API Status registerProgramOp(OpRecord record);

}  // namespace weft
