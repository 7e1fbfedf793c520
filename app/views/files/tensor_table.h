#pragma once

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "adapters/file_tensors.h"

namespace weft::app {

class FileTab;

/// A file's tensors as rows: name, type and shape, statistics, and after a comparison the distance to the other file's. Names that only the other file has
/// follow after the file's own.
class TensorTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kName, kShape, kType, kElements, kDistribution, kMin, kMax, kMean, kStd, kZeros, kNonFinite, kBytes, kChange, kMaxChange, kCosine, kColumns };
  enum Role { kSortRole = Qt::UserRole, kFactsRole, kShareRole, kScopeRole };

  explicit TensorTable(FileTab* file, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  /// Rows of the file itself can be dragged onto a variable of the graph (MatchTree).
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QMimeData* mimeData(const QModelIndexList& indexes) const override;
  /// The entry of a row in the file itself or the other one.
  const TensorEntry& entry(int row) const;
  /// Index in the file; -1 if only the other file has it.
  int tensorOf(int row) const;
  /// Null without a comparison.
  const TensorChange* change(int row) const;

 private:
  QString text(int row, int column) const;
  QVariant sortKey(int row, int column) const;
  QString changeText(const TensorChange& change) const;
  QString toolTip(int row, int column) const;

  FileTab* file_;
  TensorChange onlyThere_;  // result of change() for the other file's names
};

/// Filters by scope, by words in the name, by `dtype:` `shape:` `size>` terms, by role, and by whether values differ.
class TensorFilter : public QSortFilterProxyModel {
  Q_OBJECT

 public:
  using QSortFilterProxyModel::QSortFilterProxyModel;
  void setText(const QString& text);
  void setScope(const QString& scope);
  void setRole(int role);  ///< TensorRole, -1: all
  void setOnlyDifferent(bool on);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  QStringList words_;
  QString scope_;
  int role_ = -1;
  bool onlyDifferent_ = false;
};

}  // namespace weft::app
