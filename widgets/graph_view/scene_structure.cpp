// The structure read from the model before layout: scopes, edges, identity across resets.
#include <algorithm>
#include <cstring>
#include <utility>

#include "graph_view/drawn_model.h"
#include "graph_view/scene.h"

namespace weft::widgets {
namespace {

// Names identify items across resets and in the layout memory. Hashed eight bytes at a time, because there are many.
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

std::uint64_t nodeKey(const QString& name) { return hashOf(name) & ~1ull; }
std::uint64_t scopeKey(const QString& name) { return hashOf(name) | 1ull; }

}  // namespace

std::unordered_set<std::uint64_t> Scene::openKeys() const {
  std::unordered_set<std::uint64_t> keys;
  for (size_t s = 0; s < open_.size(); ++s)
    if (open_[s] != 0) keys.insert(graph_.scopeKey[s]);
  return keys;
}

void Scene::reset(const GraphModel* model, bool same, bool edited) {
  // The model's indexes have already changed: only keys read earlier are valid.
  std::unordered_set<std::uint64_t> opened = model_ == nullptr ? std::move(inheritedOpen_) : openKeys();
  const std::uint64_t rootKey = model_ == nullptr ? inheritedRoot_ : key(Item::scope(root_));
  inheritedOpen_.clear();
  if (!same) {
    memory_ = std::make_shared<layout::Memory>();
    ungrouped_ = std::make_shared<const std::unordered_set<std::uint64_t>>();
    opened.clear();
    parked_.clear();
    shownWires_.clear();
  }
  model_ = model;
  if (same && edited) noteEdit(model);
  const bool changed = edited || std::exchange(editedBefore_, false);
  edited_ = same && changed;
  readStructure();
  const auto* drawn = (changed || !same) && arrangement_.isComposed() ? dynamic_cast<const DrawnModel*>(model) : nullptr;
  const std::shared_ptr<const Drawing> drawing = drawn != nullptr ? drawn->drawing() : nullptr;
  if (drawing != nullptr && keepUngrouped(*drawing)) readStructure();
  root_ = -1;
  for (size_t s = 0; s < open_.size(); ++s) {
    if (opened.count(graph_.scopeKey[s]) != 0) open_[s] = 1;
    if (same && rootKey != 0 && graph_.scopeKey[s] == rootKey) root_ = static_cast<int>(s);
  }
  if (std::exchange(fresh_, false) && model_ != nullptr) openAtFirst();
  if (drawing != nullptr) placeFrom(*drawing, !same);
  else if (!same && opened.empty()) openNetwork();
}

void Scene::openNetwork() {
  const std::vector<char> open = layout::openAtFirst(graph_);
  for (size_t s = 0; s < open.size(); ++s)
    if (open[s] != 0 && (static_cast<int>(s) >= modelScopes_ || !model_->scopeIsLayer(static_cast<int>(s)))) open_[s] = 1;
}

void Scene::forgetPlaces(const QVector<Item>& items) {
  for (auto& [container, places] : memory_->containers) {
    if (items.isEmpty()) {
      places.kept.clear();
      places.links.clear();
      places.edited = false;
      continue;
    }
    for (const Item item : items) places.kept.erase(key(item));
  }
}

QPointF Scene::placeOf(Item item) const {
  const int id = layoutItem(item);
  if (find(item) < 0) return {};
  const layout::Point& p = layout_.placed[static_cast<size_t>(id)];
  return {p.x, p.y};
}

QPointF Scene::originOf(int scope) const {
  if (layout_.origins.empty()) return {};
  const layout::Point& p = scope < 0 || scope == layoutRoot() ? layout_.origins.back() : layout_.origins[static_cast<size_t>(scope)];
  return {p.x, p.y};
}

std::uint64_t Scene::key(Item item) const {
  const auto i = static_cast<size_t>(item.index);
  if (item.isNode()) return i < graph_.nodeKey.size() ? graph_.nodeKey[i] : 0;
  return item.isScope() && i < graph_.scopeKey.size() ? graph_.scopeKey[i] : 0;
}

void Scene::prepareLookups() const {
  itemWithKey(0);
  readAdjacency();
}

Item Scene::itemWithKey(std::uint64_t wanted) const {
  if (byKey_.empty()) {
    byKey_.reserve(static_cast<size_t>(graph_.itemCount()));
    for (size_t n = 0; n < graph_.nodeKey.size(); ++n) byKey_.emplace_back(graph_.nodeKey[n], Item::node(static_cast<int>(n)));
    for (size_t s = 0; s < graph_.scopeKey.size(); ++s) byKey_.emplace_back(graph_.scopeKey[s], Item::scope(static_cast<int>(s)));
    std::stable_sort(byKey_.begin(), byKey_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  const auto it = std::lower_bound(byKey_.begin(), byKey_.end(), wanted, [](const auto& entry, std::uint64_t key) { return entry.first < key; });
  return it == byKey_.end() || it->first != wanted ? Item{} : it->second;
}

// A variable and the scope of its helpers may share a name: the node is meant.
Item Scene::itemNamed(const QString& name) const {
  const Item node = itemWithKey(nodeKey(name));
  return node ? node : itemWithKey(scopeKey(name));
}

Item Scene::itemCalled(const QString& name, bool scope) const {
  if (name.startsWith(u'⟨')) return itemWithKey(name.mid(1, 16).toULongLong(nullptr, 16));  // a group
  return itemWithKey(scope ? scopeKey(name) : nodeKey(name));
}

void Scene::readStructure() {
  graph_ = {};
  groups_.clear();
  modelScopes_ = 0;
  drawing_ = nullptr;
  byKey_.clear();
  dtypes_.clear();
  items_.clear();
  wires_.clear();
  layout_ = {};
  scopeFlow_.clear();
  frames_.clear();
  open_.clear();
  stats_.clear();
  shapeId_.clear();
  inStart_.clear();
  if (model_ == nullptr) return;
  const int nodes = model_->nodeCount(), scopes = model_->scopeCount(), edges = model_->edgeCount();
  modelScopes_ = scopes;
  graph_.nodeScope.resize(static_cast<size_t>(nodes));
  graph_.nodeSize.resize(static_cast<size_t>(nodes));
  graph_.nodeKey.resize(static_cast<size_t>(nodes));
  graph_.scopeParent.resize(static_cast<size_t>(scopes));
  graph_.scopeSize.resize(static_cast<size_t>(scopes));
  graph_.scopeKey.resize(static_cast<size_t>(scopes));
  stats_.assign(static_cast<size_t>(scopes), {});
  open_.assign(static_cast<size_t>(scopes), 0);
  for (int n = 0; n < nodes; ++n) {
    const auto i = static_cast<size_t>(n);
    graph_.nodeScope[i] = model_->nodeScope(n);
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
    graph_.scopeKey[i] = scopeKey(model_->scopeName(s));
    if (graph_.scopeParent[i] >= 0) {
      ScopeStats& above = stats_[static_cast<size_t>(graph_.scopeParent[i])];
      above.ops += stats_[i].ops;
      for (size_t c = 0; c < above.mix.size(); ++c) above.mix[c] += stats_[i].mix[c];
    }
  }
  if (model_->isEditable()) {
    graph_.nodePin.resize(static_cast<size_t>(nodes));
    graph_.scopePin.resize(static_cast<size_t>(scopes));
    const auto pin = [this](Item item) -> layout::Pin {
      const auto at = model_->position(item);
      return at ? layout::Pin{static_cast<float>(at->x()), static_cast<float>(at->y()), true} : layout::Pin{};
    };
    for (int n = 0; n < nodes; ++n) graph_.nodePin[static_cast<size_t>(n)] = pin(Item::node(n));
    for (int s = 0; s < scopes; ++s) graph_.scopePin[static_cast<size_t>(s)] = pin(Item::scope(s));
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
    edge.weak = model_->nodeShape(ends.from) == NodeShape::Constant;
    edge.main = ends.toInput == 0 && ends.kind != EdgeKind::Control ? 1 : 0;
    graph_.edges.push_back(edge);
  }
  if (const auto* flows = dynamic_cast<const FlowModel*>(model_))
    if (const auto facts = flows->flow(); facts != nullptr && facts->nodes.size() == static_cast<size_t>(nodes)) graph_.flow = *facts;
  arrange();
  makeGroups();
  scopeFlow_.clear();
  if (!graph_.flow.loops.empty() || !graph_.flow.branches.empty()) scopeFlow_ = layout::scopeFlows(graph_);
}

}  // namespace weft::widgets
