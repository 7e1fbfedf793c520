// Painting of a ScalarPlot's chart: axes, raw values, curves, mean and spread, marks.
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "common/theme.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {
namespace {

constexpr double kGhost = 0.32;
constexpr double kPenReach = 3;                                          // pixels by which a line's pen extends beyond its ends
constexpr double kMarksApart = 9, kCrowdedApart = 24, kLinesApart = 28;  // pixels
constexpr int kStampReach = 6;                                           // of a mark, from its centre

/// Without round joins: at this width they are invisible, and each costs two arctangents.
QPen curvePen(const QColor& hue, double width) { return QPen(hue, width, Qt::SolidLine, Qt::SquareCap, Qt::BevelJoin); }

/// Draws a curve in short pieces. A curve goes up and down as often as it has points, and as one outline the rasterizer's cost would be quadratic: it compares
/// each crossing of a pixel row with all others of the row. Vector formats get the whole curve.
void drawCurve(QPainter& painter, const QPolygonF& points, double from = -1) {
  if (painter.paintEngine()->type() != QPaintEngine::Raster) {
    painter.drawPolyline(points);
    return;
  }
  qsizetype first = 1;
  if (from > 0) {
    const auto at = std::lower_bound(points.begin(), points.end(), from - kPenReach, [](const QPointF& p, double x) { return p.x() < x; });
    first = std::max<qsizetype>(1, at - points.begin());
  }
  QVector<QLineF> lines;
  lines.reserve(std::max<qsizetype>(0, points.size() - first));
  for (qsizetype i = first; i < points.size(); ++i)
    if (points[i] != points[i - 1]) lines.append({points[i - 1], points[i]});
  painter.drawLines(lines);
}

}  // namespace

// Everything below the cursor is cached as a picture, so that moving the cursor costs a copy. Vector formats get the lines.
void ScalarPlot::Private::paint(QPainter& painter) {
  if (dirty) schedule();  // scrolled into view
  else if (grew) frame.want();
  const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
  if (!raster) {
    paintChart(painter);
    paintOverlay(painter);
    return;
  }
  const double ratio = painter.device()->devicePixelRatioF();
  const QSize size = (QSizeF(q->body()->size()) * ratio).toSize();
  if (picture.size() != size || picture.devicePixelRatio() != ratio) {
    const double before = threadCpuMs();
    picture = QImage(size, QImage::Format_RGB32);
    picture.setDevicePixelRatio(ratio);
    QPainter below(&picture);
    paintChart(below);
    frame.charge(threadCpuMs() - before);
  }
  painter.drawImage(QPointF(0, 0), picture);
  paintOverlay(painter);
}

void ScalarPlot::Private::paintChart(QPainter& painter, double from) {
  painter.fillRect(q->body()->rect(), Theme::current().color(Role::Surface2));
  paintAxes(painter, from);
  painter.save();
  painter.setClipRect(scale.area.adjusted(-1, -1, 1, 1), from > 0 ? Qt::IntersectClip : Qt::ReplaceClip);
  painter.setRenderHint(QPainter::Antialiasing);
  paintBands(painter);
  painter.setBrush(Qt::NoBrush);
  for (const auto& line : lines) {
    const Theme& theme = Theme::current();
    painter.setPen(QPen(mix(theme.categorical(line->hue), theme.color(Role::Surface2), kGhost), 1, Qt::SolidLine, Qt::FlatCap, Qt::BevelJoin));
    drawCurve(painter, line->points.raw, from);
  }
  for (const auto& line : lines) {
    painter.setPen(curvePen(Theme::current().categorical(line->hue), 1.8));
    if (line->points.curve.size() == 1) {
      painter.setBrush(painter.pen().color());
      painter.drawEllipse(line->points.curve.first(), 1.5, 1.5);  // a single value is not a line yet
      painter.setBrush(Qt::NoBrush);
    } else {
      drawCurve(painter, line->points.curve, from);
    }
  }
  paintGroups(painter);
  painter.restore();
  paintEmpty(painter);
  if (marksShown) paintMarks(painter, from);
}

// If no value can be shown, the chart says why, so that it does not look as if nothing had been logged.
void ScalarPlot::Private::paintEmpty(QPainter& painter) const {
  qint64 points = 0, finite = 0, above = 0;
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    const Block all = line->store->summary(0, line->store->size());
    points += all.count;
    finite += all.finite;
    above += all.finite > 0 && all.max > 0;
  }
  if (points == 0 || (finite > 0 && (!logScale || above > 0))) return;
  painter.setFont(Theme::current().smallFont());
  painter.setPen(Theme::current().color(Role::Warning));
  painter.drawText(scale.area, Qt::AlignCenter | Qt::TextWordWrap,
                   finite == 0 ? ScalarPlot::tr("All values are NaN or infinite")
                               : ScalarPlot::tr("No value is above 0, so there is nothing to show on a logarithmic axis"));
}

void ScalarPlot::Private::paintAxes(QPainter& painter, double from) {
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
    if (from > area.left()) continue;
    painter.setPen(theme.color(Role::Text3));
    painter.drawText(QRectF(0, y - 8, area.left() - 6, 16), Qt::AlignRight | Qt::AlignVCenter, tick.label);
  }
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.drawLine(area.bottomLeft(), area.bottomRight());
  painter.setPen(theme.color(Role::Text3));
  const double widest = 2 * metrics.averageCharWidth() + 2;
  for (const Tick& tick : ticksX) {
    const double x = area.left() + (tick.at - scale.x0) / (scale.x1 - scale.x0) * area.width();
    if (x < area.left() - 1 || x > area.right() + 1 || x + widest * static_cast<double>(tick.label.size()) < from) continue;  // outside the repainted part
    const double width = metrics.horizontalAdvance(tick.label) + 2;
    if (x + width < from) continue;
    painter.drawText(QRectF(std::clamp(x - width / 2, 0.0, std::max(0.0, q->body()->width() - width)), area.bottom() + 4, width, 16), Qt::AlignCenter,
                     tick.label);
  }
}

