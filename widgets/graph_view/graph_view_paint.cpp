// Painting of the canvas: the tiles, and above them the overlays that change with every mouse movement.
#include <QElapsedTimer>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {

constexpr double kTileBudgetMs = 8;  // of a frame of 16 ms
constexpr int kMinimapWidth = 160, kMinimapHeight = 90, kOverviewScale = 4;
constexpr int kMaxLit = 500;  // above that only wires are highlighted: dimming the canvas to highlight nearly all of it is pointless

}  // namespace

void GraphView::paintEvent(QPaintEvent*) {
  QElapsedTimer timer;
  timer.start();
  QPainter painter(this);
  d_->paint(painter);
  painter.end();
  d_->frames.add(static_cast<double>(timer.nsecsElapsed()) / 1e6);
}

void GraphView::Private::paint(QPainter& painter) {
  const Theme& theme = Theme::current();
  ScenePainter scenePainter(scene, theme, colors, mode);
  scenePainter.setHidden(&lifted, &wiresLifted);
  painter.fillRect(q->rect(), theme.color(Role::Surface0));
  const double ratio = q->devicePixelRatioF();
  const Viewport shown = view;
  const bool complete =
      tiles.draw(painter, shown, q->size(), ratio, kTileBudgetMs, [&](QPainter& p, const QRectF& screen) { scenePainter.paint(p, shown, screen); });
  if (!complete) QTimer::singleShot(0, q, [this] { q->update(); });
  paintOverlay(painter, scenePainter);
}

void GraphView::Private::light(int sceneItem) {
  litFor = -2;
  litCount = 0;
  if (sceneItem >= 0) {
    if (static_cast<size_t>(sceneItem) >= scene.items().size() || scene.items()[static_cast<size_t>(sceneItem)].open) return;
    scene.path(sceneItem, litItems, litWires);
    litFor = sceneItem;
  } else if (!highlight.isEmpty()) {
    litItems.assign(scene.items().size(), 0);
    litWires.assign(scene.wires().size(), 0);
    for (const Item item : std::as_const(highlight))
      if (const int i = scene.find(scene.visibleFor(item)); i >= 0) litItems[static_cast<size_t>(i)] = 1;
    litFor = -1;
  }
  litCount = static_cast<int>(std::count(litItems.begin(), litItems.end(), 1));
}

void GraphView::Private::paintOverlay(QPainter& painter, const ScenePainter& scenePainter) {
  const Theme& theme = Theme::current();
  const QRectF screen(q->rect());
  if (litFor != -2 && (litFor == -1 || (litFor == hovered && litFor >= 0))) {
    size_t leaves = 0;
    for (const SceneItem& it : scene.items()) leaves += it.open ? 0 : 1;
    const bool worthIt = litCount > 0 && (litFor == -1 || litCount * 10 < static_cast<int>(leaves) * 9) && litCount <= kMaxLit;
    if (worthIt) {
      QColor veil = theme.color(Role::Surface0);
      veil.setAlphaF(0.62);
      painter.fillRect(screen, veil);
      scenePainter.paintLit(painter, view, screen, litItems, litWires);
    }
  }
  const QColor accent = theme.color(Role::Accent);
  if (stale) return;
  paintGhosts(painter);
  const auto near = [&](int i) { return view.toScreen(scene.items()[static_cast<size_t>(i)].rect).intersects(screen); };
  if (hovered >= 0 && drag == Drag::None && near(hovered))
    scenePainter.paintOutline(painter, view, hovered, mix(accent, theme.color(Role::Surface2), 0.55), 1.5);
  // At most 1500 outlines are drawn (select all may select many thousands).
  int outlined = 0;
  for (const Item item : std::as_const(selection)) {
    const int i = scene.find(scene.visibleFor(item));
    if (i < 0 || !near(i) || (!lifted.empty() && lifted[static_cast<size_t>(i)] != 0) || ++outlined > 1500) continue;
    scenePainter.paintOutline(painter, view, i, accent, theme.metrics().focusRing);
  }
  paintComposing(painter, scenePainter);
  if (drag == Drag::Rubber && pressMoved) {
    QColor fill = accent;
    fill.setAlphaF(0.12);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(accent, 1));
    painter.setBrush(fill);
    painter.drawRect(QRectF(pressAt, dragAt).normalized());
  }
  if (minimap && q->width() > 420 && q->height() > 160) paintMinimap(painter);
  if (q->hasFocus() && focusByKey) {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(mix(theme.color(Role::Focus), theme.color(Role::Surface0), 0.6), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(q->rect().adjusted(0, 0, -1, -1));
  }
}

