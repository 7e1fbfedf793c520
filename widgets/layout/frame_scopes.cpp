#include "layout/frame_scopes.h"

#include <algorithm>
#include <map>
#include <set>

namespace weft::layout {
namespace {

constexpr int kMostVariables = 12;  // a loop with more is not drawn op by op

constexpr std::uint16_t bit(Station s) { return static_cast<std::uint16_t>(1u << static_cast<unsigned>(s)); }

struct Finder {
  const Graph& graph;
  FrameScopes out;
  std::vector<std::uint16_t> seen;  // per item: stations of its nodes

  const FlowFacts& facts() const { return graph.flow; }
  FrameScope& home(int scope) { return out.ofScope[static_cast<size_t>(scope < 0 ? graph.scopeCount() : scope)]; }

  void findFrameScopes() {
    std::map<int, std::set<int>> loopsIn, conditionalsIn;
    for (int n = 0; n < graph.nodeCount(); ++n) {
      const NodeFlow& f = facts().nodes[static_cast<size_t>(n)];
      const int scope = graph.nodeScope[static_cast<size_t>(n)];
      if (f.op == FlowOp::LoopCond && f.loop >= 0) loopsIn[scope].insert(f.loop);
      if (f.op == FlowOp::Merge && f.conditional >= 0) conditionalsIn[scope].insert(f.conditional);
    }
    for (const auto& [scope, loops] : loopsIn)
      if (loops.size() == 1) home(scope) = {Frame::Loop, *loops.begin(), true, true};
    for (const auto& [scope, conditionals] : conditionalsIn)
      if (loopsIn.count(scope) == 0 && conditionals.size() == 1) home(scope) = {Frame::Conditional, *conditionals.begin(), false, true};
  }

  bool runsIn(int loop, int of) const {
    while (loop >= 0 && loop != of) loop = facts().loops[static_cast<size_t>(loop)].parent;
    return loop == of;
  }

  Station inLoop(const NodeFlow& f, int loop) const {
    if (!runsIn(f.loop, loop)) return Station::Outside;
    if (f.loop != loop) return Station::Inside;
    switch (f.op) {
      case FlowOp::Enter: return Station::Entry;
      case FlowOp::Exit: return Station::Exit;
      case FlowOp::NextIteration: return Station::Next;
      case FlowOp::Merge: return f.conditional < 0 ? Station::Turn : Station::Inside;
      case FlowOp::Switch: return f.conditional < 0 ? Station::Split : Station::Inside;
      default: return Station::Inside;
    }
  }

  Station inConditional(const NodeFlow& f, int conditional) const {
    if (f.conditional == conditional) return f.op == FlowOp::Merge ? Station::Join : f.outputs == 1 ? Station::SplitFalse : Station::Split;
    for (int b = f.branch; b >= 0; b = facts().branches[static_cast<size_t>(b)].parent)
      if (facts().branches[static_cast<size_t>(b)].conditional == conditional)
        return facts().branches[static_cast<size_t>(b)].whenTrue ? Station::WhenTrue : Station::WhenFalse;
    return Station::Outside;
  }

  void lookAtNodes() {
    seen.assign(static_cast<size_t>(graph.itemCount()), 0);
    for (int n = 0; n < graph.nodeCount(); ++n) {
      const NodeFlow& f = facts().nodes[static_cast<size_t>(n)];
      int item = n;
      for (int scope = graph.nodeScope[static_cast<size_t>(n)];; scope = graph.scopeParent[static_cast<size_t>(scope)]) {
        if (const FrameScope& h = home(scope); h.frame != Frame::None)
          seen[static_cast<size_t>(item)] |= bit(h.frame == Frame::Loop ? inLoop(f, h.id) : inConditional(f, h.id));
        if (scope < 0) break;
        item = graph.nodeCount() + scope;
      }
    }
  }

