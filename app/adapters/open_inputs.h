#pragma once

#include "adapters/graph_contents.h"

namespace weft::app {

/// A problem for each node and layer with unconnected inputs, with likely wires as fixes. A layer's missing wire is one problem, at the layer. Also reports
/// layers unknown to this version, and a training that waits. Tries at most `trials` edits. Any thread.
QVector<Problem> openInputProblems(const EngineGraph& engine, int trials);

}  // namespace weft::app
