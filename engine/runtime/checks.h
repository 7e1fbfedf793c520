#pragma once

#include "weft/graph.h"

namespace weft {

/// Whether an op is there to fail where something is not as stated, beside handing its input on: no rewrite may leave it out because nobody needs its value.
inline bool isCheck(const Node& n) { return n.op == "Assert" || n.op == "CheckNumerics" || n.op == "EnsureShape" || n.op == "PreventGradient"; }

}  // namespace weft
