#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <memory>

#include "tensor_view/tensor_slice.h"
#include "tensor_view/tensor_source.h"

namespace weft::widgets {

/// The cells of a slice. At most a million rows and as many columns are shown.
class TensorTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  void setContent(std::shared_ptr<const TensorSource> source, const TensorSlice& slice, std::function<bool(double)> highlight);
  /// Makes cells editable; typed values are only signalled, not stored.
  void setEditable(bool on);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 signals:
  /// A new text was typed into a cell. `positions`: one per axis.
  void edited(const QVector<qint64>& positions, const QString& text);

 private:
  std::shared_ptr<const TensorSource> source_;
  TensorSlice slice_;
  std::function<bool(double)> highlight_;
  bool editable_ = false;
};

}  // namespace weft::widgets
