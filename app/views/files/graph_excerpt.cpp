#include "views/files/graph_excerpt.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "common/format.h"
#include "common/theme.h"

namespace weft::app {
namespace {
constexpr double kHigh = 40, kGap = 18, kEdge = 8, kBar = 3, kPadding = 8, kLeast = 48, kWidest = 132, kArrow = 4;
}

using widgets::Role;
using widgets::Theme;

GraphExcerpt::GraphExcerpt(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("graph_excerpt"));
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
}

QSize GraphExcerpt::sizeHint() const { return {360, int(kHigh + 2 * kEdge)}; }

void GraphExcerpt::setExcerpt(const VariableExcerpt& excerpt) {
  excerpt_ = excerpt;
  marked_ = 0;
  update();
}

/// As wide as its text; if not all fit, all shrink by the same factor.
QRectF GraphExcerpt::rectOf(int node) const {
  QFont strong = Theme::current().smallFont();
  strong.setWeight(QFont::DemiBold);
  const QFontMetricsF title(strong), detail(Theme::current().monoSmallFont());
  QVector<double> widths;
  double all = 0;
  for (const ExcerptNode& n : excerpt_.chain) {
    const double words = std::max(title.horizontalAdvance(n.title), std::min(kWidest / 2, detail.horizontalAdvance(n.detail)));
    widths << std::min(kWidest, words + 2 * kPadding + (n.isVariable ? 6 : kBar) + 2);
    all += widths.last();
  }
  const double room = double(width()) - 2 * kEdge - double(widths.size() - 1) * kGap;
  double x = kEdge;
  for (int i = 0; i < widths.size(); ++i) {
    const double wide = all > room ? std::max(std::min(kLeast, room / double(widths.size())), widths[i] * room / all) : widths[i];
    if (i == node) return {x, kEdge, wide, kHigh};
    x += wide + kGap;
  }
  return {};
}

int GraphExcerpt::at(const QPoint& point) const {
  for (int i = 0; i < excerpt_.chain.size(); ++i)
    if (rectOf(i).contains(point)) return i;
  return -1;
}

void GraphExcerpt::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  painter.fillRect(rect(), theme.color(Role::Surface0));
  painter.setRenderHint(QPainter::Antialiasing);
  QFont strong = theme.smallFont();
  strong.setWeight(QFont::DemiBold);
  for (int i = 0; i < excerpt_.chain.size(); ++i) {
    const ExcerptNode& node = excerpt_.chain[i];
    const QRectF r = rectOf(i).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor hue = theme.opCategory(node.category);
    if (i > 0) {
      const QPointF to(r.left(), r.center().y());
      painter.setPen(QPen(theme.color(Role::Accent), 1.5));
      painter.drawLine(QPointF(rectOf(i - 1).right(), to.y()), to - QPointF(kArrow, 0));
      painter.setPen(Qt::NoPen);
      painter.setBrush(theme.color(Role::Accent));
      painter.drawPolygon(QPolygonF({to, to + QPointF(-kArrow, -kArrow + 0.5), to + QPointF(-kArrow, kArrow - 0.5)}));
    }
    const double radius = node.isVariable ? kHigh / 2 : theme.metrics().radius;
    painter.setPen(QPen(node.isVariable ? hue : theme.color(Role::BorderStrong), node.isVariable ? 1.5 : 1));
    painter.setBrush(theme.color(Role::Surface2));
    painter.drawRoundedRect(r, radius, radius);
    if (!node.isVariable) painter.fillRect(QRectF(r.left() + 1, r.top() + 5, kBar, r.height() - 10), hue);
    const double inset = node.isVariable ? kPadding + 3 : kPadding + kBar;
    const QRectF inner = r.adjusted(inset, 5, -kPadding + 2, -5);
    painter.setFont(strong);
    painter.setPen(theme.color(Role::Text1));
    painter.drawText(inner, Qt::AlignLeft | (node.detail.isEmpty() ? Qt::AlignVCenter : Qt::AlignTop) | Qt::TextSingleLine,
                     widgets::elideName(node.title, QFontMetricsF(strong), inner.width()));
    painter.setFont(theme.monoSmallFont());
    painter.setPen(theme.color(Role::Text2));
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom | Qt::TextSingleLine,
                     QFontMetricsF(theme.monoSmallFont()).elidedText(node.detail, Qt::ElideRight, inner.width()));
    if (!hasFocus() || i != marked_) continue;
    painter.setPen(QPen(theme.color(Role::Focus), theme.metrics().focusRing));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(r.adjusted(-2, -2, 2, 2), radius, radius);
  }
}

void GraphExcerpt::mouseReleaseEvent(QMouseEvent* event) {
  const int node = event->button() == Qt::LeftButton ? at(event->pos()) : -1;
  if (node >= 0) emit chosen(excerpt_.chain[node].name);
}

void GraphExcerpt::keyPressEvent(QKeyEvent* event) {
  const int last = int(excerpt_.chain.size()) - 1;
  if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
    marked_ = std::clamp(marked_ + (event->key() == Qt::Key_Right ? 1 : -1), 0, std::max(0, last));
    return update();
  }
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (enter && marked_ <= last) return emit chosen(excerpt_.chain[marked_].name);
  QWidget::keyPressEvent(event);
}

bool GraphExcerpt::event(QEvent* event) {
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut || event->type() == QEvent::PaletteChange) update();
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int node = at(help->pos());
    if (node >= 0) QToolTip::showText(help->globalPos(), excerpt_.chain[node].name + u'\n' + tr("Click to show it on the canvas."), this);
    else QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

}  // namespace weft::app
