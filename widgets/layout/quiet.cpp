// Chooses the wires that are drawn on demand: those of hubs (an optimizer that reads every layer, a flag that every layer reads), of helpers (savers,
// summaries, initializers), of weights to distant readers such as a penalty, and all but one of those between the flow and the band beneath it. Drawn, they
// would bury the flow. A wire from a parameter to its reader in the flow is always drawn: without it the reader would seem to lack an input.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "layout/acyclic.h"
#include "layout/lift.h"

namespace weft::layout {
namespace {

constexpr size_t kHub = 12;            // more wires than that on one side
constexpr size_t kWeightReaders = 48;  // more wires than that from one weight make it a hub
constexpr size_t kControls = 5;        // control edges on one side
constexpr size_t kWeights = 3;         // boxes of the flow that pass only weights to one item
constexpr size_t kKept = 3;            // this many of them stay visible, the nearest

struct OnDemandWires {
  const Graph& graph;
  Lifted& lifted;
  std::vector<char> marked;           // per segment
  std::vector<std::int32_t> localOf;  // item -> element of the current container
  std::vector<std::int32_t> joins;    // arcs from the end of the flow to the start of the band beneath

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
      const std::int32_t from = s.from >= 0 ? localOf[static_cast<size_t>(s.from)] : children + lifted.inPort[static_cast<size_t>(id)];
      const std::int32_t to =
          s.to >= 0 ? localOf[static_cast<size_t>(s.to)] : children + static_cast<std::int32_t>(c.inPorts.size()) + lifted.outPort[static_cast<size_t>(id)];
      arcs.emplace_back(from, to);
    }
    const auto segmentOf = [&](std::int32_t arc) -> const Segment& { return lifted.segments[static_cast<size_t>(c.segments[static_cast<size_t>(arc)])]; };
    const auto mark = [&](std::int32_t arc) { marked[static_cast<size_t>(c.segments[static_cast<size_t>(arc)])] = 1; };
    const auto roleAt = [&](std::int32_t v) { return v < children ? roleOf(c.children[static_cast<size_t>(v)]) : Role::Flow; };
    markAside(arcs, children, segmentOf, roleAt, mark);
    std::vector<char> back;
    const std::vector<std::int32_t> order = flowOrder(
        elementCount, arcs,
        [&](size_t a) {
          const Segment& s = lifted.segments[static_cast<size_t>(c.segments[a])];
          return s.weak || marked[static_cast<size_t>(c.segments[a])] != 0;
        },
        back);
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

    const auto kindOf = [&](std::int32_t arc) { return lifted.segments[static_cast<size_t>(c.segments[static_cast<size_t>(arc)])].kind; };
    const auto isPredicate = [&](std::int32_t arc) {
      const std::int32_t source = lifted.segments[static_cast<size_t>(c.segments[static_cast<size_t>(arc)])].source;
      return !graph.flow.nodes.empty() && source < graph.nodeCount() && graph.flow.nodes[static_cast<size_t>(source)].op == FlowOp::LoopCond;
    };
    joins.clear();
    markBand(arcs, children, depth, back, roleAt, kindOf, isPredicate, mark);
    for (const std::int32_t a : joins) marked[static_cast<size_t>(c.segments[static_cast<size_t>(a)])] = 0;
    // A control edge parallel to a data edge is redundant.
    std::unordered_set<std::int64_t> pairs;
    for (size_t a = 0; a < arcs.size(); ++a)
      if (kindOf(static_cast<std::int32_t>(a)) != EdgeKind::Control) pairs.insert(pairOf(arcs[a]));
    for (size_t a = 0; a < arcs.size(); ++a)
      if (kindOf(static_cast<std::int32_t>(a)) == EdgeKind::Control && pairs.count(pairOf(arcs[a])) != 0) mark(static_cast<std::int32_t>(a));
    std::vector<size_t> readers(out.size());
    for (size_t v = 0; v < out.size(); ++v) readers[v] = out[v].size();
    for (std::int32_t v = 0; v < children; ++v) {
      auto& ins = in[static_cast<size_t>(v)];
      auto& outs = out[static_cast<size_t>(v)];
      const Role role = roleOf(c.children[static_cast<size_t>(v)]);
      if (role == Role::Aside) {
        for (const std::int32_t a : ins) mark(a);
        for (const std::int32_t a : outs) mark(a);
        continue;
      }
      // Computations in the scope of a weight (its decay, its average) do not affect its place.
      if (role == Role::Parameter)
        for (const std::int32_t a : ins) mark(a);
      for (const auto* side : {&ins, &outs}) {
        const auto isControl = [&](std::int32_t a) { return kindOf(a) == EdgeKind::Control; };
        if (static_cast<size_t>(std::count_if(side->begin(), side->end(), isControl)) <= kControls) continue;
        for (const std::int32_t a : *side)
          if (isControl(a)) mark(a);
      }
      // Quiet wires do not make a hub. Nor do weights: their readers would seem to lack an input.
      const auto isWeight = [&](std::int32_t a) {
        const std::int32_t from = arcs[static_cast<size_t>(a)].first;
        return readers[static_cast<size_t>(from)] <= kWeightReaders && (segmentOf(a).weight || roleAt(from) == Role::Parameter);
      };
      for (auto* side : {&ins, &outs})
        side->erase(std::remove_if(side->begin(), side->end(),
                                   [&](std::int32_t a) { return marked[static_cast<size_t>(c.segments[static_cast<size_t>(a)])] != 0 || isWeight(a); }),
                    side->end());
      if (ins.size() > kHub) {
        std::stable_sort(ins.begin(), ins.end(), [&](std::int32_t a, std::int32_t b) {
          return depth[static_cast<size_t>(arcs[static_cast<size_t>(a)].first)] > depth[static_cast<size_t>(arcs[static_cast<size_t>(b)].first)];
        });
        for (size_t i = kKept; i < ins.size(); ++i) mark(ins[i]);
      }
      if (outs.size() > kHub) {
        std::stable_sort(outs.begin(), outs.end(), [&](std::int32_t a, std::int32_t b) {
          return depth[static_cast<size_t>(arcs[static_cast<size_t>(a)].second)] < depth[static_cast<size_t>(arcs[static_cast<size_t>(b)].second)];
        });
        for (size_t i = kKept; i < outs.size(); ++i) mark(outs[i]);
      }
    }
  }

