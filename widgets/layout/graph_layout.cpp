#include "layout/graph_layout.h"

#include <algorithm>
#include <cmath>

#include "layout/container_layout.h"
#include "layout/frame_scopes.h"
#include "layout/lift.h"

namespace weft::layout {
namespace {

struct Assembler {
  const Graph& graph;
  const Options& options;
  int root;
  Memory* memory;
  Lifted lifted;
  Result result;
  std::vector<Size> sizes;                        // of open scopes
  std::vector<double> line;                       // per item: its line's offset from its top edge
  std::vector<std::vector<Point>> segmentPoints;  // relative to their container
  std::vector<std::int32_t> elementOf;            // per item: element index in the current container
  std::vector<char> mirrored;                     // per scope: it lies in a band beneath a flow
  FrameScopes frameScopes;
  std::vector<std::vector<int>> beneath;     // per scope: those in its band whose contents are aligned with their forward ops
  std::vector<std::vector<double>> targets;  // per scope: target positions of its children from its right edge
  struct Middle {
    double sum = 0;
    int count = 0;
  };
  std::vector<Middle> middles;  // per item, for the current band
  double flowRight = 0;         // of the flow above it

  int nodes() const { return graph.nodeCount(); }

  std::uint64_t keyOf(int item) const {
    if (item < nodes()) return graph.nodeKey.empty() ? static_cast<std::uint64_t>(item) : graph.nodeKey[static_cast<size_t>(item)];
    const auto s = static_cast<size_t>(item - nodes());
    return graph.scopeKey.empty() ? (1ull << 40) + s : graph.scopeKey[s];
  }

  Role roleOf(int item) const {
    const auto& roles = item < nodes() ? graph.nodeRole : graph.scopeRole;
    return roles.empty() ? Role::Flow : roles[static_cast<size_t>(item < nodes() ? item : item - nodes())];
  }

  float massOf(int item) const {
    const auto& masses = item < nodes() ? graph.nodeMass : graph.scopeMass;
    return masses.empty() ? 1 : masses[static_cast<size_t>(item < nodes() ? item : item - nodes())];
  }

  Pin pinOf(int item) const {
    const auto& pins = item < nodes() ? graph.nodePin : graph.scopePin;
    return pins.empty() ? Pin{} : pins[static_cast<size_t>(item < nodes() ? item : item - nodes())];
  }

  bool isOpen(int item) const { return lifted.shown[static_cast<size_t>(item)] == Shown::Open; }

  Element elementFor(int item) {
    Element e;
    e.key = keyOf(item);
    e.role = roleOf(item);
    e.mass = massOf(item);
    if (!frameScopes.station.empty()) e.station = frameScopes.station[static_cast<size_t>(item)];
    if (isOpen(item)) {
      if (e.role == Role::Parameter) e.role = Role::Flow;  // an open scope does not fit beneath its reader
      const Size size = sizes[static_cast<size_t>(item - nodes())];
      e.width = size.w;
      e.aligned = !targets[static_cast<size_t>(item - nodes())].empty();
      const auto& ports = lifted.containers[static_cast<size_t>(item - nodes())];
      const auto& side = ports.inPorts.empty() ? ports.outPorts : ports.inPorts;
      double y = size.h / 2;
      for (const Port& port : side)
        if (port.kind == EdgeKind::Data) {
          y = port.y;
          break;
        }
      e.above = y;
      e.below = size.h - y;
    } else {
      const Size size = item < nodes() ? graph.nodeSize[static_cast<size_t>(item)] : graph.scopeSize[static_cast<size_t>(item - nodes())];
      e.width = size.w;
      e.above = std::floor(size.h / 2);
      e.below = size.h - e.above;
    }
    line[static_cast<size_t>(item)] = e.above;
    return e;
  }

  std::uint64_t memoryKey(int scope) const {
    if (scope < graph.scopeCount()) return keyOf(nodes() + scope);
    return root < 0 ? kRootKey : keyOf(nodes() + root);
  }

