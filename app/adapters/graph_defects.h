// Graphs that TensorFlow would refuse: what is wrong with their nodes, in words, and what would mend it.
#pragma once

#include "adapters/graph_contents.h"

namespace weft {
class Graph;
struct Defect;
}  // namespace weft

namespace weft::app {

/// One sentence on what is wrong.
QString defectText(const Graph& graph, const Defect& defect);
/// A problem for each defect, with fixes: those that need a try were tried on a copy. Any thread.
QVector<Problem> defectProblems(const GraphContents& contents);
/// Why the graph cannot run at all: the first of its defects, and how many more there are. Empty: TensorFlow would take it.
QString whyNotRun(const GraphContents& contents);

}  // namespace weft::app
