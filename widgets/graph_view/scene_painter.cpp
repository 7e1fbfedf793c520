#include "graph_view/scene_painter.h"

#include <algorithm>
#include <cmath>

#include "common/format.h"

namespace weft::widgets {
namespace {

constexpr size_t kManyWires = 2500;  // in one tile: above that the shortest are left out at small zooms

}  // namespace

Tier tierFor(double height, const Metrics& m) {
  if (height < m.tierHeat) return Tier::Heat;
  if (height < m.tierRect) return Tier::Rect;
  if (height < m.tierName) return Tier::Name;
  return height < m.tierNormal ? Tier::Normal : Tier::Large;
}

ScenePainter::ScenePainter(const Scene& scene, const Theme& theme, const ColorTable& colors, ColorMode mode)
    : scene_(scene), theme_(theme), colors_(colors), mode_(mode), m_(theme.metrics()), fonts_(CanvasFonts::of(theme)) {
  h_ = {theme.color(Role::Surface0), theme.color(Role::Surface1),     theme.color(Role::Surface2), theme.color(Role::Surface3),
        theme.color(Role::Border),   theme.color(Role::BorderStrong), theme.color(Role::Text1),    theme.color(Role::Text2),
        theme.color(Role::Text3),    theme.color(Role::TextDisabled), theme.color(Role::Accent),   theme.color(Role::AccentSoft),
        theme.color(Role::Error),    theme.color(Role::Nan),          theme.color(Role::Grid)};
  for (const QString& dtype : scene.dtypes()) dtypeColors_.push_back(theme.dtype(dtype));
  for (int c = 0; c < kOpCategoryCount; ++c) categoryColors_.push_back(theme.opCategory(opCategoryName(static_cast<OpCategory>(c))));
}

void ScenePainter::paint(QPainter& painter, const Viewport& view, const QRectF& screen) const {
  painter.fillRect(screen, h_.surface0);
  paintGrid(painter, view, screen);
  if (scene_.model() == nullptr) return;
  const QRectF world = view.toWorld(screen.adjusted(-2, -2, 2, 2));
  const std::vector<int> items = scene_.itemsIn(world);  // copied: leavesIn() reuses the query's buffer
  const std::vector<SceneItem>& all = scene_.items();
  const auto hidden = [this](int i) { return hiddenItems_ != nullptr && !hiddenItems_->empty() && (*hiddenItems_)[static_cast<size_t>(i)] != 0; };
  painter.setRenderHint(QPainter::Antialiasing);
  for (const SceneFrame& frame : scene_.frames())
    if (frame.atTop) paintFlow(painter, view, frame);
  for (size_t i = 0; i < items.size(); ++i) {
    const SceneItem& it = all[static_cast<size_t>(items[i])];
    if (!it.open || hidden(items[i])) continue;
    paintOpenScope(painter, view, it);
    if (const SceneFrame* frame = scene_.frameOf(items[i])) paintFlow(painter, view, *frame);
  }
  paintFrames(painter, view, screen);
  paintWires(painter, view, scene_.wiresIn(world), screen, nullptr);
  // Heat tiles are drawn grouped by colour.
  std::vector<std::pair<QRgb, QRectF>> tiles;
  painter.setRenderHint(QPainter::Antialiasing);
  for (const int i : items) {
    const SceneItem& it = all[static_cast<size_t>(i)];
    if (it.open || hidden(i)) continue;
    const Tier tier = tierFor(it.rect.height() * view.zoom, m_);
    if (tier == Tier::Heat) {
      QRectF r = view.toScreen(it.rect);
      r.setSize({std::max(1.0, r.width()), std::max(1.0, r.height())});
      tiles.emplace_back(colors_.of(it.item).rgb(), r);
    } else {
      paintLeaf(painter, view, it);
      if (view.zoom >= 0.5 && scene_.model()->isEditable()) paintOpenPorts(painter, view, i);
    }
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  for (const auto& [rgb, r] : tiles) painter.fillRect(r, QColor(rgb));
  for (const int i : items)
    if (all[static_cast<size_t>(i)].open && !hidden(i)) paintSmallTitle(painter, view, all[static_cast<size_t>(i)]);
  paintNotes(painter, view, screen);
}

void ScenePainter::paintGrid(QPainter& painter, const Viewport& view, const QRectF& screen) const {
  const double step = m_.grid * 3 * view.zoom;
  if (step < 10) return;
  QVector<QRectF> dots;
  const double side = std::clamp(1.5 * view.zoom, 1.0, 2.0);
  const double x0 = std::ceil((screen.left() + view.offset.x()) / step) * step - view.offset.x();
  const double y0 = std::ceil((screen.top() + view.offset.y()) / step) * step - view.offset.y();
  for (double y = y0; y < screen.bottom(); y += step)
    for (double x = x0; x < screen.right(); x += step) dots.append({x, y, side, side});
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(h_.border, h_.surface0, theme_.isDark() ? 0.55 : 0.8));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.drawRects(dots);
}

void ScenePainter::paintOpenScope(QPainter& painter, const Viewport& view, const SceneItem& it) const {
  const QRectF r = view.toScreen(it.rect);
  const double height = m_.scopeHeader * view.zoom;
  const QColor body = mix(h_.surface1, h_.surface0, 0.75);
  const QColor header = it.layer ? h_.accentSoft : h_.surface3;
  const double radius = std::min(m_.scopeRadius * view.zoom, 8.0);
  const bool error = (it.status.badges & BadgeError) != 0;
  if (height < 4) {
    painter.setPen(QPen(error ? h_.error : mix(h_.borderStrong, h_.surface0, 0.6), 1));
    painter.setBrush(body);
    painter.drawRect(r.adjusted(0.5, 0.5, -0.5, -0.5));
    return;
  }
  const QRectF line = r.adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(Qt::NoPen);
  painter.setBrush(body);
  painter.drawRoundedRect(line, radius, radius);
  QPainterPath top;
  const QRectF tab(line.left(), line.top(), line.width(), height);
  top.moveTo(tab.bottomLeft());
  top.lineTo(tab.left(), tab.top() + radius);
  top.quadTo(tab.topLeft(), tab.topLeft() + QPointF(radius, 0));
  top.lineTo(tab.right() - radius, tab.top());
  top.quadTo(tab.topRight(), tab.topRight() + QPointF(0, radius));
  top.lineTo(tab.bottomRight());
  top.closeSubpath();
  painter.fillPath(top, header);
  QPen pen(error ? h_.error : mix(h_.borderStrong, h_.surface0, 0.85), 1);
  if ((it.status.badges & (BadgeLoop | BadgeError)) != 0) {
    pen.setDashPattern({6, 4});
    if (!error) pen.setColor(h_.accent);
  }
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(line, radius, radius);
  painter.setPen(QPen(h_.border, 1));
  painter.drawLine(QPointF(line.left(), std::round(tab.bottom()) + 0.5), QPointF(line.right(), std::round(tab.bottom()) + 0.5));
  if (height < 11) return;  // drawn by paintSmallTitle
  // The text keeps a readable size while the header shrinks.
  painter.save();
  const double scale = std::max(view.zoom, std::min(1.0, height / 13));
  painter.translate(r.topLeft());
  painter.scale(scale, scale);
  const double w = r.width() / scale, h = height / scale;
  painter.setPen(QPen(h_.text2, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const double cy = h / 2;
  painter.drawPolyline(QPolygonF({{9, cy - 2}, {13, cy + 2}, {17, cy - 2}}));
  painter.setFont(fonts_.title);
  painter.setPen(h_.text1);
  const QFontMetricsF tm(fonts_.title);
  const QString title = view.zoom >= 0.7 ? it.title : elideName(it.title, tm, w - 28);
  painter.drawText(QRectF(23, 0, w - 28, h), Qt::AlignVCenter | Qt::AlignLeft, title);
  if (const double at = 23 + tm.horizontalAdvance(title) + 10; it.flow != layout::ScopeFlow::None && at < w - 40) {
    painter.setFont(fonts_.small);
    painter.setPen(it.flow == layout::ScopeFlow::Loop ? h_.accent : h_.text2);
    painter.drawText(QRectF(at, 0, w - at - 5, h), Qt::AlignVCenter | Qt::AlignLeft, flowWord(it.flow));
  }
  if (view.zoom >= 0.7) {
    painter.setFont(fonts_.small);
    painter.setPen(h_.text3);
    painter.drawText(QRectF(0, 0, w - 9, h), Qt::AlignVCenter | Qt::AlignRight, it.summary);
  }
  painter.restore();
}

// Where a large scope's header is too low for text, the title is drawn at a readable size over the contents.
void ScenePainter::paintSmallTitle(QPainter& painter, const Viewport& view, const SceneItem& it) const {
  constexpr double kReadable = 11, kLeastWidth = 90, kLeastHeight = 44;
  const QRectF r = view.toScreen(it.rect);
  if (m_.scopeHeader * view.zoom >= kReadable || r.width() < kLeastWidth || r.height() < kLeastHeight) return;
  QFont font = fonts_.title;
  font.setPixelSize(11);
  const QFontMetricsF metrics(font);
  const QString word = flowWord(it.flow);
  const QString text = elideName(word.isEmpty() ? it.name : it.name + QStringLiteral(" · ") + word, metrics, r.width() - 12);
  const QRectF box(r.left() + 1, r.top() + 1, metrics.horizontalAdvance(text) + 10, 16);
  QColor back = it.layer ? h_.accentSoft : h_.surface3;
  back.setAlphaF(0.92);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(back);
  painter.drawRoundedRect(box, 3, 3);
  painter.setFont(font);
  painter.setPen(h_.text1);
  painter.drawText(box.adjusted(5, 0, -3, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
}

// Unconnected ports are drawn as rings.
void ScenePainter::paintOpenPorts(QPainter& painter, const Viewport& view, int sceneItem) const {
  const int kMost = scene_.items()[static_cast<size_t>(sceneItem)].item.isScope() ? 3 : 8;
  int shown = 0;
  const double z = std::min(1.0, view.zoom) * (view.zoom > 1 ? view.zoom : 1);
  for (const ScenePort& port : scene_.ports(sceneItem)) {
    if (port.connected || ++shown > kMost) continue;
    painter.setPen(QPen(port.port.output ? h_.borderStrong : h_.text2, 1.3 * z));
    painter.setBrush(h_.surface2);
    painter.drawEllipse(view.toScreen(port.at), (m_.portRadius - 0.5) * z, (m_.portRadius - 0.5) * z);
  }
}

QColor ScenePainter::wireColor(const SceneWire& wire) const {
  if (wire.broken) return h_.error;
  if (wire.kind == EdgeKind::Control) return h_.borderStrong;
  return wire.dtype >= 0 ? dtypeColors_[static_cast<size_t>(wire.dtype)] : h_.text3;
}

void ScenePainter::paintWires(QPainter& painter, const Viewport& view, const std::vector<int>& wires, const QRectF& screen,
                              const std::vector<char>* lit) const {
  const std::vector<SceneWire>& all = scene_.wires();
  const auto hidden = [this](int w) { return hiddenWires_ != nullptr && !hiddenWires_->empty() && (*hiddenWires_)[static_cast<size_t>(w)] != 0; };
  const bool plain = view.zoom < 0.28;
  if (!plain) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const int w : wires) {
      const SceneWire& wire = all[static_cast<size_t>(w)];
      const bool isLit = lit != nullptr && (*lit)[static_cast<size_t>(w)] != 0;
      if ((lit != nullptr && !isLit) || (!wire.isDrawn() && !isLit) || (lit == nullptr && hidden(w))) continue;
      paintWire(painter, view, wire, isLit);
    }
    return;
  }
  // At small zooms: straight one-pixel lines, grouped by colour.
  painter.setRenderHint(QPainter::Antialiasing, false);
  std::vector<QVector<QLineF>> lines(dtypeColors_.size() + 3);  // by dtype; without one, broken, between tasks
  const double shortest = wires.size() > kManyWires ? 8 : (view.zoom < 0.08 ? 3 : 0);
  for (const int w : wires) {
    const SceneWire& wire = all[static_cast<size_t>(w)];
    const bool isLit = lit != nullptr && (*lit)[static_cast<size_t>(w)] != 0;
    if ((lit != nullptr && !isLit) || (!wire.isDrawn() && !isLit) || (lit == nullptr && hidden(w)) || wire.pointCount < 2) continue;
    if ((wire.bounds.width() + wire.bounds.height()) * view.zoom < shortest) continue;
    const size_t types = dtypeColors_.size();
    auto& list = lines[wire.broken ? types + 1 : wire.crossesTasks ? types + 2 : wire.dtype < 0 ? types : static_cast<size_t>(wire.dtype)];
    QPointF before;
    for (int i = 0; i < wire.pointCount; ++i) {
      const layout::Point& p = scene_.points()[static_cast<size_t>(wire.firstPoint + i)];
      const QPointF at = view.toScreen(QPointF(p.x, p.y));
      if (i > 0 && std::max(at.x(), before.x()) >= screen.left() && std::min(at.x(), before.x()) <= screen.right() &&
          std::max(at.y(), before.y()) >= screen.top() && std::min(at.y(), before.y()) <= screen.bottom())
        list.append({before, at});
      before = at;
    }
  }
  for (size_t c = 0; c < lines.size(); ++c) {
    if (lines[c].isEmpty()) continue;
    const size_t special = c - std::min(c, dtypeColors_.size());
    const QColor hue = c < dtypeColors_.size() ? dtypeColors_[c] : special == 0 ? h_.borderStrong : special == 1 ? h_.error : h_.text1;
    painter.setPen(QPen(lit != nullptr ? hue : mix(hue, h_.surface0, std::clamp(0.25 + view.zoom * 1.6, 0.25, 0.7)), 1));
    painter.drawLines(lines[c]);
  }
}

void ScenePainter::paintWire(QPainter& painter, const Viewport& view, const SceneWire& wire, bool lit) const {
  if (wire.pointCount < 2) return;
  const QColor hue = wireColor(wire);
  const double z = view.zoom;
  const double extent = (wire.bounds.width() + wire.bounds.height()) * z;
  QPainterPath path = scene_.wirePath(wire, m_.wireCorner);
  path = QTransform(z, 0, 0, z, -view.offset.x(), -view.offset.y()).map(path);
  painter.setBrush(Qt::NoBrush);
  const auto stroke = [&](double width) { return std::max(1.0, (lit ? width + 0.6 : width) * std::min(1.0, z)); };
  // A band beneath marks wires between tasks: they may be dashed, double or of any hue.
  if (wire.crossesTasks)
    painter.strokePath(path, QPen(mix(h_.text1, h_.surface0, 0.3), std::max(5.0, stroke(wire.width + 7)), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
  const bool dashes = extent < 3000;  // dashing a long wire is too slow for its benefit
  if (wire.broken) {
    QPen pen(hue, stroke(m_.wireBroken));
    if (dashes) pen.setDashPattern({3, 2});
    painter.strokePath(path, pen);
  } else if (wire.kind == EdgeKind::Control) {
    QPen pen(hue, stroke(m_.wireControl));
    if (dashes) pen.setDashPattern({4, 4});
    painter.strokePath(path, pen);
  } else if (wire.kind == EdgeKind::Reference && z >= 0.5) {
    painter.strokePath(path, QPen(hue, 3.5 * std::min(1.0, z)));
    painter.strokePath(path, QPen(h_.surface0, 1.5 * std::min(1.0, z)));
  } else {
    painter.strokePath(path, QPen(hue, stroke(wire.width), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
  }
  if (z >= 0.5) paintEnds(painter, view, wire);
  if (!wire.label.isEmpty() && z >= 0.6) {
    painter.save();
    painter.translate(view.toScreen(wire.labelAt));
    painter.scale(z, z);
    painter.setFont(fonts_.detail);
    painter.setPen(wire.broken ? h_.error : h_.text2);
    const double half = 80;
    painter.drawText(QRectF(-half, -14, 2 * half, 16), Qt::AlignHCenter | Qt::AlignBottom, wire.label);
    painter.restore();
  }
}

void ScenePainter::paintEnds(QPainter& painter, const Viewport& view, const SceneWire& wire) const {
  const auto point = [&](int i) {
    const layout::Point& p = scene_.points()[static_cast<size_t>(wire.firstPoint + i)];
    return view.toScreen(QPointF(p.x, p.y));
  };
  const QPointF a = point(0), b = point(wire.pointCount - 1);
  const double z = std::min(1.0, view.zoom) * (view.zoom > 1 ? view.zoom : 1);
  if (wire.kind == EdgeKind::Control) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(wireColor(wire));
    const double back = wire.pointCount > 1 && point(wire.pointCount - 2).x() > b.x() ? 8 : -8;  // opposite to the wire's last direction
    const QPointF head[3] = {b, b + QPointF(back, -4) * z, b + QPointF(back, 4) * z};
    painter.drawConvexPolygon(head, 3);
    return;
  }
  // An arrow marks wires that run backwards beneath the flow.
  if (wire.pointCount > 1 && point(wire.pointCount - 2).x() > b.x() + 1) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(wireColor(wire));
    const QPointF head[3] = {b, b + QPointF(9, -4.5) * z, b + QPointF(9, 4.5) * z};
    painter.drawConvexPolygon(head, 3);
    return;
  }
  const QColor fill = wire.broken ? h_.surface2 : wireColor(wire);
  painter.setPen(QPen(wire.broken ? h_.error : h_.surface2, 1.5 * z));
  painter.setBrush(fill);
  const double r = m_.portRadius * z;
  painter.drawEllipse(a, r, r);
  painter.drawEllipse(b, r, r);
}

void ScenePainter::paintLit(QPainter& painter, const Viewport& view, const QRectF& screen, const std::vector<char>& items, const std::vector<char>& wires,
                            bool scopes) const {
  const QRectF world = view.toWorld(screen);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const int i : scene_.itemsIn(world))
    if (scopes && scene_.items()[static_cast<size_t>(i)].open && items[static_cast<size_t>(i)] != 0)
      paintOpenScope(painter, view, scene_.items()[static_cast<size_t>(i)]);
  paintWires(painter, view, scene_.wiresIn(world), screen, &wires);
  painter.setRenderHint(QPainter::Antialiasing);
  for (const int i : scene_.itemsIn(world)) {
    const SceneItem& it = scene_.items()[static_cast<size_t>(i)];
    if (it.open || items[static_cast<size_t>(i)] == 0) continue;
    if (tierFor(it.rect.height() * view.zoom, m_) == Tier::Heat) painter.fillRect(view.toScreen(it.rect), colors_.of(it.item));
    else paintLeaf(painter, view, it);
  }
}

void ScenePainter::paintOutline(QPainter& painter, const Viewport& view, int sceneItem, const QColor& color, double width, double gap) const {
  const SceneItem& it = scene_.items()[static_cast<size_t>(sceneItem)];
  const double z = view.zoom;
  const double inset = width / 2 - gap;
  QRectF r = view.toScreen(it.rect);
  r = QRectF(r.topLeft(), QSizeF(std::max(3.0, r.width()), std::max(3.0, r.height()))).adjusted(inset, inset, -inset, -inset);
  painter.setPen(QPen(color, width));
  painter.setBrush(Qt::NoBrush);
  painter.setRenderHint(QPainter::Antialiasing);
  if (!it.open && it.shape == NodeShape::Variable) {
    painter.drawRoundedRect(r, r.height() / 2, r.height() / 2);
  } else if (!it.open && it.shape == NodeShape::Placeholder && z >= 0.3) {
    painter.drawPath(tagShape(r, 5 * z));
  } else if (it.shape == NodeShape::Constant) {
    painter.drawRect(r);
  } else {
    const double radius = (it.open ? m_.scopeRadius : m_.radius) * std::min(1.0, z) + gap;
    painter.drawRoundedRect(r, radius, radius);
  }
}

}  // namespace weft::widgets
