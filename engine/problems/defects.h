#pragma once

#include <string>

#include "weft/defects.h"
#include "weft/graph_problems.h"
#include "weft/op.h"

namespace weft::problems {

/// The op's record, also of a node that does not fit it; null if the op is unknown.
const OpRecord* knownOp(const Node& node);
/// "float32"; "?" if it is not known.
std::string typeOrUnknown(DType type);
/// The op's name for the input, else its number: "b" or "1".
std::string inputText(const Node& node, int input);

}  // namespace weft::problems
