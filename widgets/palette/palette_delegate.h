#pragma once

#include <QStyledItemDelegate>

namespace weft::widgets {

/// Draws rows of a PaletteModel: the category's hue, the name, and at the right the resulting shape or the size of a group.
class PaletteDelegate : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  static constexpr int kRowHeight = 24;

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace weft::widgets
