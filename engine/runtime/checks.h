#pragma once

#include "weft/graph.h"

namespace weft {

/// Whether the op checks a condition and otherwise only passes its input on. No rewrite may remove it because its value is unused.
inline bool isCheck(const Node& n) { return n.op == "Assert" || n.op == "CheckNumerics" || n.op == "EnsureShape" || n.op == "PreventGradient"; }

}  // namespace weft
