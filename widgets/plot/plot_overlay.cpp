// What lies above the curves of a ScalarPlot: cursor, readings, brush; and the mouse that moves them.
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "common/theme.h"
#include "plot/scalar_plot_p.h"

namespace weft::widgets {

bool ScalarPlot::Private::handle(QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseMove: {
      pointer = static_cast<QMouseEvent*>(event)->position();
      const bool inside = plotArea().adjusted(-2, -2, 2, 2).contains(pointer);
      if (inside || hovering) {
        hovering = inside;
        emit q->cursorMoved(inside ? std::optional(xAt(pointer.x())) : std::nullopt);
      }
      overlay->update();
      return brushing;
    }
    case QEvent::MouseButtonPress: {
      auto* mouse = static_cast<QMouseEvent*>(event);
      if (mouse->button() != Qt::LeftButton) return false;
      brushing = true;
      brushFrom = pointer = mouse->position();
      return true;
    }
    case QEvent::MouseButtonRelease: {
      if (!brushing) return false;
      brushing = false;
      pointer = static_cast<QMouseEvent*>(event)->position();
      const double a = std::min(brushFrom.x(), pointer.x()), b = std::max(brushFrom.x(), pointer.x());
      if (b - a > 6) q->setXRange(std::pair{xAt(a), xAt(b)});
      overlay->update();
      return true;
    }
    case QEvent::MouseButtonDblClick:
      brushing = false;
      q->setXRange(std::nullopt);
      return true;
    case QEvent::Wheel: {
      auto* wheel = static_cast<QWheelEvent*>(event);
      // Without Ctrl the wheel scrolls the panel that the card lies in.
      if ((wheel->modifiers() & Qt::ControlModifier) == 0) {
        event->ignore();
        return true;
      }
      const double at = xAt(wheel->position().x()), factor = std::pow(1.0015, -wheel->angleDelta().y());
      if (logScaleX) q->setXRange(std::pair{at * std::pow(shownX0 / at, factor), at * std::pow(shownX1 / at, factor)});
      else q->setXRange(std::pair{at - (at - shownX0) * factor, at + (shownX1 - at) * factor});
      event->accept();
      return true;
    }
    case QEvent::Leave:
      hovering = false;
      emit q->cursorMoved(std::nullopt);
      overlay->update();
      return false;
    default:
      return false;
  }
}

void ScalarPlot::Private::paintOverlay(QPainter& painter) {
  const Theme& theme = Theme::current();
  const QRectF area = plotArea();
  if (brushing && std::abs(pointer.x() - brushFrom.x()) > 3) {
    QColor fill = theme.color(Role::Accent);
    fill.setAlphaF(0.14);
    QRectF brush(QPointF(brushFrom.x(), area.top()), QPointF(pointer.x(), area.bottom()));
    brush = brush.normalized().intersected(area);
    painter.fillRect(brush, fill);
    painter.setPen(QPen(theme.color(Role::Accent), 1));
    painter.drawLine(brush.topLeft(), brush.bottomLeft());
    painter.drawLine(brush.topRight(), brush.bottomRight());
    return;
  }
  std::optional<double> x = cursor;
  if (hovering) x = xAt(pointer.x());
  if (!x || lines.empty() || *x < shownX0 || *x > shownX1) return;
  const double yValue = shownY1 - (pointer.y() - area.top()) / std::max(1.0, area.height()) * (shownY1 - shownY0);
  const QVector<Reading> readings = q->readingAt(*x, logScale ? std::pow(10.0, yValue) : yValue);
  if (readings.isEmpty()) return;
  // The cursor stands on a sample that exists: that of the nearest run.
  const double at = std::clamp(readings.first().x, shownX0, shownX1);
  const double px = std::round(pixelAt(at)) + 0.5;
  painter.setPen(QPen(theme.color(Role::Text1), 1));
  painter.drawLine(QPointF(px, area.top()), QPointF(px, area.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Reading& reading : readings) {
    const double y = yPixelAt(reading.smoothed);
    if (!std::isfinite(y) || !area.adjusted(-1, -1, 1, 1).contains(QPointF(px, y))) continue;
    painter.setPen(QPen(theme.color(Role::Surface2), 1.5));
    painter.setBrush(reading.color);
    painter.drawEllipse(QPointF(pixelAt(reading.x), y), 4, 4);
  }
  const QFont mono = theme.monoSmallFont();
  painter.setFont(mono);
  const QString text = axis == SeriesStore::X::Step ? formatCount(static_cast<qint64>(std::llround(at))) : xText(at, axis);
  const double width = QFontMetricsF(mono).horizontalAdvance(text) + 10;
  QRectF label(px - width / 2, area.bottom() + 3, width, 16);
  label.moveLeft(std::clamp(label.left(), 0.0, std::max(0.0, overlay->width() - width)));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.color(Role::Tooltip));
  painter.drawRoundedRect(label, 3, 3);
  painter.setPen(theme.color(Role::TooltipText));
  painter.drawText(label, Qt::AlignCenter, text);
  if (hovering) paintReadings(painter, at, readings, px);
}

