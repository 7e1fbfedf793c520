// Which wires are shown only on demand: those of hubs (an optimizer that reads every layer, a flag that every layer reads), of
// savers and summaries, and those of a parameter beyond its first reader. Drawn, they would bury the flow.
#include <algorithm>

#include "layout/acyclic.h"
#include "layout/lift.h"

namespace weft::layout {
namespace {

constexpr size_t kHub = 12;  // more wires than that on one side
constexpr size_t kKept = 3;  // so many of them stay, the nearest

struct Quieter {
  const Graph& graph;
  Lifted& lifted;
  std::vector<char> marked;           // per segment
  std::vector<std::int32_t> localOf;  // item -> element of the container at work

  Role roleOf(std::int32_t item) const {
    const bool node = item < graph.nodeCount();
    const auto& roles = node ? graph.nodeRole : graph.scopeRole;
    return roles.empty() ? Role::Flow : roles[static_cast<size_t>(node ? item : item - graph.nodeCount())];
  }

  void container(const Container& c) {
    const auto children = static_cast<std::int32_t>(c.children.size());
    for (std::int32_t i = 0; i < children; ++i) localOf[static_cast<size_t>(c.children[static_cast<size_t>(i)])] = i;
    const auto elementCount = children + static_cast<std::int32_t>(c.inPorts.size() + c.outPorts.size());
    std::vector<std::pair<std::int32_t, std::int32_t>> arcs;
    arcs.reserve(c.segments.size());
    for (const std::int32_t id : c.segments) {
      const Segment& s = lifted.segments[static_cast<size_t>(id)];
      const std::int32_t from =
          s.from >= 0 ? localOf[static_cast<size_t>(s.from)] : children + lifted.inPort[static_cast<size_t>(id)];
      const std::int32_t to =
          s.to >= 0 ? localOf[static_cast<size_t>(s.to)]
                    : children + static_cast<std::int32_t>(c.inPorts.size()) + lifted.outPort[static_cast<size_t>(id)];
      arcs.emplace_back(from, to);
    }
    std::vector<char> back;
    const std::vector<std::int32_t> order = acyclicOrder(elementCount, arcs, back);
    std::vector<std::vector<std::int32_t>> in(static_cast<size_t>(elementCount)), out(static_cast<size_t>(elementCount));
    for (size_t a = 0; a < arcs.size(); ++a) {
      if (back[a]) continue;
      out[static_cast<size_t>(arcs[a].first)].push_back(static_cast<std::int32_t>(a));
      in[static_cast<size_t>(arcs[a].second)].push_back(static_cast<std::int32_t>(a));
    }
    std::vector<std::int32_t> depth(static_cast<size_t>(elementCount), 0);
    for (const std::int32_t v : order)
      for (const std::int32_t a : out[static_cast<size_t>(v)]) {
        auto& d = depth[static_cast<size_t>(arcs[static_cast<size_t>(a)].second)];
        d = std::max(d, depth[static_cast<size_t>(v)] + 1);
      }
    const auto mark = [&](std::int32_t arc) { marked[static_cast<size_t>(c.segments[static_cast<size_t>(arc)])] = 1; };

    for (std::int32_t v = 0; v < children; ++v) {
      auto& ins = in[static_cast<size_t>(v)];
      auto& outs = out[static_cast<size_t>(v)];
      const Role role = roleOf(c.children[static_cast<size_t>(v)]);
      if (role == Role::Aside) {
        for (const std::int32_t a : ins) mark(a);
        for (const std::int32_t a : outs) mark(a);
        continue;
      }
      if (ins.size() > kHub) {
        std::stable_sort(ins.begin(), ins.end(), [&](std::int32_t a, std::int32_t b) {
          return depth[static_cast<size_t>(arcs[static_cast<size_t>(a)].first)] >
                 depth[static_cast<size_t>(arcs[static_cast<size_t>(b)].first)];
        });
        for (size_t i = kKept; i < ins.size(); ++i) mark(ins[i]);
      }
      if (outs.size() > kHub) {
        std::stable_sort(outs.begin(), outs.end(), [&](std::int32_t a, std::int32_t b) {
          return depth[static_cast<size_t>(arcs[static_cast<size_t>(a)].second)] <
                 depth[static_cast<size_t>(arcs[static_cast<size_t>(b)].second)];
        });
        for (size_t i = kKept; i < outs.size(); ++i) mark(outs[i]);
      }
      if (role == Role::Parameter) parameter(c, arcs, children, v, ins, outs, mark);
    }
  }

  template <typename Mark>
  void parameter(const Container& c, const std::vector<std::pair<std::int32_t, std::int32_t>>& arcs, std::int32_t children,
                 std::int32_t v, const std::vector<std::int32_t>& ins, const std::vector<std::int32_t>& outs, Mark&& mark) {
    if (lifted.shown[static_cast<size_t>(c.children[static_cast<size_t>(v)])] == Shown::Open) return;
    const auto kindOf = [&](std::int32_t arc) {
      return lifted.segments[static_cast<size_t>(c.segments[static_cast<size_t>(arc)])].kind;
    };
    if (std::any_of(ins.begin(), ins.end(), [&](std::int32_t a) { return kindOf(a) != EdgeKind::Control; })) return;
    std::int32_t reader = -1;
    for (const std::int32_t a : outs) {
      const std::int32_t to = arcs[static_cast<size_t>(a)].second;
      if (kindOf(a) == EdgeKind::Control || to >= children || roleOf(c.children[static_cast<size_t>(to)]) != Role::Flow) continue;
      if (lifted.toPort[static_cast<size_t>(c.segments[static_cast<size_t>(a)])] >= 0) continue;  // an open scope
      if (reader < 0 || to < reader) reader = to;
    }
    if (reader < 0) return;
    for (const std::int32_t a : outs)
      if (arcs[static_cast<size_t>(a)].second != reader || kindOf(a) == EdgeKind::Control) mark(a);
    for (const std::int32_t a : ins) mark(a);
  }

  void run() {
    marked.assign(lifted.segments.size(), 0);
    localOf.assign(static_cast<size_t>(graph.itemCount()), -1);
    for (const Container& c : lifted.containers)
      if (!c.segments.empty()) container(c);
    // A route is as quiet as its quietest piece; a piece is quiet if all routes over it are.
    for (Segment& s : lifted.segments) s.quiet = true;
    for (const Route& r : lifted.routes) {
      const auto first = lifted.routeSegments.begin() + r.firstSegment;
      if (std::any_of(first, first + r.segmentCount, [this](std::int32_t s) { return marked[static_cast<size_t>(s)] != 0; }))
        continue;
      std::for_each(first, first + r.segmentCount,
                    [this](std::int32_t s) { lifted.segments[static_cast<size_t>(s)].quiet = false; });
    }
  }
};

}  // namespace

void chooseQuiet(const Graph& graph, Lifted& lifted) {
  Quieter quieter{graph, lifted, {}, {}};
  quieter.run();
}

}  // namespace weft::layout
