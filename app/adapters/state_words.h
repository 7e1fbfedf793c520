// Texts on the state that an op changes beyond its step. Only sources in app/adapters include this.
#pragma once

#include <QString>

#include "weft/graph.h"

namespace weft::app {

/// State that running this node changes and that outlives the step: `conv1/kernel, conv1/kernel/Adam`, `elements of input_queue`, `its random stream`, `files`.
/// Empty: none, or the node only holds state that others change (a variable, a queue).
QString changedState(const Graph& graph, const Node& node);

}  // namespace weft::app
