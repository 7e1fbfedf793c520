#include "graph_view/scene.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <unordered_set>

#include "common/format.h"
#include "common/theme.h"
#include "graph_view/text_widths.h"

namespace weft::widgets {
namespace {

constexpr double kTextLeft = 11, kTextRight = 10, kChevron = 24;

layout::Role roleOf(NodeShape shape) {
  switch (shape) {
    case NodeShape::Variable:
    case NodeShape::Constant:
      return layout::Role::Parameter;
    case NodeShape::Annotation:
      return layout::Role::Aside;
    default:
      return layout::Role::Flow;
  }
}

// Names identify things across resets and in the memory of places; eight bytes at a time, as there are many of them.
std::uint64_t hashOf(const QString& name) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15ull;
  std::uint64_t hash = static_cast<std::uint64_t>(name.size()) * kMix;
  const char* data = reinterpret_cast<const char*>(name.constData());
  for (auto left = static_cast<size_t>(name.size()) * 2; left > 0;) {
    std::uint64_t word = 0;
    const size_t part = std::min<size_t>(left, 8);
    std::memcpy(&word, data, part);
    hash = (hash ^ word) * 0xBF58476D1CE4E5B9ull;
    hash ^= hash >> 29;
    data += part;
    left -= part;
  }
  return hash * kMix;
}

std::uint64_t nodeKey(const QString& name) {
  return hashOf(name) & ~1ull;
}
std::uint64_t scopeKey(const QString& name) {
  return hashOf(name) | 1ull;
}

}  // namespace

CanvasFonts CanvasFonts::current() {
  const Theme& theme = Theme::current();
  CanvasFonts fonts;
  fonts.title = theme.uiFont();
  fonts.title.setPixelSize(theme.metrics().fontCanvas);
  fonts.title.setWeight(QFont::DemiBold);
  fonts.title.setStyleStrategy(QFont::PreferNoShaping);
  fonts.detail = theme.monoSmallFont();
  fonts.small = theme.smallFont();
  return fonts;
}

void Scene::reset(const GraphModel* model) {
  // Indexes of the model are new already: only the keys that were read before can be trusted.
  std::unordered_set<std::uint64_t> opened;
  const std::uint64_t rootKey = key(Item::scope(root_));
  for (size_t s = 0; s < open_.size(); ++s)
    if (open_[s] != 0) opened.insert(graph_.scopeKey[s]);
  if (model != model_) {
    memory_ = {};
    opened.clear();
  }
  const bool keepRoot = model == model_ && root_ >= 0;
  model_ = model;
  readStructure();
  root_ = -1;
  for (size_t s = 0; s < open_.size(); ++s) {
    if (opened.count(graph_.scopeKey[s]) != 0) open_[s] = 1;
    if (keepRoot && graph_.scopeKey[s] == rootKey) root_ = static_cast<int>(s);
  }
}

std::uint64_t Scene::key(Item item) const {
  const auto i = static_cast<size_t>(item.index);
  if (item.isNode()) return i < graph_.nodeKey.size() ? graph_.nodeKey[i] : 0;
  return item.isScope() && i < graph_.scopeKey.size() ? graph_.scopeKey[i] : 0;
}

Item Scene::itemWithKey(std::uint64_t wanted) const {
  if (byKey_.empty()) {
    byKey_.reserve(static_cast<size_t>(graph_.itemCount()));
    for (size_t n = 0; n < graph_.nodeKey.size(); ++n) byKey_.emplace(graph_.nodeKey[n], Item::node(static_cast<int>(n)));
    for (size_t s = 0; s < graph_.scopeKey.size(); ++s) byKey_.emplace(graph_.scopeKey[s], Item::scope(static_cast<int>(s)));
  }
  const auto it = byKey_.find(wanted);
  return it == byKey_.end() ? Item{} : it->second;
}

// A variable and the scope of its helpers may share their name: the node is what people mean.
Item Scene::itemNamed(const QString& name) const {
  const Item node = itemWithKey(nodeKey(name));
  return node ? node : itemWithKey(scopeKey(name));
}

