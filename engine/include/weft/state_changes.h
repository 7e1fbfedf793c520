// What running an op changes beyond its step.
#pragma once

#include <vector>

#include "weft/graph.h"

namespace weft {

/// The node that created the object behind `o`, a reference or a handle; null if the graph does not tell.
WEFT_API const Node* objectMaker(const Graph& graph, Output o);

/// State that running a node changes and that outlives the step.
struct StateChange {
  enum class Part { Value, Elements, Position, Entries, Contents };  ///< Of a variable, queue, reader or iterator, table, accumulator.
  struct Object {
    const Node* maker = nullptr;
    Part part = Part::Value;
  };
  enum class Other { None, RandomStream, Files, StagingArea };
  std::vector<Object> objects;  ///< Those that the node gets as inputs, each once.
  Other other = Other::None;    ///< If there are none.
  bool any() const { return !objects.empty() || other != Other::None; }
};
/// Nothing for a node that only holds state that others change (a variable, a queue).
WEFT_API StateChange stateChangeOf(const Graph& graph, const Node& node);

}  // namespace weft
