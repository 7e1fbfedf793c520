// How a ScalarPlot draws its chart: axes, raw values, curves, mean and spread, marks.
#include <QPaintEngine>
#include <QPainter>
#include <cmath>
#include <ctime>

#include "common/theme.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {
namespace {

constexpr double kGhost = 0.32;

/// Without round joins: at this width nobody sees them, and each costs two arctangents.
QPen curvePen(const QColor& hue, double width) {
  return QPen(hue, width, Qt::SolidLine, Qt::SquareCap, Qt::BevelJoin);
}

/// A curve goes up and down as often as it has points. As one outline it would cost the square of that: the rasterizer looks for each crossing of a
/// pixel row among all others of the row. A line at a time costs what it covers. A drawing program is given the curve as a whole.
void drawCurve(QPainter& painter, const QPolygonF& points) {
  if (painter.paintEngine()->type() != QPaintEngine::Raster) {
    painter.drawPolyline(points);
    return;
  }
  QVector<QLineF> lines;
  lines.reserve(points.size());
  for (qsizetype i = 1; i < points.size(); ++i)
    if (points[i] != points[i - 1]) lines.append({points[i - 1], points[i]});
  painter.drawLines(lines);
}

}  // namespace

double ScalarPlot::Private::threadMs() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

// What lies below the cursor is kept as a picture, so that moving the cursor costs a copy. A drawing program is given the lines.
void ScalarPlot::Private::paint(QPainter& painter) {
  if (dirty && !timer.isActive()) schedule();  // scrolled into sight
  const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
  if (!raster) {
    paintChart(painter);
    paintOverlay(painter);
    return;
  }
  const double ratio = painter.device()->devicePixelRatioF();
  const QSize size = (QSizeF(q->body()->size()) * ratio).toSize();
  if (picture.size() != size || picture.devicePixelRatio() != ratio) {
    const double before = threadMs();
    picture = QImage(size, QImage::Format_RGB32);
    picture.setDevicePixelRatio(ratio);
    QPainter below(&picture);
    paintChart(below);
    const double cost = refreshMs + threadMs() - before;
    costMs = costMs > 0 ? 0.8 * costMs + 0.2 * cost : cost;
  }
  painter.drawImage(QPointF(0, 0), picture);
  paintOverlay(painter);
}

void ScalarPlot::Private::paintChart(QPainter& painter) {
  painter.fillRect(q->body()->rect(), Theme::current().color(Role::Surface2));
  paintAxes(painter);
  painter.save();
  painter.setClipRect(scale.area.adjusted(-1, -1, 1, 1));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  for (const auto& line : lines) {
    const Theme& theme = Theme::current();
    painter.setPen(QPen(mix(theme.categorical(line->hue), theme.color(Role::Surface2), kGhost), 1, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
    drawCurve(painter, line->points.raw);
  }
  for (const auto& line : lines) {
    painter.setPen(curvePen(Theme::current().categorical(line->hue), 1.8));
    if (line->points.curve.size() == 1) {
      painter.setBrush(painter.pen().color());
      painter.drawEllipse(line->points.curve.first(), 1.5, 1.5);  // a first value is no line yet
      painter.setBrush(Qt::NoBrush);
    } else {
      drawCurve(painter, line->points.curve);
    }
  }
  paintGroups(painter);
  painter.restore();
  if (marksShown) paintMarks(painter);
}

void ScalarPlot::Private::paintAxes(QPainter& painter) {
  const Theme& theme = Theme::current();
  const QRectF& area = scale.area;
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setFont(theme.monoSmallFont());
  const QFontMetricsF metrics(painter.font());
  for (const Tick& tick : ticksY) {
    const double y = std::round(area.bottom() - (tick.at - scale.y0) / (scale.y1 - scale.y0) * area.height());
    if (y < area.top() - 1 || y > area.bottom() + 1) continue;
    painter.setPen(QPen(theme.color(Role::Surface3), 1));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(theme.color(Role::Text3));
    painter.drawText(QRectF(0, y - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  painter.setPen(theme.color(Role::Text3));
  for (const Tick& tick : ticksX) {
    const double x = area.left() + (tick.at - scale.x0) / (scale.x1 - scale.x0) * area.width(), width = metrics.horizontalAdvance(tick.label) + 2;
    if (x < area.left() - 1 || x > area.right() + 1) continue;
    painter.drawText(QRectF(std::clamp(x - width / 2, 0.0, std::max(0.0, q->body()->width() - width)), area.bottom() + 4, width, 16), Qt::AlignCenter, tick.label);
  }
}

void ScalarPlot::Private::paintGroups(QPainter& painter) {
  for (const Group& group : groups) {
    QPolygonF mean, band;
    for (const SpreadPoint& p : group.points) {
      if (!scale.has(p.x, p.mean)) continue;
      mean.append({scale.pixelX(p.x), scale.pixelY(p.mean)});
      band.append({scale.pixelX(p.x), scale.pixelY(p.mean + p.deviation)});
    }
    for (auto p = group.points.rbegin(); p != group.points.rend(); ++p) {
      if (!scale.has(p->x, p->mean)) continue;
      // Where the band would reach below 0 a logarithmic axis has no place for it.
      const double least = scale.has(p->x, p->mean - p->deviation) ? p->mean - p->deviation : p->mean;
      band.append({scale.pixelX(p->x), scale.pixelY(least)});
    }
    QColor fill = group.color();
    fill.setAlphaF(0.22);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(band);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(curvePen(group.color(), 2));
    drawCurve(painter, mean);
  }
}

// Checkpoints are diamonds with dotted lines, edits of a live value squares with dashed lines in the hue of warnings.
void ScalarPlot::Private::paintMarks(QPainter& painter) {
  const Theme& theme = Theme::current();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    for (const PlotMark& mark : line->marks) {
      const double x = line->store->x(line->store->nearest(mark.step, SeriesStore::X::Step), axis);
      if (x < shownX0 || x > shownX1 || (logScaleX && x <= 0)) continue;
      const double at = std::round(scale.pixelX(x)) + 0.5;
      const bool edit = mark.kind == PlotMark::Kind::Edit;
      const QColor color = edit ? theme.color(Role::Warning) : theme.color(Role::Text3);
      painter.setPen(QPen(color, 1, edit ? Qt::DashLine : Qt::DotLine));
      painter.drawLine(QPointF(at, scale.area.top()), QPointF(at, scale.area.bottom()));
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      if (edit) {
        painter.drawRect(QRectF(at - 3.5, scale.area.top() - 4, 7, 7));
      } else {
        const double y = scale.area.bottom();
        painter.drawPolygon(QPolygonF({{at - 4, y}, {at, y - 4}, {at + 4, y}, {at, y + 4}}));
      }
    }
  }
  painter.restore();
}

}  // namespace weft::widgets
