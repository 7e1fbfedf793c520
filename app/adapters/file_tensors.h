// The tensors that a file holds, in Qt's terms: variables of a checkpoint, arrays of .npy and the like.
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>

namespace weft::app {

struct TaskState;

/// What a tensor's numbers look like (engine: ValueSummary).
struct TensorFacts {
  bool known = false;  ///< Computed.
  bool numeric = false;
  qint64 count = 0, nan = 0, infinite = 0, zeros = 0;
  double min = 0, max = 0, mean = 0, std = 0;
  double low = 0, high = 0;  ///< Edges of the histogram.
  QVector<qint64> histogram;
  QString error;  ///< Why it could not be read; one sentence.
};

/// Values of one tensor, read whole. Immutable; any thread.
class TensorData {
 public:
  virtual ~TensorData() = default;
  virtual QString dtype() const = 0;
  virtual QVector<qint64> shape() const = 0;
  virtual qint64 elements() const = 0;
  /// Whether number() says something; strings have only text().
  virtual bool isNumeric() const = 0;
  virtual double number(qint64 flat) const = 0;
  virtual QString text(qint64 flat) const = 0;
  virtual TensorFacts facts(TaskState& task, int bins = 48) const = 0;
  /// Finite values by equal bins of a given range.
  virtual QVector<qint64> histogram(double low, double high, int bins) const = 0;
  /// Writes it as .npy or .csv, by the ending; an error, or empty.
  virtual QString exportTo(const QString& path) const = 0;
};
using TensorDataPtr = std::shared_ptr<const TensorData>;

/// Tensor or reason.
struct TensorRead {
  TensorDataPtr data;
  QString error;
};

/// What a variable's name stands for (engine: VariableRole).
enum class TensorRole { Weight, Slot, MovingAverage, Step, ObjectGraph };

/// One named tensor of a file, without its values.
struct TensorEntry {
  QString name, dtype;
  QVector<qint64> shape;
  qint64 elements = 0;
  qint64 bytes = -1;  ///< -1: not known without reading it (strings).
  int parts = 0;      ///< Saved in this many slices; 0: whole.
  TensorRole role = TensorRole::Weight;
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

/// How one name of two files compares (engine: VariableDifference).
struct TensorChange {
  enum class Kind { Same, Changed, OnlyHere, OnlyThere, ShapeDiffers, TypeDiffers, Unreadable };
  Kind kind = Kind::Same;
  TensorEntry other;  ///< What the other file has, except for OnlyHere.
  qint64 count = 0, differing = 0, worst = -1;
  double maxAbsolute = 0, maxRelative = 0, relative = 0, cosine = 1, norm = 0;
  QString error;
};

/// Changes of `other` against a file, one for each of its entries, and the names that only the other has.
struct FileComparison {
  QString otherPath;
  FileTensorsPtr other;
  QVector<TensorChange> changes;  ///< Beside entries().
  QVector<TensorEntry> onlyThere;
  QString error;  ///< The comparison could not be made.
  int count(TensorChange::Kind kind) const;
};
/// Compares value by value. Any thread; blocks; stops when the task is cancelled.
std::shared_ptr<FileComparison> compareTensors(const FileTensors& here, FileTensorsPtr there, const QString& otherPath, TaskState& task);

}  // namespace weft::app
