#include "common/padded_delegate.h"

#include <QApplication>

namespace weft::widgets {
namespace {
constexpr int kPad = 5;  // in addition to the view's three pixels
}

void PaddedDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QStyleOptionViewItem o = option;
  initStyleOption(&o, index);
  const QStyle* style = o.widget ? o.widget->style() : QApplication::style();
  style->drawPrimitive(QStyle::PE_PanelItemViewItem, &o, painter, o.widget);
  o.rect.adjust(kPad, 0, -kPad, 0);
  style->drawControl(QStyle::CE_ItemViewItem, &o, painter, o.widget);
}

QSize PaddedDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * kPad, 0);
}

}  // namespace weft::widgets
