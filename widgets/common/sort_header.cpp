#include "common/sort_header.h"

#include <QPainter>
#include <algorithm>

#include "common/icons.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {
constexpr int kArrow = 10, kArrowGap = 4;
constexpr int kLeft = 8, kRight = 4;  // margins of the text in its section, as set by the style sheet and the style
}  // namespace

SortHeader::SortHeader(QWidget* parent) : QHeaderView(Qt::Horizontal, parent) { setSectionsClickable(true); }

void SortHeader::initStyleOptionForIndex(QStyleOptionHeader* option, int logicalIndex) const {
  QHeaderView::initStyleOptionForIndex(option, logicalIndex);
  option->sortIndicator = QStyleOptionHeader::None;  // the style would draw it above the text
}

void SortHeader::paintSection(QPainter* painter, const QRect& rect, int logicalIndex) const {
  painter->save();  // the style leaves a clip set
  QHeaderView::paintSection(painter, rect, logicalIndex);
  painter->restore();
  if (!isSortIndicatorShown() || sortIndicatorSection() != logicalIndex || model() == nullptr) return;
  const Theme& theme = Theme::current();
  const int text = QFontMetrics(theme.smallFont()).horizontalAdvance(model()->headerData(logicalIndex, Qt::Horizontal).toString());
  const bool right = model()->headerData(logicalIndex, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
  const int x = right ? std::max(rect.left(), rect.right() - kRight - text - kArrowGap - kArrow)
                      : std::min(rect.right() - kArrow, rect.left() + kLeft + text + kArrowGap);
  const QString name = sortIndicatorOrder() == Qt::DescendingOrder ? QStringLiteral("chevron-down") : QStringLiteral("chevron-up");
  painter->drawPixmap(x, rect.center().y() - kArrow / 2 + 1, iconPixmap(name, kArrow, theme.color(Role::Text2), devicePixelRatioF()));
}

}  // namespace weft::widgets
