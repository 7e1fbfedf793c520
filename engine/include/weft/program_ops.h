#pragma once

#include "weft/error.h"
#include "weft/op.h"

namespace weft {

/// Adds an op of the program's own to the registry; graphs may contain it from now on. ALREADY_EXISTS if there is one of that name. Thread-safe.
WEFT_API Status registerProgramOp(OpRecord record);

/// The record that carries a gradient function which a program registered under a name that is no op: that of a graph function, or one for
/// gradient_override_map. It is no op: OpRegistry::find() does not return it. Null if there is none and `add` is false. Never freed. Thread-safe.
WEFT_API OpRecord* programGradient(const std::string& name, bool add = false);

}  // namespace weft
