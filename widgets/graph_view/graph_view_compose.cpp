// Editing with the mouse: start of gestures, moving items by hand, cutting, rerouting, drops from the palette.
#include <QDragEnterEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {

constexpr double kPortReach = 8, kStraighten = 7;

}  // namespace

// Returns whether the press starts an editing gesture.
bool GraphView::Private::pressForComposing(QMouseEvent* event) {
  menuSuppressed = false;
  if (!editable()) return false;
  const QPointF at = event->position();
  const Qt::KeyboardModifiers modifiers = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier | Qt::AltModifier);
  if (event->button() == Qt::RightButton && modifiers != Qt::NoModifier) {
    menuSuppressed = true;
    stroke = {at};
    if (modifiers == Qt::ControlModifier) {
      drag = Drag::Cut;
    } else if (modifiers == Qt::ShiftModifier) {
      drag = Drag::Reroute;
    } else if (modifiers == Qt::AltModifier) {
      lazyFrom = q->itemAt(at);
      drag = lazyFrom ? Drag::Lazy : Drag::None;
    } else {
      return false;
    }
    return true;
  }
  if (event->button() != Qt::LeftButton || modifiers != Qt::NoModifier || !portsShown()) return false;
  if (pulled = handleAt(at); pulled) {
    drag = Drag::Resize;
    return true;
  }
  int item = -1;
  const ScenePort port = scene.hitPort(view.toWorld(at), kPortReach / view.zoom, &item);
  if (!port.port.isValid()) return pressOnAnnotation(at);
  startWire(port, item, at);
  return true;
}

void GraphView::Private::dragComposing(QMouseEvent* event) {
  const QPointF at = event->position();
  switch (drag) {
    case Drag::Wire: dragWire(at, event->globalPosition().toPoint()); break;
    case Drag::Press:
      drag = Drag::Move;
      lift();
      [[fallthrough]];
    case Drag::Move:
      moveDelta = snapped((at - pressAt) / view.zoom);
      markedWire = insertTarget(view.toWorld(at));
      break;
    case Drag::Note:
    case Drag::Resize: moveDelta = (at - pressAt) / view.zoom; break;
    case Drag::Cut:
    case Drag::Reroute:
    case Drag::Lazy: stroke << at; break;
    default: break;
  }
}