  // `scope` = scopeCount() for the root.
  ContainerProblem problemOf(int scope) {
    const Container& c = lifted.containers[static_cast<size_t>(scope)];
    const bool isRoot = scope == graph.scopeCount();
    ContainerProblem problem;
    if (const FrameScope* frameScope = frameScopes.of(isRoot ? root : scope)) problem.frame = frameScope->frame;
    if (isRoot) {
      problem.padding = problem.header = problem.footer = 0;
    } else {
      problem.padding = options.padding;
      problem.header = options.header;
      problem.footer = options.padding + 4;
      problem.minWidth = graph.scopeSize[static_cast<size_t>(scope)].w;
      problem.mirrored = mirrored[static_cast<size_t>(scope)] != 0;
    }
    problem.elements.reserve(c.children.size() + c.inPorts.size() + c.outPorts.size());
    for (const std::int32_t item : c.children) {
      elementOf[static_cast<size_t>(item)] = static_cast<std::int32_t>(problem.elements.size());
      problem.elements.push_back(elementFor(item));
    }
    const auto addPorts = [&](const std::vector<Port>& ports, Element::Kind kind) {
      const auto first = static_cast<std::int32_t>(problem.elements.size());
      for (const Port& port : ports) {
        Element e;
        e.kind = kind;
        e.key = keyOf(port.source) * 8 + (kind == Element::Kind::InPort ? 4 : 0) + static_cast<std::uint64_t>(port.kind);
        problem.elements.push_back(e);
      }
      return first;
    };
    const std::int32_t firstIn = addPorts(c.inPorts, Element::Kind::InPort), firstOut = addPorts(c.outPorts, Element::Kind::OutPort);
    problem.links.reserve(c.segments.size());
    for (const std::int32_t id : c.segments) {
      const auto s = static_cast<size_t>(id);
      const Segment& segment = lifted.segments[s];
      Link link;
      link.kind = segment.kind;
      link.port = segment.source * 4 + static_cast<std::int32_t>(segment.kind);
      link.portKey = keyOf(segment.source) * 4 + static_cast<std::uint64_t>(segment.kind);
      link.labelWidth = segment.labelWidth;
      link.hidden = segment.quiet;
      link.aside = segment.aside;
      link.weak = segment.weak || segment.quiet;
      link.from = segment.from >= 0 ? elementOf[static_cast<size_t>(segment.from)] : firstIn + lifted.inPort[s];
      link.to = segment.to >= 0 ? elementOf[static_cast<size_t>(segment.to)] : firstOut + lifted.outPort[s];
      if (segment.from >= 0 && lifted.fromPort[s] >= 0) {
        link.fixedFrom = true;
        link.fromDy = lifted.containers[static_cast<size_t>(segment.from - nodes())].outPorts[static_cast<size_t>(lifted.fromPort[s])].y -
                      line[static_cast<size_t>(segment.from)];
      }
      if (segment.to >= 0 && lifted.toPort[s] >= 0) {
        link.fixedTo = true;
        link.toDy = lifted.containers[static_cast<size_t>(segment.to - nodes())].inPorts[static_cast<size_t>(lifted.toPort[s])].y -
                    line[static_cast<size_t>(segment.to)];
      }
      problem.links.push_back(std::move(link));
    }
    return problem;
  }

  void layoutScope(int scope) {
    layoutBand(scope);
    ContainerProblem problem = problemOf(scope);
    Container& c = lifted.containers[static_cast<size_t>(scope)];
    const size_t firstIn = c.children.size(), firstOut = firstIn + c.inPorts.size();
    ContainerMemory* seed = memory != nullptr ? &memory->containers[memoryKey(scope)] : nullptr;
    Size size = layoutContainer(problem, options, seed);
    if (scope < graph.scopeCount() && !targets[static_cast<size_t>(scope)].empty()) {
      targets[static_cast<size_t>(scope)].resize(problem.elements.size(), -1);
      spreadColumns(problem, size, targets[static_cast<size_t>(scope)]);
    }
    std::vector<Pin> pins(problem.elements.size());
    for (size_t i = 0; i < c.children.size(); ++i) pins[i] = pinOf(c.children[i]);
    std::vector<Point> placed;
    size = keepPlaces(problem, options, pins, seed, size, result.origins[static_cast<size_t>(scope)], placed);
    for (size_t i = 0; i < c.children.size(); ++i) result.placed[static_cast<size_t>(c.children[i])] = placed[i];
    sizes[static_cast<size_t>(scope)] = size;

    for (size_t i = 0; i < c.inPorts.size(); ++i) c.inPorts[i].y = problem.elements[firstIn + i].y;
    for (size_t i = 0; i < c.outPorts.size(); ++i) c.outPorts[i].y = problem.elements[firstOut + i].y;
    for (const std::int32_t item : c.children) {
      const Element& e = problem.elements[static_cast<size_t>(elementOf[static_cast<size_t>(item)])];
      result.boxes[static_cast<size_t>(item)] = {e.x, e.y - e.above, e.width, e.above + e.below};
    }
    for (size_t i = 0; i < c.segments.size(); ++i) {
      const auto s = static_cast<size_t>(c.segments[i]);
      segmentPoints[s] = std::move(problem.links[i].points);
      lifted.segments[s].joint = problem.links[i].joint;
      lifted.segments[s].quiet = problem.links[i].quiet;
      lifted.segments[s].back = problem.links[i].back;
      lifted.segments[s].spine = problem.links[i].spine;
    }
  }

