#include "layout/frames.h"

#include <algorithm>
#include <optional>

#include "layout/frame_scopes.h"

namespace weft::layout {
namespace {

constexpr double kMargin = 12, kNames = 17, kTitle = 8;  // around a frame; for the names above its first row; for a title on its upper edge
constexpr double kHeader = 28;                           // of a scope; no frame starts in it
constexpr double kNameUp = 5;                            // of a name's baseline above its box
constexpr double kBesideEntry = 24, kBesideExit = 12;    // how far a name may be wider than its box
constexpr double kLaneSide = 14, kLaneUp = 22, kLaneDown = 10;

void unite(std::optional<Box>& all, const Box& box) {
  if (!all) {
    all = box;
    return;
  }
  const double right = std::max(all->right(), box.right()), bottom = std::max(all->bottom(), box.bottom());
  all->x = std::min(all->x, box.x);
  all->y = std::min(all->y, box.y);
  all->w = right - all->x;
  all->h = bottom - all->y;
}

bool overlap(const Box& a, const Box& b) { return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom(); }

struct Framer {
  const Graph& graph;
  const Result& result;
  int root;
  FrameScopes frameScopes;
  std::vector<DrawnFrame> out;
  std::vector<std::vector<std::int32_t>> children;  // visible children, per frame scope, the top level last

  int parentOf(std::int32_t item) const {
    return item < graph.nodeCount() ? graph.nodeScope[static_cast<size_t>(item)] : graph.scopeParent[static_cast<size_t>(item - graph.nodeCount())];
  }
  const Box& boxOf(std::int32_t item) const { return result.boxes[static_cast<size_t>(item)]; }
  bool isSeen(std::int32_t item) const { return result.shown[static_cast<size_t>(item)] != Shown::Hidden; }

  void collect() {
    children.assign(static_cast<size_t>(graph.scopeCount()) + 1, {});
    for (std::int32_t i = 0; i < graph.itemCount(); ++i) {
      if (!isSeen(i)) continue;
      const int scope = parentOf(i);
      if (frameScopes.of(scope) != nullptr) children[static_cast<size_t>(scope < 0 ? graph.scopeCount() : scope)].push_back(i);
    }
  }

  void loop(int scope, const FrameScope& frameScope, const std::vector<std::int32_t>& items) {
    DrawnFrame frame;
    frame.scope = scope;
    frame.id = frameScope.id;
    std::optional<Box> around;
    for (const std::int32_t i : items)
      if (const Station s = frameScopes.station[static_cast<size_t>(i)]; s != Station::Outside) {
        const Box& b = boxOf(i);
        const double names = s == Station::Entry || s == Station::Exit ? kNames : 0;
        unite(around, {b.x, b.y - names, b.w, b.h + names});
      }
    if (!around) return;
    for (const Segment& s : result.segments)
      if (s.container == scope && s.back && !s.quiet)
        for (int k = 0; k < s.pointCount; ++k) {
          const Point& p = result.points[static_cast<size_t>(s.firstPoint + k)];
          unite(around, {p.x, p.y, 0, 0});
        }
    const Box inner = *around;
    const bool boxed = scope >= 0 && scope != root;
    frame.isScope = frameScope.pure && boxed;
    double top = inner.y - kMargin - (boxed && frameScope.whole ? 0 : kTitle);
    if (boxed) top = std::max(top, boxOf(graph.nodeCount() + scope).y + kHeader);
    frame.box = {inner.x - kMargin, top, inner.w + 2 * kMargin, inner.bottom() + kMargin - top};
    if (frame.isScope) frame.box = boxOf(graph.nodeCount() + scope);
    const bool encloses = std::any_of(items.begin(), items.end(), [&](std::int32_t i) {
      return frameScopes.station[static_cast<size_t>(i)] == Station::Outside && overlap(frame.box, boxOf(i));
    });
    if (!frame.isScope && encloses) return;
    for (const std::int32_t i : items) name(frame, i);
    out.push_back(std::move(frame));
  }

  void name(DrawnFrame& frame, std::int32_t item) const {
    const Station station = frameScopes.station[static_cast<size_t>(item)];
    if (item >= graph.nodeCount() || (station != Station::Entry && station != Station::Exit)) return;
    const Box& b = boxOf(item);
    DrawnFrame::Name n;
    n.at = {b.x, b.y - kNameUp};
    n.width = b.w + (station == Station::Entry ? kBesideEntry : kBesideExit);
    n.entry = station == Station::Entry;
    n.source = n.entry ? graph.flow.nodes[static_cast<size_t>(item)].source : -1;
    if (n.entry ? n.source >= 0 : true) frame.names.push_back(n), nodeOf.push_back(item);
  }

