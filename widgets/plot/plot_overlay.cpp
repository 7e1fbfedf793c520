// The overlay of a ScalarPlot: cursor, readings, brush, and their mouse handling.
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
      const bool inside = scale.area.adjusted(-2, -2, 2, 2).contains(pointer);
      if (inside || hovering) {
        hovering = inside;
        emit q->cursorMoved(inside ? std::optional(q->cursorAt(pointer.x())) : std::nullopt);
      }
      const MarkHit hit = hitsDiamond(pointer) ? markAt(pointer) : MarkHit();
      q->body()->QWidget::setCursor(hit.mark && hit.mark->kind == PlotMark::Kind::Checkpoint ? Qt::PointingHandCursor : Qt::ArrowCursor);
      q->body()->update();
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
      if (b - a > 6) q->setXRange(std::pair{scale.xAt(a), scale.xAt(b)});
      q->body()->update();
      if (b - a > 3 || !hitsDiamond(pointer)) return true;
      if (const MarkHit hit = markAt(pointer); hit.mark && hit.mark->kind == PlotMark::Kind::Checkpoint) emit q->markClicked(hit.line->id, hit.mark->step);
      return true;
    }
    case QEvent::MouseButtonDblClick:
      brushing = false;
      q->setXRange(std::nullopt);
      return true;
    case QEvent::Wheel: {
      auto* wheel = static_cast<QWheelEvent*>(event);
      // Without Ctrl the wheel scrolls the panel that contains the card.
      if ((wheel->modifiers() & Qt::ControlModifier) == 0) {
        event->ignore();
        return true;
      }
      const double at = scale.xAt(wheel->position().x()), factor = std::pow(1.0015, -wheel->angleDelta().y());
      if (logScaleX) q->setXRange(std::pair{at * std::pow(shownX0 / at, factor), at * std::pow(shownX1 / at, factor)});
      else q->setXRange(std::pair{at - (at - shownX0) * factor, at + (shownX1 - at) * factor});
      event->accept();
      return true;
    }
    case QEvent::Leave:
      hovering = false;
      emit q->cursorMoved(std::nullopt);
      q->body()->update();
      return false;
    default: return false;
  }
}

ScalarPlot::Private::MarkHit ScalarPlot::Private::markAt(QPointF pixel) const {
  MarkHit hit;
  if (!marksShown) return hit;
  double distance = hitsDiamond(pixel) ? 6 : 4;
  for (const auto& line : lines) {
    if (!line->shown || line->store->empty()) continue;
    for (const PlotMark& mark : line->marks) {
      const double apart = std::abs(markPixel(*line, mark) - pixel.x());
      if (apart > distance) continue;
      hit = {line.get(), &mark};
      distance = apart;
    }
  }
  return hit;
}

void ScalarPlot::Private::paintOverlay(QPainter& painter) {
  const Theme& theme = Theme::current();
  const QRectF& area = scale.area;
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
  if (hovering) x = q->cursorAt(pointer.x());
  if (!x || lines.empty() || *x < shownX0 || *x > shownX1) return;
  const double at = *x;
  const QVector<Reading> readings = q->readingAt(at, scale.yAt(pointer.y()));
  if (readings.isEmpty()) return;
  const double px = std::round(scale.pixelX(at)) + 0.5;
  painter.setPen(QPen(theme.color(Role::Text1), 1));
  painter.drawLine(QPointF(px, area.top()), QPointF(px, area.bottom()));
  painter.setRenderHint(QPainter::Antialiasing);
  // A ring where nothing was logged at exactly that step.
  const auto dot = [&](double value, const QColor& color, bool logged) {
    const double y = scale.pixelY(value);
    if (!scale.has(at, value) || !area.adjusted(-1, -1, 1, 1).contains(QPointF(px, y))) return;
    painter.setPen(logged ? QPen(theme.color(Role::Surface2), 1.5) : QPen(color, 1.5));
    painter.setBrush(logged ? color : theme.color(Role::Surface2));
    painter.drawEllipse(QPointF(scale.pixelX(at), y), logged ? 4 : 3.5, logged ? 4 : 3.5);
  };
  if (spread) {
    for (const GroupReading& g : q->groupsAt(at)) dot(g.mean, g.color, true);
  } else {
    for (const Reading& reading : readings) dot(reading.smoothed, reading.color, reading.kind == Reading::Kind::Logged);
  }
  const QFont mono = theme.monoSmallFont();
  painter.setFont(mono);
  const QString text = axis == SeriesStore::X::Step ? formatCount(static_cast<qint64>(std::llround(at))) : xText(at, axis);
  const double width = QFontMetricsF(mono).horizontalAdvance(text) + 10;
  QRectF label(px - width / 2, area.bottom() + 3, width, 16);
  label.moveLeft(std::clamp(label.left(), 0.0, std::max(0.0, q->body()->width() - width)));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.color(Role::Tooltip));
  painter.drawRoundedRect(label, 3, 3);
  painter.setPen(theme.color(Role::TooltipText));
  painter.drawText(label, Qt::AlignCenter, text);
  if (hovering) paintReadings(painter, at, readings, px);
}

