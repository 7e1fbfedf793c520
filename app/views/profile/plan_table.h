#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QVector>

#include "adapters/profile_plan.h"

namespace weft::app {

/// Nodes with their lower bounds. Sorts its lines itself, thousands of them within a handler's time.
class PlanTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Type, Time, Floor, Ratio, Gain, Limit, Flops, Bytes, Why, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  /// Why a node takes longer than its floor, and what would help.
  static QString whyText(PlanFloor::Gap gap);
  static QString helpText(PlanFloor::Gap gap);
  void setFloors(QVector<PlanFloor> floors);
  const QVector<PlanFloor>& floors() const { return floors_; }
  /// The first column of a node's line; invalid if there is none.
  QModelIndex indexOf(const QString& node) const;

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(floors_.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(kColumns); }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

 private:
  void arrange();

  QVector<PlanFloor> floors_;
  QHash<QString, int> rowOf_;
  int column_ = Gain;
  Qt::SortOrder order_ = Qt::DescendingOrder;
};

/// Kernel calls that do the work of several nodes, in order of execution.
class PlanGroups : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Node, Type, Count, Merged, Bytes, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void setPlan(ProfilePlanPtr plan);

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() || !plan_ ? 0 : int(plan_->groups.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(kColumns); }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  ProfilePlanPtr plan_;
};

}  // namespace weft::app
