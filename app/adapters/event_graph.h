#pragma once

#include <QString>
#include <QVector>

#include "adapters/graph_files.h"

namespace weft::app {

struct FileContents;

/// Whether the file is an event file that contains a graph.
bool holdsEventGraph(const FileContents& contents);

/// A session run (RunMetadata) in event files.
struct EventRun {
  QString path;  ///< The event file, or the folder that directly contains the run's event files.
  QString tag;
  bool hasGraph = false;  ///< Whether these event files contain a graph.
  bool operator==(const EventRun&) const = default;
};
/// The session runs in an event file or log folder, in the order of the report.
QVector<EventRun> eventRunsOf(const FileContents& contents);

/// The graph in an event file or in the event files of a folder: the last MetaGraphDef or GraphDef. An error if there is none. Any thread; blocks.
OpenOutcome openEventGraph(const QString& path, TaskState& task);

/// Likely outputs of a network, likeliest first, for freezing: probabilities, classes, logits, then nodes that nothing reads. Any thread.
QStringList likelyOutputs(const GraphContents& contents);

}  // namespace weft::app
