#include "palette/palette_delegate.h"

#include <QPainter>

#include "common/format.h"
#include "common/theme.h"
#include "palette/palette_model.h"

namespace weft::widgets {

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const { return {120, kRowHeight}; }

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const Theme& theme = Theme::current();
  const bool selected = (option.state & QStyle::State_Selected) != 0, hovered = (option.state & QStyle::State_MouseOver) != 0;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  if (selected || hovered) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme.color(selected ? Role::Selection : Role::Surface3));
    painter->drawRoundedRect(QRectF(option.rect).adjusted(2, 1, -2, -1), theme.metrics().radiusControl, theme.metrics().radiusControl);
  }
  const QColor strong = theme.color(selected ? Role::SelectionText : Role::Text1), quiet = theme.color(selected ? Role::SelectionText : Role::Text3);
  QRect rest = option.rect.adjusted(8, 0, -10, 0);
  const QVariant type = index.data(PaletteModel::TypeRole);
  QFont font = theme.uiFont();
  if (!type.isValid()) {  // a heading
    font.setWeight(QFont::DemiBold);
    painter->setFont(theme.smallFont());
    painter->setPen(quiet);
    painter->drawText(rest, Qt::AlignVCenter | Qt::AlignRight, QString::number(index.data(PaletteModel::CountRole).toInt()));
    painter->setFont(font);
    painter->setPen(strong);
    const QRect heading = rest.adjusted(-2, 0, -28, 0);
    painter->drawText(heading, Qt::AlignVCenter | Qt::AlignLeft, painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, heading.width()));
    painter->restore();
    return;
  }
  const auto hue = static_cast<OpCategory>(index.data(PaletteModel::HueRole).toInt());
  painter->fillRect(QRectF(rest.left(), rest.center().y() - 6.5, 3, 14), theme.opCategory(opCategoryName(hue)));
  rest.setLeft(rest.left() + 11);
  const QVariant shape = index.data(PaletteModel::ShapeRole);
  if (shape.isValid()) {
    const QFont mono = theme.monoSmallFont();
    painter->setFont(mono);
    painter->setPen(strong);
    const int width = QFontMetrics(mono).horizontalAdvance(shape.toString());
    painter->drawText(rest, Qt::AlignVCenter | Qt::AlignRight, shape.toString());
    rest.setRight(rest.right() - width - 10);
  } else if (index.data(PaletteModel::FavouriteRole).toBool()) {
    painter->setFont(theme.smallFont());
    painter->setPen(quiet);
    painter->drawText(rest, Qt::AlignVCenter | Qt::AlignRight, QStringLiteral("★"));
    rest.setRight(rest.right() - 16);
  }
  painter->setFont(font);
  painter->setPen(strong);
  const QFontMetrics metrics(font);
  const QString name = elideName(index.data().toString(), metrics, rest.width());
  painter->drawText(rest, Qt::AlignVCenter | Qt::AlignLeft, name);
  const QString kind = index.data(PaletteModel::KindRole).toString();
  const int used = metrics.horizontalAdvance(name) + 8;
  if (!kind.isEmpty() && rest.width() - used > 40) {
    painter->setFont(theme.smallFont());
    painter->setPen(quiet);
    const QString port = index.data(PaletteModel::PortRole).toString();
    const QString text = port.isEmpty() ? kind : kind + QStringLiteral(" · ") + port;
    painter->drawText(rest.adjusted(used, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                      QFontMetrics(theme.smallFont()).elidedText(text, Qt::ElideRight, rest.width() - used));
  }
  painter->restore();
}

}  // namespace weft::widgets
