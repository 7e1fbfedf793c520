#pragma once

#include <QObject>
#include <QSet>
#include <QVector>
#include <memory>

#include "adapters/file_contents.h"
#include "adapters/file_sources.h"

class QTimer;

namespace weft::app {

class Tasks;
class TextBuffer;

/// An open file that is not a graph: its contents, the selected tensor, and computed statistics. GUI thread.
class FileTab : public QObject {
  Q_OBJECT

 public:
  FileTab(FileContentsPtr contents, Tasks& tasks, QObject* parent = nullptr);
  ~FileTab() override;

  const FileContentsPtr& contents() const { return contents_; }
  const FileTensorsPtr& tensors() const { return contents_->tensors; }
  bool holdsVariables() const;  ///< The tensors are values of variables; else just arrays.
  const QString& path() const { return contents_->path; }
  /// The editable text of a text file; null: not a text file.
  TextBuffer* text() const { return text_; }
  /// An existing file or folder that opens it: for a checkpoint its index, because the prefix is not a file.
  QString openPath() const;
  QString title() const;
  /// Of a SavedModel: the prefix of its checkpoint; empty if it has none.
  QString variables() const;

  /// Index of the selected tensor, -1: none.
  int selection() const { return selection_; }
  void select(int index);
  /// The scope that restricts the tensors ("layer1/conv"); empty: all.
  const QString& scope() const { return scope_; }
  void setScope(const QString& scope);

  /// Values of the selected tensor; null while they are being read, or if they cannot be.
  const TensorSourcePtr& values() const { return values_; }
  const QString& valuesError() const { return valuesError_; }
  /// The tensor of that name in the compared file; null if there is none of that shape.
  const TensorSourcePtr& otherValues() const { return otherValues_; }
  /// The other file's values minus this one's; null unless both are numeric.
  const TensorSourcePtr& difference() const { return difference_; }

  /// Statistics of tensor `index`; `known` is false until they are computed.
  const TensorFacts& facts(int index) const { return facts_[index]; }
  int factsKnown() const { return factsKnown_; }
  bool isComputingFacts() const { return factsTask_ != 0; }
  /// Reads every tensor and computes its statistics, small ones first. Does nothing if that was done or is in progress.
  void computeFacts();
  void cancelFacts();

  /// The last comparison; null if none was made.
  const std::shared_ptr<const FileComparison>& comparison() const { return comparison_; }
  bool isComparing() const { return compareTask_ != 0; }
  using Done = std::function<void(const QString& error)>;
  /// Compares with the tensors of another file, then calls `done`.
  void compareWith(const QString& path, Done done = {});
  void endComparison();

  qint64 totalElements() const { return totalElements_; }
  qint64 totalBytes() const { return totalBytes_; }

 signals:
  void selectionChanged();
  void scopeChanged();
  void valuesChanged();
  /// Statistics of these tensors arrived; empty: the job began or ended.
  void factsArrived(const QVector<int>& indices);
  void comparisonChanged();

 private:
  struct FactsJob;
  void drainFacts();
  void readValues();

  FileContentsPtr contents_;
  Tasks& tasks_;
  TextBuffer* text_ = nullptr;
  int selection_ = -1;
  QString scope_;
  TensorSourcePtr values_, otherValues_, difference_;
  QString valuesError_;
  int valuesTask_ = 0;
  QVector<TensorFacts> facts_;
  int factsKnown_ = 0, factsTask_ = 0;
  std::shared_ptr<FactsJob> factsJob_;
  QTimer* factsTimer_;
  std::shared_ptr<const FileComparison> comparison_;
  int compareTask_ = 0;
  qint64 totalElements_ = 0, totalBytes_ = 0;
};

}  // namespace weft::app