  /// Hides wires to and from helpers, and those of weights to readers outside their layers. They do not affect the order of the flow.
  template <typename SegmentOf, typename RoleAt, typename Mark>
  static void markAside(const std::vector<std::pair<std::int32_t, std::int32_t>>& arcs, std::int32_t children, SegmentOf&& segmentOf, RoleAt&& roleAt,
                        Mark&& mark) {
    std::unordered_map<std::int32_t, size_t> weights;  // per reader
    const auto isFarWeight = [&](std::int32_t a) {
      const std::int32_t from = arcs[static_cast<size_t>(a)].first;
      return segmentOf(a).weight && from < children && roleAt(from) == Role::Flow;
    };
    for (std::int32_t a = 0; a < static_cast<std::int32_t>(arcs.size()); ++a) {
      if (segmentOf(a).aside) mark(a);
      if (isFarWeight(a)) ++weights[arcs[static_cast<size_t>(a)].second];
    }
    for (std::int32_t a = 0; a < static_cast<std::int32_t>(arcs.size()); ++a)
      if (isFarWeight(a) && weights[arcs[static_cast<size_t>(a)].second] > kWeights) mark(a);
  }

  static std::int64_t pairOf(const std::pair<std::int32_t, std::int32_t>& arc) {
    return static_cast<std::int64_t>(arc.first) << 32 | static_cast<std::uint32_t>(arc.second);
  }

  /// Of the wires between the flow and the start of the band beneath it, one is drawn: from the last data of the flow, the loss.
  template <typename RoleAt, typename KindOf, typename IsPredicate, typename Mark>
  void markBand(const std::vector<std::pair<std::int32_t, std::int32_t>>& arcs, std::int32_t children, const std::vector<std::int32_t>& depth,
                const std::vector<char>& back, RoleAt&& roleAt, KindOf&& kindOf, IsPredicate&& isPredicate, Mark&& mark) {
    bool flows = false;
    for (std::int32_t v = 0; v < children && !flows; ++v) flows = roleAt(v) == Role::Flow;
    if (!flows) return;
    // Band items after one that the flow reaches count as reached through it; a learning rate is reached by nothing.
    std::vector<char> follows(depth.size(), 0), reached(depth.size(), 0);
    std::unordered_map<std::int32_t, std::int32_t> best;
    std::vector<std::int32_t> within;
    for (size_t a = 0; a < arcs.size(); ++a) {
      const auto [first, second] = arcs[a];
      if (back[a] || roleAt(second) != Role::Beneath) continue;
      if (roleAt(first) == Role::Beneath) within.push_back(static_cast<std::int32_t>(a));
      else if (first < children && roleAt(first) == Role::Flow && kindOf(static_cast<std::int32_t>(a)) != EdgeKind::Control)
        reached[static_cast<size_t>(second)] = 1;
    }
    std::stable_sort(within.begin(), within.end(), [&](std::int32_t a, std::int32_t b) {
      return depth[static_cast<size_t>(arcs[static_cast<size_t>(a)].first)] < depth[static_cast<size_t>(arcs[static_cast<size_t>(b)].first)];
    });
    for (const std::int32_t a : within) {
      const auto [first, second] = arcs[static_cast<size_t>(a)];
      if (reached[static_cast<size_t>(first)] != 0) follows[static_cast<size_t>(second)] = reached[static_cast<size_t>(second)] = 1;
    }
    for (size_t a = 0; a < arcs.size(); ++a) {
      const auto [first, second] = arcs[a];
      const bool from = roleAt(first) == Role::Beneath, to = roleAt(second) == Role::Beneath;
      if (from == to) continue;
      const auto arc = static_cast<std::int32_t>(a);
      mark(arc);
      if (!to || back[a] || follows[static_cast<size_t>(second)] || first >= children || roleAt(first) != Role::Flow || kindOf(arc) == EdgeKind::Control)
        continue;
      // Of one box, prefer its result over the predicate of its loop.
      const auto rankOf = [&](std::int32_t other) {
        return 2 * depth[static_cast<size_t>(arcs[static_cast<size_t>(other)].first)] + (isPredicate(other) ? 0 : 1);
      };
      const auto it = best.find(second);
      if (it == best.end() || rankOf(arc) > rankOf(it->second)) best[second] = arc;
    }
    for (const auto& [target, arc] : best) joins.push_back(arc);
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
      if (std::any_of(first, first + r.segmentCount, [this](std::int32_t s) { return marked[static_cast<size_t>(s)] != 0; })) continue;
      std::for_each(first, first + r.segmentCount, [this](std::int32_t s) { lifted.segments[static_cast<size_t>(s)].quiet = false; });
    }
  }
};

}  // namespace

void chooseOnDemandWires(const Graph& graph, Lifted& lifted) {
  OnDemandWires chooser{graph, lifted, {}, {}, {}};
  chooser.run();
}

}  // namespace weft::layout
