#pragma once

#include <QStyledItemDelegate>

namespace weft::widgets {

/// Cells of a QTableView whose words begin and end where those of their headers do; a view's own margin is narrower.
class PaddedDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace weft::widgets
