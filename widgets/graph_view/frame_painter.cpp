// Paints loops and conditionals.
#include <algorithm>

#include "common/format.h"
#include "graph_view/scene_painter.h"

namespace weft::widgets {
namespace {

constexpr double kText = 0.55;   // zoom below which variable names are not drawn
constexpr double kTitle = 0.28;  // and titles

}  // namespace

void ScenePainter::paintFlow(QPainter& painter, const Viewport& view, const SceneFrame& frame) const {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const SceneFrame::Lane& lane : frame.lanes) paintLane(painter, view, lane);
  if (!frame.loop) return;
  if (!frame.isScope) {
    const QRectF r = view.toScreen(frame.rect).adjusted(0.5, 0.5, -0.5, -0.5);
    QPen pen(h_.accent, 1, Qt::CustomDashLine);
    pen.setDashPattern({6, 4});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const double radius = std::min(m_.scopeRadius * view.zoom, 8.0);
    painter.drawRoundedRect(r, radius, radius);
    if (view.zoom >= kTitle && !frame.title.isEmpty()) paintFlowTitle(painter, r, frame.title, view.zoom);
  }
  if (view.zoom < kText) return;
  painter.save();
  painter.translate(-view.offset);
  painter.scale(view.zoom, view.zoom);
  painter.setFont(fonts_.small);
  const QFontMetricsF metrics(fonts_.small);
  for (const SceneFrame::Name& name : frame.names) {
    painter.setPen(name.entry ? h_.accent : h_.text2);
    painter.drawText(name.at, elideName(name.text, metrics, name.width));
  }
  painter.restore();
}

// On the upper edge, like the tab of a folder.
void ScenePainter::paintFlowTitle(QPainter& painter, const QRectF& frame, const QString& title, double zoom) const {
  QFont font = fonts_.small;
  font.setPixelSize(static_cast<int>(std::max(10.0, font.pixelSize() * std::min(1.0, zoom))));
  const QFontMetricsF metrics(font);
  const QString text = elideName(title, metrics, frame.width() - 40);
  const QRectF tab(frame.left() + 14, frame.top() - metrics.height() / 2 - 1, metrics.horizontalAdvance(text) + 12, metrics.height() + 2);
  painter.setPen(Qt::NoPen);
  painter.setBrush(h_.surface3);
  painter.drawRoundedRect(tab, 3, 3);
  painter.setFont(font);
  painter.setPen(h_.text1);
  painter.drawText(tab, Qt::AlignCenter | Qt::TextDontClip, text);
}

void ScenePainter::paintLane(QPainter& painter, const Viewport& view, const SceneFrame::Lane& lane) const {
  const QRectF r = view.toScreen(lane.rect).adjusted(0.5, 0.5, -0.5, -0.5);
  const double radius = std::min(m_.radius * view.zoom, 6.0);
  painter.setPen(QPen(mix(h_.border, h_.surface0, 0.7), 1));
  painter.setBrush(mix(h_.surface2, h_.surface0, theme_.isDark() ? 0.55 : 0.7));
  painter.drawRoundedRect(r, radius, radius);
  if (view.zoom < kText) return;
  QFont font = fonts_.small;
  font.setPixelSize(static_cast<int>(std::max(9.0, font.pixelSize() * std::min(1.5, view.zoom))));
  painter.setFont(font);
  painter.setPen(h_.text2);
  painter.drawText(r.adjusted(8 * view.zoom, 3 * view.zoom, -4, 0), Qt::AlignLeft | Qt::AlignTop, lane.text);
}

// The mark of a closed scope: a circular arrow for a loop, a forking line for a conditional.
void ScenePainter::paintFlowMark(QPainter& painter, QPointF c, layout::ScopeFlow flow) const {
  painter.setBrush(Qt::NoBrush);
  if (flow == layout::ScopeFlow::Loop) {
    painter.setPen(QPen(h_.accent, 1.4, Qt::SolidLine, Qt::FlatCap));
    painter.drawArc(QRectF(c.x() - 4.2, c.y() - 4.2, 8.4, 8.4), 60 * 16, 285 * 16);
    const QPointF head[3] = {c + QPointF(6.2, -3.6), c + QPointF(1.2, -5.8), c + QPointF(2.2, -0.6)};
    painter.setPen(Qt::NoPen);
    painter.setBrush(h_.accent);
    painter.drawPolygon(head, 3);
    return;
  }
  painter.setPen(QPen(h_.accent, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(QPolygonF({c + QPointF(-5, 0), c + QPointF(-1.5, 0), c + QPointF(1.5, -4), c + QPointF(5, -4)}));
  painter.drawPolyline(QPolygonF({c + QPointF(-1.5, 0), c + QPointF(1.5, 4), c + QPointF(5, 4)}));
}

}  // namespace weft::widgets
