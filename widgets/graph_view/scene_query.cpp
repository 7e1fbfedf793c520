// Queries on a scene: by name, by place, along the dataflow.
#include <QPainterPathStroker>
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "graph_view/scene.h"

namespace weft::widgets {
namespace {

double distanceToPiece(QPointF p, QPointF a, QPointF b) {
  const QPointF d = b - a;
  const double length = QPointF::dotProduct(d, d);
  const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, d) / length, 0.0, 1.0) : 0;
  const QPointF q = p - (a + d * t);
  return std::hypot(q.x(), q.y());
}

}  // namespace

int Scene::find(Item item) const {
  if (!item || model_ == nullptr) return -1;
  const int id = layoutItem(item);
  return id >= 0 && id < static_cast<int>(sceneOf_.size()) ? sceneOf_[static_cast<size_t>(id)] : -1;
}

int Scene::parentScope(Item item) const {
  const int parent = item.isNode()    ? graph_.nodeScope[static_cast<size_t>(item.index)]
                     : item.isScope() ? graph_.scopeParent[static_cast<size_t>(item.index)]
                                      : -1;
  return parent == viewRoot_ ? -1 : parent;
}

Item Scene::visibleFor(Item item) const {
  for (Item at = item; at;) {
    if (find(at) >= 0) return at;
    const int parent = parentScope(at);
    at = parent < 0 ? Item{} : Item::scope(parent);
  }
  return {};
}

QRectF Scene::spineStart() const {
  const auto onSpine = [this](const layout::Segment& s) { return s.spine && s.container == layoutRoot(); };
  std::unordered_set<std::int32_t> entered;
  for (const layout::Segment& s : layout_.segments)
    if (onSpine(s) && s.to >= 0) entered.insert(s.to);
  // Each flow has a spine; the main one is the topmost. With a layout in rows, its start need not be the leftmost item.
  QRectF start;
  for (const layout::Segment& s : layout_.segments) {
    if (!onSpine(s) || s.from < 0 || entered.count(s.from) != 0 || sceneOf_[static_cast<size_t>(s.from)] < 0) continue;
    const QRectF& rect = items_[static_cast<size_t>(sceneOf_[static_cast<size_t>(s.from)])].rect;
    if (start.isEmpty() || rect.top() < start.top()) start = rect;
  }
  return start;
}

QString Scene::nameOf(Item item) const {
  if (model_ == nullptr || !item) return {};
  return item.isNode() ? model_->nodeName(item.index) : isGroup(item) ? scopeTitle(item.index) : model_->scopeName(item.index);
}

bool Scene::openAround(Item item) {
  bool changed = false;
  for (int s = parentScope(item); s >= 0 && s != viewRoot_; s = graph_.scopeParent[static_cast<size_t>(s)]) {
    if (s == root_) return changed;
    changed = changed || open_[static_cast<size_t>(s)] == 0;
    open_[static_cast<size_t>(s)] = 1;
  }
  if (root_ >= 0) {  // `item` is outside the shown scope
    root_ = -1;
    changed = true;
  }
  return changed;
}

int Scene::hit(QPointF world) const {
  int best = -1;
  for (const int i : itemIndex_.query(QRectF(world, QSizeF(0, 0)))) {
    const SceneItem& it = items_[static_cast<size_t>(i)];
    if (!it.rect.contains(world)) continue;
    // Leaves never overlap; of nested open scopes the innermost comes last.
    if (best < 0 || items_[static_cast<size_t>(best)].open) best = i;
  }
  return best;
}

std::vector<int> Scene::leavesIn(const QRectF& world) const {
  std::vector<int> found;
  for (const int i : itemIndex_.query(world))
    if (const SceneItem& it = items_[static_cast<size_t>(i)]; !it.open && it.rect.intersects(world)) found.push_back(i);
  return found;
}

int Scene::hitWire(QPointF world, double tolerance) const {
  int best = -1;
  double nearest = tolerance;
  for (const int w : wireIndex_.query(QRectF(world.x() - tolerance, world.y() - tolerance, 2 * tolerance, 2 * tolerance))) {
    const SceneWire& wire = wires_[static_cast<size_t>(w)];
    if (!wire.isDrawn()) continue;
    const QPainterPath path = wirePath(wire);
    for (const QPolygonF& polygon : path.toSubpathPolygons())
      for (qsizetype i = 0; i + 1 < polygon.size(); ++i) {
        const double d = distanceToPiece(world, polygon[i], polygon[i + 1]) - wire.width / 2;
        if (d < nearest) {
          nearest = d;
          best = w;
        }
      }
  }
  return best;
}

