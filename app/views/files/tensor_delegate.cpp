#include "views/files/tensor_delegate.h"

#include <QApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "views/files/tensor_table.h"

namespace weft::app {
namespace {

using widgets::Role;
using widgets::Theme;

constexpr int kPad = 8, kBarWidth = 56;

void paintName(QPainter& p, const QRectF& box, const QString& name, bool selected) {
  const Theme& theme = Theme::current();
  QFont strong = theme.monoFont();
  strong.setBold(true);
  const QString last = widgets::lastPart(name), scope = name.chopped(last.size() + (last.size() < name.size() ? 1 : 0));
  const QFontMetricsF wide(strong), small(theme.monoSmallFont());
  const QString shown = widgets::elideName(last, wide, box.width());
  p.setFont(strong);
  p.setPen(theme.color(selected ? Role::SelectionText : Role::Text1));
  p.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, shown);
  const double used = wide.horizontalAdvance(shown) + 8;
  if (scope.isEmpty() || box.width() - used < 24) return;
  p.setFont(theme.monoSmallFont());
  p.setPen(theme.color(selected ? Role::SelectionText : Role::Text3));
  p.drawText(box.adjusted(used, 1, 0, 1), Qt::AlignLeft | Qt::AlignVCenter, widgets::elideName(scope, small, box.width() - used));
}

void paintBars(QPainter& p, const QRectF& box, const QVariantList& bars, bool selected) {
  if (bars.isEmpty()) return;
  double highest = 1;
  for (const QVariant& n : bars) highest = std::max(highest, n.toDouble());
  const Theme& theme = Theme::current();
  p.setRenderHint(QPainter::Antialiasing, false);
  const QColor hue = selected ? theme.color(Role::SelectionText) : theme.categorical(0);
  p.setPen(Qt::NoPen);
  p.setBrush(hue);
  // One value: a thin mark in the middle.
  const double step = bars.size() == 1 ? 2 : box.width() / double(bars.size());
  const double left = bars.size() == 1 ? box.center().x() - 1 : box.left();
  p.drawRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1));
  for (qsizetype i = 0; i < bars.size(); ++i) {
    const double n = bars[i].toDouble();
    if (n <= 0) continue;
    const double height = std::max(1.0, n / highest * (box.height() - 1));
    p.drawRect(QRectF(left + step * double(i), box.bottom() - height, std::max(1.0, step - (step > 3 ? 1 : 0)), height));
  }
}

void paintChange(QPainter& p, const QRectF& box, const QModelIndex& index, bool selected) {
  const Theme& theme = Theme::current();
  const QVariant share = index.data(TensorTable::kShareRole);
  QRectF text = box;
  if (share.isValid()) {
    // Logarithmic: 1e-4 is an empty bar, 1 a full one.
    const double filled = std::clamp((std::log10(std::max(share.toDouble(), 1e-12)) + 4) / 4, 0.02, 1.0);
    const QRectF bar(box.left(), box.center().y() - 3, kBarWidth, 6);
    p.fillRect(bar, selected ? theme.color(Role::Accent) : theme.color(Role::Surface3));
    p.fillRect(QRectF(bar.left(), bar.top(), bar.width() * filled, bar.height()),
               selected ? theme.color(Role::SelectionText) : theme.categorical(share.toDouble() >= 0.2 ? 1 : 0));
    text.setLeft(bar.right() + 8);
  }
  p.setFont(theme.monoFont());
  p.setPen(theme.color(selected ? Role::SelectionText : share.isValid() ? Role::Text1 : Role::Text3));
  p.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, p.fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, int(text.width())));
}

}  // namespace

void TensorDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
  const int column = index.column();
  if (column != TensorTable::kName && column != TensorTable::kDistribution && column != TensorTable::kChange) {
    PaddedDelegate::paint(painter, given, index);
    return;
  }
  QStyleOptionViewItem option = given;
  initStyleOption(&option, index);
  option.text.clear();
  QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
  painter->save();
  painter->setClipRect(option.rect);
  const bool selected = option.state & QStyle::State_Selected;
  const QRectF box = QRectF(option.rect).adjusted(kPad, 0, -kPad, 0);
  if (column == TensorTable::kName) paintName(*painter, box, index.data().toString(), selected);
  else if (column == TensorTable::kDistribution) paintBars(*painter, box.adjusted(0, 4, 0, -4), index.data(TensorTable::kFactsRole).toList(), selected);
  else paintChange(*painter, box, index, selected);
  painter->restore();
}

QSize TensorDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = PaddedDelegate::sizeHint(option, index);
  size.setHeight(Theme::current().metrics().rowHeight);
  return size;
}

}  // namespace weft::app
