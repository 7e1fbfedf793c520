#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <memory>
#include <vector>

#include "plot/series_store.h"

namespace weft::widgets {

/// Smallest, largest and last value of each series, with their steps. reset() rebuilds the rows; numbers are computed on display. GUI thread.
class ScalarTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  struct Row {
    QString tag, run;
    std::shared_ptr<const SeriesStore> series;
  };
  enum Column { kTag, kRun, kLast, kLastStep, kMin, kMinStep, kMax, kMaxStep, kMean, kCount, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void reset(std::vector<Row> rows);
  /// Call when series have grown.
  void changed();

  int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(rows_.size()); }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kColumns; }
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  /// The numeric value of a cell, for sorting.
  double number(int row, int column) const;

 private:
  struct Extremes {
    std::uint64_t version = ~std::uint64_t(0);
    std::size_t min = 0, max = 0;
    Block all;
  };
  const Extremes& extremes(std::size_t row) const;

  std::vector<Row> rows_;
  mutable std::vector<Extremes> extremes_;
};

}  // namespace weft::widgets