std::vector<int> Scene::neighbours(int sceneItem, bool forward) const {
  std::vector<int> data, control;
  if (sceneItem < 0) return data;
  for (const RouteEnd& end : (forward ? out_ : in_)[static_cast<size_t>(sceneItem)]) {
    auto& list = layout_.routes[static_cast<size_t>(end.route)].kind == layout::EdgeKind::Control ? control : data;
    if (std::find(data.begin(), data.end(), end.other) == data.end() && std::find(control.begin(), control.end(), end.other) == control.end())
      list.push_back(end.other);
  }
  data.insert(data.end(), control.begin(), control.end());
  return data;
}

void Scene::path(int sceneItem, std::vector<char>& itemLit, std::vector<char>& wireLit) const {
  itemLit.assign(items_.size(), 0);
  wireLit.assign(wires_.size(), 0);
  if (sceneItem < 0) return;
  itemLit[static_cast<size_t>(sceneItem)] = 1;
  std::vector<int> stack;
  std::vector<char> seen;
  for (const bool forward : {false, true}) {
    seen.assign(items_.size(), 0);
    seen[static_cast<size_t>(sceneItem)] = 1;
    stack.assign(1, sceneItem);
    bool first = true;
    while (!stack.empty()) {
      const int at = stack.back();
      stack.pop_back();
      for (const RouteEnd& end : (forward ? out_ : in_)[static_cast<size_t>(at)]) {
        const layout::Route& route = layout_.routes[static_cast<size_t>(end.route)];
        // Beyond direct neighbours, following control edges would highlight nearly everything.
        if (route.kind == layout::EdgeKind::Control && !first) continue;
        const bool quiet = isQuiet(route);
        if (quiet && !first) continue;
        for (int k = 0; k < route.segmentCount; ++k) wireLit[static_cast<size_t>(layout_.routeSegments[static_cast<size_t>(route.firstSegment + k)])] = 1;
        itemLit[static_cast<size_t>(end.other)] = 1;
        if (seen[static_cast<size_t>(end.other)]) continue;
        seen[static_cast<size_t>(end.other)] = 1;
        if (route.kind != layout::EdgeKind::Control && !quiet) stack.push_back(end.other);
      }
      first = false;
    }
  }
}

QPainterPath Scene::wirePath(const SceneWire& wire, double corner) const {
  QPainterPath path;
  if (wire.pointCount < 2) return path;
  const auto point = [&](int i) {
    const layout::Point& p = layout_.points[static_cast<size_t>(wire.firstPoint + i)];
    return QPointF(p.x, p.y);
  };
  const auto turn = [&path, corner](QPointF a, QPointF b, QPointF c) {
    const auto length = [](QPointF v) { return std::abs(v.x()) + std::abs(v.y()); };
    const double r = std::min({corner, length(b - a) / 2, length(c - b) / 2});
    if (r < 0.5) {
      path.lineTo(b);
      return;
    }
    path.lineTo(b + (a - b) * (r / length(a - b)));
    path.quadTo(b, b + (c - b) * (r / length(c - b)));
  };
  path.moveTo(point(0));
  for (int i = 1; i < wire.pointCount; ++i) {
    const QPointF a = point(i - 1), b = point(i);
    switch (wire.joint) {
      case layout::Joint::Curve: {
        // Vertical pieces belong to a turn between rows.
        const auto upright = [](QPointF p, QPointF q) { return std::abs(p.x() - q.x()) < 0.01 && std::abs(p.y() - q.y()) > 0.5; };
        if (i + 1 < wire.pointCount && (upright(a, b) || upright(b, point(i + 1)))) {
          turn(a, b, point(i + 1));
          break;
        }
        if (std::abs(a.y() - b.y()) < 0.5 || upright(a, b)) {
          path.lineTo(b);
          break;
        }
        const double reach = std::max(16.0, std::abs(b.x() - a.x()) / 2) * (b.x() < a.x() ? -1 : 1);  // negative: backwards beneath the flow
        path.cubicTo(a + QPointF(reach, 0), b - QPointF(reach, 0), b);
        break;
      }
      case layout::Joint::Vertical: {
        if (std::abs(a.x() - b.x()) < 0.5) {
          path.lineTo(b);
          break;
        }
        const double reach = (b.y() - a.y()) / 2;
        path.cubicTo(a + QPointF(0, reach), b - QPointF(0, reach), b);
        break;
      }
      case layout::Joint::Corners: {
        if (i + 1 == wire.pointCount) {
          path.lineTo(b);
          break;
        }
        turn(a, b, point(i + 1));
        break;
      }
    }
  }
  return path;
}

}  // namespace weft::widgets
