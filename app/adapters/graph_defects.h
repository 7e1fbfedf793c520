// Graphs that TensorFlow would refuse: why they cannot run.
#pragma once

#include "adapters/graph_contents.h"

namespace weft {
class Graph;
struct Defect;
}  // namespace weft

namespace weft::app {

/// One sentence on the defect.
QString defectText(const Graph& graph, const Defect& defect);
/// Why the graph cannot run: its first defect, and how many more there are. Empty: TensorFlow would accept it.
QString whyNotRun(const GraphContents& contents);

}  // namespace weft::app
