// Mouse handling of frames, comments and reroutes; bookmarks.
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph_view/graph_view_p.h"

namespace weft::widgets {
namespace {

constexpr double kHandleReach = 6, kHandle = 7;
constexpr double kLeastWidth = 60, kLeastHeight = 40;

/// The edges at which an annotation can be resized: all for a frame, the sides for a comment.
QVector<Qt::Edges> handlesOf(Annotation::Kind kind) {
  if (kind == Annotation::Kind::Reroute) return {};
  QVector<Qt::Edges> handles;
  handles << Qt::LeftEdge << Qt::RightEdge;
  if (kind != Annotation::Kind::Frame) return handles;
  handles << Qt::TopEdge << Qt::BottomEdge;
  handles << (Qt::TopEdge | Qt::LeftEdge) << (Qt::TopEdge | Qt::RightEdge) << (Qt::BottomEdge | Qt::LeftEdge) << (Qt::BottomEdge | Qt::RightEdge);
  return handles;
}

QPointF handlePoint(const QRectF& rect, Qt::Edges edges) {
  return {edges.testFlag(Qt::LeftEdge)    ? rect.left()
          : edges.testFlag(Qt::RightEdge) ? rect.right()
                                          : rect.center().x(),
          edges.testFlag(Qt::TopEdge)      ? rect.top()
          : edges.testFlag(Qt::BottomEdge) ? rect.bottom()
                                           : rect.center().y()};
}

}  // namespace

const SceneAnnotation* GraphView::Private::chosenAnnotation() const {
  if (note.isEmpty() || stale || model == nullptr) return nullptr;
  for (const SceneAnnotation& a : scene.annotations())
    if (a.index < model->annotationCount() && model->annotation(a.index).id == note) return &a;
  return nullptr;
}

Qt::Edges GraphView::Private::handleAt(QPointF at) const {
  const SceneAnnotation* chosen = chosenAnnotation();
  if (chosen == nullptr) return {};
  const QRectF rect = view.toScreen(chosen->rect);
  for (const Qt::Edges edges : handlesOf(chosen->kind)) {
    const QPointF off = handlePoint(rect, edges) - at;
    if (std::max(std::abs(off.x()), std::abs(off.y())) <= kHandleReach) return edges;
  }
  return {};
}

QRectF GraphView::Private::resized(const SceneAnnotation& annotation) const {
  QRectF r = annotation.rect;
  if (pulled.testFlag(Qt::LeftEdge)) r.setLeft(std::min(r.left() + moveDelta.x(), r.right() - kLeastWidth));
  if (pulled.testFlag(Qt::RightEdge)) r.setRight(std::max(r.right() + moveDelta.x(), r.left() + kLeastWidth));
  if (pulled.testFlag(Qt::TopEdge)) r.setTop(std::min(r.top() + moveDelta.y(), r.bottom() - kLeastHeight));
  if (pulled.testFlag(Qt::BottomEdge)) r.setBottom(std::max(r.bottom() + moveDelta.y(), r.top() + kLeastHeight));
  return r;
}

void GraphView::Private::paintChosenAnnotation(QPainter& painter) {
  const SceneAnnotation* chosen = chosenAnnotation();
  if (chosen == nullptr) return;
  const Theme& theme = Theme::current();
  QRectF r = view.toScreen(drag == Drag::Resize ? resized(*chosen) : chosen->rect);
  if (drag == Drag::Note || drag == Drag::Move) r.translate(moveDelta * view.zoom);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(theme.color(Role::Accent), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(r, 5, 5);
  if (!portsShown()) return;
  painter.setPen(QPen(theme.color(Role::Accent), 1.5));
  painter.setBrush(theme.color(Role::Surface2));
  for (const Qt::Edges edges : handlesOf(chosen->kind)) {
    const QPointF at = handlePoint(r, edges);
    painter.drawRect(QRectF(at.x() - kHandle / 2, at.y() - kHandle / 2, kHandle, kHandle));
  }
}

// Frames move their contents; comments and reroutes move alone.
bool GraphView::Private::pressOnAnnotation(QPointF at) {
  const int hit = scene.hitAnnotation(view.toWorld(at));
  const Item under = hit < 0 ? Item{} : q->itemAt(at);
  const bool covered = under.isNode() || (under.isScope() && !q->isExpanded(under.index));
  if (hit < 0 || covered) {
    if (!note.isEmpty()) q->update();
    note.clear();
    return false;
  }
  const Annotation annotation = model->annotation(scene.annotations()[static_cast<size_t>(hit)].index);
  note = annotation.id;
  QVector<Item> inside;
  if (annotation.kind == Annotation::Kind::Frame) {
    const QRectF rect = scene.annotations()[static_cast<size_t>(hit)].rect;
    for (const SceneItem& it : scene.items())
      if (rect.contains(it.rect.center()) && scene.parentScope(it.item) == annotation.scope) inside.append(it.item);
  }
  setSelection(inside);
  drag = inside.isEmpty() ? Drag::Note : Drag::Press;
  return true;
}

// --- API ---

QString GraphView::selectedAnnotation() const { return d_->note; }

void GraphView::editAnnotation(const QString& id) {
  if (d_->stale && d_->waits([=, this] { editAnnotation(id); })) return;
  for (const SceneAnnotation& shown : d_->scene.annotations()) {
    const Annotation a = d_->model->annotation(shown.index);
    if (a.id != id || a.kind == Annotation::Kind::Reroute) continue;
    QRectF at = d_->view.toScreen(shown.rect);
    at.setWidth(std::max(at.width(), 160.0));
    d_->openEditor(at, a.text, QStringLiteral("annotation"), true, [this, id, was = a.text](const QString& text) {
      if (text != was) emit annotationEdited(id, text);
    });
    return;
  }
}

void GraphView::setBookmark(int number) {
  if (!d_->scene.arrangement().isComposed()) return;  // bookmarks refer to the document's places
  const QRectF seen = d_->view.toWorld(QRectF(rect()));
  CanvasBookmark bookmark{{}, seen.center(), seen.size()};
  double nearest = std::numeric_limits<double>::max();
  QPointF corner;
  for (const SceneItem& it : d_->scene.items()) {
    const QPointF off = it.rect.center() - seen.center();
    const double distance = std::hypot(off.x(), off.y());
    if (it.open || distance >= nearest) continue;
    nearest = distance;
    bookmark.anchor = d_->scene.nameOf(it.item);
    corner = it.rect.topLeft();
  }
  bookmark.middle -= corner;
  d_->bookmarks[number] = bookmark;
  emit bookmarkRequested(number, bookmark);
}

bool GraphView::goToBookmark(int number) {
  const auto it = d_->bookmarks.constFind(number);
  if (it == d_->bookmarks.cend() || it->size.isEmpty()) return false;
  d_->arrange({});
  if (d_->pending() && d_->waits([=, this] { goToBookmark(number); })) return true;
  QPointF corner;
  if (!it->anchor.isEmpty()) {
    const int i = d_->scene.find(d_->scene.visibleFor(d_->scene.itemNamed(it->anchor)));
    if (i < 0) return false;
    corner = d_->scene.items()[static_cast<size_t>(i)].rect.topLeft();
  }
  const double zoom = std::min(width() / it->size.width(), height() / it->size.height());
  d_->setView(Viewport{zoom, {}}.centeredOn(corner + it->middle, size()), true);
  return true;
}

void GraphView::setBookmarks(const QMap<int, CanvasBookmark>& bookmarks) { d_->bookmarks = bookmarks; }

}  // namespace weft::widgets