void Scene::readStructure() {
  graph_ = {};
  byKey_.clear();
  dtypes_.clear();
  items_.clear();
  wires_.clear();
  layout_ = {};
  open_.clear();
  stats_.clear();
  shapeId_.clear();
  if (model_ == nullptr) return;
  const int nodes = model_->nodeCount(), scopes = model_->scopeCount(), edges = model_->edgeCount();
  graph_.nodeScope.resize(static_cast<size_t>(nodes));
  graph_.nodeSize.resize(static_cast<size_t>(nodes));
  graph_.nodeRole.resize(static_cast<size_t>(nodes));
  graph_.nodeKey.resize(static_cast<size_t>(nodes));
  graph_.scopeParent.resize(static_cast<size_t>(scopes));
  graph_.scopeSize.resize(static_cast<size_t>(scopes));
  graph_.scopeRole.resize(static_cast<size_t>(scopes));
  graph_.scopeKey.resize(static_cast<size_t>(scopes));
  stats_.assign(static_cast<size_t>(scopes), {});
  open_.assign(static_cast<size_t>(scopes), 0);
  for (int n = 0; n < nodes; ++n) {
    const auto i = static_cast<size_t>(n);
    graph_.nodeScope[i] = model_->nodeScope(n);
    graph_.nodeRole[i] = roleOf(model_->nodeShape(n));
    graph_.nodeKey[i] = nodeKey(model_->nodeName(n));
    if (graph_.nodeScope[i] >= 0) {
      ScopeStats& stats = stats_[static_cast<size_t>(graph_.nodeScope[i])];
      ++stats.ops;
      ++stats.mix[static_cast<size_t>(model_->nodeCategory(n))];
    }
  }
  for (int s = scopes - 1; s >= 0; --s) {
    const auto i = static_cast<size_t>(s);
    graph_.scopeParent[i] = model_->scopeParent(s);
    graph_.scopeRole[i] = roleOf(model_->scopeShape(s));
    graph_.scopeKey[i] = scopeKey(model_->scopeName(s));
    if (graph_.scopeParent[i] >= 0) {
      ScopeStats& above = stats_[static_cast<size_t>(graph_.scopeParent[i])];
      above.ops += stats_[i].ops;
      for (size_t c = 0; c < above.mix.size(); ++c) above.mix[c] += stats_[i].mix[c];
    }
  }
  graph_.edges.reserve(static_cast<size_t>(edges));
  shapeId_.assign(static_cast<size_t>(edges), kUnread);
  shapes_.clear();
  for (int e = 0; e < edges; ++e) {
    const EdgeEnds ends = model_->edge(e);
    layout::Edge edge;
    edge.from = ends.from;
    edge.to = ends.to;
    edge.kind = static_cast<layout::EdgeKind>(ends.kind);
    edge.main = ends.toInput == 0 && ends.kind != EdgeKind::Control ? 1 : 0;
    graph_.edges.push_back(edge);
  }
}