// Returns whether an editing gesture ended here.
bool GraphView::Private::releaseComposing(QMouseEvent* event) {
  const QPointF at = event->position();
  const Drag ended = drag;
  if (ended < Drag::Wire) return false;
  drag = Drag::None;
  if (ended == Drag::Wire) {
    dropWire(at, event->globalPosition().toPoint());
  } else if (ended == Drag::Move) {
    const int wireIndex = markedWire;
    QVector<Placement> placements;
    for (const Item item : std::as_const(moving)) {
      const QPointF to = scene.placeOf(item) + moveDelta;
      placements.append({item, {std::round(to.x()), std::round(to.y())}});
    }
    const Item alone = moving.size() == 1 ? moving.front() : Item{};
    const bool moved = std::abs(moveDelta.x()) + std::abs(moveDelta.y()) >= 1;
    // A frame dragged by its title moves with its contents.
    const SceneAnnotation* chosen = chosenAnnotation();
    if (moved && chosen != nullptr && chosen->kind == Annotation::Kind::Frame) {
      const Annotation a = model->annotation(chosen->index);
      const QPointF to = a.rect.topLeft() + moveDelta;
      emit q->frameMoveRequested(a.id, {a.scope, {std::round(to.x()), std::round(to.y())}}, placements);
    } else if (moved && !placements.isEmpty()) {
      emit q->moveRequested(placements);
    }
    if (moved && alone && wireIndex >= 0 && !stale && static_cast<size_t>(wireIndex) < scene.wires().size())
      emit q->insertRequested(alone, scene.wires()[static_cast<size_t>(wireIndex)].edge);
    if (job == nullptr) clearLift();
  } else if (ended == Drag::Note) {
    if (const SceneAnnotation* chosen = chosenAnnotation(); pressMoved && chosen != nullptr) {
      const Annotation a = model->annotation(chosen->index);
      const QPointF to = a.rect.topLeft() + moveDelta;
      emit q->annotationMoved(a.id, {a.scope, {std::round(to.x()), std::round(to.y())}});
    }
    moveDelta = {};
  } else if (ended == Drag::Resize) {
    if (const SceneAnnotation* chosen = chosenAnnotation(); pressMoved && chosen != nullptr) {
      const Annotation a = model->annotation(chosen->index);
      // The part by which opened scopes enlarge a frame does not belong to its stored size.
      const QRectF to = resized(*chosen);
      const QRectF own = a.kind == Annotation::Kind::Frame ? a.rect : chosen->rect.translated(-scene.originOf(a.scope));
      emit q->annotationResized(a.id, own.adjusted(to.left() - chosen->rect.left(), to.top() - chosen->rect.top(), to.right() - chosen->rect.right(),
                                                   to.bottom() - chosen->rect.bottom())
                                          .toRect());
    }
    moveDelta = {};
    pulled = {};
  } else if (ended == Drag::Cut && pressMoved) {
    stroke << at;
    QPolygonF line;
    for (const QPointF point : std::as_const(stroke)) line << view.toWorld(point);
    QVector<int> edges;
    for (const int w : scene.wiresCutBy(line))
      for (const int e : scene.edgesOf(w))
        if (!edges.contains(e)) edges.append(e);
    if (!edges.isEmpty()) emit q->cutRequested(edges);
  } else if (ended == Drag::Reroute && pressMoved) {
    stroke << at;
    QPolygonF line;
    for (const QPointF point : std::as_const(stroke)) line << view.toWorld(point);
    const std::vector<int> cut = scene.wiresCutBy(line);
    if (!cut.empty()) {
      const SceneWire& w = scene.wires()[static_cast<size_t>(cut.front())];
      const QPointF middle = line.boundingRect().center();
      emit q->rerouteRequested(w.edge, {w.container, middle - scene.originOf(w.container)});
    }
  } else if (ended == Drag::Lazy) {
    connectLazily(lazyFrom, q->itemAt(at));
  }
  stroke.clear();
  markedWire = -1;
  q->update();
  return true;
}

// Moving items leave the tiles and are drawn separately until they are dropped.
void GraphView::Private::lift() {
  clearLift();
  lifted.assign(scene.items().size(), 0);
  wiresLifted.assign(scene.wires().size(), 0);
  moving.clear();
  for (const Item item : std::as_const(selection)) {
    const int i = scene.find(item);
    if (i < 0 || !scene.isMovable(item)) continue;
    // Contents of a selected open scope move with it.
    bool inside = false;
    for (int s = scene.parentScope(item); s >= 0 && !inside; s = scene.parentScope(Item::scope(s))) inside = selection.contains(Item::scope(s));
    if (inside) continue;
    moving.append(item);
    lifted[static_cast<size_t>(i)] = 1;
    if (item.isScope() && scene.items()[static_cast<size_t>(i)].open)
      for (const int k : scene.itemsInside(item.index)) lifted[static_cast<size_t>(k)] = 1;
  }
  for (size_t w = 0; w < scene.wires().size(); ++w) {
    const SceneWire& wire = scene.wires()[w];
    const auto isLifted = [this](int i) { return i >= 0 && lifted[static_cast<size_t>(i)] != 0; };
    bool container = false;
    if (wire.container >= 0) container = isLifted(scene.find(Item::scope(wire.container)));
    if (container || isLifted(wire.from) || isLifted(wire.to)) {
      wiresLifted[w] = 1;
      tiles.invalidate(wire.bounds);
    }
  }
  for (size_t i = 0; i < lifted.size(); ++i)
    if (lifted[i] != 0) tiles.invalidate(scene.items()[i].rect.adjusted(-16, -16, 16, 24));
}

void GraphView::Private::clearLift() {
  if (lifted.empty()) return;
  for (size_t i = 0; i < lifted.size() && i < scene.items().size(); ++i)
    if (lifted[i] != 0) tiles.invalidate(scene.items()[i].rect.adjusted(-16, -16, 16, 24));
  for (size_t w = 0; w < wiresLifted.size() && w < scene.wires().size(); ++w)
    if (wiresLifted[w] != 0) tiles.invalidate(scene.wires()[w].bounds);
  lifted.clear();
  wiresLifted.clear();
  moving.clear();
  moveDelta = {};
  q->update();
}

