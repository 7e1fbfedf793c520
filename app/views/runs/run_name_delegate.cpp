#include "views/runs/run_name_delegate.h"

#include <QApplication>
#include <QPainter>

#include "common/theme.h"

namespace weft::app {

void RunNameDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const QString beneath = index.data(kBeneathRole).toString();
  if (beneath.isEmpty()) return QStyledItemDelegate::paint(painter, option, index);
  QStyleOptionViewItem o = option;
  initStyleOption(&o, index);
  const QStyle* style = o.widget ? o.widget->style() : QApplication::style();
  const QRect words = style->subElementRect(QStyle::SE_ItemViewItemText, &o, o.widget).adjusted(2, 4, -2, -4);
  const QString name = o.text;
  o.text.clear();
  style->drawControl(QStyle::CE_ItemViewItem, &o, painter, o.widget);
  const widgets::Theme& theme = widgets::Theme::current();
  const bool chosen = (o.state & QStyle::State_Selected) != 0;
  const auto write = [&](const QString& text, const QFont& font, Qt::Alignment where, widgets::Role role) {
    painter->setFont(font);
    painter->setPen(chosen ? theme.color(widgets::Role::SelectionText) : theme.color(role));
    painter->drawText(words, int(where | Qt::AlignLeft), QFontMetrics(font).elidedText(text, Qt::ElideRight, words.width()));
  };
  painter->save();
  write(name, o.font, Qt::AlignTop, widgets::Role::Text1);
  write(beneath, theme.smallFont(), Qt::AlignBottom, widgets::Role::Text3);
  painter->restore();
}

QSize RunNameDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  const QString beneath = index.data(kBeneathRole).toString();
  // Of the words, not of the font: Chinese ones come from another, which is higher.
  if (!beneath.isEmpty())
    size.setHeight(QFontMetrics(option.font).size(0, index.data().toString()).height() + QFontMetrics(widgets::Theme::current().smallFont()).size(0, beneath).height() + 8);
  return size;
}

}  // namespace weft::app
