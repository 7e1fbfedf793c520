#pragma once

#include <string_view>

namespace weft {

/// Whether an op is a variable that savers save.
inline bool isVariableOp(std::string_view op) { return op == "VariableV2" || op == "Variable" || op == "VarHandleOp"; }

}  // namespace weft
