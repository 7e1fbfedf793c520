// Ports of visible items.
//
// A connected port lies where the layout led its wire to the box; open ports take free places on the same side. The ports of a closed scope are those of its
// contents: inputs from outside, outputs read outside, and outputs that nothing reads yet.
#include <QSet>
#include <algorithm>
#include <cmath>

#include "graph_view/scene.h"

namespace weft::widgets {
namespace {

constexpr double kSpacing = 11;
constexpr int kMaxPorts = 24, kMaxScopeOps = 4000;

/// Free heights along one side of a box, nearest to the middle first.
class Side {
 public:
  Side(double top, double bottom) : top_(top + 4), bottom_(bottom - 4) {}
  void take(double y) { used_.push_back(y); }
  double next() {
    const double middle = (top_ + bottom_) / 2;
    for (double step = kSpacing; step >= 3; step /= 2)
      for (double d = 0; d <= (bottom_ - top_) / 2; d += step)
        for (const double y : {middle - d, middle + d})
          if (std::none_of(used_.begin(), used_.end(), [&](double u) { return std::abs(u - y) < step - 0.1; })) {
            used_.push_back(y);
            return y;
          }
    return middle;
  }

 private:
  double top_, bottom_;
  std::vector<double> used_;
};

}  // namespace

void Scene::readAdjacency() const {
  if (!inStart_.empty() || model_ == nullptr) return;
  const auto nodes = static_cast<size_t>(graph_.nodeCount()), scopes = static_cast<size_t>(graph_.scopeCount());
  const auto group = [](size_t groups, size_t count, const auto& groupOf, std::vector<int>& start, std::vector<int>& list) {
    start.assign(groups + 1, 0);
    for (size_t i = 0; i < count; ++i)
      if (groupOf(i) >= 0) ++start[static_cast<size_t>(groupOf(i)) + 1];
    for (size_t g = 0; g < groups; ++g) start[g + 1] += start[g];
    list.assign(static_cast<size_t>(start[groups]), 0);
    std::vector<int> at(start.begin(), start.end() - 1);
    for (size_t i = 0; i < count; ++i)
      if (groupOf(i) >= 0) list[static_cast<size_t>(at[static_cast<size_t>(groupOf(i))]++)] = static_cast<int>(i);
  };
  group(
      nodes, graph_.edges.size(), [this](size_t e) { return graph_.edges[e].to; }, inStart_, inEdges_);
  group(
      nodes, graph_.edges.size(), [this](size_t e) { return graph_.edges[e].from; }, outStart_, outEdges_);
  group(
      scopes, nodes, [this](size_t n) { return graph_.nodeScope[n]; }, nodeStart_, nodesOf_);
}

int Scene::edgeInto(Port input) const {
  readAdjacency();
  if (!input.isValid() || static_cast<size_t>(input.node) + 1 >= inStart_.size()) return -1;
  for (int k = inStart_[static_cast<size_t>(input.node)]; k < inStart_[static_cast<size_t>(input.node) + 1]; ++k) {
    const int e = inEdges_[static_cast<size_t>(k)];
    const EdgeEnds ends = model_->edge(e);
    if (ends.kind != EdgeKind::Control && ends.toInput == input.index) return e;
  }
  return -1;
}

std::vector<ScenePort> Scene::ports(int sceneItem) const {
  std::vector<ScenePort> found;
  if (sceneItem < 0 || model_ == nullptr) return found;
  const SceneItem& it = items_[static_cast<size_t>(sceneItem)];
  if (it.open) return found;
  readAdjacency();
  Side left(it.rect.top(), it.rect.bottom()), right(it.rect.top(), it.rect.bottom());
  QSet<Port> seen;
  const auto add = [&](Port port, QPointF at, bool connected) {
    if (seen.contains(port) || found.size() >= kMaxPorts) return;
    seen.insert(port);
    found.push_back({port, at, connected});
    if (std::abs(at.x() - it.rect.left()) < 2) left.take(at.y());
    if (std::abs(at.x() - it.rect.right()) < 2) right.take(at.y());
  };
  // Ports with visible wires.
  std::vector<Port> hidden;  // connected by hidden wires
  for (const bool output : {false, true}) {
    for (const RouteEnd& end : (output ? out_ : in_)[static_cast<size_t>(sceneItem)]) {
      const layout::Route& route = layout_.routes[static_cast<size_t>(end.route)];
      if (route.kind == layout::EdgeKind::Control) continue;
      const SceneWire* wire = nullptr;
      for (int k = 0; k < route.segmentCount; ++k) {
        const SceneWire& w = wires_[static_cast<size_t>(layout_.routeSegments[static_cast<size_t>(route.firstSegment + k)])];
        if ((output ? w.from : w.to) == sceneItem) wire = &w;
      }
      const bool drawn = wire != nullptr && wire->isDrawn() && wire->pointCount > 0;
      for (int k = 0; k < route.edgeCount; ++k) {
        const EdgeEnds ends = model_->edge(layout_.routeEdges[static_cast<size_t>(route.firstEdge + k)]);
        const Port port = output ? Port{ends.from, ends.fromOutput, true} : Port{ends.to, ends.toInput, false};
        if (!drawn) {
          if (hidden.size() < kMaxPorts) hidden.push_back(port);
          continue;
        }
        const layout::Point& p = layout_.points[static_cast<size_t>(output ? wire->firstPoint : wire->firstPoint + wire->pointCount - 1)];
        add(port, {p.x, p.y}, true);
      }
    }
  }
  const auto place = [&](Port port, bool connected) {
    if (seen.contains(port) || found.size() >= kMaxPorts) return;
    Side& side = port.output ? right : left;
    const double y = side.next();
    seen.insert(port);
    found.push_back({port, {port.output ? it.rect.right() : it.rect.left(), y}, connected});
  };
  // If a scope has connected outputs, unread outputs inside it are not its results.
  const bool gives = it.item.isScope() && (std::any_of(found.begin(), found.end(), [](const ScenePort& p) { return p.port.output; }) ||
                                           std::any_of(hidden.begin(), hidden.end(), [](const Port& p) { return p.output; }));
  const auto openPorts = [&](int node, bool withInputs) {
    const auto n = static_cast<size_t>(node);
    int inputs = model_->inputCount(node), outputs = model_->outputCount(node), maxIn = 0, maxOut = 0;
    std::vector<char> taken;
    for (int k = inStart_[n]; k < inStart_[n + 1]; ++k) {
      const EdgeEnds ends = model_->edge(inEdges_[static_cast<size_t>(k)]);
      if (ends.kind == EdgeKind::Control) continue;
      maxIn = std::max(maxIn, ends.toInput + 1);
      taken.resize(static_cast<size_t>(std::max<int>(static_cast<int>(taken.size()), ends.toInput + 1)), 0);
      taken[static_cast<size_t>(ends.toInput)] = 1;
    }
    std::vector<char> read;
    for (int k = outStart_[n]; k < outStart_[n + 1]; ++k) {
      const EdgeEnds ends = model_->edge(outEdges_[static_cast<size_t>(k)]);
      if (ends.kind == EdgeKind::Control) continue;
      maxOut = std::max(maxOut, ends.fromOutput + 1);
      read.resize(static_cast<size_t>(std::max<int>(static_cast<int>(read.size()), ends.fromOutput + 1)), 0);
      read[static_cast<size_t>(ends.fromOutput)] = 1;
    }
    if (inputs < 0) inputs = maxIn;
    if (outputs < 0) outputs = std::max(maxOut, 1);
    if (withInputs)
      for (int i = 0; i < inputs; ++i) {
        const bool connected = static_cast<size_t>(i) < taken.size() && taken[static_cast<size_t>(i)] != 0;
        if (it.item.isScope() && connected) continue;
        place({node, i, false}, connected);
      }
    if (it.item.isScope() && (gives || !read.empty())) return;
    for (int i = 0; i < outputs; ++i) place({node, i, true}, static_cast<size_t>(i) < read.size() && read[static_cast<size_t>(i)] != 0);
  };
  if (it.item.isNode()) {
    openPorts(it.item.index, true);
  } else {
    for (const Port& port : hidden) place(port, true);
    if (it.ops <= kMaxScopeOps) {
      std::vector<char> inside(static_cast<size_t>(graph_.scopeCount()), 0);
      inside[static_cast<size_t>(it.item.index)] = 1;
      for (int at = 0; at < graph_.scopeCount(); ++at) {
        const int s = graph_.scopeAt(at);
        const int parent = graph_.scopeParent[static_cast<size_t>(s)];
        // Parameters and savers inside have their own ports.
        if (parent >= 0 && inside[static_cast<size_t>(parent)] != 0 && graph_.scopeRole[static_cast<size_t>(s)] == layout::Role::Flow)
          inside[static_cast<size_t>(s)] = 1;
        if (inside[static_cast<size_t>(s)] == 0) continue;
        for (int k = nodeStart_[static_cast<size_t>(s)]; k < nodeStart_[static_cast<size_t>(s) + 1]; ++k) {
          const int node = nodesOf_[static_cast<size_t>(k)];
          if (graph_.nodeRole[static_cast<size_t>(node)] == layout::Role::Flow) openPorts(node, true);
        }
      }
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const ScenePort& a, const ScenePort& b) {
    if (a.port.output != b.port.output) return !a.port.output;
    return a.at.y() < b.at.y();
  });
  return found;
}

ScenePort Scene::hitPort(QPointF world, double tolerance, int* sceneItem) const {
  ScenePort best;
  double nearest = tolerance;
  for (const int i : std::vector<int>(itemIndex_.query(QRectF(world.x() - tolerance, world.y() - tolerance, 2 * tolerance, 2 * tolerance)))) {
    const SceneItem& it = items_[static_cast<size_t>(i)];
    if (it.open || !it.rect.adjusted(-tolerance, -tolerance, tolerance, tolerance).contains(world)) continue;
    for (const ScenePort& port : ports(i)) {
      const double d = std::hypot(port.at.x() - world.x(), port.at.y() - world.y());
      // Of several ports at one place (a bundle of wires), the open one is hit.
      if (d < nearest || (best.port.isValid() && std::abs(d - nearest) < 0.1 && best.connected && !port.connected)) {
        nearest = d;
        best = port;
        if (sceneItem != nullptr) *sceneItem = i;
      }
    }
  }
  return best;
}

std::unordered_set<int> Scene::reach(int node, bool forward) const {
  readAdjacency();
  std::unordered_set<int> seen{node};
  std::vector<int> stack{node};
  const std::vector<int>&start = forward ? outStart_ : inStart_, &edges = forward ? outEdges_ : inEdges_;
  while (!stack.empty()) {
    const auto at = static_cast<size_t>(stack.back());
    stack.pop_back();
    for (int k = start[at]; k < start[at + 1]; ++k) {
      const layout::Edge& edge = graph_.edges[static_cast<size_t>(edges[static_cast<size_t>(k)])];
      const int next = forward ? edge.to : edge.from;
      if (seen.insert(next).second) stack.push_back(next);
    }
  }
  return seen;
}

std::vector<int> Scene::edgesOf(int wire) const {
  std::vector<int> edges;
  for (const layout::Route& route : layout_.routes) {
    bool through = false;
    for (int k = 0; k < route.segmentCount && !through; ++k) through = layout_.routeSegments[static_cast<size_t>(route.firstSegment + k)] == wire;
    if (through) edges.insert(edges.end(), layout_.routeEdges.begin() + route.firstEdge, layout_.routeEdges.begin() + route.firstEdge + route.edgeCount);
  }
  return edges;
}

std::vector<int> Scene::wiresCutBy(const QPolygonF& line) const {
  std::vector<int> found;
  if (line.size() < 2) return found;
  const QRectF box = line.boundingRect().adjusted(-1, -1, 1, 1);
  for (const int w : wireIndex_.query(box)) {
    const SceneWire& wire = wires_[static_cast<size_t>(w)];
    if (!wire.isDrawn()) continue;
    bool cut = false;
    for (const QPolygonF& polygon : wirePath(wire).toSubpathPolygons())
      for (qsizetype i = 0; i + 1 < polygon.size() && !cut; ++i)
        for (qsizetype k = 0; k + 1 < line.size() && !cut; ++k)
          cut = QLineF(polygon[i], polygon[i + 1]).intersects(QLineF(line[k], line[k + 1]), nullptr) == QLineF::BoundedIntersection;
    if (cut) found.push_back(w);
  }
  return found;
}

std::vector<int> Scene::wiresAt(int sceneItem) const {
  std::vector<int> found;
  for (size_t w = 0; w < wires_.size(); ++w)
    if (wires_[w].from == sceneItem || wires_[w].to == sceneItem) found.push_back(static_cast<int>(w));
  return found;
}

std::vector<int> Scene::itemsInside(int scope) const {
  std::vector<int> found;
  for (size_t i = 0; i < items_.size(); ++i)
    for (int s = parentScope(items_[i].item); s >= 0; s = graph_.scopeParent[static_cast<size_t>(s)])
      if (s == scope) {
        found.push_back(static_cast<int>(i));
        break;
      }
  return found;
}

}  // namespace weft::widgets
