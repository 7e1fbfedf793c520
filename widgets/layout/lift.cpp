#include "layout/lift.h"

#include <algorithm>
#include <array>

namespace weft::layout {
namespace {

constexpr std::int32_t kOutside = -2;
constexpr float kNumberWidth = 8;  // width of the count on a wire that represents several

struct Lifter {
  const Graph& graph;
  int root, nodes, scopes;
  Lifted out;
  std::vector<std::int32_t> scopeRep;  // the closed scope (as an item) that hides its inside; -1: it is open; kOutside: not under the root
  // For the current source: the segment that enters an item or leaves a scope, and the ports.
  struct Slot {
    std::int32_t source = -1, segment = -1, port = -1;
  };
  std::vector<std::array<Slot, 3>> into, outOf;

  Lifter(const Graph& g, int rootScope) : graph(g), root(rootScope), nodes(g.nodeCount()), scopes(g.scopeCount()) {
    into.resize(static_cast<size_t>(g.itemCount()));
    outOf.resize(static_cast<size_t>(scopes));
    out.containers.resize(static_cast<size_t>(scopes) + 1);
  }

  int parentOf(int item) const { return item < nodes ? graph.nodeScope[static_cast<size_t>(item)] : graph.scopeParent[static_cast<size_t>(item - nodes)]; }

  Container& container(int scope) { return out.containers[static_cast<size_t>(scope == root ? scopes : scope)]; }

  void see(const std::vector<char>& open) {
    out.shown.assign(static_cast<size_t>(nodes + scopes), Shown::Hidden);
    scopeRep.assign(static_cast<size_t>(scopes), kOutside);
    for (int at = 0; at < scopes; ++at) {
      const int s = graph.scopeAt(at);
      const auto i = static_cast<size_t>(s);
      if (s == root) {
        scopeRep[i] = -1;
        continue;
      }
      const int parent = graph.scopeParent[i];
      const std::int32_t above = parent < 0 ? (root < 0 ? -1 : kOutside) : scopeRep[static_cast<size_t>(parent)];
      if (above != -1) {
        scopeRep[i] = above;
        continue;
      }
      const bool isOpen = i < open.size() && open[i] != 0;
      scopeRep[i] = isOpen ? -1 : nodes + s;
      out.shown[static_cast<size_t>(nodes + s)] = isOpen ? Shown::Open : Shown::Leaf;
      container(parent).children.push_back(nodes + s);
    }
    for (int n = 0; n < nodes; ++n)
      if (rep(n) == n) {
        out.shown[static_cast<size_t>(n)] = Shown::Leaf;
        container(graph.nodeScope[static_cast<size_t>(n)]).children.push_back(n);
      }
  }

  std::int32_t rep(int node) const {
    const int scope = graph.nodeScope[static_cast<size_t>(node)];
    if (scope < 0) return root < 0 ? node : kOutside;
    const std::int32_t above = scopeRep[static_cast<size_t>(scope)];
    return above == -1 ? node : above;
  }

  // The segment of `source` that ends at child `to` of container `scope` (or leaves it, to = -1); created if necessary.
  std::int32_t segment(int scope, int from, int to, int source, EdgeKind kind, bool& made) {
    const auto k = static_cast<size_t>(kind);
    Slot& slot = to >= 0 ? into[static_cast<size_t>(to)][k] : outOf[static_cast<size_t>(scope)][k];
    made = slot.source != source;
    if (!made) return slot.segment;
    const auto id = static_cast<std::int32_t>(out.segments.size());
    slot = {source, id, -1};
    Segment s;
    s.container = scope;
    s.from = from;
    s.to = to;
    s.source = source;
    s.kind = kind;
    out.segments.push_back(s);
    out.inPort.push_back(-1);
    out.outPort.push_back(-1);
    out.fromPort.push_back(-1);
    out.toPort.push_back(-1);
    container(scope).segments.push_back(id);
    return id;
  }

  int depth(int item) const {
    int d = 0;
    for (int s = parentOf(item); s != root && s >= 0; s = graph.scopeParent[static_cast<size_t>(s)]) ++d;
    return d;
  }

