#include "graph_view/graph_view.h"

#include <QAccessible>
#include <QGuiApplication>
#include <QResizeEvent>
#include <QSet>
#include <algorithm>

#include "common/format.h"
#include "common/icons.h"
#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {
constexpr double kReadable = 0.5;  // zoom from which names are readable
}

GraphView::Private::Private(GraphView* view) : q(view), zoomButton(new QToolButton(view)), fitButton(new QToolButton(view)) {
  motion = QGuiApplication::platformName() != QLatin1String("offscreen");
  animation.setStartValue(0.0);
  animation.setEndValue(1.0);
  animation.setEasingCurve(QEasingCurve::Linear);
  QObject::connect(&animation, &QVariantAnimation::valueChanged, q, [this](const QVariant& t) {
    this->view = Viewport::between(animationFrom, animationTo, q->size(), t.toDouble());
    if (t.toDouble() >= 1) this->view = animationTo;
    this->view = this->view.snapped(q->devicePixelRatioF());
    changed();
  });
  hoverTimer.setSingleShot(true);
  hoverTimer.setInterval(180);
  QObject::connect(&hoverTimer, &QTimer::timeout, q, [this] {
    light(hovered);
    q->update();
  });
  idleTimer.setSingleShot(true);
  idleTimer.setInterval(60);
  QObject::connect(&idleTimer, &QTimer::timeout, q, [this] {
    renderOverview();
    q->update();
  });
  zoomButton->setText(QStringLiteral("100 %"));
  zoomButton->setToolTip(GraphView::tr("Zoom to 100 % (Home)"));
  fitButton->setIcon(icon(QStringLiteral("fit")));
  fitButton->setToolTip(GraphView::tr("Fit all (A)"));
  fitButton->setAccessibleName(GraphView::tr("Fit all"));
  for (QToolButton* button : {zoomButton, fitButton}) {
    button->setFocusPolicy(Qt::NoFocus);
    button->setCursor(Qt::ArrowCursor);
  }
  QObject::connect(zoomButton, &QToolButton::clicked, q, [this] { q->setZoom(1); });
  QObject::connect(fitButton, &QToolButton::clicked, q, &GraphView::fitAll);
}

void GraphView::Private::recolor() {
  if (stale) return;
  colors = ColorTable::make(scene, mode, Theme::current());
  tiles.invalidate();
  overviewStale = true;
  idleTimer.start();
  q->update();
  emit q->legendChanged();
}

void GraphView::Private::setSelection(QVector<Item> items) {
  if (items == selection) return;
  chosenEdge = -1;
  selection = std::move(items);
  q->update();
  emit q->selectionChanged();
  emitCurrentScope();
  updateAccessible();
}

void GraphView::Private::emitCurrentScope() {
  int scope = scene.root();
  if (!selection.isEmpty()) {
    const Item item = selection.last();
    scope = item.isScope() && scene.open()[static_cast<size_t>(item.index)] != 0 ? item.index : scene.parentScope(item);
  }
  scope = scene.modelScope(scope);
  if (scope == currentScope) return;
  currentScope = scope;
  emit q->currentScopeChanged(scope);
}

void GraphView::Private::updateAccessible() {
  QString text = GraphView::tr("%1 items shown").arg(scene.items().size());
  if (selection.size() == 1 && model != nullptr) {
    const Item item = selection.first();
    text = item.isNode() ? GraphView::tr("%1, operation %2").arg(model->nodeName(item.index), model->nodeOp(item.index))
                         : GraphView::tr("%1, scope, %2").arg(scene.nameOf(item), formatOps(scene.stats(item.index).ops));
  } else if (selection.size() > 1) {
    text = GraphView::tr("%1 items selected").arg(selection.size());
  }
  q->setAccessibleDescription(text);
}

void GraphView::Private::setView(const Viewport& target, bool animate) {
  animation.stop();
  fitOnShow = whole = first = false;
  if (animate && motion && q->isVisible()) {
    animationFrom = view;
    animationTo = target.snapped(q->devicePixelRatioF());
    animation.setDuration(Theme::current().metrics().motionMs);
    animation.start();
    return;
  }
  view = target.snapped(q->devicePixelRatioF());
  changed();
}

void GraphView::Private::changed() {
  zoomButton->setText(GraphView::tr("%1 %").arg(qRound(view.zoom * 100)));
  emit q->zoomChanged(view.zoom);
  q->update();
}

QRectF GraphView::Private::contentRect() const { return scene.bounds().adjusted(-8, -20, 16, 24); }

