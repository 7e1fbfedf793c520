// Any supported file as the IDE shows it: its kind, its parts and its contents.
#pragma once

#include <QJsonObject>
#include <memory>

#include "adapters/file_projector.h"
#include "adapters/file_records.h"
#include "adapters/file_tensors.h"
#include "adapters/graph_files.h"

namespace weft::app {

/// One of the files that make up a checkpoint or model.
struct FilePart {
  enum class Role { Index, Data, CheckpointV1, Meta, State, Progress, Graph, Assets, Other };
  Role role = Role::Other;
  QString path;
  qint64 bytes = 0;
  bool present = true;
};

/// A file that is not a graph, as read. Made on a worker thread, immutable afterwards.
struct FileContents {
  QString path;     ///< The path of its tab: the prefix of a checkpoint, else the file or folder.
  QString kind;     ///< The kind in `weft inspect`: "checkpoint", "savedmodel", "tfrecord", …
  QString problem;  ///< One sentence on what is wrong with the file; empty if it is intact.
  qint64 bytes = 0;
  QVector<FilePart> parts;
  QJsonObject report;          ///< The output of `weft inspect --json`; for checkpoints without what is in `tensors`.
  FileTensorsPtr tensors;      ///< Variables or arrays; null if it has none.
  FileRecordsPtr records;      ///< Of a TFRecord file; null if there are none.
  FileProjectorPtr projector;  ///< Of a projector configuration that can be read.
  QString text;                ///< Of a Python program.
  QStringList siblings;        ///< Checkpoints: prefixes that the folder's state file lists, oldest first.
};
using FileContentsPtr = std::shared_ptr<const FileContents>;

/// A graph, another file, both (a SavedModel), or an error sentence.
struct FileOutcome {
  OpenOutcome graph;
  FileContentsPtr file;
  QString error;
};

/// Opens any `path`: a file, a folder or the prefix of a checkpoint. A recognized but damaged file is returned with a `problem`. For a SavedModel, the outcome
/// also has its serving graph, else its first one. Any thread; blocks.
FileOutcome openAnyFile(const QString& path, TaskState& task);
/// Opens one graph of a SavedModel by its number, as if it were a .meta file. Any thread; blocks.
OpenOutcome openModelGraph(const QString& model, int metaGraph);
/// The tags of each graph of a SavedModel, "serve" or "serve, gpu"; a model of another format has one graph without a tag. Empty: not a model.
QStringList graphsOfModel(const FileContents& model);
/// The number of the graph that is shown first.
int mainGraphOf(const FileContents& model);
/// The prefix of a SavedModel's checkpoint; empty if it has none.
QString variablesOf(const FileContents& model);
/// The tensors of the file at `path`, for comparisons; null and an error if it has none.
FileTensorsPtr openTensors(const QString& path, QString* prefix, QString* error);

}  // namespace weft::app