  int parentOf(int item) const { return item < nodes() ? graph.nodeScope[static_cast<size_t>(item)] : graph.scopeParent[static_cast<size_t>(item - nodes())]; }

  // The forward scopes of gradients are laid out once first, to learn their positions.
  void layoutBand(int scope) {
    if (beneath[static_cast<size_t>(scope)].empty()) return;
    ContainerProblem problem = problemOf(scope);
    ContainerMemory copy;
    if (memory != nullptr) copy = memory->containers[memoryKey(scope)];
    layoutContainer(problem, options, memory != nullptr ? &copy : nullptr);
    const Container& c = lifted.containers[static_cast<size_t>(scope)];
    constexpr double kTooWide = 1.5;  // relative to the flow: wider gradients cannot lie beneath it
    double flowLeft = 1e18;
    flowRight = 0;
    for (size_t i = 0; i < c.children.size(); ++i) {
      const Element& e = problem.elements[i];
      if (!e.shelved && e.role != Role::Beneath && e.flow == 0) flowRight = std::max(flowRight, e.x + e.width), flowLeft = std::min(flowLeft, e.x);
      result.boxes[static_cast<size_t>(c.children[i])] = {e.x, e.y - e.above, e.width, e.above + e.below};
    }
    findMiddles(scope == graph.scopeCount() ? root : scope);
    for (const int s : beneath[static_cast<size_t>(scope)]) {
      layoutScope(s);
      if (sizes[static_cast<size_t>(s)].w <= kTooWide * (flowRight - flowLeft)) align(s, 0);
    }
  }

  /// Per item: the middles of the visible items in `around` whose gradients its nodes are.
  void findMiddles(int around) {
    middles.assign(static_cast<size_t>(graph.itemCount()), {});
    for (int n = 0; n < nodes(); ++n) {
      const int forward = graph.flow.nodes[static_cast<size_t>(n)].forward;
      if (forward < 0) continue;
      double middle = 0;
      bool seen = false, within = false;
      for (int i = forward; !within; i = nodes() + parentOf(i)) {
        if (lifted.shown[static_cast<size_t>(i)] != Shown::Hidden) {
          const Box& box = result.boxes[static_cast<size_t>(i)];
          middle += box.x + (seen ? 0 : box.w / 2);
          seen = true;
        }
        within = parentOf(i) == around;
        if (parentOf(i) < 0) break;
      }
      if (!within || !seen) continue;
      for (int i = n; i >= nodes() ? i != nodes() + around : true; i = nodes() + parentOf(i)) {
        middles[static_cast<size_t>(i)].sum += middle;
        ++middles[static_cast<size_t>(i)].count;
        if (parentOf(i) < 0) break;
      }
    }
  }

  /// Lays out a scope of the band again with its children beneath their forward ops. `offset`: of its right edge from the flow's.
  void align(int scope, double offset) {
    const auto& children = lifted.containers[static_cast<size_t>(scope)].children;
    const double width = sizes[static_cast<size_t>(scope)].w;
    std::vector<double> targetsOfChildren(children.size(), -1);
    bool any = false;
    for (size_t i = 0; i < children.size(); ++i) {
      const int item = children[i];
      const Middle& m = middles[static_cast<size_t>(item)];
      if (m.count == 0) continue;
      any = true;
      targetsOfChildren[i] = std::max(0.0, flowRight - m.sum / m.count - offset);
      if (!isOpen(item)) continue;
      const double before = width - result.boxes[static_cast<size_t>(item)].right();
      align(item - nodes(), offset + before);
      targetsOfChildren[i] = before + sizes[static_cast<size_t>(item - nodes())].w / 2;
    }
    if (!any) return;
    targets[static_cast<size_t>(scope)] = std::move(targetsOfChildren);
    layoutScope(scope);
  }

  // Open scopes directly in the band beneath a flow are laid out after that flow.
  void chooseBeneath() {
    beneath.assign(static_cast<size_t>(graph.scopeCount()) + 1, {});
    targets.assign(static_cast<size_t>(graph.scopeCount()), {});
    if (graph.flow.nodes.empty()) return;
    for (int s = 0; s < graph.scopeCount(); ++s) {
      if (!isOpen(nodes() + s) || mirrored[static_cast<size_t>(s)] == 0) continue;
      const int parent = graph.scopeParent[static_cast<size_t>(s)];
      const bool top = parent < 0 || parent == root;
      if (top || mirrored[static_cast<size_t>(parent)] == 0) beneath[static_cast<size_t>(top ? graph.scopeCount() : parent)].push_back(s);
    }
  }
  bool waits(int scope) const {
    const int parent = graph.scopeParent[static_cast<size_t>(scope)];
    const auto& list = beneath[static_cast<size_t>(parent < 0 || parent == root ? graph.scopeCount() : parent)];
    return std::find(list.begin(), list.end(), scope) != list.end();
  }