void GraphView::Private::fit(const QRectF& world, double maxZoom) {
  if (world.isEmpty()) return;
  constexpr double kMargin = 24, kLeast = 0.75;
  Viewport best = Viewport::fitted(world, q->size(), kMargin, maxZoom);
  // Nodes should not lie behind the minimap: if some do, fit beside or above it instead, unless that is much smaller.
  const QRect map = minimapRect();
  const auto hidden = [&](const Viewport& v) {
    if (!minimap || zoomButton->isHidden()) return false;
    for (const int leaf : scene.leavesIn(v.toWorld(QRectF(map))))
      if (scene.items()[static_cast<size_t>(leaf)].rect.intersects(world)) return true;
    return false;
  };
  if (hidden(best)) {
    const Viewport beside = Viewport::fitted(world, QSizeF(map.left(), q->height()), kMargin, maxZoom);
    const Viewport above = Viewport::fitted(world, QSizeF(q->width(), map.top()), kMargin, maxZoom);
    const Viewport& other = beside.zoom >= above.zoom ? beside : above;
    if (other.zoom >= std::max(kLeast * best.zoom, best.zoom >= kReadable ? kReadable : 0)) best = other;
  }
  setView(best, true);
}

void GraphView::Private::firstLook() {
  constexpr double kStart = 0.75, kMargin = 28;
  const QRectF all = contentRect();
  const Viewport whole = Viewport::fitted(all, q->size(), 24, 1);
  if (whole.zoom >= kReadable || scene.items().empty()) {
    q->fitAll();
    first = true;  // docks may still appear and shrink the canvas
    return;
  }
  // Start of the spine; for a graph without wires, its top left corner.
  QRectF start = all;
  const QRectF spine = scene.spineStart();
  if (!spine.isEmpty()) start = spine;
  Viewport v{kStart, {}};
  const QSizeF room = QSizeF(q->size()) / kStart;
  const double margin = kMargin / kStart;
  const double x = std::max(all.left() - margin, std::min(start.left() - margin, all.right() + margin - room.width()));
  const double y = all.height() + 2 * margin <= room.height() ? all.center().y() - room.height() / 2
                                                              : std::clamp(start.center().y() - room.height() / 2, all.top() - margin,
                                                                           std::max(all.top() - margin, all.bottom() + margin - room.height()));
  v.offset = QPointF(x, y) * kStart;
  setView(v, false);
  first = true;
}

void GraphView::Private::placeButtons() {
  const int bottom = q->height() - 10;
  int right = q->width() - 12;
  const bool show = q->width() > 420 && q->height() > 160;
  if (minimap && show) right = minimapRect().left() - 10;
  fitButton->setVisible(show);
  zoomButton->setVisible(show);
  const int h = 26;
  fitButton->setGeometry(right - h, bottom - h, h, h);
  zoomButton->setGeometry(right - h - 6 - 56, bottom - h, 56, h);
}

// --- GraphView
// ---------------------------------------------------------------------------------------------------------------------------

GraphView::GraphView(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAcceptDrops(true);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Graph canvas"));
}

GraphView::~GraphView() {
  d_->dropJob();
  for (const auto& connection : d_->connections) disconnect(connection);
}

void GraphView::setModel(GraphModel* model) {
  for (const auto& connection : d_->connections) disconnect(connection);
  d_->connections.clear();
  d_->model = model;
  if (model != nullptr) {
    d_->connections.push_back(connect(model, &GraphModel::structureReset, this, [this] { d_->resetModel(); }));
    d_->connections.push_back(connect(model, &GraphModel::contentChanged, this, [this] {
      d_->snapshot.reset();
      d_->relayout(d_->hold());
      if (d_->mode == ColorMode::Device && !d_->isLarge()) d_->recolor();  // the nodes' tasks may be known now
    }));
    d_->connections.push_back(connect(model, &GraphModel::statusChanged, this, [this] { d_->statusChanged(); }));
    d_->connections.push_back(connect(model, &QObject::destroyed, this, [this] {
      d_->model = nullptr;
      d_->resetModel();
    }));
  }
  d_->resetModel();
}

GraphModel* GraphView::model() const { return d_->model; }

bool GraphView::isExpanded(int scope) const {
  if (d_->stale) return false;
  const auto& open = d_->scene.open();
  return scope >= 0 && static_cast<size_t>(scope) < open.size() && open[static_cast<size_t>(scope)] != 0;
}

void GraphView::setExpanded(int scope, bool expanded) {
  if (d_->pending() && d_->waits([=, this] { setExpanded(scope, expanded); })) return;
  if (scope < 0 || static_cast<size_t>(scope) >= d_->scene.open().size() || isExpanded(scope) == expanded) return;
  d_->toggle(scope);
}

void GraphView::expandAll() {
  if (d_->pending() && d_->waits([this] { expandAll(); })) return;
  std::fill(d_->scene.open().begin(), d_->scene.open().end(), 1);
  d_->relayout(d_->hold());
  d_->emitCurrentScope();
}