  void route(Route& r, const Edge& all) {
    const auto k = static_cast<size_t>(r.kind);
    // Climb from both ends to children of the common container.
    int a = r.from, b = r.to;
    int da = depth(a), db = depth(b);
    std::vector<int> down;  // items entered, innermost first
    std::vector<int> up;    // scopes left, innermost first
    const auto climbA = [&] {
      a = nodes + parentOf(a);
      up.push_back(a);
      --da;
    };
    const auto climbB = [&] {
      down.push_back(b);
      b = nodes + parentOf(b);
      --db;
    };
    while (da > db) climbA();
    while (db > da) climbB();
    while (parentOf(a) != parentOf(b)) {
      climbA();
      climbB();
    }
    r.firstSegment = static_cast<std::int32_t>(out.routeSegments.size());
    bool made = false;
    int from = r.from;
    std::int32_t fromPort = -1;
    const auto add = [&](std::int32_t id) {
      Segment& s = out.segments[static_cast<size_t>(id)];
      s.labelWidth = std::max(s.labelWidth, all.labelWidth);
      s.weak = s.weak && all.weak;
      s.aside = s.aside && all.aside;
      s.weight = s.weight && all.weight;
      out.routeSegments.push_back(id);
    };
    for (const int scopeItem : up) {
      const int scope = scopeItem - nodes;
      const std::int32_t id = segment(scope, from, -1, r.from, r.kind, made);
      Slot& slot = outOf[static_cast<size_t>(scope)][k];
      if (made) {
        Container& c = container(scope);
        slot.port = static_cast<std::int32_t>(c.outPorts.size());
        c.outPorts.push_back({r.from, r.kind, 0});
        out.outPort[static_cast<size_t>(id)] = slot.port;
        out.fromPort[static_cast<size_t>(id)] = fromPort;
      }
      fromPort = slot.port;
      from = scopeItem;
      add(id);
    }
    // Across the common container, then down through the open scopes.
    int to = down.empty() ? r.to : b;
    std::int32_t inPort = -1;
    for (auto step = down.rbegin();; ++step) {
      const std::int32_t id = segment(parentOf(to), from, to, r.from, r.kind, made);
      Slot& slot = into[static_cast<size_t>(to)][k];
      const bool entersOpen = out.shown[static_cast<size_t>(to)] == Shown::Open;
      if (made) {
        out.fromPort[static_cast<size_t>(id)] = fromPort;
        out.inPort[static_cast<size_t>(id)] = inPort;
        if (entersOpen) {
          Container& c = container(to - nodes);
          slot.port = static_cast<std::int32_t>(c.inPorts.size());
          c.inPorts.push_back({r.from, r.kind, 0});
          out.toPort[static_cast<size_t>(id)] = slot.port;
        }
      }
      add(id);
      if (step == down.rend()) break;
      inPort = slot.port;
      from = -1;
      fromPort = -1;
      to = *step;
    }
    r.segmentCount = static_cast<std::int32_t>(out.routeSegments.size()) - r.firstSegment;
  }

  void bundle() {
    struct Key {
      std::int32_t from, to;
      EdgeKind kind;
      std::int32_t edge;
    };
    std::vector<Key> keys;
    keys.reserve(graph.edges.size());
    for (size_t e = 0; e < graph.edges.size(); ++e) {
      const Edge& edge = graph.edges[e];
      const std::int32_t u = rep(edge.from), v = rep(edge.to);
      if (u == v || u < 0 || v < 0) continue;
      keys.push_back({u, v, edge.kind, static_cast<std::int32_t>(e)});
    }
    // Data before control: a variable's control edge runs along with its data in one wire.
    const auto isControl = [](const Key& k) { return k.kind == EdgeKind::Control; };
    std::stable_sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
      if (a.from != b.from) return a.from < b.from;
      if (a.to != b.to) return a.to < b.to;
      return isControl(a) < isControl(b);
    });
    for (size_t i = 0; i < keys.size();) {
      Route r;
      r.from = keys[i].from;
      r.to = keys[i].to;
      r.kind = keys[i].kind;
      r.firstEdge = static_cast<std::int32_t>(out.routeEdges.size());
      Edge all;  // properties common to all edges of the bundle
      all.weak = all.aside = all.weight = true;
      for (const bool control = isControl(keys[i]); i < keys.size() && keys[i].from == r.from && keys[i].to == r.to && isControl(keys[i]) == control; ++i) {
        if (keys[i].kind == EdgeKind::Data) r.kind = EdgeKind::Data;
        out.routeEdges.push_back(keys[i].edge);
        const Edge& edge = graph.edges[static_cast<size_t>(keys[i].edge)];
        all.labelWidth = std::max(all.labelWidth, edge.labelWidth);
        all.weak = all.weak && (edge.weak || edge.kind == EdgeKind::Control);
        all.aside = all.aside && edge.aside;
        all.weight = all.weight && edge.weight;
      }
      r.edgeCount = static_cast<std::int32_t>(out.routeEdges.size()) - r.firstEdge;
      if (r.edgeCount > 1 && r.kind != EdgeKind::Control) all.labelWidth = std::max(all.labelWidth, kNumberWidth);
      route(r, all);
      out.routes.push_back(r);
    }
  }
};

}  // namespace

Lifted lift(const Graph& graph, const std::vector<char>& open, int root) {
  Lifter lifter(graph, root);
  lifter.see(open);
  lifter.bundle();
  chooseOnDemandWires(graph, lifter.out);
  return std::move(lifter.out);
}

std::vector<Shown> shownItems(const Graph& graph, const std::vector<char>& open, int root) {
  Lifter lifter(graph, root);
  lifter.see(open);
  return std::move(lifter.out.shown);
}

}  // namespace weft::layout