  // Scopes beneath a flow are mirrored with everything in them. Without a flow there is no band.
  void chooseMirrored() {
    mirrored.assign(static_cast<size_t>(graph.scopeCount()), 0);
    std::vector<char> flows(lifted.containers.size(), 0);
    for (size_t c = 0; c < lifted.containers.size(); ++c)
      for (const std::int32_t item : lifted.containers[c].children)
        if (roleOf(item) == Role::Flow) flows[c] = 1;
    for (int at = 0; at < graph.scopeCount(); ++at) {
      const int s = graph.scopeAt(at), parent = graph.scopeParent[static_cast<size_t>(s)];
      const bool top = parent < 0 || parent == root;
      const bool above = !top && mirrored[static_cast<size_t>(parent)] != 0;
      if (s != root)
        mirrored[static_cast<size_t>(s)] = above || (roleOf(nodes() + s) == Role::Beneath && flows[static_cast<size_t>(top ? graph.scopeCount() : parent)]);
    }
  }

  void makeAbsolute() {
    for (int s = 0; s <= graph.scopeCount(); ++s) {
      // Parents before children, the root (last) first.
      const int scope = s == 0 ? graph.scopeCount() : graph.scopeAt(s - 1);
      const Container& c = lifted.containers[static_cast<size_t>(scope)];
      const Point origin = s == 0 ? Point{} : Point{result.boxes[static_cast<size_t>(nodes() + scope)].x, result.boxes[static_cast<size_t>(nodes() + scope)].y};
      for (const std::int32_t item : c.children) {
        result.boxes[static_cast<size_t>(item)].x += origin.x;
        result.boxes[static_cast<size_t>(item)].y += origin.y;
      }
      result.origins[static_cast<size_t>(scope)].x += origin.x;
      result.origins[static_cast<size_t>(scope)].y += origin.y;
      for (const std::int32_t id : c.segments)
        for (Point& point : segmentPoints[static_cast<size_t>(id)]) {
          point.x += origin.x;
          point.y += origin.y;
        }
    }
    for (size_t s = 0; s < lifted.segments.size(); ++s) {
      Segment& segment = lifted.segments[s];
      segment.firstPoint = static_cast<std::int32_t>(result.points.size());
      segment.pointCount = static_cast<std::int32_t>(segmentPoints[s].size());
      result.points.insert(result.points.end(), segmentPoints[s].begin(), segmentPoints[s].end());
    }
  }

  void run() {
    result.boxes.assign(static_cast<size_t>(graph.itemCount()), {});
    sizes.assign(static_cast<size_t>(graph.scopeCount()) + 1, {});
    result.origins.assign(sizes.size(), {});
    result.placed.assign(static_cast<size_t>(graph.itemCount()), {});
    line.assign(static_cast<size_t>(graph.itemCount()), 0);
    elementOf.assign(static_cast<size_t>(graph.itemCount()), -1);
    segmentPoints.resize(lifted.segments.size());
    chooseMirrored();
    chooseBeneath();
    frameScopes = findFrameScopes(graph);
    for (int at = graph.scopeCount() - 1; at >= 0; --at)
      if (const int s = graph.scopeAt(at); isOpen(nodes() + s) && !waits(s)) layoutScope(s);
    layoutScope(graph.scopeCount());
    makeAbsolute();
    bool first = true;
    const auto include = [&](double x0, double y0, double x1, double y1) {
      Box& b = result.bounds;
      const double left = first ? x0 : std::min(b.x, x0), top = first ? y0 : std::min(b.y, y0);
      const double right = first ? x1 : std::max(b.right(), x1), bottom = first ? y1 : std::max(b.bottom(), y1);
      b = {left, top, right - left, bottom - top};
      first = false;
    };
    for (size_t i = 0; i < result.boxes.size(); ++i)
      if (lifted.shown[i] != Shown::Hidden) include(result.boxes[i].x, result.boxes[i].y, result.boxes[i].right(), result.boxes[i].bottom());
    for (const Point& point : result.points) include(point.x, point.y, point.x, point.y);
    result.shown = std::move(lifted.shown);
    result.segments = std::move(lifted.segments);
    result.routes = std::move(lifted.routes);
    result.routeSegments = std::move(lifted.routeSegments);
    result.routeEdges = std::move(lifted.routeEdges);
  }
};

}  // namespace

Result layoutGraph(const Graph& graph, const std::vector<char>& open, int root, const Options& options, Memory* memory) {
  Assembler assembler{graph, options, root, memory, lift(graph, open, root), {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  assembler.run();
  return std::move(assembler.result);
}

}  // namespace weft::layout
