// Paints frames, comments and reroutes.
#include "graph_view/scene_painter.h"

namespace weft::widgets {

void ScenePainter::paintFrames(QPainter& painter, const Viewport& view, const QRectF& screen) const {
  for (const SceneAnnotation& a : scene_.annotations()) {
    if (a.kind != Annotation::Kind::Frame) continue;
    const QRectF r = view.toScreen(a.rect);
    if (!r.intersects(screen)) continue;
    const QColor hue = a.color >= 0 ? theme_.categorical(a.color) : h_.text3;
    QColor fill = hue;
    fill.setAlphaF(theme_.isDark() ? 0.14 : 0.09);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(mix(hue, h_.surface0, 0.6), 1));
    painter.setBrush(fill);
    painter.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (view.zoom < 0.3 || a.text.isEmpty()) continue;
    painter.save();
    painter.translate(r.topLeft());
    painter.scale(view.zoom, view.zoom);
    painter.setFont(fonts_.title);
    painter.setPen(h_.text1);
    painter.drawText(QRectF(10, 2, a.rect.width() - 14, 22), Qt::AlignVCenter | Qt::AlignLeft, a.text);
    painter.restore();
  }
}

void ScenePainter::paintNotes(QPainter& painter, const Viewport& view, const QRectF& screen) const {
  for (const SceneAnnotation& a : scene_.annotations()) {
    if (a.kind == Annotation::Kind::Frame) continue;
    const QRectF r = view.toScreen(a.rect);
    if (!r.adjusted(-2, -2, 2, 2).intersects(screen)) continue;
    painter.setRenderHint(QPainter::Antialiasing);
    if (a.kind == Annotation::Kind::Reroute) {
      if (view.zoom < 0.3) continue;
      painter.setPen(QPen(h_.text2, 1.4));
      painter.setBrush(h_.surface2);
      painter.drawEllipse(r.center(), 4.5 * view.zoom, 4.5 * view.zoom);
      continue;
    }
    const QColor hue = a.color >= 0 ? theme_.categorical(a.color) : theme_.color(Role::Warning);
    painter.setPen(QPen(mix(hue, h_.surface0, 0.55), 1));
    painter.setBrush(mix(hue, h_.surface2, theme_.isDark() ? 0.16 : 0.1));
    painter.drawRoundedRect(r.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    if (view.zoom < 0.35) continue;
    painter.save();
    painter.translate(r.topLeft());
    painter.scale(view.zoom, view.zoom);
    painter.setFont(fonts_.detail);
    painter.setPen(h_.text1);
    painter.drawText(QRectF(8, 8, a.rect.width() - 16, a.rect.height() - 8), Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, a.text);
    painter.restore();
  }
}

}  // namespace weft::widgets
