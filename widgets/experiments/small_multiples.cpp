#include "experiments/small_multiples.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"

namespace weft::widgets {
namespace {

constexpr int kChartWide = 150, kChartHigh = 104, kApart = 8, kHead = 18, kFoot = 4;  // pixels
constexpr std::size_t kMostBehind = 40;                                               // curves of other runs in a chart

}  // namespace

SmallMultiples::SmallMultiples(QWidget* parent) : QWidget(parent) {
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

void SmallMultiples::setContents(std::vector<Curve> curves) {
  curves_ = std::move(curves);
  selected_.clear();
  bool any = false;
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  for (const Curve& c : curves_)
    for (const QPointF& p : c.points) {
      if (!std::isfinite(p.y())) continue;
      x0 = any ? std::min(x0, p.x()) : p.x();
      x1 = any ? std::max(x1, p.x()) : p.x();
      y0 = any ? std::min(y0, p.y()) : p.y();
      y1 = any ? std::max(y1, p.y()) : p.y();
      any = true;
    }
  range_ = QRectF(QPointF(x0, y0), QPointF(x1, y1));
  updateGeometry();
  setMinimumHeight(heightForWidth(std::max(width(), kChartWide)));
  update();
}

void SmallMultiples::setSelected(const std::vector<int>& items) {
  selected_.assign(items.empty() ? 0 : curves_.size(), 0);
  for (const int item : items)
    if (item >= 0 && item < static_cast<int>(selected_.size())) selected_[static_cast<std::size_t>(item)] = 1;
  update();
}

int SmallMultiples::columns(int width) const { return std::max(1, (width - kApart) / (kChartWide + kApart)); }

int SmallMultiples::heightForWidth(int width) const {
  const int rows = (static_cast<int>(curves_.size()) + columns(width) - 1) / columns(width);
  return kApart + rows * (kChartHigh + kApart);
}

QRectF SmallMultiples::chart(int item) const {
  const int n = columns(width());
  const double w = (width() - kApart * (n + 1.0)) / n;
  return {kApart + (item % n) * (w + kApart), static_cast<double>(kApart + (item / n) * (kChartHigh + kApart)), w, static_cast<double>(kChartHigh)};
}

void SmallMultiples::paintEvent(QPaintEvent* event) {
  const Theme& theme = Theme::current();
  QPainter p(this);
  p.fillRect(event->rect(), theme.color(Role::Surface1));
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const QRectF box = chart(static_cast<int>(i));
    if (!box.intersects(event->rect())) continue;
    const Curve& c = curves_[i];
    const bool chosen = !selected_.empty() && selected_[i], dim = !selected_.empty() && !chosen;
    p.setRenderHint(QPainter::Antialiasing, false);
    p.fillRect(box, theme.color(Role::Surface2));
    p.setPen(QPen(theme.color(chosen ? Role::Accent : Role::Border), chosen ? 2 : 1));
    p.drawRect(box);
    p.setFont(theme.smallFont());
    const QRectF head = box.adjusted(6, 2, -6, -(box.height() - kHead));
    p.setPen(theme.color(Role::Text2));
    const int right = p.fontMetrics().horizontalAdvance(c.detail) + 6;
    p.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, p.fontMetrics().elidedText(c.title, Qt::ElideMiddle, static_cast<int>(head.width()) - right));
    p.setPen(theme.color(Role::Text1));
    p.drawText(head, Qt::AlignRight | Qt::AlignVCenter, c.detail);
    const QRectF in = box.adjusted(6, kHead + 2, -6, -kFoot);
    const auto polyline = [&](const std::vector<QPointF>& points) {
      QPolygonF line;
      for (const QPointF& v : points) {
        if (!std::isfinite(v.y())) continue;
        const double x = range_.width() > 0 ? (v.x() - range_.left()) / range_.width() : 0.5,
                     y = range_.height() > 0 ? (v.y() - range_.top()) / range_.height() : 0.5;
        line << QPointF(in.left() + x * in.width(), in.bottom() - y * in.height());
      }
      return line;
    };
    p.setRenderHint(QPainter::Antialiasing);
    p.setPen(QPen(theme.color(Role::Border), 1));
    for (std::size_t k = 0; k < std::min(curves_.size(), kMostBehind); ++k)
      if (k != i) p.drawPolyline(polyline(curves_[k].points));
    const QPolygonF own = polyline(c.points);
    p.setPen(QPen(dim ? theme.color(Role::Text3) : c.color, 2));
    if (own.size() == 1) p.drawEllipse(own.first(), 2, 2);
    else p.drawPolyline(own);
  }
}

void SmallMultiples::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  int hit = -1;
  for (int i = 0; i < static_cast<int>(curves_.size()); ++i)
    if (chart(i).contains(event->position())) hit = i;
  std::vector<int> items;
  if (event->modifiers() & Qt::ControlModifier)
    for (int i = 0; i < static_cast<int>(selected_.size()); ++i)
      if (selected_[static_cast<std::size_t>(i)] && i != hit) items.push_back(i);
  const bool removed =
      (event->modifiers() & Qt::ControlModifier) && hit >= 0 && hit < static_cast<int>(selected_.size()) && selected_[static_cast<std::size_t>(hit)];
  if (hit >= 0 && !removed) items.push_back(hit);
  std::sort(items.begin(), items.end());
  emit selected(items);
}

void SmallMultiples::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange) update();
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
