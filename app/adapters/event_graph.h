#pragma once

#include "adapters/graph_files.h"

namespace weft::app {

struct FileContents;

/// Whether it is an event file with a graph in it.
bool holdsEventGraph(const FileContents& contents);

/// The graph that an event file holds: the last MetaGraphDef or GraphDef in it. The error says that there is none. Any thread; blocks.
OpenOutcome openEventGraph(const QString& path, TaskState& task);

/// Nodes that are likely outputs of a network, likeliest first, for freezing: probabilities, classes, logits, then what nothing reads. Any thread.
QStringList likelyOutputs(const GraphContents& contents);

}  // namespace weft::app
