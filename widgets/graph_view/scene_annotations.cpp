// Frames around nodes, comments, and reroutes: drawn on the canvas, not part of the graph.
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "graph_view/scene.h"

namespace weft::widgets {
namespace {

constexpr double kNoteWidth = 220, kNotePad = 8, kDot = 7;

/// How far an item is from its stored place: opened scopes push their neighbours and grow.
struct Shift {
  QRectF was, now;
};

// A frame moves and grows with its contents.
QRectF grown(const QRectF& frame, const std::vector<Shift>& items) {
  QRectF out;
  for (const Shift& s : items) {
    if (!frame.contains(s.was.center())) continue;
    const QRectF own(QPointF(s.now.left() + frame.left() - s.was.left(), s.now.top() + frame.top() - s.was.top()),
                     QPointF(s.now.right() + frame.right() - s.was.right(), s.now.bottom() + frame.bottom() - s.was.bottom()));
    out = out.isNull() ? own
                       : QRectF(QPointF(std::min(out.left(), own.left()), std::min(out.top(), own.top())),
                                QPointF(std::max(out.right(), own.right()), std::max(out.bottom(), own.bottom())));
  }
  return out.isNull() ? frame : out;
}

// A comment keeps its distance to the nearest item: to its right edge if right of it, to its lower edge if below it.
QPointF besideNearest(QPointF at, const std::vector<Shift>& items) {
  const Shift* nearest = nullptr;
  double least = 1e18;
  for (const Shift& s : items) {
    const double dx = std::max({s.was.left() - at.x(), at.x() - s.was.right(), 0.0}), dy = std::max({s.was.top() - at.y(), at.y() - s.was.bottom(), 0.0});
    if (dx + dy >= least) continue;
    least = dx + dy;
    nearest = &s;
  }
  if (nearest == nullptr) return at;
  const QPointF begin = nearest->now.topLeft() - nearest->was.topLeft(), end = nearest->now.bottomRight() - nearest->was.bottomRight();
  return at + QPointF(at.x() >= nearest->was.right() ? end.x() : begin.x(), at.y() >= nearest->was.bottom() ? end.y() : begin.y());
}

double distanceTo(QPointF at, const layout::Point& from, const layout::Point& to) {
  const QPointF way(to.x - from.x, to.y - from.y), there(at.x() - from.x, at.y() - from.y);
  const double length = QPointF::dotProduct(way, way);
  const double part = length > 0 ? std::clamp(QPointF::dotProduct(there, way) / length, 0.0, 1.0) : 0;
  return std::hypot(there.x() - part * way.x(), there.y() - part * way.y());
}

}  // namespace

// Called after the wires exist, because wires are bent through reroutes.
void Scene::buildAnnotations() {
  annotations_.clear();
  if (model_ == nullptr || !arrangement_.isComposed()) return;  // annotations belong to the document's places
  std::vector<std::pair<int, QPointF>> bends;                   // edge, point
  for (int i = 0; i < model_->annotationCount(); ++i) {
    const Annotation a = model_->annotation(i);
    SceneAnnotation shown;
    shown.index = i;
    shown.kind = a.kind;
    shown.text = a.text;
    shown.color = a.color;
    // Annotations in a closed scope, or outside the shown one, are hidden.
    if (a.scope != root_ && (a.scope < 0 ? root_ >= 0 : find(Item::scope(a.scope)) < 0 || !items_[static_cast<size_t>(find(Item::scope(a.scope)))].open))
      continue;
    const QPointF origin = originOf(a.scope);
    QPointF at = origin + a.rect.topLeft();
    std::vector<Shift> items;
    if (a.kind != Annotation::Kind::Reroute) {
      for (const SceneItem& it : items_) {
        if (parentScope(it.item) != a.scope) continue;
        const QRectF now = it.rect.translated(-origin);
        const QPointF place = placeOf(it.item);
        QRectF was(place, now.size());
        const auto container = memory_->containers.find(a.scope < 0 ? layout::kRootKey : key(Item::scope(a.scope)));
        if (container != memory_->containers.end())
          if (const auto kept = container->second.kept.find(key(it.item)); kept != container->second.kept.end())
            was.setSize({kept->second.box.w, kept->second.box.h});
        items.push_back({was, now});
      }
    }
    if (a.kind == Annotation::Kind::Comment) at = origin + besideNearest(a.rect.topLeft(), items);
    if (a.kind == Annotation::Kind::Frame) {
      shown.rect = grown(a.rect, items).translated(origin);
    } else {
      if (a.kind == Annotation::Kind::Reroute) {
        if (a.edge < 0) continue;
        shown.rect = QRectF(at - QPointF(kDot, kDot), QSizeF(2 * kDot, 2 * kDot));
        bends.emplace_back(a.edge, at);
      } else {
        // As wide as its text, unless the user has resized it.
        const bool pulled = a.rect.width() > 2 * kNotePad;
        const QRectF text =
            QFontMetricsF(fonts_.detail).boundingRect(QRectF(0, 0, pulled ? a.rect.width() - 2 * kNotePad : kNoteWidth, 2000), Qt::TextWordWrap, a.text);
        shown.rect = QRectF(at, QSizeF(pulled ? a.rect.width() - 2 * kNotePad : std::ceil(text.width()), std::ceil(text.height())))
                         .adjusted(0, 0, 2 * kNotePad, 2 * kNotePad);
      }
    }
    bounds_ = bounds_.united(shown.rect);
    annotations_.push_back(shown);
  }
  if (!bends.empty()) bendWires(bends);
}

// Several edges may share a route. The segment nearest to the point is bent, for all edges along it; its ends stay.
void Scene::bendWires(const std::vector<std::pair<int, QPointF>>& bends) {
  std::map<int, std::vector<QPointF>> via;  // by wire
  for (const auto& [edge, at] : bends) {
    int nearest = -1;
    double least = std::numeric_limits<double>::max();
    for (const layout::Route& route : layout_.routes) {
      const auto edges = layout_.routeEdges.begin() + route.firstEdge;
      if (std::find(edges, edges + route.edgeCount, edge) == edges + route.edgeCount) continue;
      for (int k = 0; k < route.segmentCount; ++k) {
        const int segment = layout_.routeSegments[static_cast<size_t>(route.firstSegment + k)];
        const SceneWire& wire = wires_[static_cast<size_t>(segment)];
        for (int p = 0; p + 1 < wire.pointCount; ++p) {
          const size_t first = static_cast<size_t>(wire.firstPoint + p);
          const double distance = distanceTo(at, layout_.points[first], layout_.points[first + 1]);
          if (distance < least) least = distance, nearest = segment;
        }
      }
    }
    if (nearest >= 0) via[nearest].push_back(at);
  }
  for (const auto& [segment, points] : via) {
    SceneWire& wire = wires_[static_cast<size_t>(segment)];
    const layout::Point first = layout_.points[static_cast<size_t>(wire.firstPoint)];
    const layout::Point last = layout_.points[static_cast<size_t>(wire.firstPoint + wire.pointCount - 1)];
    wire.firstPoint = static_cast<int>(layout_.points.size());
    wire.pointCount = static_cast<int>(points.size()) + 2;
    wire.joint = layout::Joint::Curve;
    wire.label.clear();
    layout_.points.push_back(first);
    wire.bounds = QRectF(QPointF(first.x, first.y), QPointF(last.x, last.y)).normalized();
    for (const QPointF& at : points) {
      layout_.points.push_back({at.x(), at.y()});
      wire.bounds = wire.bounds.united(QRectF(at, QSizeF(0.1, 0.1)));
    }
    layout_.points.push_back(last);
    wire.bounds.adjust(-40, -12, 40, 12);
  }
  std::vector<QRectF> rects;
  rects.reserve(wires_.size());
  for (const SceneWire& wire : wires_) rects.push_back(wire.bounds);
  wireIndex_.build(rects);
}

int Scene::hitAnnotation(QPointF world) const {
  for (size_t i = annotations_.size(); i-- > 0;) {
    const SceneAnnotation& a = annotations_[i];
    if (!a.rect.contains(world)) continue;
    // A frame is hit by its title only; its inside is canvas.
    if (a.kind == Annotation::Kind::Frame && world.y() > a.rect.top() + 22) continue;
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace weft::widgets
