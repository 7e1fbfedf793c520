#pragma once

#include "adapters/graph_files.h"

namespace weft::app {

struct FileContents;

/// Whether the file is an event file that contains a graph.
bool holdsEventGraph(const FileContents& contents);

/// The graph in an event file: its last MetaGraphDef or GraphDef. An error if there is none. Any thread; blocks.
OpenOutcome openEventGraph(const QString& path, TaskState& task);

/// Likely outputs of a network, likeliest first, for freezing: probabilities, classes, logits, then nodes that nothing reads. Any thread.
QStringList likelyOutputs(const GraphContents& contents);

}  // namespace weft::app