void Scene::measure(const std::vector<layout::Shown>& shown) {
  const CanvasFonts fonts = CanvasFonts::current();
  TextWidths title(fonts.title), detail(fonts.detail), small(fonts.small);
  const Metrics& m = Theme::current().metrics();
  const int nodes = graph_.nodeCount();
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] == layout::Shown::Hidden) continue;
    if (static_cast<int>(i) < nodes) {
      const int n = static_cast<int>(i);
      const NodeShape shape = model_->nodeShape(n);
      const double titleWidth = title(model_->nodeTitle(n));
      const QString line = model_->nodeDetail(n);
      const double detailWidth = line.isEmpty() ? 0 : detail(line);
      layout::Size size;
      if (shape == NodeShape::Variable) {
        size = {std::clamp(std::ceil(titleWidth) + 32, 64.0, static_cast<double>(m.nodeMaxWidth)), 32};
      } else if (shape == NodeShape::Constant) {
        // Its value says more than its name.
        const double text = std::ceil(line.isEmpty() ? titleWidth : title(line));
        size = {std::clamp(text + kTextLeft + kTextRight, 40.0, static_cast<double>(m.nodeMaxWidth)), 28};
      } else {
        const double extra = shape == NodeShape::Placeholder ? 14 : 0;
        const double text = std::ceil(std::max(titleWidth, detailWidth)) + kTextLeft + kTextRight + extra;
        size = {std::clamp(text, static_cast<double>(m.nodeMinWidth), static_cast<double>(m.nodeMaxWidth)),
                line.isEmpty() ? 36.0 : 44.0};
      }
      graph_.nodeSize[i] = size;
      continue;
    }
    const auto s = i - static_cast<size_t>(nodes);
    const int scope = static_cast<int>(s);
    const double header = kChevron + title(model_->scopeTitle(scope)) + 16;
    if (shown[i] == layout::Shown::Open) {
      graph_.scopeSize[s] = {std::clamp(header + small(model_->scopeSummary(scope)) + 24, 120.0, 420.0), 0};
      continue;
    }
    if (model_->scopeShape(scope) == NodeShape::Variable) {
      graph_.scopeSize[s] = {
          std::clamp(std::ceil(title(model_->scopeTitle(scope))) + 32, 64.0, static_cast<double>(m.nodeMaxWidth)), 32};
      continue;
    }
    const QStringList lines = model_->scopeDetail(scope);
    double width = header + small(formatCountShort(stats_[s].ops)) + 10;
    for (const QString& line : lines) width = std::max(width, detail(line) + kTextLeft + kTextRight);
    graph_.scopeSize[s] = {std::clamp(std::ceil(width), 88.0, 208.0),
                           56.0 + 16.0 * static_cast<double>(std::min<qsizetype>(lines.size(), 2))};
  }
}

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

