#pragma once

#include <QAbstractTableModel>
#include <QSet>

#include "adapters/checkpoint_edits.h"

namespace weft::app {

/// Variables of a checkpoint to choose for a copy, with what an edit makes of them. The first column has the check boxes.
class CopyTable : public QAbstractTableModel {
 public:
  enum Column { kName, kNewName, kType, kShape, kColumns };
  CopyTable(const QVector<TensorEntry>& entries, QObject* parent);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  bool isChecked(int row) const { return rows_[row].checked; }
  /// Checks or unchecks rows, with one dataChanged().
  void check(const QVector<int>& rows, bool on);
  QSet<QString> unchecked() const;
  /// Shows the new names and types of a plan.
  void showPlan(const CopyPlan& plan);

 private:
  struct Row {
    QString name, type, shape;
    QString newName, newType;  // empty: not written
    bool checked = true;
  };
  QVector<Row> rows_;
};

}  // namespace weft::app
