// Graphs that TensorFlow would refuse: describes the defects of their nodes and offers fixes.
#pragma once

#include "adapters/graph_contents.h"

namespace weft {
class Graph;
struct Defect;
}  // namespace weft

namespace weft::app {

/// One sentence on the defect.
QString defectText(const Graph& graph, const Defect& defect);
/// A problem for each defect, with fixes; uncertain fixes were tried on a copy. Any thread.
QVector<Problem> defectProblems(const GraphContents& contents);
/// Why the graph cannot run: its first defect, and how many more there are. Empty: TensorFlow would accept it.
QString whyNotRun(const GraphContents& contents);

}  // namespace weft::app