void GraphView::expandGroups() {
  if (d_->pending() && d_->waits([this] { expandGroups(); })) return;
  for (int s = 0; s < d_->scene.scopeCount(); ++s)
    if (d_->scene.isGroup(Item::scope(s))) d_->scene.open()[static_cast<size_t>(s)] = 1;
  d_->relayout(d_->hold());
}

void GraphView::collapseAll() {
  if (d_->pending() && d_->waits([this] { collapseAll(); })) return;
  std::fill(d_->scene.open().begin(), d_->scene.open().end(), 0);
  d_->relayout(d_->hold());
  d_->emitCurrentScope();
}

QStringList GraphView::expandedScopes() const {
  QStringList names;
  if (d_->stale) return names;
  for (size_t s = 0; s < d_->scene.open().size(); ++s)
    if (d_->scene.open()[s] != 0) names << d_->scene.scopeName(static_cast<int>(s));
  return names;
}

void GraphView::setExpandedScopes(const QStringList& names) {
  if (d_->model == nullptr || (d_->pending() && d_->waits([=, this] { setExpandedScopes(names); }))) return;
  const QSet<QString> wanted(names.begin(), names.end());
  for (int s = 0; s < d_->scene.scopeCount(); ++s) d_->scene.open()[static_cast<size_t>(s)] = wanted.contains(d_->scene.scopeName(s)) ? 1 : 0;
  d_->relayout(d_->hold());
}

void GraphView::setRootScope(int scope) {
  if (d_->pending() && d_->waits([=, this] { setRootScope(scope); })) return;
  if (d_->scene.root() == scope) return;
  d_->scene.setRoot(scope);
  d_->relayout({});
  if (!d_->waits([this] { fitAll(); })) fitAll();
  d_->emitCurrentScope();
}

int GraphView::rootScope() const { return d_->scene.root(); }

QVector<Item> GraphView::selection() const {
  if (d_->stale) return d_->selection;
  QVector<Item> items;
  for (const Item item : std::as_const(d_->selection)) items += d_->scene.members(item);
  return items;
}

void GraphView::select(const QVector<Item>& items, bool reveal) {
  if (d_->pending() && d_->waits([=, this] { select(items, reveal); })) return;
  if (reveal && !items.isEmpty()) {
    bool opened = false;
    for (const Item item : items) opened = d_->scene.openAround(item) || opened;
    if (opened) d_->relayout(d_->hold());
    if (d_->waits([=, this] { select(items, reveal); })) {
      d_->setSelection(items);
      return;
    }
    const int first = d_->scene.find(items.first());
    if (first >= 0) {
      const QRectF rect = d_->scene.items()[static_cast<size_t>(first)].rect;
      Viewport view = d_->view;
      if (rect.height() * view.zoom < 14) view = Viewport{0.8, {}}.centeredOn(rect.center(), size());
      d_->setView(view.revealing(rect, size(), 48), true);
    }
  }
  d_->setSelection(items);
}

int GraphView::selectNames(const QStringList& names, bool reveal) {
  if (d_->pending()) {
    d_->waits([=, this] { selectNames(names, reveal); });
    return static_cast<int>(names.size());
  }
  QVector<Item> items;
  for (const QString& name : names)
    if (const Item item = d_->scene.itemNamed(name)) items.append(item);
  select(items, reveal);
  return static_cast<int>(items.size());
}

void GraphView::selectAll() {
  QVector<Item> items;
  for (const SceneItem& it : d_->scene.items())
    if (!it.open) items.append(it.item);
  d_->setSelection(items);
}

void GraphView::clearSelection() { d_->setSelection({}); }

void GraphView::setHighlight(const QVector<Item>& items) {
  if (d_->pending() && d_->waits([=, this] { setHighlight(items); })) return;
  d_->highlight = items;
  d_->litFor = -2;
  if (!items.isEmpty()) d_->light(-1);
  update();
}

const QVector<Item>& GraphView::highlight() const { return d_->highlight; }

ColorMode GraphView::colorMode() const { return d_->mode; }

void GraphView::setColorMode(ColorMode mode) {
  if (mode == d_->mode) return;
  d_->mode = mode;
  if (d_->stale) d_->again = true;
  else d_->recolor();
}

QVector<LegendEntry> GraphView::legend() const { return d_->colors.legend; }

void GraphView::fitAll() {
  d_->fit(d_->contentRect(), 1);
  d_->whole = true;
}

void GraphView::lookFirst() { d_->firstLook(); }