// Cancels the current gesture.
void GraphView::Private::endDrag() {
  wire.reset();
  if (drag == Drag::Note || drag == Drag::Resize) moveDelta = {};
  pulled = {};
  hoveredPort = {};
  stroke.clear();
  markedWire = -1;
  if (drag >= Drag::Wire) drag = Drag::None;
}

// A moved item snaps where its main wire would be straight.
QPointF GraphView::Private::snapped(QPointF delta) const {
  if (moving.size() != 1) return delta;
  const int i = scene.find(moving.front());
  if (i < 0) return delta;
  double best = kStraighten / view.zoom, correction = 0;
  for (const int w : scene.wiresAt(i)) {
    const SceneWire& wire = scene.wires()[static_cast<size_t>(w)];
    if (wire.quiet || wire.pointCount < 2 || wire.joint != layout::Joint::Curve) continue;
    const bool starts = wire.from == i;
    const layout::Point& own = scene.points()[static_cast<size_t>(starts ? wire.firstPoint : wire.firstPoint + wire.pointCount - 1)];
    const layout::Point& other = scene.points()[static_cast<size_t>(starts ? wire.firstPoint + wire.pointCount - 1 : wire.firstPoint)];
    const double off = other.y - (own.y + delta.y());
    if (std::abs(off) < best) {
      best = std::abs(off);
      correction = off;
    }
  }
  return delta + QPointF(0, correction);
}

// The wire into which a moved node would be inserted; only a node without wires can be.
int GraphView::Private::insertTarget(QPointF world) const {
  if (moving.size() != 1) return -1;
  const int i = scene.find(moving.front());
  if (i < 0 || scene.items()[static_cast<size_t>(i)].open || !scene.predecessors(i).empty() || !scene.successors(i).empty()) return -1;
  const int w = scene.hitWire(world, 10 / view.zoom);
  return w >= 0 && scene.wires()[static_cast<size_t>(w)].kind == EdgeKind::Data ? w : -1;
}

void GraphView::Private::connectLazily(Item from, Item to) {
  const int a = scene.find(scene.visibleFor(from)), b = scene.find(scene.visibleFor(to));
  if (a < 0 || b < 0 || a == b) return;
  QString why;
  // Open inputs first, then connected ones.
  for (const bool taken : {false, true})
    for (const ScenePort& out : scene.ports(a)) {
      if (!out.port.output) continue;
      for (const ScenePort& in : scene.ports(b)) {
        if (in.port.output || in.connected != taken) continue;
        if (model->canConnect(out.port, in.port, &why)) {
          emit q->connectRequested(out.port, in.port, -1);
          return;
        }
      }
    }
  if (!why.isEmpty()) QToolTip::showText(QCursor::pos(), why, q);
}

// --- API ---

CanvasPlace GraphView::placeAt(QPointF screen) const {
  const QPointF world = d_->view.toWorld(screen);
  CanvasPlace place;
  place.scope = d_->scene.root();
  for (const SceneItem& it : d_->scene.items())  // parents come before children
    if (it.open && !it.group && it.rect.contains(world)) place.scope = it.item.index;
  place.position = world - d_->scene.originOf(place.scope);
  return place;
}

CanvasPlace GraphView::placeOf(Item item) const { return {d_->scene.modelScope(d_->scene.parentScope(item)), d_->scene.placeOf(item)}; }

QPointF GraphView::placeToScreen(const CanvasPlace& place) const { return d_->view.toScreen(place.position + d_->scene.originOf(place.scope)); }

QVector<GraphView::ShownPort> GraphView::portsOf(Item item) const {
  QVector<ShownPort> ports;
  if (d_->stale) return ports;
  for (const ScenePort& port : d_->scene.ports(d_->scene.find(item))) ports.append({port.port, d_->view.toScreen(port.at), port.connected});
  return ports;
}

int GraphView::edgeAt(QPointF screen) const {
  if (d_->stale) return -1;
  const int w = d_->scene.hitWire(d_->view.toWorld(screen), 10 / d_->view.zoom);
  return w >= 0 && d_->scene.wires()[static_cast<size_t>(w)].kind != EdgeKind::Control ? d_->scene.wires()[static_cast<size_t>(w)].edge : -1;
}

