// Edited copies of checkpoints, and proposals for names that differ, in Qt's terms (engine: checkpoint_edit.h, compare.h).
#pragma once

#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QVector>

#include "adapters/file_tensors.h"
#include "adapters/graph_contents.h"

namespace weft::app {

/// A key of a checkpoint that is probably the value of a variable under another name.
struct NameProposal {
  QString variable, key, stored;  ///< `key` is the one that the graph's Saver reads.
  int percent = 0;                ///< Confidence, 0…100.
  QString reason;                 ///< One translated line.
};
struct NameProposals {
  QVector<NameProposal> names;  ///< In the graph's order.
  QStringList limits;           ///< Lines about searches that were cut short.
  int missing = 0;              ///< Variables of the graph that the checkpoint lacks.
};
/// Any thread; blocks for some seconds if there are thousands of variables. `tensors` need not be a checkpoint: then there are none.
NameProposals proposedNames(const GraphContents& graph, const FileTensors& tensors);

/// What an edited copy of a checkpoint contains.
struct CheckpointCopy {
  QSet<QString> omitted;         ///< Exact names that are not written.
  QStringList keep, drop;        ///< Patterns.
  QMap<QString, QString> table;  ///< Old name to new name.
  QString pattern, replacement;  ///< Renames what matches; an empty pattern renames nothing.
  QString type;                  ///< Of all floating-point tensors; empty: unchanged.
  int version = 2, shards = 1;
};
struct CopiedTensor {
  QString source, name;
  QString typeFrom, type;
};
/// What a copy would be like, or why it cannot be made.
struct CopyPlan {
  QVector<CopiedTensor> tensors;  ///< By new name.
  QStringList warnings;
  qint64 bytes = 0;
  int renamed = 0, converted = 0;
  QString error;  ///< One sentence; empty: it can be written.
};
/// Reads names, types and shapes only. Any thread.
CopyPlan planCopy(const FileTensors& tensors, const CheckpointCopy& copy);
/// Writes the copy `prefix`. Returns an error sentence, or empty; an older checkpoint of that name stays until the new one is complete. Any thread; blocks.
QString writeCopy(const FileTensors& tensors, const CheckpointCopy& copy, const QString& prefix, TaskState& task, QStringList* warnings);

/// Why a path cannot be the name of a new checkpoint beside the one that is read, `own`; empty: it can.
QString whyNotWritable(const QString& prefix, const QString& own);

}  // namespace weft::app
