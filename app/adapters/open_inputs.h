#pragma once

#include "adapters/graph_contents.h"

namespace weft::app {

/// A problem for each node and layer with inputs that nothing is connected to, with wires that may be meant. A wire that a layer lacks is one problem, at the
/// layer. Layers that this version does not know and a training that waits are told of, too. At most `trials` edits are tried. Any thread.
QVector<Problem> openInputProblems(const EngineGraph& engine, int trials);

}  // namespace weft::app