void ScalarPlot::Private::paintReadings(QPainter& painter, double x, const QVector<Reading>& readings, double atPixel) {
  const Theme& theme = Theme::current();
  const QFont small = theme.smallFont(), mono = theme.monoSmallFont();
  const QFontMetricsF smallMetrics(small), monoMetrics(mono);
  const qsizetype rows = std::min<qsizetype>(readings.size(), 10);
  const QString rawHead = ScalarPlot::tr("value"), smoothHead = ScalarPlot::tr("smoothed");
  double names = 40, numbers = std::max(smallMetrics.horizontalAdvance(smoothHead), smallMetrics.horizontalAdvance(rawHead));
  for (qsizetype i = 0; i < rows; ++i) {
    names = std::max(names, std::min(160.0, smallMetrics.horizontalAdvance(readings[i].name)));
    numbers = std::max(numbers, std::max(monoMetrics.horizontalAdvance(formatValue(readings[i].value)),
                                         monoMetrics.horizontalAdvance(formatValue(readings[i].smoothed))));
  }
  const bool both = weight > 0;
  const double row = 20, width = 12 + 14 + names + 14 + numbers + (both ? numbers + 14 : 0) + 12;
  const QRectF area(overlay->rect());
  QRectF box(atPixel + 12, plotArea().top() + 4, width, 24 + row + static_cast<double>(rows) * row + 6);
  if (box.right() > area.right() - 2) box.moveRight(atPixel - 12);
  box.moveLeft(std::max(2.0, box.left()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.color(Role::Shadow));
  painter.drawRoundedRect(box.translated(0, 3), 6, 6);
  painter.setPen(QPen(theme.color(Role::BorderStrong), 1));
  painter.setBrush(theme.color(Role::Surface2));
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setClipRect(box.adjusted(1, 1, -1, -1));
  QFont bold = small;
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(theme.color(Role::Text1));
  painter.drawText(QRectF(box.left() + 10, box.top() + 2, width - 20, 22), Qt::AlignVCenter | Qt::AlignLeft, xText(x, axis));
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.drawLine(QPointF(box.left(), box.top() + 24.5), QPointF(box.right(), box.top() + 24.5));
  const double right = box.right() - 12, middle = right - numbers - 14;
  double y = box.top() + 24;
  painter.setFont(small);
  painter.setPen(theme.color(Role::Text3));
  painter.drawText(QRectF(right - numbers, y, numbers, row), Qt::AlignVCenter | Qt::AlignRight, rawHead);
  if (both) painter.drawText(QRectF(middle - numbers, y, numbers, row), Qt::AlignVCenter | Qt::AlignRight, smoothHead);
  for (qsizetype i = 0; i < rows; ++i) {
    y += row;
    const Reading& r = readings[i];
    painter.fillRect(QRectF(box.left() + 12, y + 6, 8, 8), r.color);
    painter.setFont(small);
    painter.setPen(theme.color(Role::Text1));
    painter.drawText(QRectF(box.left() + 26, y, names, row), Qt::AlignVCenter | Qt::AlignLeft,
                     elideName(r.name, smallMetrics, names));
    painter.setFont(mono);
    painter.setPen(theme.color(both ? Role::Text2 : Role::Text1));
    painter.drawText(QRectF(right - numbers, y, numbers, row), Qt::AlignVCenter | Qt::AlignRight, formatValue(r.value));
    if (both) {
      painter.setPen(theme.color(Role::Text1));
      painter.drawText(QRectF(middle - numbers, y, numbers, row), Qt::AlignVCenter | Qt::AlignRight, formatValue(r.smoothed));
    }
  }
}

}  // namespace weft::widgets
