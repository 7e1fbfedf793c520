// The wires of a scene: routes, widths and labels.
#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "common/format.h"
#include "graph_view/scene.h"
#include "graph_view/text_widths.h"

namespace weft::widgets {
namespace {

constexpr double kLeastLevelPiece = 24;  // minimum length of a horizontal piece that carries a number
constexpr size_t kCounted = 1000;        // maximum number of distinct tensors counted in a bundle

/// The label for a number of parallel wires.
QString numberLabel(int wires) { return QStringLiteral("%1×").arg(wires); }

}  // namespace

int Scene::shapeId(size_t e) {
  int& id = shapeId_[e];
  if (id != kUnread) return id;
  const QString shape = graph_.edges[e].kind == layout::EdgeKind::Control ? QString() : model_->edgeShape(static_cast<int>(e));
  id = -1;
  if (shape.isEmpty()) return id;
  const auto it = shapes_.constFind(shape);
  if (it != shapes_.constEnd()) return id = *it;
  id = static_cast<int>(shapes_.size());
  shapes_.insert(shape, id);
  return id;
}

// Shapes are labelled where they change: where no input of the wire's source has the same shape.
void Scene::labelEdges(const std::vector<layout::Shown>& shown) {
  const auto repOf = [&](int node) {
    int rep = node;
    for (int s = graph_.nodeScope[static_cast<size_t>(node)]; s >= 0 && s != layoutRoot(); s = graph_.scopeParent[static_cast<size_t>(s)])
      if (shown[static_cast<size_t>(graph_.nodeCount() + s)] == layout::Shown::Leaf) rep = graph_.nodeCount() + s;
    return rep;
  };
  std::vector<int> reps(static_cast<size_t>(graph_.nodeCount()));
  for (size_t n = 0; n < reps.size(); ++n) reps[n] = repOf(static_cast<int>(n));
  std::unordered_set<std::uint64_t> incoming;
  const auto pairOf = [](int rep, int shape) { return static_cast<std::uint64_t>(rep) << 32 | static_cast<std::uint32_t>(shape); };
  for (size_t e = 0; e < graph_.edges.size(); ++e) {
    const layout::Edge& edge = graph_.edges[e];
    const int to = reps[static_cast<size_t>(edge.to)];
    if (reps[static_cast<size_t>(edge.from)] != to && shapeId(e) >= 0) incoming.insert(pairOf(to, shapeId_[e]));
  }
  TextWidths widths(fonts_.detail);
  for (size_t e = 0; e < graph_.edges.size(); ++e) {
    layout::Edge& edge = graph_.edges[e];
    edge.labelWidth = 0;
    const int from = reps[static_cast<size_t>(edge.from)];
    if (from == reps[static_cast<size_t>(edge.to)] || shapeId_[e] < 0 || incoming.count(pairOf(from, shapeId_[e])) != 0) continue;
    const bool node = from < graph_.nodeCount();
    const layout::Role role = node ? graph_.nodeRole[static_cast<size_t>(from)] : graph_.scopeRole[static_cast<size_t>(from - graph_.nodeCount())];
    if (role != layout::Role::Flow || edge.kind == layout::EdgeKind::Reference) continue;
    edge.labelWidth = static_cast<float>(std::min(140.0, widths(model_->edgeShape(static_cast<int>(e))) + 4));
  }
}

void Scene::buildWires() {
  std::vector<QRectF> rects;
  in_.assign(items_.size(), {});
  out_.assign(items_.size(), {});
  const auto sceneItem = [this](int id) { return id < 0 ? -1 : sceneOf_[static_cast<size_t>(id)]; };
  wires_.resize(layout_.segments.size());
  for (size_t s = 0; s < wires_.size(); ++s) {
    const layout::Segment& segment = layout_.segments[s];
    SceneWire& wire = wires_[s];
    wire.from = sceneItem(segment.from);
    wire.to = sceneItem(segment.to);
    wire.source = sceneItem(segment.source);
    wire.kind = static_cast<EdgeKind>(segment.kind);
    wire.container = segment.container;
    wire.joint = segment.joint;
    wire.quiet = segment.quiet;
    wire.firstPoint = segment.firstPoint;
    wire.pointCount = segment.pointCount;
  }
  std::vector<int> marksLoss;
  const Metrics& m = metrics_;
  for (size_t r = 0; r < layout_.routes.size(); ++r) {
    const layout::Route& route = layout_.routes[r];
    const int from = sceneItem(route.from), to = sceneItem(route.to);
    out_[static_cast<size_t>(from)].push_back({static_cast<int>(r), to});
    in_[static_cast<size_t>(to)].push_back({static_cast<int>(r), from});
    qint64 bytes = -1, traffic = -1;
    bool broken = false, crossesTasks = false;
    const bool quiet = isQuiet(route);
    int labelEdge = -1, tensors = 0;
    if (quiet && roleAt(route.from) != layout::Role::Beneath && roleAt(route.to) != layout::Role::Beneath) {
      if (roleAt(route.from) != layout::Role::Aside) ++items_[static_cast<size_t>(from)].hidden;
      if (roleAt(route.to) != layout::Role::Aside) ++items_[static_cast<size_t>(to)].hidden;
    }
    const bool intoBand =
        !quiet && route.kind != layout::EdgeKind::Control && roleAt(route.from) == layout::Role::Flow && roleAt(route.to) == layout::Role::Beneath;
    bool differentiated = false;               // moving averages are updates, too, but read no loss
    std::unordered_set<std::int64_t> sources;  // the tensors of this bundle
    const bool betweenNodes = route.from < graph_.nodeCount() && route.to < graph_.nodeCount();
    for (int k = 0; k < route.edgeCount; ++k) {
      const int e = layout_.routeEdges[static_cast<size_t>(route.firstEdge + k)];
      bytes = std::max(bytes, model_->edgeBytes(e));
      const EdgeEnds ends = model_->edge(e);
      broken = broken || ends.broken;
      if (model_->edgeCrossesTasks(e)) {
        crossesTasks = true;
        if (const qint64 more = model_->edgeTraffic(e); more >= 0) traffic = std::max<qint64>(0, traffic) + more;
      }
      differentiated = differentiated || (intoBand && model_->nodePart(ends.to) == layout::Part::Gradient);
      if (sources.size() < kCounted && ends.kind != EdgeKind::Control) sources.insert(static_cast<std::int64_t>(ends.from) << 16 | ends.fromOutput);
      if (graph_.edges[static_cast<size_t>(e)].labelWidth <= 0) continue;
      if (labelEdge < 0 || shapeId_[static_cast<size_t>(e)] != shapeId_[static_cast<size_t>(labelEdge)]) ++tensors;
      if (labelEdge < 0) labelEdge = e;
    }
    if (differentiated) marksLoss.push_back(from);
    // A node that reads one tensor twice has two inputs; at closed scopes distinct tensors are counted.
    const auto parallel = route.kind == layout::EdgeKind::Control ? 0 : betweenNodes ? route.edgeCount : static_cast<int>(sources.size());
    const int first = layout_.routeEdges[static_cast<size_t>(route.firstEdge)];
    const QString dtype = route.kind == layout::EdgeKind::Control ? QString() : model_->edgeDType(first);
    int dtypeIndex = -1;
    if (route.kind != layout::EdgeKind::Control) {
      dtypeIndex = static_cast<int>(dtypes_.indexOf(dtype));
      if (dtypeIndex < 0) {
        dtypeIndex = static_cast<int>(dtypes_.size());
        dtypes_ << dtype;
      }
    }
    for (int k = 0; k < route.segmentCount; ++k) {
      const auto id = static_cast<size_t>(layout_.routeSegments[static_cast<size_t>(route.firstSegment + k)]);
      SceneWire& wire = wires_[id];
      if (wire.edge < 0) wire.edge = first;
      if (wire.dtype < 0) wire.dtype = dtypeIndex;
      wire.broken = wire.broken || broken;
      wire.crossesTasks = wire.crossesTasks || crossesTasks;
      wire.tensors = std::max(wire.tensors, parallel);
      if (bytes >= 0) {
        const double width = std::clamp(1 + (std::log2(std::max<double>(1, static_cast<double>(bytes))) - 10) / 5, m.wireMin, m.wireMax);
        wire.width = wire.unknownBytes ? static_cast<float>(width) : std::max(wire.width, static_cast<float>(width));
        wire.unknownBytes = false;
      }
      // The first piece carries the label; inside an open scope each wire begins with a first piece.
      if (k == 0 && labelEdge >= 0 && wire.label.isEmpty())
        wire.label = tensors > 1    ? QCoreApplication::translate("weft::widgets", "%1 tensors").arg(sources.size())
                     : parallel > 1 ? numberLabel(parallel) + QStringLiteral(" · ") + model_->edgeShape(labelEdge)
                                    : model_->edgeShape(labelEdge);
      else if (k == 0 && parallel > 1 && wire.label.isEmpty()) wire.label = numberLabel(parallel);
      // Wires that leave a node as one carry the sum.
      if (k == 0 && traffic >= 0) wire.traffic = std::max<qint64>(0, wire.traffic) + traffic;
    }
  }
  for (const layout::Edge& edge : graph_.edges) {
    const int item = edge.from == edge.to ? sceneItem(edge.from) : -1;
    if (item >= 0) items_[static_cast<size_t>(item)].selfLoop = true;
  }
  for (const int item : marksLoss) items_[static_cast<size_t>(endOfChain(item))].loss = true;
  rects.reserve(wires_.size());
  for (SceneWire& wire : wires_) {
    if (wire.pointCount > 0) {
      const auto first = layout_.points.begin() + wire.firstPoint;
      double x0 = first->x, x1 = first->x, y0 = first->y, y1 = first->y;
      for (auto p = first; p != first + wire.pointCount; ++p) {
        x0 = std::min(x0, p->x);
        x1 = std::max(x1, p->x);
        y0 = std::min(y0, p->y);
        y1 = std::max(y1, p->y);
      }
      wire.bounds = QRectF(QPointF(x0, y0), QPointF(x1, y1)).adjusted(-6, -6, 6, 6);
      if (wire.traffic >= 0) wire.label = wire.label.isEmpty() ? formatBytes(wire.traffic) : wire.label + QStringLiteral(" · ") + formatBytes(wire.traffic);
      if (!wire.label.isEmpty()) placeLabel(wire);
    }
    rects.push_back(wire.bounds);
  }
  dropCoveredLabels();
  wireIndex_.build(rects);
  markShownWires();
}

bool Scene::isFlow(int sceneItem) const {
  const Item item = items_[static_cast<size_t>(sceneItem)].item;
  return (item.isNode() ? graph_.nodeRole : graph_.scopeRole)[static_cast<size_t>(item.index)] == layout::Role::Flow;
}

// The end of a chain of single readers: gradients read the input of a mean or negation, not its output, so the loss lies further downstream.
int Scene::endOfChain(int sceneItem) const {
  constexpr int kSteps = 12;
  int at = sceneItem;
  for (int step = 0; step < kSteps; ++step) {
    int next = -1;
    for (const RouteEnd& end : out_[static_cast<size_t>(at)]) {
      if (layout_.routes[static_cast<size_t>(end.route)].kind == layout::EdgeKind::Control || end.other == at || !isFlow(end.other)) continue;
      if (next >= 0 && next != end.other) return at;
      next = end.other;
    }
    if (next < 0) return at;
    at = next;
  }
  return at;
}

void Scene::placeLabel(SceneWire& wire) const {
  if (wire.quiet || wire.pointCount < 2) {
    wire.label.clear();
    return;
  }
  const auto point = [&](int i) { return layout_.points[static_cast<size_t>(wire.firstPoint + i)]; };
  if (wire.joint != layout::Joint::Curve) {
    // A route with corners: only the number, above its longest horizontal piece.
    int longest = -1;
    for (int i = 0; i + 1 < wire.pointCount; ++i)
      if (std::abs(point(i + 1).y - point(i).y) < 1 &&
          (longest < 0 || std::abs(point(i + 1).x - point(i).x) > std::abs(point(longest + 1).x - point(longest).x)))
        longest = i;
    if ((wire.tensors < 2 && wire.traffic < 0) || longest < 0 || std::abs(point(longest + 1).x - point(longest).x) < kLeastLevelPiece) {
      wire.label.clear();
      return;
    }
    wire.label = wire.traffic >= 0 ? formatBytes(wire.traffic) : numberLabel(wire.tensors);
    wire.labelAt = {std::round((point(longest).x + point(longest + 1).x) / 2), std::round(point(longest).y - 5 - wire.width / 2)};
    wire.bounds = wire.bounds.united(QRectF(wire.labelAt.x() - 20, wire.labelAt.y() - 14, 40, 18));
    return;
  }
  // Above the first gap: from the source to the next bend.
  const layout::Point a = point(0);
  layout::Point b = point(1);
  for (int i = 1; i + 1 < wire.pointCount && b.x - a.x < 12; ++i) b = point(i + 1);
  wire.labelAt = {std::round((a.x + b.x) / 2), std::round(std::min(a.y, (a.y + b.y) / 2) - 5 - wire.width / 2)};
  const QRectF text(wire.labelAt.x() - 75, wire.labelAt.y() - 14, 150, 18);
  wire.bounds = wire.bounds.united(text);
}

// A label starts beside its wire's source, not behind it. Of overlapping labels only the first is drawn, and none that is wider than the gap between two nodes;
// the tooltips of the wires show the others. Those of wires between tasks come first.
void Scene::dropCoveredLabels() {
  constexpr double kCellX = 160, kCellY = 20, kClear = 4;
  const QFontMetricsF metrics(fonts_.detail);
  std::unordered_map<std::int64_t, std::vector<QRectF>> written;
  const auto cell = [](std::int64_t x, std::int64_t y) { return x * 0x40000000 + y; };
  std::vector<SceneWire*> order;
  for (const bool crossing : {true, false})
    for (SceneWire& wire : wires_)
      if (!wire.label.isEmpty() && (wire.traffic >= 0) == crossing) order.push_back(&wire);
  for (SceneWire* each : order) {
    SceneWire& wire = *each;
    double half = metrics.horizontalAdvance(wire.label) / 2 + 2;
    const double from = layout_.points[static_cast<size_t>(wire.firstPoint)].x + kClear,
                 to = layout_.points[static_cast<size_t>(wire.firstPoint + wire.pointCount - 1)].x - kClear;
    const auto tooWide = [&] { return wire.pointCount == 2 && to > from && to - from < 2 * half; };
    if (wire.joint == layout::Joint::Curve) {
      if (tooWide() && (wire.tensors > 1 || wire.traffic >= 0)) {
        wire.label = wire.traffic >= 0 ? formatBytes(wire.traffic) : numberLabel(wire.tensors);
        half = metrics.horizontalAdvance(wire.label) / 2 + 1;
      }
      wire.labelAt.setX(std::max(wire.labelAt.x(), std::round(from + half)));
      if (tooWide()) {
        wire.label.clear();
        continue;
      }
    }
    const QRectF text(wire.labelAt.x() - half, wire.labelAt.y() - 11, 2 * half, 13);
    const auto x0 = static_cast<std::int64_t>(std::floor(text.left() / kCellX)), x1 = static_cast<std::int64_t>(std::floor(text.right() / kCellX));
    const auto y0 = static_cast<std::int64_t>(std::floor(text.top() / kCellY)), y1 = static_cast<std::int64_t>(std::floor(text.bottom() / kCellY));
    bool covered = false;
    for (auto x = x0; x <= x1 && !covered; ++x)
      for (auto y = y0; y <= y1 && !covered; ++y)
        for (const QRectF& other : written[cell(x, y)]) covered = covered || other.intersects(text);
    if (covered) {
      wire.label.clear();
      continue;
    }
    for (auto x = x0; x <= x1; ++x)
      for (auto y = y0; y <= y1; ++y) written[cell(x, y)].push_back(text);
  }
}

}  // namespace weft::widgets
