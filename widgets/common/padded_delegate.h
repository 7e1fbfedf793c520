#pragma once

#include <QStyledItemDelegate>

namespace weft::widgets {

/// Aligns the text of QTableView cells with their headers' text; the view's default margin is narrower.
class PaddedDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace weft::widgets
