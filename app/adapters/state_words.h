// What an op changes beyond the step that it runs in, in words for people. Only sources in app/adapters include this.
#pragma once

#include <QString>

#include "weft/graph.h"

namespace weft::app {

/// What running this node changes that outlives the step: `conv1/kernel, conv1/kernel/Adam`, `elements of input_queue`, `its random stream`, `files`.
/// Empty: nothing, or it only holds what others change (a variable, a queue).
QString changedState(const Graph& graph, const Node& node);

/// The node that made what `o`, a reference or a handle, leads to; null if the graph does not say.
const Node* objectMaker(const Graph& graph, Output o);

}  // namespace weft::app