  static Station stationOf(std::uint16_t bits, Frame frame) {
    for (const Station s : {Station::Entry, Station::Exit, Station::Next, Station::Turn, Station::Split, Station::SplitFalse, Station::Join, Station::Outside})
      if (bits == bit(s)) return s;
    if (frame == Frame::Loop) return bits == 0 ? Station::Outside : Station::Inside;
    const bool whenTrue = (bits & bit(Station::WhenTrue)) != 0, whenFalse = (bits & bit(Station::WhenFalse)) != 0;
    return whenTrue == whenFalse ? Station::Outside : whenTrue ? Station::WhenTrue : Station::WhenFalse;
  }

  void placeItems() {
    out.station.assign(seen.size(), Station::Outside);
    std::vector<char> lanes(out.ofScope.size(), 0), entersOnly(static_cast<size_t>(graph.nodeCount()), 1);
    for (const Edge& e : graph.edges)
      if (facts().nodes[static_cast<size_t>(e.to)].op != FlowOp::Enter) entersOnly[static_cast<size_t>(e.from)] = 0;
    for (size_t i = 0; i < seen.size(); ++i) {
      const auto item = static_cast<int>(i);
      const int scope = item < graph.nodeCount() ? graph.nodeScope[i] : graph.scopeParent[i - static_cast<size_t>(graph.nodeCount())];
      FrameScope& h = home(scope);
      if (h.frame == Frame::None || seen[i] == 0) continue;
      const Station s = out.station[i] = stationOf(seen[i], h.frame);
      if (h.frame == Frame::Loop && s == Station::Outside) {
        h.pure = false;
        h.whole = h.whole && item < graph.nodeCount() && entersOnly[i] != 0;
      }
      if (s == Station::WhenTrue || s == Station::WhenFalse) lanes[static_cast<size_t>(&h - out.ofScope.data())] = 1;
    }
    for (size_t h = 0; h < lanes.size(); ++h)
      if (out.ofScope[h].frame == Frame::Conditional && lanes[h] == 0) out.ofScope[h] = {};
    out.ofScope.back().pure = false;  // the top level has no box to serve as the frame
  }

  FrameScopes run() {
    if (facts().nodes.empty() || (facts().loops.empty() && facts().branches.empty())) return {};
    out.ofScope.assign(static_cast<size_t>(graph.scopeCount()) + 1, {});
    findFrameScopes();
    if (std::all_of(out.ofScope.begin(), out.ofScope.end(), [](const FrameScope& h) { return h.frame == Frame::None; })) return {};
    lookAtNodes();
    placeItems();
    return std::move(out);
  }
};

}  // namespace

FrameScopes findFrameScopes(const Graph& graph) { return Finder{graph, {}, {}}.run(); }

std::vector<char> ungroupedFlowOps(const Graph& graph) {
  const FlowFacts& facts = graph.flow;
  if (facts.nodes.empty() || (facts.loops.empty() && facts.branches.empty())) return {};
  std::vector<int> variables(facts.loops.size(), 0), scopeOfLoop(facts.loops.size(), -2);
  for (size_t n = 0; n < facts.nodes.size(); ++n) {
    const NodeFlow& f = facts.nodes[n];
    if (f.loop < 0) continue;
    if (f.op == FlowOp::NextIteration) ++variables[static_cast<size_t>(f.loop)];
    if (f.op == FlowOp::LoopCond) scopeOfLoop[static_cast<size_t>(f.loop)] = graph.nodeScope[n];
  }
  std::vector<char> alone(facts.nodes.size(), 0);
  for (size_t n = 0; n < alone.size(); ++n) {
    const NodeFlow& f = facts.nodes[n];
    if (f.op == FlowOp::None) continue;
    if (f.conditional >= 0) alone[n] = f.op == FlowOp::Merge ? 1 : 0;
    else if (f.loop >= 0)
      alone[n] = scopeOfLoop[static_cast<size_t>(f.loop)] == graph.nodeScope[n] && variables[static_cast<size_t>(f.loop)] <= kMostVariables ? 1 : 0;
  }
  return alone;
}

}  // namespace weft::layout
