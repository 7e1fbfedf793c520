#pragma once

#include <string>

#include "cli/bench/workload.h"

namespace weft::cli {

/// Writes the needed part of the graph so that a script without TensorFlow's messages can read it: graph.json, a list of nodes in an order in which they can
/// run {"name", "op", "inputs", "controls", "attrs", "outputs"} and constants.npz, the tensors in attributes by "NODE/ATTRIBUTE".
Status writeTranslated(const Workload& w, const std::string& folder);

}  // namespace weft::cli
