#include "timeline/pass_strip.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <limits>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr double kMargin = 12, kEdge = 7, kBoxHeight = 36, kGap = 16, kMostGap = 40, kRowGap = 10, kPadding = 8, kLeastBox = 56, kBar = 3, kArrow = 4;
constexpr double kLegendWidth = 128, kLegendHeight = 8, kMoreWidth = 74;

QString timeText(double ns) { return formatSeconds(ns / 1e9, 3); }

QFont titleFont() {
  QFont font = Theme::current().smallFont();
  font.setWeight(QFont::DemiBold);
  return font;
}

/// Paints an arrow head at `at`, pointing right or left.
void paintTip(QPainter& painter, const QPointF& at, bool left, const QColor& color) {
  const double back = left ? kArrow : -kArrow;
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF({at, at + QPointF(back, -kArrow + 0.5), at + QPointF(back, kArrow - 0.5)}));
}

}  // namespace

PassStrip::PassStrip(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("pass_strip"));
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  setFixedHeight(heightOf(true));
}

int PassStrip::heightOf(bool backward) { return int(2 * kEdge + kBoxHeight + (backward ? kRowGap + kBoxHeight : 0)); }

void PassStrip::setColumns(const QVector<PassBoxes>& columns, const QString& caption) {
  columns_ = columns;
  caption_ = caption;
  mostNs_ = 0;
  bool backward = false;
  for (const PassBoxes& c : columns_) {
    for (const PassBox* box : {&c.forward, &c.backward})
      if (box->id >= 0) mostNs_ = std::max(mostNs_, box->ns);
    backward = backward || c.backward.id >= 0;
  }
  setFixedHeight(heightOf(backward));
  place();
  update();
}

void PassStrip::setSelected(int id) {
  if (id == selected_) return;
  selected_ = id;
  update();
}

double PassStrip::widthOf(const PassBoxes& column) const {
  const QFontMetricsF strong(titleFont()), mono(Theme::current().monoSmallFont());
  double width = kLeastBox;
  for (const PassBox* box : {&column.forward, &column.backward})
    if (box->id >= 0)
      width = std::max({width, strong.horizontalAdvance(box->title) + 2 * kPadding + 1, mono.horizontalAdvance(timeText(box->ns)) + 2 * kPadding + 1});
  return std::min(width, double(Theme::current().metrics().nodeMaxWidth));
}

void PassStrip::place() {
  placed_.clear();
  hidden_ = 0;
  hiddenNs_ = 0;
  QVector<int> shown;
  double all = 0;
  QVector<double> widths;
  for (int i = 0; i < columns_.size(); ++i) {
    shown << i;
    widths << widthOf(columns_[i]);
    all += widths.last() + kGap;
  }
  const double room = width() - 2 * kMargin;
  // The cheapest columns are dropped first.
  while (shown.size() > 1 && all - kGap + (hidden_ > 0 ? kMoreWidth : 0) > room) {
    const auto cost = [this](int i) { return columns_[i].forward.ns + columns_[i].backward.ns; };
    const auto least = std::min_element(shown.begin(), shown.end(), [&](int a, int b) { return cost(a) < cost(b); });
    all -= widths[*least] + kGap;
    hiddenNs_ += cost(*least);
    ++hidden_;
    shown.erase(least);
  }
  double free = room - (all - kGap) - (hidden_ > 0 ? kMoreWidth : 0);
  const bool legend = free >= kLegendWidth + kGap;
  if (legend) free -= kLegendWidth + kGap;
  const double gap = shown.size() < 2 ? kGap : std::min(kMostGap, kGap + std::max(0.0, free) / double(shown.size() - 1));
  double x = kMargin;
  for (const int i : std::as_const(shown)) {
    const QRectF top(x, kEdge, widths[i], kBoxHeight);
    if (columns_[i].forward.id >= 0) placed_ << Placed{columns_[i].forward, top, i, false};
    if (columns_[i].backward.id >= 0) placed_ << Placed{columns_[i].backward, top.translated(0, kBoxHeight + kRowGap), i, true};
    x += widths[i] + gap;
  }
  legend_ = legend ? QRectF(width() - kMargin - kLegendWidth, kEdge, kLegendWidth, kBoxHeight) : QRectF();
}

