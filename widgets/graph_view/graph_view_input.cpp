// Mouse and keyboard input of the canvas.
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "common/format.h"
#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {

constexpr double kDragStart = 4;

Qt::CursorShape handleCursor(Qt::Edges edges) {
  if (edges == (Qt::TopEdge | Qt::LeftEdge) || edges == (Qt::BottomEdge | Qt::RightEdge)) return Qt::SizeFDiagCursor;
  if (edges == (Qt::TopEdge | Qt::RightEdge) || edges == (Qt::BottomEdge | Qt::LeftEdge)) return Qt::SizeBDiagCursor;
  return edges == Qt::TopEdge || edges == Qt::BottomEdge ? Qt::SizeVerCursor : Qt::SizeHorCursor;
}

}  // namespace

Item GraphView::Private::single() const { return selection.isEmpty() ? Item{} : selection.last(); }

/// An open scope is hit only by its header; its inside is canvas.
bool GraphView::Private::isCanvas(Item item, QPointF at) const {
  if (!item || !item.isScope() || !q->isExpanded(item.index)) return !item;
  return at.y() >= q->itemRect(item).top() + std::max(12.0, Theme::current().metrics().scopeHeader * view.zoom);
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  const QPointF at = event->position();
  d_->pressAt = d_->dragAt = at;
  d_->pressMoved = false;
  d_->dragButton = event->button();
  QToolTip::hideText();
  if (const int chip = event->button() == Qt::LeftButton && !d_->spaceDown ? d_->chipAt(at) : -1; chip >= 0) {
    const SceneItem& it = d_->scene.items()[static_cast<size_t>(chip)];
    d_->showWires({it.item}, !it.wiresShown);
    d_->drag = Private::Drag::None;
    return;
  }
  if (d_->pressForComposing(event)) {
    update();
    return;
  }
  const bool onMinimap = d_->onMinimap(at);
  if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && d_->spaceDown)) {
    d_->drag = Private::Drag::Pan;
    setCursor(Qt::ClosedHandCursor);
  } else if (event->button() == Qt::LeftButton && onMinimap) {
    d_->drag = Private::Drag::Minimap;
    d_->setView(d_->view.centeredOn(d_->minimapView().toWorld(at - d_->minimapRect().topLeft()), size()));
  } else if (event->button() == Qt::LeftButton) {
    d_->drag = Private::Drag::Rubber;
    const Item item = d_->itemAt(at);
    const bool isOpen = item.isScope() && isExpanded(item.index);
    const bool add = (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != 0;
    const QRectF rect = itemRect(item);
    if (d_->isCanvas(item, at)) {
      if (!add && !d_->chooseWire(at)) d_->setSelection({});
      return;
    }
    QVector<Item> items = add ? d_->selection : QVector<Item>{};
    if (add && items.contains(item)) items.removeAll(item);
    else items.append(item);
    // A press on a selected item keeps the selection for dragging; without a drag, the release selects only that item.
    const bool drags = d_->editable() && !add && d_->scene.isMovable(item);
    d_->drag = drags ? Private::Drag::Press : Private::Drag::None;
    d_->clickedAgain = drags && d_->selection.size() > 1 && d_->selection.contains(item) ? item : Item{};
    if (!d_->clickedAgain) d_->setSelection(items);
    // A single click on the chevron opens or closes.
    const bool onChevron = item.isScope() && at.x() < rect.left() + 22 * d_->view.zoom && at.y() < rect.top() + 24 * d_->view.zoom && d_->view.zoom > 0.5;
    if (onChevron && !add) d_->drag = Private::Drag::None;
    if (onChevron && !add && !(!isOpen && d_->scene.scopeShape(item.index) == NodeShape::Variable)) d_->toggle(item.index);
  } else if (event->button() == Qt::RightButton) {
    const Item item = d_->itemAt(at);
    if (d_->isCanvas(item, at) && d_->chooseWire(at)) return;
    if (item && !d_->selection.contains(item)) d_->setSelection({item});
  }
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (d_->drag == Private::Drag::None) {
    d_->hoverAt(at);
    return;
  }
  if (!d_->pressMoved && (at - d_->pressAt).manhattanLength() < kDragStart) return;
  d_->pressMoved = true;
  if (d_->drag >= Private::Drag::Wire) {
    d_->dragComposing(event);
  } else if (d_->drag == Private::Drag::Pan) {
    panBy(d_->dragAt - at);
  } else if (d_->drag == Private::Drag::Minimap) {
    d_->setView(d_->view.centeredOn(d_->minimapView().toWorld(at - d_->minimapRect().topLeft()), size()));
  }
  d_->dragAt = at;
  update();
}

