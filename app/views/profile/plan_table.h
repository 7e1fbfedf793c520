#pragma once

#include <QHash>
#include <QVector>

#include "adapters/profile_plan.h"
#include "views/profile/text_table.h"

namespace weft::app {

/// Nodes with their lower bounds. Sorts its lines itself, thousands of them within a handler's time.
class PlanTable : public TextTable {
  Q_OBJECT

 public:
  enum Column { Name, Type, Time, Floor, Ratio, Gain, Limit, Flops, Bytes, Why, kColumns };

  using TextTable::TextTable;
  /// Why a node takes longer than its floor, and what would help.
  static QString whyText(PlanFloor::Gap gap);
  static QString helpText(PlanFloor::Gap gap);
  void setFloors(QVector<PlanFloor> floors);
  const QVector<PlanFloor>& floors() const { return floors_; }
  /// The first column of a node's line; invalid if there is none.
  QModelIndex indexOf(const QString& node) const;

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : int(floors_.size()); }
  void sort(int column, Qt::SortOrder order) override;

 protected:
  int columns() const override { return kColumns; }
  bool isNumber(int column) const override { return column > Type && column != Limit && column != Why; }
  Heading heading(int column) const override;
  QString text(int row, int column) const override;
  QVariant look(int row, int column, int role) const override;

 private:
  void arrange();

  QVector<PlanFloor> floors_;
  QHash<QString, int> rowOf_;
  int column_ = Gain;
  Qt::SortOrder order_ = Qt::DescendingOrder;
};

/// Kernel calls that do the work of several nodes, in order of execution.
class PlanGroups : public TextTable {
  Q_OBJECT

 public:
  enum Column { Node, Type, Count, Merged, Bytes, kColumns };

  using TextTable::TextTable;
  void setPlan(ProfilePlanPtr plan);

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() || !plan_ ? 0 : int(plan_->groups.size()); }

 protected:
  int columns() const override { return kColumns; }
  bool isNumber(int column) const override { return column == Count || column == Bytes; }
  Heading heading(int column) const override;
  QString text(int row, int column) const override;
  QVariant look(int row, int column, int role) const override;

 private:
  static QString names(const PlanGroup& group, qsizetype most, const QString& between);

  ProfilePlanPtr plan_;
};

}  // namespace weft::app
