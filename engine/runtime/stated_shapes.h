#pragma once

#include <memory>

#include "weft/graph.h"

namespace weft {

class SessionState;

/// The two versions of its graph that a session keeps.
struct SessionGraph {
  std::shared_ptr<const Graph> planned;  ///< For planning: shapes from shape functions, and declared shapes of variables unless disproved by a value.
  std::shared_ptr<const Graph> stated;   ///< For checking feeds: the same nodes with their declared shapes. May be the same object.
};

/// INVALID_ARGUMENT, naming the nodes, if the graph has a cycle.
Result<SessionGraph> sessionGraph(Graph graph);

/// `graph` with the declared shape removed from each variable that was ever given a value of another shape (SessionState::disproved); the same object
/// if there are none. TensorFlow lets a resource variable take a value of any shape, and a reference variable by Assign with validate_shape=false.
Result<std::shared_ptr<const Graph>> withoutDisprovedShapes(std::shared_ptr<const Graph> graph, const SessionState& state);

}  // namespace weft
