// The named tensors in a file, in Qt's terms: variables of a checkpoint, arrays of .npy files and the like.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>

namespace weft::app {

struct TaskState;

/// Statistics of a tensor's values (engine: ValueSummary).
struct TensorFacts {
  bool known = false;  ///< Whether they were computed.
  bool numeric = false;
  qint64 count = 0, nan = 0, infinite = 0, zeros = 0;
  double min = 0, max = 0, mean = 0, std = 0;
  double low = 0, high = 0;  ///< Edges of the histogram.
  QVector<qint64> histogram;
  QString error;  ///< Why the tensor could not be read; one sentence.
};

/// The values of one tensor in memory. Immutable; any thread.
class TensorData {
 public:
  virtual ~TensorData() = default;
  virtual QString dtype() const = 0;
  virtual QVector<qint64> shape() const = 0;
  virtual qint64 elements() const = 0;
  /// Whether number() is meaningful; strings have only text().
  virtual bool isNumeric() const = 0;
  virtual double number(qint64 flat) const = 0;
  virtual QString text(qint64 flat) const = 0;
  virtual TensorFacts facts(TaskState& task, int bins = 48) const = 0;
  /// Counts of the finite values in equal bins of the given range.
  virtual QVector<qint64> histogram(double low, double high, int bins) const = 0;
  /// Writes it as .npy or .csv, depending on the extension. Returns an error, or empty.
  virtual QString exportTo(const QString& path) const = 0;
};
using TensorDataPtr = std::shared_ptr<const TensorData>;

/// A tensor, or why it could not be read.
struct TensorRead {
  TensorDataPtr data;
  QString error;
};

/// The role of a variable, derived from its name (engine: VariableRole).
enum class TensorRole { Weight, Slot, MovingAverage, Step, ObjectGraph };

/// One named tensor of a file, without its values.
struct TensorEntry {
  QString name, dtype;
  QVector<qint64> shape;
  qint64 elements = 0;
  qint64 bytes = -1;  ///< -1: unknown until it is read (strings).
  int parts = 0;      ///< Number of slices it was saved in; 0: whole.
  TensorRole role = TensorRole::Weight;
  QString origin;    ///< Of a dumped tensor: its device and time; else empty.
  QString fullName;  ///< Of an object-based checkpoint: the variable's name in the program that saved it.
};

/// All tensors of a file. Immutable; any thread.
class FileTensors {
 public:
  virtual ~FileTensors() = default;
  const QVector<TensorEntry>& entries() const { return entries_; }
  int indexOf(const QString& name) const;
  /// Blocks.
  virtual TensorRead read(int index) const = 0;

 protected:
  QVector<TensorEntry> entries_;
};
using FileTensorsPtr = std::shared_ptr<const FileTensors>;

/// The comparison of one name in two files (engine: VariableDifference).
struct TensorChange {
  enum class Kind { Same, Changed, OnlyHere, OnlyThere, ShapeDiffers, TypeDiffers, Unreadable };
  Kind kind = Kind::Same;
  TensorEntry other;  ///< The other file's entry, except for OnlyHere.
  qint64 count = 0, differing = 0, worst = -1;
  double maxAbsolute = 0, maxRelative = 0, relative = 0, cosine = 1, norm = 0;
  QString error;
};

/// The comparison of a file with `other`: one change for each of the file's entries, and the entries that only `other` has.
struct FileComparison {
  QString otherPath;
  FileTensorsPtr other;
  QVector<TensorChange> changes;  ///< Parallel to entries().
  QVector<TensorEntry> onlyThere;
  QString error;  ///< Why the comparison could not be made; empty otherwise.
  int count(TensorChange::Kind kind) const;
};
/// Compares value by value. Any thread; blocks; stops when the task is cancelled.
std::shared_ptr<FileComparison> compareTensors(const FileTensors& here, FileTensorsPtr there, const QString& otherPath, TaskState& task);

}  // namespace weft::app
