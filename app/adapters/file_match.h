// Matches a checkpoint against a graph, before anything is restored.
#pragma once

#include <QHash>
#include <QMap>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>

#include "adapters/file_tensors.h"
#include "adapters/graph_contents.h"

namespace weft::app {

/// One variable of a graph compared with a checkpoint (engine: VariableMatch).
struct VariableFit {
  enum class Kind { Fits, Missing, ShapeDiffers, TypeDiffers, NotRestored, Unused };
  Kind kind = Kind::Fits;
  QString variable, key;
  QString storedAs;        ///< The key of an object-based checkpoint that `key` is found by; else empty.
  QString wanted, stored;  ///< "float32 5×5×1×32"
  QStringList nearest;
};

struct FileMatch {
  bool hasSaver = false, canRestore = false;
  QVector<VariableFit> variables;
  QHash<QString, int> byVariable;       ///< Index of a variable of the graph.
  QHash<QString, int> freeKeys, taken;  ///< Index by key: of keys that can be mapped, of those that match by name.
  int count(VariableFit::Kind kind) const;
  int wanted() const;  ///< Variables of the graph that are to be restored.
};
using FileMatchPtr = std::shared_ptr<const FileMatch>;

/// Null if `tensors` is not a checkpoint. Milliseconds for thousands of variables; any thread.
FileMatchPtr matchGraph(const GraphContents& graph, const FileTensors& tensors);

/// Why a checkpoint key cannot be the value of a variable: unknown key or variable, key already used by another variable, or different shape or type.
QString whyNotMapped(const FileMatch& match, const QString& variable, const QString& key);
/// A Python program for TensorFlow 1.x with a Saver that maps checkpoint names to variables: the exact name, else the one in `keys` (by variable), else the
/// nearest name, marked as a guess.
QString saverProgram(const FileMatch& match, const QString& prefix, const QMap<QString, QString>& keys = {});
/// Writes a checkpoint that the graph's Saver can restore: every wanted variable, from the key of its name or the one in `keys`. Returns an error sentence, or
/// empty. Any thread; blocks.
QString writeMapped(const FileMatch& match, const FileTensors& tensors, const QMap<QString, QString>& keys, const QString& prefix, TaskState& task);

}  // namespace weft::app