QStringList PassStrip::texts() const {
  QStringList out;
  for (const bool backward : {false, true})
    for (const Placed& p : placed_)
      if (p.backward == backward) out << p.box.title + u' ' + timeText(p.box.ns);
  return out;
}

const PassStrip::Placed* PassStrip::find(int id) const {
  for (const Placed& p : placed_)
    if (p.box.id == id && id >= 0) return &p;
  return nullptr;
}

const PassStrip::Placed* PassStrip::at(const QPoint& point) const {
  for (const Placed& p : placed_)
    if (p.rect.contains(point)) return &p;
  return nullptr;
}

QPoint PassStrip::centreOf(int id) const {
  const Placed* p = find(id);
  return p ? p->rect.center().toPoint() : QPoint();
}

void PassStrip::paintBox(QPainter& painter, const Placed& placed) const {
  const Theme& theme = Theme::current();
  const bool chosen = placed.box.id == selected_;
  const QRectF r = placed.rect.adjusted(0.5, 0.5, -0.5, -0.5);
  QPainterPath outline;
  outline.addRoundedRect(r, theme.metrics().radiusControl, theme.metrics().radiusControl);
  painter.fillPath(outline, theme.color(chosen ? Role::AccentSoft : Role::Surface2));
  painter.save();
  painter.setClipPath(outline);
  const double share = mostNs_ > 0 ? placed.box.ns / mostNs_ : 0;
  painter.fillRect(QRectF(r.left(), r.bottom() - kBar, r.width(), kBar + 1), theme.sequential(share));
  painter.restore();
  painter.setPen(QPen(theme.color(chosen ? Role::Accent : Role::BorderStrong), chosen ? 1.5 : 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawPath(outline);
  const QRectF inner = r.adjusted(kPadding, 3, -kPadding, -kBar - 2);
  painter.setFont(titleFont());
  painter.setPen(theme.color(Role::Text1));
  painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine, elideName(placed.box.title, QFontMetricsF(titleFont()), inner.width() + 1));
  painter.setFont(theme.monoSmallFont());
  painter.setPen(theme.color(Role::Text2));
  painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom | Qt::TextSingleLine, timeText(placed.box.ns));
}

void PassStrip::paintWires(QPainter& painter) const {
  const Theme& theme = Theme::current();
  const QColor forth = theme.color(Role::Accent), back = theme.opCategory(QStringLiteral("gradientUpdate"));
  QVector<const Placed*> rows[2];
  for (const Placed& p : placed_) rows[p.backward] << &p;
  const auto line = [&](const QPointF& from, const QPointF& to, bool left, const QColor& color) {
    painter.setPen(QPen(color, 1.5));
    painter.drawLine(from, to - QPointF(left ? -kArrow : kArrow, 0));
    paintTip(painter, to, left, color);
  };
  // A column without a gradient that ends after the last one with a gradient is not part of the pass: evaluation, learning rate.
  const int turn = rows[1].isEmpty() ? std::numeric_limits<int>::max() : rows[1].last()->column;
  rows[0].removeIf([turn](const Placed* p) { return p->column > turn; });
  const auto side = [](const Placed* p, bool left) { return QPointF(left ? p->rect.left() : p->rect.right(), p->rect.center().y()); };
  for (qsizetype i = 1; i < rows[0].size(); ++i) line(side(rows[0][i - 1], false), side(rows[0][i], true), false, forth);
  for (qsizetype i = 1; i < rows[1].size(); ++i) line(side(rows[1][i], true), side(rows[1][i - 1], false), true, back);
  if (rows[0].isEmpty() || rows[1].isEmpty()) return;
  // The backward pass starts where the forward pass ends.
  const Placed *last = rows[0].last(), *first = rows[1].last();
  painter.setPen(QPen(back, 1.5));
  if (last->column == first->column)
    return painter.drawLine(QPointF(last->rect.center().x(), last->rect.bottom()), QPointF(first->rect.center().x(), first->rect.top()));
  const QPointF corner(first->rect.center().x(), last->rect.center().y());
  painter.drawLine(side(last, false), corner);
  painter.drawLine(corner, QPointF(corner.x(), first->rect.top()));
}

