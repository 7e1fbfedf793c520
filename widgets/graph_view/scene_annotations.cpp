// Frames around nodes, comments, and points that wires pass: drawn on the canvas, nothing to the graph.
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "graph_view/scene.h"

namespace weft::widgets {
namespace {

constexpr double kNoteWidth = 220, kNotePad = 8, kDot = 7;

}  // namespace

// After the wires: wires are led through their points.
void Scene::buildAnnotations() {
  annotations_.clear();
  if (model_ == nullptr) return;
  std::vector<std::pair<int, QPointF>> bends;  // edge, point
  for (int i = 0; i < model_->annotationCount(); ++i) {
    const Annotation a = model_->annotation(i);
    SceneAnnotation shown;
    shown.index = i;
    shown.kind = a.kind;
    shown.text = a.text;
    shown.color = a.color;
    // What lies in a closed scope, or outside of the one that is shown, is not seen.
    if (a.scope != root_ && (a.scope < 0 ? root_ >= 0 : find(Item::scope(a.scope)) < 0 || !items_[static_cast<size_t>(find(Item::scope(a.scope)))].open)) continue;
    const QPointF at = originOf(a.scope) + a.rect.topLeft();
    if (a.kind == Annotation::Kind::Frame) {
      shown.rect = QRectF(at, a.rect.size());
    } else {
      if (a.kind == Annotation::Kind::Reroute) {
        if (a.edge < 0) continue;
        shown.rect = QRectF(at - QPointF(kDot, kDot), QSizeF(2 * kDot, 2 * kDot));
        bends.emplace_back(a.edge, at);
      } else {
        // As wide as its text, unless somebody pulled at it.
        const bool pulled = a.rect.width() > 2 * kNotePad;
        const QRectF text = QFontMetricsF(fonts_.detail).boundingRect(QRectF(0, 0, pulled ? a.rect.width() - 2 * kNotePad : kNoteWidth, 2000), Qt::TextWordWrap, a.text);
        shown.rect = QRectF(at, QSizeF(pulled ? a.rect.width() - 2 * kNotePad : std::ceil(text.width()), std::ceil(text.height()))).adjusted(0, 0, 2 * kNotePad, 2 * kNotePad);
      }
    }
    bounds_ = bounds_.united(shown.rect);
    annotations_.push_back(shown);
  }
  if (!bends.empty()) bendWires(bends);
}

// Only a wire of a single edge can be led elsewhere: a bundle goes to several places.
void Scene::bendWires(const std::vector<std::pair<int, QPointF>>& bends) {
  for (const layout::Route& route : layout_.routes) {
    if (route.edgeCount != 1 || route.segmentCount != 1) continue;
    const int edge = layout_.routeEdges[static_cast<size_t>(route.firstEdge)];
    std::vector<QPointF> via;
    for (const auto& [e, at] : bends)
      if (e == edge) via.push_back(at);
    if (via.empty()) continue;
    SceneWire& wire = wires_[static_cast<size_t>(layout_.routeSegments[static_cast<size_t>(route.firstSegment)])];
    if (wire.pointCount < 2) continue;
    const layout::Point first = layout_.points[static_cast<size_t>(wire.firstPoint)];
    const layout::Point last = layout_.points[static_cast<size_t>(wire.firstPoint + wire.pointCount - 1)];
    wire.firstPoint = static_cast<int>(layout_.points.size());
    wire.pointCount = static_cast<int>(via.size()) + 2;
    wire.joint = layout::Joint::Curve;
    wire.label.clear();
    layout_.points.push_back(first);
    wire.bounds = QRectF(QPointF(first.x, first.y), QPointF(last.x, last.y)).normalized();
    for (const QPointF& at : via) {
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
    // A frame is taken by its title; its inside is canvas.
    if (a.kind == Annotation::Kind::Frame && world.y() > a.rect.top() + 22) continue;
    return static_cast<int>(i);
  }
  return -1;
}

}  // namespace weft::widgets
