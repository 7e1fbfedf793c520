#pragma once

#include <string_view>

#include "weft/op_traits.h"

namespace weft {

/// Whether an op is a variable that savers save.
inline bool isVariableOp(std::string_view op) { return roleOf(op) == OpRole::Variable; }

}  // namespace weft
