#pragma once

#include <set>
#include <string>

#include "weft/error.h"

namespace tensorflow {
class GraphDef;
}

namespace weft {

/// Replaces the calls `needed` (PartitionedCall, StatefulPartitionedCall) by the nodes of their functions, and so on where these call others. The node of a call
/// becomes an identity of the results, so its name stays. INVALID_ARGUMENT beyond a million nodes; the errors of functions that cannot be instantiated.
Status inlineCalls(tensorflow::GraphDef* graph, const std::set<std::string>& needed);

}  // namespace weft
