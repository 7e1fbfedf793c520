#pragma once

#include <string_view>
#include <vector>

#include "runtime/plan_graph.h"

namespace weft {

/// Inputs and outputs of a node that lie in host memory.
struct HostSides {
  std::vector<char> inputs, outputs;
};

/// For a node on a device of this type. Everything on a CPU is in host memory, and so are strings and handles everywhere.
HostSides hostSides(const PlanNode& p, std::string_view deviceType);

}  // namespace weft