// A shape is written where it changes: where nothing with the same shape comes into what the wire leaves.
void Scene::labelEdges(const std::vector<layout::Shown>& shown) {
  const auto repOf = [&](int node) {
    int rep = node;
    for (int s = graph_.nodeScope[static_cast<size_t>(node)]; s >= 0 && s != root_; s = graph_.scopeParent[static_cast<size_t>(s)])
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
  TextWidths widths(CanvasFonts::current().detail);
  for (size_t e = 0; e < graph_.edges.size(); ++e) {
    layout::Edge& edge = graph_.edges[e];
    edge.labelWidth = 0;
    const int from = reps[static_cast<size_t>(edge.from)];
    if (from == reps[static_cast<size_t>(edge.to)] || shapeId_[e] < 0 || incoming.count(pairOf(from, shapeId_[e])) != 0) continue;
    const bool node = from < graph_.nodeCount();
    const layout::Role role =
        node ? graph_.nodeRole[static_cast<size_t>(from)] : graph_.scopeRole[static_cast<size_t>(from - graph_.nodeCount())];
    if (role != layout::Role::Flow || edge.kind == layout::EdgeKind::Reference) continue;
    edge.labelWidth = static_cast<float>(std::min(140.0, widths(model_->edgeShape(static_cast<int>(e))) + 4));
  }
}

void Scene::rebuild() {
  QElapsedTimer timer;
  timer.start();
  items_.clear();
  wires_.clear();
  sceneOf_.assign(static_cast<size_t>(graph_.itemCount()), -1);
  bounds_ = {};
  if (model_ != nullptr) {
    const std::vector<layout::Shown> shown = layout::shownItems(graph_, open_, root_);
    measure(shown);
    labelEdges(shown);
    layout_ = layout::layoutGraph(graph_, open_, root_, {}, &memory_);
    bounds_ = {layout_.bounds.x, layout_.bounds.y, layout_.bounds.w, layout_.bounds.h};
  }
  buildItems();
  buildWires();
  layoutMs_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void Scene::buildItems() {
  if (model_ == nullptr) {
    itemIndex_.build({});
    return;
  }
  const CanvasFonts fonts = CanvasFonts::current();
  const QFontMetricsF titleMetrics(fonts.title), detailMetrics(fonts.detail), smallMetrics(fonts.small);
  TextWidths title(fonts.title), detail(fonts.detail), small(fonts.small);
  const auto fit = [](const QString& text, TextWidths& widths, const QFontMetricsF& metrics, double room) {
    return widths(text) <= room ? text : elideName(text, metrics, room);
  };
  std::vector<QRectF> rects;
  const int nodes = graph_.nodeCount();
  // Scopes first, parents before children: they lie beneath.
  const auto add = [&](int id) {
    const auto i = static_cast<size_t>(id);
    if (layout_.shown[i] == layout::Shown::Hidden) return;
    const layout::Box& box = layout_.boxes[i];
    SceneItem it;
    it.rect = {box.x, box.y, box.w, box.h};
    if (id < nodes) {
      it.item = Item::node(id);
      it.shape = model_->nodeShape(id);
      it.category = model_->nodeCategory(id);
      const double pad = it.shape == NodeShape::Variable ? 24 : kTextLeft + 8 + (it.shape == NodeShape::Placeholder ? 14 : 0);
      it.title = fit(model_->nodeTitle(id), title, titleMetrics, box.w - pad);
      it.detail = model_->nodeDetail(id);
      if (it.shape == NodeShape::Constant && !it.detail.isEmpty()) {
        it.title = fit(it.detail, title, titleMetrics, box.w - pad);
        it.detail.clear();
      }
      if (it.shape != NodeShape::Variable) it.detail = fit(it.detail, detail, detailMetrics, box.w - pad);
      it.status = model_->nodeStatus(id);
    } else {
      const int s = id - nodes;
      const ScopeStats& stats = stats_[static_cast<size_t>(s)];
      it.item = Item::scope(s);
      it.open = layout_.shown[i] == layout::Shown::Open;
      it.shape = it.open ? NodeShape::Op : model_->scopeShape(s);
      it.layer = model_->scopeIsLayer(s);
      it.repeat = model_->scopeRepeat(s);
      it.ops = stats.ops;
      it.category = static_cast<OpCategory>(std::max_element(stats.mix.begin(), stats.mix.end()) - stats.mix.begin());
      it.status.badges = model_->scopeBadges(s);
      if (it.open) {
        it.summary = model_->scopeSummary(s);
        if (it.summary.isEmpty()) it.summary = formatOps(stats.ops);
        it.title = fit(model_->scopeTitle(s), title, titleMetrics, box.w - kChevron - 12);
        it.summary = fit(it.summary, small, smallMetrics, box.w - kChevron - title(it.title) - 28);
      } else if (it.shape == NodeShape::Variable) {
        it.category = OpCategory::Variable;
        it.title = fit(model_->scopeTitle(s), title, titleMetrics, box.w - 24);
        it.detail = model_->scopeDetail(s).value(0);
      } else {
        it.summary = formatCountShort(stats.ops);
        it.title = fit(model_->scopeTitle(s), title, titleMetrics, box.w - kChevron - small(it.summary) - 16);
        const QStringList lines = model_->scopeDetail(s);
        it.detail = fit(lines.value(0), detail, detailMetrics, box.w - kTextLeft - 8);
        it.detail2 = fit(lines.value(1), detail, detailMetrics, box.w - kTextLeft - 8);
      }
    }
    sceneOf_[i] = static_cast<int>(items_.size());
    // Badges, shadows of folded blocks and the text beneath a variable reach a little over the box.
    rects.push_back(it.rect.adjusted(-12, -12, 12, it.shape == NodeShape::Variable ? 20 : 12));
    items_.push_back(std::move(it));
  };
  for (int id = nodes; id < graph_.itemCount(); ++id) add(id);
  for (int id = 0; id < nodes; ++id) add(id);
  itemIndex_.build(rects);
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
    wire.joint = segment.joint;
    wire.quiet = segment.quiet;
    wire.firstPoint = segment.firstPoint;
    wire.pointCount = segment.pointCount;
  }
  const Metrics& m = Theme::current().metrics();
  for (size_t r = 0; r < layout_.routes.size(); ++r) {
    const layout::Route& route = layout_.routes[r];
    const int from = sceneItem(route.from), to = sceneItem(route.to);
    out_[static_cast<size_t>(from)].push_back({static_cast<int>(r), to});
    in_[static_cast<size_t>(to)].push_back({static_cast<int>(r), from});
    qint64 bytes = -1;
    bool broken = false;
    int labelEdge = -1, tensors = 0;
    for (int k = 0; k < route.edgeCount; ++k) {
      const int e = layout_.routeEdges[static_cast<size_t>(route.firstEdge + k)];
      bytes = std::max(bytes, model_->edgeBytes(e));
      broken = broken || model_->edge(e).broken;
      if (graph_.edges[static_cast<size_t>(e)].labelWidth <= 0) continue;
      if (labelEdge < 0 || shapeId_[static_cast<size_t>(e)] != shapeId_[static_cast<size_t>(labelEdge)]) ++tensors;
      if (labelEdge < 0) labelEdge = e;
    }
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
      if (bytes >= 0) {
        const double width =
            std::clamp(1 + (std::log2(std::max<double>(1, static_cast<double>(bytes))) - 10) / 5, m.wireMin, m.wireMax);
        wire.width = wire.unknownBytes ? static_cast<float>(width) : std::max(wire.width, static_cast<float>(width));
        wire.unknownBytes = false;
      }
      // The first piece carries the label; inside an open scope each wire is a first piece of its own.
      if (k == 0 && labelEdge >= 0 && wire.label.isEmpty())
        wire.label =
            tensors > 1 ? QCoreApplication::translate("weft::widgets", "%1 tensors").arg(tensors) : model_->edgeShape(labelEdge);
    }
  }
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
      if (!wire.label.isEmpty()) placeLabel(wire);
    }
    rects.push_back(wire.bounds);
  }
  dropCoveredLabels();
  wireIndex_.build(rects);
}