void GraphView::Private::pickRubber(Qt::KeyboardModifiers modifiers) {
  const QRectF box = view.toWorld(QRectF(pressAt, dragAt).normalized());
  QVector<Item> items;
  if ((modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) != 0) items = selection;
  for (const int i : scene.leavesIn(box))
    if (const Item item = scene.items()[static_cast<size_t>(i)].item; !items.contains(item)) items.append(item);
  setSelection(items);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != d_->dragButton) return;
  d_->dragAt = event->position();
  if (d_->drag == Private::Drag::Press && d_->clickedAgain) d_->setSelection({d_->clickedAgain});
  d_->clickedAgain = {};
  if (d_->releaseComposing(event)) {
    d_->dragButton = Qt::NoButton;
    return;
  }
  if (d_->drag == Private::Drag::Rubber && d_->pressMoved) d_->pickRubber(event->modifiers());
  d_->drag = Private::Drag::None;
  d_->dragButton = Qt::NoButton;
  if (d_->spaceDown) setCursor(Qt::OpenHandCursor);
  else unsetCursor();
  update();
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (d_->chipAt(event->position()) >= 0) return mousePressEvent(event);
  if (d_->editable() && !d_->note.isEmpty() && d_->scene.hitAnnotation(d_->view.toWorld(event->position())) >= 0) {
    editAnnotation(d_->note);
    return;
  }
  const Item item = d_->itemAt(event->position());
  if (item.isNode()) {
    emit nodeActivated(item.index);
    return;
  }
  if (item.isScope()) {
    const QRectF rect = itemRect(item);
    const bool isOpen = isExpanded(item.index);
    if ((event->modifiers() & Qt::ControlModifier) != 0 && !d_->scene.isGroup(item)) {
      setRootScope(item.index);
    } else if (!isOpen || event->position().y() < rect.top() + std::max(12.0, 24 * d_->view.zoom)) {
      d_->toggle(item.index);
    } else if (d_->scene.arrangement().isComposed()) {
      emit addRequested(d_->view.toWorld(event->position()), event->globalPosition().toPoint());
    }
    return;
  }
  if (d_->scene.arrangement().isComposed()) emit addRequested(d_->view.toWorld(event->position()), event->globalPosition().toPoint());
}

void GraphView::wheelEvent(QWheelEvent* event) {
  event->accept();
  // Touchpads report pixels and phases: two fingers pan. A wheel zooms.
  const bool touchpad = !event->pixelDelta().isNull() && event->phase() != Qt::NoScrollPhase;
  if (touchpad && (event->modifiers() & Qt::ControlModifier) == 0) {
    panBy(-QPointF(event->pixelDelta()));
    return;
  }
  if ((event->modifiers() & Qt::ShiftModifier) != 0) {
    panBy(QPointF(-(event->angleDelta().x() + event->angleDelta().y()), 0));
    return;
  }
  const double factor = std::pow(1.0015, event->angleDelta().y());
  d_->setView(d_->view.zoomedAt(event->position(), d_->view.zoom * factor));
}

bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    auto* help = static_cast<QHelpEvent*>(event);
    QRect rect;
    const QString text = d_->toolTipAt(help->pos(), &rect);
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this, rect);
    return true;
  }
  if (event->type() == QEvent::NativeGesture) {
    auto* gesture = static_cast<QNativeGestureEvent*>(event);
    if (gesture->gestureType() == Qt::ZoomNativeGesture) {
      d_->setView(d_->view.zoomedAt(gesture->position(), d_->view.zoom * (1 + gesture->value())));
      return true;
    }
  }
  if (event->type() == QEvent::KeyPress) {
    // Tab moves the focus as usual; only after a click on the canvas it opens the add-node search.
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier && !d_->focusByKey && d_->editable()) {
      const QPoint global = QCursor::pos();
      QPointF at = mapFromGlobal(global);
      if (!rect().contains(at.toPoint())) at = QRectF(rect()).center();
      emit addRequested(toWorld(at), mapToGlobal(at.toPoint()));
      return true;
    }
  }
  if (event->type() == QEvent::ShortcutOverride) {
    // While the canvas has the focus, plain letters and digits are its shortcuts, not the menus'.
    auto* key = static_cast<QKeyEvent*>(event);
    const int k = key->key();
    // Deletes the clicked wire, not the nodes at its ends.
    const bool cuts = d_->cutsWire() && k == Qt::Key_Delete;
    if (key->modifiers() == Qt::NoModifier && (cuts || (k >= Qt::Key_A && k <= Qt::Key_Z) || (k >= Qt::Key_0 && k <= Qt::Key_9) || k == Qt::Key_Space ||
                                               k == Qt::Key_Return || k == Qt::Key_Backspace)) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void GraphView::Private::hoverAt(QPointF screen) {
  if (stale) return;
  int i = scene.hit(view.toWorld(screen));
  if (i >= 0 && scene.items()[static_cast<size_t>(i)].open) i = -1;
  const bool overMap = onMinimap(screen);
  if (overMap) i = -1;
  const Qt::Edges handle = portsShown() && !overMap ? handleAt(screen) : Qt::Edges{};
  const int chip = chipAt(screen);
  if (chip >= 0) i = chip;
  const ScenePort port = portsShown() && !overMap && !handle && chip < 0 ? scene.hitPort(view.toWorld(screen), 8 / view.zoom) : ScenePort{};
  if (!(port.port == hoveredPort.port) || handle != hoveredHandle || (chip >= 0) != onChip) {
    hoveredPort = port;
    hoveredHandle = handle;
    onChip = chip >= 0;
    if (onChip) q->setCursor(Qt::PointingHandCursor);
    else if (handle) q->setCursor(handleCursor(handle));
    else if (port.port.isValid()) q->setCursor(Qt::CrossCursor);
    else if (!spaceDown) q->unsetCursor();
    q->update();
  }
  setHovered(i);
}

void GraphView::Private::setHovered(int sceneItem) {
  if (sceneItem == hovered) return;
  hovered = sceneItem;
  hoverTimer.stop();
  litFor = -2;
  if (sceneItem >= 0) hoverTimer.start();
  else if (!highlight.isEmpty()) light(-1);
  const Item item = sceneItem < 0 ? Item{} : scene.items()[static_cast<size_t>(sceneItem)].item;
  emit q->hovered(scene.isGroup(item) ? Item{} : item);
  q->update();
}

void GraphView::leaveEvent(QEvent* event) {
  d_->hoveredPort = {};
  d_->setHovered(-1);
  QWidget::leaveEvent(event);
}

void GraphView::focusInEvent(QFocusEvent* event) {
  const Qt::FocusReason reason = event->reason();
  d_->focusByKey = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
  update();
  QWidget::focusInEvent(event);
}

void GraphView::focusOutEvent(QFocusEvent* event) {
  d_->spaceDown = false;
  unsetCursor();
  update();
  QWidget::focusOutEvent(event);
}

void GraphView::contextMenuEvent(QContextMenuEvent* event) {
  if (d_->menuSuppressed && event->reason() == QContextMenuEvent::Mouse) return;
  Item item = event->reason() == QContextMenuEvent::Mouse ? d_->itemAt(event->pos()) : d_->single();
  // A wire has the canvas menu, with its ends selected.
  const bool onWire = event->reason() == QContextMenuEvent::Mouse && d_->chosenEdge >= 0 && edgeAt(event->pos()) == d_->chosenEdge;
  if (onWire && d_->isCanvas(item, event->pos())) item = {};
  QPoint at = event->globalPos();
  if (event->reason() != QContextMenuEvent::Mouse && item) at = mapToGlobal(itemRect(item).center().toPoint());
  emit contextMenuRequested(d_->scene.isGroup(item) ? d_->scene.members(item).value(0) : item, at);
}

// Steps along the dataflow, or to the neighbour above or below.
void GraphView::Private::stepTo(Qt::Key arrow) {
  const std::vector<SceneItem>& items = scene.items();
  const int at = scene.find(scene.visibleFor(single()));
  int best = -1;
  double nearest = std::numeric_limits<double>::max();
  const auto consider = [&](int i, double cost) {
    if (cost < nearest) {
      nearest = cost;
      best = i;
    }
  };
  if (at < 0) {
    for (size_t i = 0; i < items.size(); ++i)
      if (!items[i].open) consider(static_cast<int>(i), items[i].rect.left() + items[i].rect.top() * 1e-3);
  } else if (arrow == Qt::Key_Left || arrow == Qt::Key_Right) {
    const QPointF from = items[static_cast<size_t>(at)].rect.center();
    for (const int i : arrow == Qt::Key_Right ? scene.successors(at) : scene.predecessors(at)) {
      const QPointF to = items[static_cast<size_t>(i)].rect.center();
      const bool parameter = items[static_cast<size_t>(i)].shape == NodeShape::Variable || items[static_cast<size_t>(i)].shape == NodeShape::Constant;
      consider(i, std::abs(to.y() - from.y()) * 2 + std::abs(to.x() - from.x()) + (parameter ? 1e5 : 0));
    }
  } else {
    const QRectF from = items[static_cast<size_t>(at)].rect;
    for (size_t i = 0; i < items.size(); ++i) {
      if (static_cast<int>(i) == at || items[i].open) continue;
      const QPointF to = items[i].rect.center();
      const double dy = arrow == Qt::Key_Down ? to.y() - from.center().y() : from.center().y() - to.y();
      if (dy <= 1) continue;
      consider(static_cast<int>(i), dy + 3 * std::abs(to.x() - from.center().x()));
    }
  }
  if (best >= 0) q->select({items[static_cast<size_t>(best)].item});
}

// Steps to the previous or next item in dataflow order: columns from left to right, each from top to bottom.
void GraphView::Private::step(int direction) {
  std::vector<int> order;
  const std::vector<SceneItem>& items = scene.items();
  for (size_t i = 0; i < items.size(); ++i)
    if (!items[i].open) order.push_back(static_cast<int>(i));
  if (order.empty()) return;
  const auto rectOf = [&](int i) { return items[static_cast<size_t>(i)].rect; };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const QPointF x = rectOf(a).center(), y = rectOf(b).center();
    return x.x() != y.x() ? x.x() < y.x() : x.y() < y.y();
  });
  const auto at = std::find(order.begin(), order.end(), scene.find(scene.visibleFor(single())));
  std::ptrdiff_t index = at == order.end() ? (direction > 0 ? -1 : static_cast<std::ptrdiff_t>(order.size())) : at - order.begin();
  index = std::clamp<std::ptrdiff_t>(index + direction, 0, static_cast<std::ptrdiff_t>(order.size()) - 1);
  q->select({items[static_cast<size_t>(order[static_cast<size_t>(index)])].item});
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  const bool plainKey = (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == 0;
  const Item current = d_->single();
  switch (plainKey ? event->key() : 0) {
    case Qt::Key_A: fitAll(); return;
    case Qt::Key_F: fitSelection(); return;
    case Qt::Key_Home: setZoom(1); return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomIn(); return;
    case Qt::Key_Minus: zoomOut(); return;
    case Qt::Key_BracketLeft: d_->step(-1); return;
    case Qt::Key_BracketRight: d_->step(1); return;
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: d_->stepTo(static_cast<Qt::Key>(event->key())); return;
    case Qt::Key_Space:
      if (!event->isAutoRepeat()) {
        d_->spaceDown = true;
        setCursor(Qt::OpenHandCursor);
      }
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (current.isScope()) d_->toggle(current.index);
      if (current.isNode()) emit nodeActivated(current.index);
      return;
    case Qt::Key_Backspace: {
      const int around = current ? d_->scene.parentScope(current) : -1;
      if (around >= 0 && around != rootScope()) {
        setExpanded(around, false);
        select({Item::scope(around)});
      } else if (rootScope() >= 0) {
        const int was = rootScope();
        setRootScope(d_->scene.parentScope(Item::scope(was)));
        select({Item::scope(was)});
      }
      return;
    }
    case Qt::Key_Delete:
      if (!d_->note.isEmpty() && d_->editable()) {
        emit annotationRemoved(std::exchange(d_->note, {}));
        return;
      }
      if (d_->cutsWire()) {
        emit cutRequested(d_->chosenEdges());
        return;
      }
      emit deleteRequested();
      return;
    case Qt::Key_R:
      if (!current || !d_->editable()) break;
      startRename(current);
      return;
    case Qt::Key_1:
    case Qt::Key_2:
    case Qt::Key_3:
    case Qt::Key_4:
    case Qt::Key_5:
    case Qt::Key_6:
    case Qt::Key_7:
    case Qt::Key_8:
    case Qt::Key_9: goToBookmark(event->key() - Qt::Key_0); return;
    case Qt::Key_Escape:
      if (d_->drag != Private::Drag::None) {
        d_->endDrag();
        d_->clearLift();
        d_->drag = Private::Drag::None;
        update();
      } else if (!d_->selection.isEmpty()) {
        clearSelection();
      } else {
        break;
      }
      return;
    default: break;
  }
  if (event->modifiers() == Qt::AltModifier && event->key() >= Qt::Key_1 && event->key() <= Qt::Key_9) {
    setBookmark(event->key() - Qt::Key_0);
    return;
  }
  if (event->matches(QKeySequence::SelectAll)) {
    selectAll();
    return;
  }
  QWidget::keyPressEvent(event);
}

void GraphView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
    d_->spaceDown = false;
    if (d_->drag != Private::Drag::Pan) unsetCursor();
    return;
  }
  QWidget::keyReleaseEvent(event);
}

}  // namespace weft::widgets