  /// An Exit is named after the Enter of its variable, found through Switch and Merge.
  void nameExits() {
    if (nodeOf.empty()) return;
    std::vector<std::int32_t> before(static_cast<size_t>(graph.nodeCount()), -1);
    const auto op = [this](std::int32_t n) { return graph.flow.nodes[static_cast<size_t>(n)].op; };
    for (const Edge& e : graph.edges) {
      if (e.kind == EdgeKind::Control) continue;
      const FlowOp a = op(e.from), b = op(e.to);
      if ((b == FlowOp::Exit && a == FlowOp::Switch) || (b == FlowOp::Switch && a == FlowOp::Merge) || (b == FlowOp::Merge && a == FlowOp::Enter))
        before[static_cast<size_t>(e.to)] = e.from;
    }
    size_t k = 0;
    for (DrawnFrame& frame : out) {
      for (DrawnFrame::Name& n : frame.names) {
        std::int32_t at = nodeOf[k++];
        if (n.entry) continue;
        while (at >= 0 && op(at) != FlowOp::Enter) at = before[static_cast<size_t>(at)];
        if (at >= 0) n.source = graph.flow.nodes[static_cast<size_t>(at)].source;
      }
      frame.names.erase(std::remove_if(frame.names.begin(), frame.names.end(), [](const DrawnFrame::Name& n) { return n.source < 0; }), frame.names.end());
    }
  }

  void conditional(int scope, const std::vector<std::int32_t>& items) {
    std::optional<Box> boxes[2];
    for (const std::int32_t i : items) {
      const Station s = frameScopes.station[static_cast<size_t>(i)];
      if (s == Station::WhenTrue || s == Station::WhenFalse) unite(boxes[s == Station::WhenTrue ? 0 : 1], boxOf(i));
    }
    DrawnFrame frame;
    frame.kind = DrawnFrame::Kind::Conditional;
    frame.scope = scope;
    double left = 1e18, right = -1e18;
    for (const auto& b : boxes)
      if (b) left = std::min(left, b->x - kLaneSide), right = std::max(right, b->right() + kLaneSide);
    for (const bool whenTrue : {true, false}) {
      const auto& b = boxes[whenTrue ? 0 : 1];
      if (b) frame.lanes.push_back({{left, b->y - kLaneUp, right - left, b->h + kLaneUp + kLaneDown}, whenTrue});
    }
    // With items placed by hand, lanes may overlap or contain foreign items.
    for (const DrawnFrame::Lane& lane : frame.lanes) {
      for (const DrawnFrame::Lane& other : frame.lanes)
        if (&lane != &other && overlap(lane.box, other.box)) return;
      for (const std::int32_t i : items) {
        const Station s = frameScopes.station[static_cast<size_t>(i)];
        if (s != (lane.whenTrue ? Station::WhenTrue : Station::WhenFalse) && overlap(lane.box, boxOf(i))) return;
      }
    }
    out.push_back(std::move(frame));
  }

  std::vector<DrawnFrame> run() {
    frameScopes = findFrameScopes(graph);
    if (frameScopes.ofScope.empty()) return {};
    collect();
    for (int at = -1; at < graph.scopeCount(); ++at) {
      const int scope = at < 0 ? -1 : graph.scopeAt(at);
      const auto& items = children[static_cast<size_t>(scope < 0 ? graph.scopeCount() : scope)];
      const FrameScope* frameScope = frameScopes.of(scope);
      if (frameScope == nullptr || items.empty()) continue;
      if (frameScope->frame == Frame::Loop) loop(scope, *frameScope, items);
      else conditional(scope, items);
    }
    nameExits();
    return std::move(out);
  }

  std::vector<std::int32_t> mutable nodeOf;  // per name
};

}  // namespace

std::vector<DrawnFrame> framesOf(const Graph& graph, const Result& result, int root) { return Framer{graph, result, root, {}, {}, {}, {}}.run(); }

std::vector<ScopeFlow> scopeFlows(const Graph& graph) {
  const FrameScopes frameScopes = findFrameScopes(graph);
  std::vector<ScopeFlow> out(static_cast<size_t>(graph.scopeCount()), ScopeFlow::None);
  for (size_t s = 0; s < out.size(); ++s)
    if (const FrameScope* frameScope = frameScopes.of(static_cast<int>(s)))
      out[s] = frameScope->frame == Frame::Conditional ? ScopeFlow::Conditional : frameScope->whole ? ScopeFlow::Loop : ScopeFlow::None;
  return out;
}

}  // namespace weft::layout