void GraphView::tidy() {
  if (d_->stale && d_->waits([this] { tidy(); })) return;
  if (!d_->editable()) return;
  QVector<Item> items = d_->selection;
  for (const Item item : std::as_const(d_->selection))
    if (isExpanded(item.index) && item.isScope())
      for (const int i : d_->scene.itemsInside(item.index)) items.append(d_->scene.items()[static_cast<size_t>(i)].item);
  d_->scene.forgetPlaces(items);
  d_->relayout(items.isEmpty() ? d_->hold() : Private::Hold{});
}

void GraphView::align(Alignment how) {
  struct Row {
    Item item;
    QRectF rect;
  };
  QVector<Row> rows;
  QRectF all;
  for (const Item item : std::as_const(d_->selection)) {
    const int i = d_->scene.find(item);
    if (i < 0 || !d_->scene.isMovable(item)) continue;
    rows.append({item, d_->scene.items()[static_cast<size_t>(i)].rect});
    all = all.united(rows.last().rect);
  }
  if (rows.size() < 2) return;
  const bool across = how == Alignment::SpreadAcross, down = how == Alignment::SpreadDown;
  if (across || down) {
    std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      return across ? a.rect.center().x() < b.rect.center().x() : a.rect.center().y() < b.rect.center().y();
    });
    double used = 0;
    for (const Row& row : std::as_const(rows)) used += across ? row.rect.width() : row.rect.height();
    const double gap = ((across ? all.width() : all.height()) - used) / static_cast<double>(rows.size() - 1);
    double at = across ? all.left() : all.top();
    for (Row& row : rows) {
      if (across) row.rect.moveLeft(at);
      else row.rect.moveTop(at);
      at += (across ? row.rect.width() : row.rect.height()) + gap;
    }
  }
  QVector<Placement> placements;
  for (const Row& row : std::as_const(rows)) {
    const QRectF was = d_->scene.items()[static_cast<size_t>(d_->scene.find(row.item))].rect;
    QRectF to = row.rect;
    switch (how) {
      case Alignment::Left: to.moveLeft(all.left()); break;
      case Alignment::Center: to.moveCenter({all.center().x(), to.center().y()}); break;
      case Alignment::Right: to.moveRight(all.right()); break;
      case Alignment::Top: to.moveTop(all.top()); break;
      case Alignment::Middle: to.moveCenter({to.center().x(), all.center().y()}); break;
      case Alignment::Bottom: to.moveBottom(all.bottom()); break;
      default: break;
    }
    const QPointF place = d_->scene.placeOf(row.item) + (to.topLeft() - was.topLeft());
    placements.append({row.item, {std::round(place.x()), std::round(place.y())}});
  }
  emit moveRequested(placements);
}

void GraphView::setPreview(const QString& node, const QPixmap& picture, const QString& text) {
  if (picture.isNull() && text.isEmpty()) d_->previews.remove(node);
  else d_->previews[node] = {picture, text};
  update();
}

void GraphView::clearPreviews() {
  d_->previews.clear();
  update();
}

// --- what is dragged from the palette ---

void GraphView::dragEnterEvent(QDragEnterEvent* event) {
  if (d_->editable() && event->mimeData()->hasFormat(QLatin1String(kPaletteMime))) event->acceptProposedAction();
}

void GraphView::dragMoveEvent(QDragMoveEvent* event) {
  if (!d_->editable() || !event->mimeData()->hasFormat(QLatin1String(kPaletteMime))) return;
  event->acceptProposedAction();
  const int w = d_->scene.hitWire(d_->view.toWorld(event->position()), 10 / d_->view.zoom);
  if (w == d_->markedWire) return;
  d_->markedWire = w;
  update();
}

void GraphView::dragLeaveEvent(QDragLeaveEvent*) {
  d_->markedWire = -1;
  update();
}

void GraphView::dropEvent(QDropEvent* event) {
  if (!d_->editable() || !event->mimeData()->hasFormat(QLatin1String(kPaletteMime))) return;
  event->acceptProposedAction();
  d_->markedWire = -1;
  update();
  emit typeDropped(QString::fromUtf8(event->mimeData()->data(QLatin1String(kPaletteMime))), event->position(), edgeAt(event->position()));
}

}  // namespace weft::widgets