void PassStrip::paintLegend(QPainter& painter) const {
  const Theme& theme = Theme::current();
  painter.setFont(theme.smallFont());
  painter.setPen(theme.color(Role::Text2));
  if (hidden_ > 0 && !placed_.isEmpty()) {
    double right = 0;
    for (const Placed& p : placed_) right = std::max(right, p.rect.right());
    const QRectF more(right + kGap / 2, kEdge, kMoreWidth, kBoxHeight);
    painter.drawText(more, Qt::AlignLeft | Qt::AlignVCenter, tr("%1 more").arg(hidden_) + u'\n' + timeText(hiddenNs_));
  }
  if (legend_.isEmpty()) return;
  const QFontMetricsF metrics(theme.smallFont());
  painter.drawText(QRectF(legend_.left(), legend_.top(), legend_.width(), 14), Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(caption_, Qt::ElideRight, legend_.width()));
  const QRectF ramp(legend_.left(), legend_.top() + 17, legend_.width(), kLegendHeight);
  for (int i = 0; i < int(ramp.width()); ++i) painter.fillRect(QRectF(ramp.left() + i, ramp.top(), 1, ramp.height()), theme.sequential(i / ramp.width()));
  painter.setFont(theme.monoSmallFont());
  const QRectF ends(ramp.left(), ramp.bottom() + 1, ramp.width(), 14);
  painter.drawText(ends, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
  painter.drawText(ends, Qt::AlignRight | Qt::AlignVCenter, timeText(mostNs_));
}

void PassStrip::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter painter(this);
  painter.fillRect(rect(), theme.color(Role::Surface0));
  painter.fillRect(QRect(0, height() - 1, width(), 1), theme.color(Role::Border));
  painter.setRenderHint(QPainter::Antialiasing);
  paintWires(painter);
  for (const Placed& p : placed_) paintBox(painter, p);
  paintLegend(painter);
  const Placed* here = hasFocus() ? find(selected_) : nullptr;
  if (!here) return;
  painter.setPen(QPen(theme.color(Role::Focus), theme.metrics().focusRing));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(here->rect.adjusted(-2, -2, 2, 2), theme.metrics().radiusControl + 2, theme.metrics().radiusControl + 2);
}

void PassStrip::resizeEvent(QResizeEvent*) { place(); }

void PassStrip::mouseReleaseEvent(QMouseEvent* event) {
  const Placed* p = at(event->pos());
  if (!p || event->button() != Qt::LeftButton) return;
  setSelected(p->box.id);
  emit chosen(selected_);
}

/// Moves to the next box in that direction; without a selection to the first one.
void PassStrip::move(int key) {
  if (placed_.isEmpty()) return;
  const Placed *here = find(selected_), *to = nullptr;
  if (!here) to = &placed_.first();
  for (const Placed& p : placed_) {
    if (!here || &p == here) continue;
    const bool beside = p.backward == here->backward, sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    if (sideways) {
      const bool onward = key == Qt::Key_Right ? p.column > here->column : p.column < here->column;
      if (beside && onward && (!to || std::abs(p.column - here->column) < std::abs(to->column - here->column))) to = &p;
    } else if (!beside && p.backward == (key == Qt::Key_Down) && (!to || std::abs(p.column - here->column) < std::abs(to->column - here->column))) {
      to = &p;
    }
  }
  if (!to) return;
  setSelected(to->box.id);
  emit chosen(selected_);
}

void PassStrip::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down) return move(key);
  if ((key == Qt::Key_Return || key == Qt::Key_Enter) && find(selected_)) return emit chosen(selected_);
  QWidget::keyPressEvent(event);
}

void PassStrip::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  update();
}

bool PassStrip::event(QEvent* event) {
  if (event->type() == QEvent::FocusOut) update();
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Placed* p = at(help->pos());
    if (p && !p->box.tip.isEmpty()) QToolTip::showText(help->globalPos(), p->box.tip, this, p->rect.toRect());
    else QToolTip::hideText();
    return true;
  }
  return QWidget::event(event);
}

void PassStrip::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange) {
    place();
    update();
  }
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