void Scene::placeLabel(SceneWire& wire) const {
  if (wire.joint != layout::Joint::Curve || wire.quiet || wire.pointCount < 2) {
    wire.label.clear();
    return;
  }
  // Above the first gap: from the source to where the way bends again.
  const auto point = [&](int i) { return layout_.points[static_cast<size_t>(wire.firstPoint + i)]; };
  const layout::Point a = point(0);
  layout::Point b = point(1);
  for (int i = 1; i + 1 < wire.pointCount && b.x - a.x < 12; ++i) b = point(i + 1);
  wire.labelAt = {std::round((a.x + b.x) / 2), std::round(std::min(a.y, (a.y + b.y) / 2) - 5 - wire.width / 2)};
  const QRectF text(wire.labelAt.x() - 75, wire.labelAt.y() - 14, 150, 18);
  wire.bounds = wire.bounds.united(text);
}

// Of labels that would lie on each other only the first is written; the others are in the tooltips of their wires.
void Scene::dropCoveredLabels() {
  constexpr double kCellX = 160, kCellY = 20;
  const QFontMetricsF metrics(CanvasFonts::current().detail);
  std::unordered_map<std::int64_t, std::vector<QRectF>> written;
  const auto cell = [](std::int64_t x, std::int64_t y) { return x * 0x40000000 + y; };
  for (SceneWire& wire : wires_) {
    if (wire.label.isEmpty()) continue;
    const double half = metrics.horizontalAdvance(wire.label) / 2 + 2;
    const QRectF text(wire.labelAt.x() - half, wire.labelAt.y() - 11, 2 * half, 13);
    const auto x0 = static_cast<std::int64_t>(std::floor(text.left() / kCellX)),
               x1 = static_cast<std::int64_t>(std::floor(text.right() / kCellX));
    const auto y0 = static_cast<std::int64_t>(std::floor(text.top() / kCellY)),
               y1 = static_cast<std::int64_t>(std::floor(text.bottom() / kCellY));
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

void Scene::refreshStatus() {
  if (model_ == nullptr) return;
  for (SceneItem& it : items_) {
    if (it.item.isNode())
      it.status = model_->nodeStatus(it.item.index);
    else
      it.status.badges = model_->scopeBadges(it.item.index);
  }
}

}  // namespace weft::widgets