void ScalarPlot::Private::paintReadings(QPainter& painter, double x, const QVector<Reading>& readings, double atPixel) {
  constexpr qsizetype kMost = 10;
  QVector<Row> rows;
  QStringList heads;
  if (spread) {
    heads = {ScalarPlot::tr("± σ"), ScalarPlot::tr("mean")};
    for (const GroupReading& g : q->groupsAt(x).mid(0, kMost))
      rows.append({g.name.isEmpty() ? ScalarPlot::tr("%n run(s)", nullptr, g.runs) : QStringLiteral("%1 (%2)").arg(g.name).arg(g.runs), g.color,
                   formatValue(g.deviation, 3), formatValue(g.mean)});
  } else {
    heads = {ScalarPlot::tr("value"), smoothing.isOn() ? ScalarPlot::tr("smoothed") : QString()};
    // `≈`: nothing was logged at that step; the value is interpolated.
    const auto number = [](const Reading& r, double value) {
      if (r.kind == Reading::Kind::None) return QStringLiteral("–");
      return r.kind == Reading::Kind::Between ? u'≈' + formatValue(value) : formatValue(value);
    };
    const auto name = [&](const Reading& r) {
      if (r.kind != Reading::Kind::None) return r.name;
      return x > r.last ? ScalarPlot::tr("%1 ends at %2").arg(r.name, xText(r.last, axis))
                        : ScalarPlot::tr("%1 begins at %2").arg(r.name, xText(r.first, axis));
    };
    for (const Reading& r : readings.mid(0, kMost))
      rows.append({name(r), r.color, number(r, r.value), smoothing.isOn() ? number(r, r.smoothed) : QString(), r.kind == Reading::Kind::None});
  }
  QString title = xText(x, axis);
  if (const MarkHit hit = markAt(pointer); hit.mark) {
    title = QStringLiteral("%1 · %2").arg(hit.line->name, hit.mark->text);
    if (hit.mark->kind == PlotMark::Kind::Checkpoint && hitsDiamond(pointer) && !hit.mark->offer.isEmpty()) title = hit.mark->offer;
  }
  paintRows(painter, title, heads, rows, atPixel, scale.area.top() + 4);
}

void ScalarPlot::Private::paintRows(QPainter& painter, const QString& title, const QStringList& heads, const QVector<Row>& rows, double atPixel, double top) {
  const Theme& theme = Theme::current();
  const QFont small = theme.smallFont(), mono = theme.monoSmallFont();
  QFont bold = small;
  bold.setWeight(QFont::DemiBold);
  const QFontMetricsF smallMetrics(small), monoMetrics(mono), boldMetrics(bold);
  double names = 40, numbers = std::max(smallMetrics.horizontalAdvance(heads[0]), smallMetrics.horizontalAdvance(heads[1]));
  for (const Row& r : rows) {
    names = std::max(names, std::min(180.0, smallMetrics.horizontalAdvance(r.name)));
    numbers = std::max({numbers, monoMetrics.horizontalAdvance(r.first), monoMetrics.horizontalAdvance(r.second)});
  }
  const bool both = !heads[1].isEmpty();
  const double row = 20,
               width = std::max(12 + 14 + names + 14 + numbers + (both ? numbers + 14 : 0) + 12, std::min(boldMetrics.horizontalAdvance(title) + 22, 320.0));
  QRectF box(atPixel + 12, top, width, 24 + row + static_cast<double>(rows.size()) * row + 6);
  if (box.right() > q->body()->width() - 2) box.moveRight(atPixel - 12);
  box.moveLeft(std::max(2.0, box.left()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.color(Role::Shadow));
  painter.drawRoundedRect(box.translated(0, 3), 6, 6);
  painter.setPen(QPen(theme.color(Role::BorderStrong), 1));
  painter.setBrush(theme.color(Role::Surface2));
  painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  painter.setClipRect(box.adjusted(1, 1, -1, -1));
  painter.setFont(bold);
  painter.setPen(theme.color(Role::Text1));
  painter.drawText(QRectF(box.left() + 10, box.top() + 2, width - 20, 22), Qt::AlignVCenter | Qt::AlignLeft, elideName(title, boldMetrics, width - 20));
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.drawLine(QPointF(box.left(), box.top() + 24.5), QPointF(box.right(), box.top() + 24.5));
  // The most important value stands next to the name: the smoothed value, or the mean.
  const double right = box.right() - 12, middle = right - numbers - 14;
  double y = box.top() + 24;
  painter.setFont(small);
  painter.setPen(theme.color(Role::Text3));
  painter.drawText(QRectF(right - numbers, y, numbers, row), Qt::AlignVCenter | Qt::AlignRight, heads[0]);
  if (both) painter.drawText(QRectF(middle - numbers, y, numbers, row), Qt::AlignVCenter | Qt::AlignRight, heads[1]);
  for (const Row& r : rows) {
    y += row;
    painter.fillRect(QRectF(box.left() + 12, y + 6, 8, 8), r.color);
    painter.setFont(small);
    painter.setPen(theme.color(r.quiet ? Role::Text3 : Role::Text1));
    painter.drawText(QRectF(box.left() + 26, y, names, row), Qt::AlignVCenter | Qt::AlignLeft, elideName(r.name, smallMetrics, names));
    painter.setFont(mono);
    painter.setPen(theme.color(both ? Role::Text2 : Role::Text1));
    painter.drawText(QRectF(right - numbers, y, numbers, row), Qt::AlignVCenter | Qt::AlignRight, r.first);
    if (both) {
      painter.setPen(theme.color(Role::Text1));
      painter.drawText(QRectF(middle - numbers, y, numbers, row), Qt::AlignVCenter | Qt::AlignRight, r.second);
    }
  }
}

}  // namespace weft::widgets
