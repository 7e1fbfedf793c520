// How a checkpoint fits a graph, before anything is restored.
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

#include "adapters/file_tensors.h"
#include "adapters/graph_contents.h"

namespace weft::app {

/// One variable of a graph beside a checkpoint (engine: VariableMatch).
struct VariableFit {
  enum class Kind { Fits, Missing, ShapeDiffers, TypeDiffers, NotRestored, Unused };
  Kind kind = Kind::Fits;
  QString variable, key;
  QString wanted, stored;  ///< "float32 5×5×1×32"
  QStringList nearest;
};

struct FileMatch {
  bool hasSaver = false, canRestore = false;
  QVector<VariableFit> variables;
  int count(VariableFit::Kind kind) const;
  int wanted() const;  ///< Variables of the graph that are to be restored.
};
using FileMatchPtr = std::shared_ptr<const FileMatch>;

/// Null if `tensors` is no checkpoint. Milliseconds for thousands of variables; any thread.
FileMatchPtr matchGraph(const GraphContents& graph, const FileTensors& tensors);

/// Why a key of the checkpoint cannot be the value of a variable: there is no such key or variable, another variable has it, or shape or type differ.
QString whyNotMapped(const FileMatch& match, const QString& variable, const QString& key);
/// Python for TensorFlow 1.x: a Saver that finds each variable under the checkpoint's name for it: its own, else the one that `keys` (by variable)
/// says, else the nearest one, marked as a guess.
QString saverProgram(const FileMatch& match, const QString& prefix, const QMap<QString, QString>& keys = {});
/// Writes a checkpoint that the graph's Saver can restore: every variable that it asks for, from the key of its name or the one that `keys` says.
/// An error in one sentence, or empty. Any thread; blocks.
QString writeMapped(const FileMatch& match, const FileTensors& tensors, const QMap<QString, QString>& keys, const QString& prefix, TaskState& task);

}  // namespace weft::app
