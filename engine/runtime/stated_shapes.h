#pragma once

#include <memory>

#include "weft/graph.h"

namespace weft {

class SessionState;

/// A graph as its session keeps it.
struct SessionGraph {
  std::shared_ptr<const Graph>
      planned;  ///< Runs are planned by it: its shapes are what shape functions tell, and of variables what their values have not disproved.
  std::shared_ptr<const Graph> stated;  ///< The same nodes with what was stated of their shapes: feeds are held to it. May be the same object.
};

/// INVALID_ARGUMENT names the nodes of a cycle.
Result<SessionGraph> sessionGraph(Graph graph);

/// `graph` in which variables that were ever given a value of another shape than they state (SessionState::disproved) state none; the same object if there are none.
/// TensorFlow lets a resource variable take a value of any shape, a reference variable too by an Assign that does not ask.
Result<std::shared_ptr<const Graph>> withoutDisprovedShapes(std::shared_ptr<const Graph> graph, const SessionState& state);

}  // namespace weft