QRect GraphView::Private::minimapRect() const { return {q->width() - kMinimapWidth - 12, q->height() - kMinimapHeight - 10, kMinimapWidth, kMinimapHeight}; }

Viewport GraphView::Private::minimapView() const {
  Viewport v = Viewport::fitted(contentRect(), QSizeF(kMinimapWidth, kMinimapHeight), 4, 1);
  // A graph may exceed the canvas even at the smallest zoom.
  const QRectF world = contentRect();
  v.zoom = std::min((kMinimapWidth - 8) / std::max(1.0, world.width()), (kMinimapHeight - 8) / std::max(1.0, world.height()));
  return v.centeredOn(world.center(), QSizeF(kMinimapWidth, kMinimapHeight));
}

// Renders the whole graph into a small picture, for the minimap and for areas without tiles. Runs when idle.
void GraphView::Private::renderOverview() {
  if (!overviewStale || scene.items().empty()) return;
  overviewStale = false;
  const Theme& theme = Theme::current();
  const Viewport small = minimapView();
  Viewport v{small.zoom * kOverviewScale, {}};
  v = v.centeredOn(contentRect().center(), QSizeF(kMinimapWidth, kMinimapHeight) * kOverviewScale);
  const QSize size(kMinimapWidth * kOverviewScale, kMinimapHeight * kOverviewScale);
  overview = QPixmap(size);
  overview.fill(Qt::transparent);  // keeps its alpha channel, which makes scaling fast
  QPainter painter(&overview);
  painter.fillRect(overview.rect(), theme.color(Role::Surface0));
  painter.setRenderHint(QPainter::Antialiasing, false);
  // Rectangles only: nothing else is visible at this size, and 15,000 of them must not delay a frame.
  for (const SceneItem& it : scene.items()) {
    const QRectF r = v.toScreen(it.rect);
    if (it.open) {
      painter.fillRect(r, mix(theme.color(Role::Surface3), theme.color(Role::Surface0), 0.6));
      continue;
    }
    painter.fillRect(QRectF(r.topLeft(), QSizeF(std::max(3.0, r.width()), std::max(3.0, r.height()))), colors.of(it.item));
  }
  painter.end();
  tiles.setOverview(overview, v.toWorld(QRectF(QPointF(), QSizeF(size))));
}

// Whether the minimap is at that point, and not a node that should be hit instead.
bool GraphView::Private::onMinimap(QPointF screen) const {
  if (!minimap || q->width() <= 420 || q->height() <= 160 || !minimapRect().contains(screen.toPoint())) return false;
  const int i = stale ? -1 : scene.hit(view.toWorld(screen));
  return i < 0 || scene.items()[static_cast<size_t>(i)].open;
}

// Translucent where it covers nodes, nearly transparent over a hovered one.
double GraphView::Private::minimapOpacity() const {
  constexpr double kThrough = 0.4, kGone = 0.12, kWhole = 1;
  if (drag == Drag::Minimap) return kWhole;
  const QRectF box = view.toWorld(QRectF(minimapRect()));
  // Where nodes are dots, nothing could be recognized beneath the minimap.
  if (view.zoom < 0.02 || scene.leavesIn(box).empty()) return kWhole;
  const bool under = hovered >= 0 && scene.items()[static_cast<size_t>(hovered)].rect.intersects(box);
  return under ? kGone : kThrough;
}

void GraphView::Private::paintMinimap(QPainter& painter) {
  if (scene.items().empty()) return;
  const double opacity = minimapOpacity();
  const Theme& theme = Theme::current();
  const QRect box = minimapRect();
  painter.save();
  painter.setOpacity(opacity);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.color(Role::Border), 1));
  painter.setBrush(theme.color(Role::Surface1));
  painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
  painter.setClipRect(box.adjusted(2, 2, -2, -2));
  if (!overview.isNull()) {
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setOpacity(0.95 * opacity);
    painter.drawPixmap(box, overview);
    painter.setOpacity(opacity);
  }
  const Viewport small = minimapView();
  QRectF seen = small.toScreen(view.toWorld(QRectF(q->rect()))).translated(box.topLeft());
  seen = seen.intersected(QRectF(box).adjusted(3, 3, -3, -3));
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(QPen(theme.color(Role::Accent), 1));
  painter.setBrush(Qt::NoBrush);
  if (seen.isValid()) painter.drawRect(seen);
  painter.restore();
}

}  // namespace weft::widgets
