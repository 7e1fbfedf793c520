#pragma once

#include <set>
#include <string>

#include "weft/error.h"

namespace tensorflow {
class GraphDef;
}

namespace weft {

/// Replaces calls (PartitionedCall, StatefulPartitionedCall) by the nodes of their functions, also where functions call others. The node of a call becomes an
/// identity of the results, so its name stays. `needed`: the calls that must be replaced, whose errors are returned; of the others only those that save
/// variables are, which tells the variables' keys. INVALID_ARGUMENT beyond a million nodes.
Status inlineCalls(tensorflow::GraphDef* graph, const std::set<std::string>& needed);

}  // namespace weft