void ScalarPlot::Private::paintBands(QPainter& painter) {
  for (const auto& line : lines) {
    if (!line->shown || !line->lower || !line->upper || line->lower->empty()) continue;
    const SeriesStore &low = *line->lower, &high = *line->upper;
    const std::size_t first = low.lowerBound(shownX0, axis), last = std::min(low.size(), low.lowerBound(shownX1, axis) + 2);
    // No more corners than pixels.
    const auto every =
        std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(last - std::min(first, last)) / std::max(1.0, scale.area.width())));
    QPolygonF below, band;
    for (std::size_t i = first > 0 ? first - 1 : 0; i < last; i += every) {
      if (high.empty()) break;
      const std::size_t k = high.nearest(low[i].step, SeriesStore::X::Step);
      const double x = low.x(i, axis);
      if (high[k].step != low[i].step || !scale.has(x, low[i].value) || !scale.has(x, high[k].value)) continue;
      below.prepend({scale.pixelX(x), scale.pixelY(low[i].value)});
      band.append({scale.pixelX(x), scale.pixelY(high[k].value)});
    }
    band += below;
    QColor fill = Theme::current().categorical(line->hue);
    fill.setAlphaF(0.22f);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(band);
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
      // A logarithmic axis cannot show a band that reaches 0 or below.
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

double ScalarPlot::Private::markPixel(const Line& line, const PlotMark& mark) const {
  if (line.store->empty()) return 0;
  const double x = axis == SeriesStore::X::Step ? mark.step : line.store->x(line.store->nearest(mark.step, SeriesStore::X::Step), axis);
  if (x < shownX0 || x > shownX1 || (logScaleX && x <= 0)) return kNone;
  return std::round(scale.pixelX(x)) + 0.5;
}

bool ScalarPlot::Private::crowded(const Line& line) const {
  if (line.store->empty()) return false;
  const auto count = std::count_if(line.marks.begin(), line.marks.end(), [&](const PlotMark& mark) {
    return mark.kind == PlotMark::Kind::Checkpoint && mark.step >= line.store->samples().front().step && markPixel(line, mark) < kNone;
  });
  return static_cast<double>(count) * kLinesApart > scale.area.width();
}

// Edits are squares with dashed lines in the warning hue.
void ScalarPlot::Private::paintEdit(QPainter& painter, double at) {
  const QColor color = Theme::current().color(Role::Warning);
  painter.setPen(QPen(color, 1, Qt::DashLine));
  painter.drawLine(QPointF(at, scale.area.top()), QPointF(at, scale.area.bottom()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawRect(QRectF(at - 3.5, scale.area.top() - 4, 7, 7));
}

// Checkpoints are diamonds with dotted lines.
void ScalarPlot::Private::paintCheckpoint(QPainter& painter, double at, bool withLine) {
  const QColor color = Theme::current().color(Role::Text3);
  const double y = scale.area.bottom();
  if (withLine) {
    painter.setPen(QPen(color, 1, Qt::DotLine));
    painter.drawLine(QPointF(at, scale.area.top()), QPointF(at, y));
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  painter.drawPolygon(QPolygonF({{at - 4, y}, {at, y - 4}, {at + 4, y}, {at, y + 4}}));
}

// Many checkpoints would draw a fence of lines over the curve and a bar of diamonds below it. Then only diamonds are drawn, one for all close ones. All marks
// share one picture, painted once: a dotted line costs as much as a curve.
void ScalarPlot::Private::paintMarks(QPainter& painter, double from) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty() || line->marks.empty()) continue;
    const bool withLines = !line->crowded;
    const double apart = line->crowded ? kCrowdedApart : kMarksApart;
    QImage stamp;
    const int top = static_cast<int>(scale.area.top()), height = static_cast<int>(scale.area.bottom()) + kStampReach - top;
    double drawn = -kNone;
    for (const PlotMark& mark : line->marks) {
      const double at = markPixel(*line, mark);
      if (at >= kNone) continue;
      const bool edit = mark.kind == PlotMark::Kind::Edit;
      if (!edit && at - drawn < apart && at >= drawn) continue;
      if (!edit) drawn = at;
      if (at < from - kMarksApart) continue;
      if (edit) {
        paintEdit(painter, at);
      } else if (!raster || height < 1) {
        paintCheckpoint(painter, at, withLines);
      } else {
        if (stamp.isNull()) {
          const double ratio = painter.device()->devicePixelRatioF();
          stamp = QImage((QSizeF(2 * kStampReach, height) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
          stamp.setDevicePixelRatio(ratio);
          stamp.fill(Qt::transparent);
          QPainter once(&stamp);
          once.setRenderHint(QPainter::Antialiasing);
          once.translate(0, -top);
          paintCheckpoint(once, kStampReach + 0.5, withLines);
        }
        painter.drawImage(QPointF(at - 0.5 - kStampReach, top), stamp);
      }
    }
  }
  painter.restore();
}

}  // namespace weft::widgets
