#include "pr_curves/pr_plot.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "plot/plot_axis.h"

namespace weft::widgets {
namespace {

constexpr double kLeft = 40, kRight = 12, kTop = 8, kBottom = 34;  // pixels around the plot
constexpr double kNear = 24;                                       // pixels
constexpr double kBehind = 0.35;                                   // opacity of other runs

}  // namespace

PrPlot::PrPlot(QWidget* parent) : QWidget(parent) {
  setMouseTracking(true);
  setMinimumSize(120, 100);
}

void PrPlot::show(PrCurve curve, const QColor& color, std::vector<Line> behind) {
  curve_ = std::move(curve);
  color_ = color;
  behind_ = std::move(behind);
  hovered_ = -1;
  update();
}

QRectF PrPlot::area() const { return QRectF(rect()).adjusted(kLeft, kTop, -kRight, -kBottom); }

QPointF PrPlot::place(double recall, double precision) const {
  const QRectF a = area();
  return {a.left() + std::clamp(recall, 0.0, 1.0) * a.width(), a.bottom() - std::clamp(precision, 0.0, 1.0) * a.height()};
}

int PrPlot::entryAt(QPointF pixel) const {
  int best = -1;
  double distance = kNear;
  for (std::size_t i = 0; i < curve_.size(); ++i) {
    if (!std::isfinite(curve_.recall[i]) || !std::isfinite(curve_.precision[i])) continue;
    const QPointF at = place(curve_.recall[i], curve_.precision[i]);
    const double away = std::hypot(at.x() - pixel.x(), at.y() - pixel.y());
    if (away >= distance) continue;
    distance = away;
    best = static_cast<int>(i);
  }
  return best;
}

QString PrPlot::describe(int entry) const {
  if (entry < 0 || static_cast<std::size_t>(entry) >= curve_.size()) return {};
  const auto i = static_cast<std::size_t>(entry);
  const auto count = [](double v) { return formatCount(std::llround(v)); };
  return tr("threshold %1\nprecision %2, recall %3\ntrue positives %4, false positives %5\ntrue negatives %6, false negatives %7")
      .arg(formatValue(curve_.threshold(i), 3), formatValue(curve_.precision[i], 4), formatValue(curve_.recall[i], 4), count(curve_.truePositives[i]),
           count(curve_.falsePositives[i]), count(curve_.trueNegatives[i]), count(curve_.falseNegatives[i]));
}

/// Points that are not numbers end a line.
void PrPlot::drawCurve(QPainter& painter, const std::vector<double>& precision, const std::vector<double>& recall) const {
  QPolygonF line;
  for (std::size_t i = 0; i < precision.size(); ++i) {
    if (std::isfinite(precision[i]) && std::isfinite(recall[i])) {
      line << place(recall[i], precision[i]);
    } else {
      painter.drawPolyline(line);
      line.clear();
    }
  }
  painter.drawPolyline(line);
}

void PrPlot::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::current();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.fillRect(rect(), theme.color(Role::Surface2));
  const QRectF a = area();
  if (a.width() < 20 || a.height() < 20) return;
  p.setFont(theme.monoSmallFont());
  const double high = p.fontMetrics().height();
  for (const Tick& tick : linearTicks(0, 1, std::max(2, static_cast<int>(a.height() / 36)))) {
    const QPointF at = place(0, tick.at);
    p.setPen(QPen(theme.color(Role::Grid), 1));
    p.drawLine(at, QPointF(a.right(), at.y()));
    p.setPen(theme.color(Role::Text3));
    p.drawText(QRectF(0, at.y() - high / 2, kLeft - 6, high), Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  for (const Tick& tick : linearTicks(0, 1, std::max(2, static_cast<int>(a.width() / 60)))) {
    const QPointF at = place(tick.at, 0);
    p.setPen(QPen(theme.color(Role::Grid), 1));
    p.drawLine(QPointF(at.x(), a.top()), at);
    p.setPen(theme.color(Role::Text3));
    p.drawText(QRectF(at.x() - 30, a.bottom() + 2, 60, high), Qt::AlignCenter, tick.label);
  }
  p.setFont(theme.smallFont());
  p.setPen(theme.color(Role::Text2));
  p.drawText(QRectF(a.left(), height() - high - 3, a.width(), high + 2), Qt::AlignCenter, tr("recall"));
  p.save();
  p.translate(2, a.center().y());
  p.rotate(-90);
  p.drawText(QRectF(-a.height() / 2, -1, a.height(), high), Qt::AlignHCenter | Qt::AlignTop, tr("precision"));
  p.restore();
  for (const Line& line : behind_) {
    QColor faint = line.color;
    faint.setAlphaF(static_cast<float>(kBehind));
    p.setPen(QPen(faint, 1.2));
    drawCurve(p, line.precision, line.recall);
  }
  p.setPen(QPen(color_, 2));
  drawCurve(p, curve_.precision, curve_.recall);
  if (hovered_ < 0 || static_cast<std::size_t>(hovered_) >= curve_.size()) return;
  const auto i = static_cast<std::size_t>(hovered_);
  p.setPen(QPen(theme.color(Role::Surface2), 1.5));
  p.setBrush(color_);
  p.drawEllipse(place(curve_.recall[i], curve_.precision[i]), 4.5, 4.5);
}

void PrPlot::mouseMoveEvent(QMouseEvent* event) {
  const int entry = entryAt(event->position());
  if (entry >= 0) QToolTip::showText(event->globalPosition().toPoint(), describe(entry), this);
  else QToolTip::hideText();
  if (entry == hovered_) return;
  hovered_ = entry;
  update();
}

void PrPlot::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

}  // namespace weft::widgets
