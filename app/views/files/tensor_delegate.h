#pragma once

#include <QStyledItemDelegate>

namespace weft::app {

/// Draws names (last part first, the scope quiet behind it), small histograms and bars of change in a table of tensors.
class TensorDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace weft::app
