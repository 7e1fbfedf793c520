// Any supported file as the IDE shows it: what it is, of which files it consists, and what it holds.
#pragma once

#include <QJsonObject>
#include <memory>

#include "adapters/file_records.h"
#include "adapters/file_tensors.h"
#include "adapters/graph_files.h"

namespace weft::app {

/// One of the files that belong together.
struct FilePart {
  enum class Role { Index, Data, CheckpointV1, Meta, State, Progress, Graph, Assets, Other };
  Role role = Role::Other;
  QString path;
  qint64 bytes = 0;
  bool present = true;
};

/// A file that is no graph, as it was read. Immutable once made, on a worker thread.
struct FileContents {
  QString path;     ///< What its tab stands for: the prefix of a checkpoint, else the file or folder.
  QString kind;     ///< As `weft inspect` calls it: "checkpoint", "savedmodel", "tfrecord", …
  QString problem;  ///< One sentence on what is wrong with it; empty if nothing is.
  qint64 bytes = 0;
  QVector<FilePart> parts;
  QJsonObject report;      ///< What `weft inspect --json` prints; of checkpoints only what is not in `tensors`.
  FileTensorsPtr tensors;  ///< Variables or arrays; null if it has none.
  FileRecordsPtr records;  ///< Of a TFRecord file; null if there are none.
  QString text;            ///< Of a Python program.
  QStringList siblings;    ///< Checkpoints: prefixes that the folder's state file lists, oldest first.
};
using FileContentsPtr = std::shared_ptr<const FileContents>;

/// A graph, another file, both of a SavedModel, or one sentence on why neither.
struct FileOutcome {
  OpenOutcome graph;
  FileContentsPtr file;
  QString error;
};

/// Opens whatever `path` is: a file, a folder or the prefix of a checkpoint. A file that is recognised but damaged is a file with a `problem`.
/// Of a SavedModel also the graph that is for serving, else its first one.
/// Any thread; blocks.
FileOutcome openAnyFile(const QString& path, TaskState& task);
/// A graph of a SavedModel by its number, as if it had been a .meta file. Any thread; blocks.
OpenOutcome openModelGraph(const QString& model, int metaGraph);
/// The graphs of a SavedModel: the tags of each, "serve" or "serve, gpu". Empty: it is none.
QStringList graphsOfModel(const FileContents& model);
/// Which of them is shown first.
int mainGraphOf(const FileContents& model);
/// The prefix of a SavedModel's checkpoint; empty if it has none.
QString variablesOf(const FileContents& model);
/// The tensors behind a path, for comparisons; null and an error if it holds none.
FileTensorsPtr openTensors(const QString& path, QString* prefix, QString* error);

}  // namespace weft::app