void GraphView::fitSelection() {
  if (d_->pending() && d_->waits([this] { fitSelection(); })) return;
  QRectF rect;
  for (const Item item : std::as_const(d_->selection)) {
    const int i = d_->scene.find(d_->scene.visibleFor(item));
    if (i >= 0) rect = rect.united(d_->scene.items()[static_cast<size_t>(i)].rect);
  }
  d_->fit(rect.isEmpty() ? d_->contentRect() : rect.adjusted(-24, -24, 24, 24), 1.5);
}

void GraphView::centerOn(Item item) {
  if (d_->waits([=, this] { centerOn(item); })) return;
  const int i = d_->scene.find(d_->scene.visibleFor(item));
  if (i >= 0) d_->setView(d_->view.centeredOn(d_->scene.items()[static_cast<size_t>(i)].rect.center(), size()), true);
}

void GraphView::centerSelection() {
  if (d_->waits([this] { centerSelection(); })) return;
  if (d_->selection.isEmpty()) return;
  const int i = d_->scene.find(d_->scene.visibleFor(d_->selection.first()));
  if (i < 0) return;
  const QRectF rect = d_->scene.items()[static_cast<size_t>(i)].rect;
  const double zoom = rect.height() * d_->view.zoom < 14 ? 0.8 : d_->view.zoom;
  d_->setView(Viewport{zoom, {}}.centeredOn(rect.center(), size()), true);
}

double GraphView::zoom() const { return d_->view.zoom; }
void GraphView::setZoom(double zoom) { d_->setView(d_->view.zoomedAt(QPointF(width() / 2.0, height() / 2.0), zoom), true); }
void GraphView::zoomIn() { setZoom(d_->view.zoom * 1.25); }
void GraphView::zoomOut() { setZoom(d_->view.zoom / 1.25); }
void GraphView::panBy(QPointF delta) { d_->setView({d_->view.zoom, d_->view.offset + delta}); }
QPointF GraphView::toScreen(QPointF world) const { return d_->view.toScreen(world); }
QPointF GraphView::toWorld(QPointF screen) const { return d_->view.toWorld(screen); }

void GraphView::setMinimapVisible(bool visible) {
  d_->minimap = visible;
  d_->placeButtons();
  update();
}

bool GraphView::isMinimapVisible() const { return d_->minimap; }
void GraphView::setMotion(bool on) { d_->motion = on; }

Item GraphView::itemAt(QPointF screen) const {
  const Item item = d_->itemAt(screen);
  return d_->scene.isGroup(item) ? Item{} : item;
}

Item GraphView::Private::itemAt(QPointF screen) const {
  if (stale) return {};
  const int i = scene.hit(view.toWorld(screen));
  return i < 0 ? Item{} : scene.items()[static_cast<size_t>(i)].item;
}

QRectF GraphView::itemRect(Item item) const {
  if (d_->stale) return {};
  const int i = d_->scene.find(item);
  return i < 0 ? QRectF() : d_->view.toScreen(d_->scene.items()[static_cast<size_t>(i)].rect);
}

int GraphView::visibleItemCount() const { return static_cast<int>(d_->scene.items().size()); }
double GraphView::lastLayoutMs() const { return d_->scene.layoutMs(); }
FrameStats GraphView::frameTimes() const { return d_->frames.stats(); }
void GraphView::resetFrameTimes() { d_->frames.clear(); }
QSize GraphView::sizeHint() const { return {960, 640}; }
QSize GraphView::minimumSizeHint() const { return {160, 120}; }

void GraphView::resizeEvent(QResizeEvent* event) {
  d_->placeButtons();
  if (d_->fitOnShow) {
    d_->firstLook();
    d_->fitOnShow = !isVisible();
  } else if ((d_->whole || d_->first) && event->oldSize().isValid()) {
    // A view that shows the whole graph and was not moved since continues to do so.
    const bool motion = std::exchange(d_->motion, false);
    d_->first ? d_->firstLook() : fitAll();
    d_->motion = motion;
  } else if (event->oldSize().isValid()) {
    // Keep the centre.
    const QSize grown = event->size() - event->oldSize();
    d_->view.offset -= QPointF(grown.width() / 2.0, grown.height() / 2.0);
    d_->view = d_->view.snapped(devicePixelRatioF());
  }
  QWidget::resizeEvent(event);
}

void GraphView::showEvent(QShowEvent* event) {
  if (d_->fitOnShow) {
    const bool motion = std::exchange(d_->motion, false);
    d_->firstLook();
    d_->motion = motion;
  }
  QWidget::showEvent(event);
}

void GraphView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    d_->recolor();
    d_->tiles.clear();
    d_->overview = {};
    d_->fitButton->setIcon(icon(QStringLiteral("fit")));
  } else if (event->type() == QEvent::LanguageChange) {
    d_->relayout(d_->hold());
    d_->recolor();  // translates the legend
  }
  QWidget::changeEvent(event);
}

}  // namespace weft::widgets
