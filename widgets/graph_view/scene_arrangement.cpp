// Arrangements of a scene: replace the scope hierarchy by another one made of drawing groups. Items without a place in it (dissolved scopes) stay outside the
// group that contains everything and are invisible. The state of each arrangement is kept while another one is shown.
#include <QCoreApplication>
#include <algorithm>
#include <functional>
#include <map>

#include "graph_view/drawn_model.h"
#include "graph_view/layer_scopes.h"
#include "graph_view/scene.h"

namespace weft::widgets {
namespace {

struct DeviceWords {
  Q_DECLARE_TR_FUNCTIONS(weft::widgets::GraphView)
 public:
  static QString noDevice() { return tr("no device"); }
};

constexpr std::uint64_t kOpSeed = 0xA24BAED4963EE407ull, kDeviceSeed = 0x9FB21C651E98DF25ull, kPartSeed = 0xD6E8FEB86659FD93ull;

std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93ull;
  return (h ^ (h >> 32)) | 1ull;
}

std::uint64_t keyOf(std::uint64_t seed, const QString& text) { return mixed(seed ^ static_cast<std::uint64_t>(qHash(text, 0))); }

/// Shortens `/job:worker/replica:0/task:1/device:GPU:0` to `worker:1 GPU:0`.
QString deviceTitle(const QString& device) {
  QString job, task, unit;
  for (const QString& part : device.split(u'/', Qt::SkipEmptyParts)) {
    if (part.startsWith(QLatin1String("job:"))) job = part.mid(4);
    else if (part.startsWith(QLatin1String("task:"))) task = part.mid(5);
    else if (part.startsWith(QLatin1String("replica:"))) continue;
    else unit = (part.startsWith(QLatin1String("device:")) ? part.mid(7) : part).toUpper();
  }
  QString title = job;
  if (!task.isEmpty()) title += u':' + task;
  if (!unit.isEmpty()) title += (title.isEmpty() ? QString() : QStringLiteral(" ")) + unit;
  return title.isEmpty() ? DeviceWords::noDevice() : title;
}

}  // namespace

int Scene::addArranged(const QString& title, std::uint64_t key, int parent) {
  const int index = graph_.scopeCount();
  layout::Group group;
  group.kind = layout::Group::Kind::Arranged;
  group.title = title.toStdString();
  group.key = key;
  groups_.push_back(std::move(group));
  graph_.scopeParent.push_back(parent);
  graph_.scopeSize.emplace_back();
  graph_.scopeKey.push_back(key);
  if (!graph_.scopePin.empty()) graph_.scopePin.emplace_back();
  return index;
}

// Called after the model's structure was read and before grouping.
void Scene::arrange() {
  viewRoot_ = -1;
  arranged_ = {};
  liftedNode_.clear();
  liftedScope_.clear();
  if (arrangement_.isComposed()) return;
  graph_.nodePin.clear();  // manual positions refer to the model's scopes
  graph_.scopePin.clear();
  if (arrangement_.kind == Arrangement::Kind::Depth) return;
  liftedNode_.assign(graph_.nodeScope.size(), 0);
  liftedScope_.assign(graph_.scopeParent.size(), 0);
  viewRoot_ = addArranged({}, mixed(kPartSeed ^ static_cast<std::uint64_t>(arrangement_.kind)), -1);
  if (arrangement_.kind == Arrangement::Kind::Layers) arrangeLayers();
  if (arrangement_.kind == Arrangement::Kind::Ops) arrangeOps();
  if (arrangement_.kind == Arrangement::Kind::Devices) arrangeDevices();
  layout::orderScopes(graph_);
}

void Scene::arrangeLayers() {
  const std::vector<char> layer = layerScopes(*model_);
  std::vector<char> dissolved(layer.size(), 0);
  for (size_t s = 0; s < layer.size(); ++s)
    if (layer[s] != 0)
      for (int above = graph_.scopeParent[s]; above >= 0; above = graph_.scopeParent[static_cast<size_t>(above)]) dissolved[static_cast<size_t>(above)] = 1;
  const auto isGone = [&](int scope) { return scope >= 0 && dissolved[static_cast<size_t>(scope)] != 0; };
  arranged_.groups = static_cast<int>(std::count(layer.begin(), layer.end(), 1));
  arranged_.found = arranged_.groups > 0;
  for (size_t n = 0; n < graph_.nodeScope.size(); ++n) {
    int& scope = graph_.nodeScope[n];
    if (scope >= 0 && !isGone(scope)) continue;
    liftedNode_[n] = scope >= 0;
    scope = viewRoot_;
  }
  std::vector<int> parent(layer.size());
  for (size_t s = 0; s < layer.size(); ++s) {
    const int above = graph_.scopeParent[s];
    parent[s] = dissolved[s] != 0 ? -1 : above < 0 || isGone(above) ? viewRoot_ : above;
    liftedScope_[s] = parent[s] == viewRoot_ && above >= 0;
  }
  std::copy(parent.begin(), parent.end(), graph_.scopeParent.begin());
}

void Scene::arrangeOps() {
  std::map<QString, int> groups;
  for (size_t n = 0; n < graph_.nodeScope.size(); ++n) groups.emplace(model_->nodeOp(static_cast<int>(n)), -1);
  for (auto& [op, index] : groups) index = addArranged(op, keyOf(kOpSeed, op), viewRoot_);
  for (size_t n = 0; n < graph_.nodeScope.size(); ++n) {
    liftedNode_[n] = graph_.nodeScope[n] >= 0;
    graph_.nodeScope[n] = groups[model_->nodeOp(static_cast<int>(n))];
  }
  std::fill(graph_.scopeParent.begin(), graph_.scopeParent.begin() + modelScopes_, -1);
  arranged_ = {static_cast<int>(groups.size()), !groups.empty()};
}

// A scope whose nodes all name the same device is kept whole. Otherwise it is split into one part per device.
void Scene::arrangeDevices() {
  std::map<QString, int> groups;
  std::vector<QString> titles(graph_.nodeScope.size());
  for (size_t n = 0; n < titles.size(); ++n) groups.emplace(titles[n] = deviceTitle(model_->nodeDevice(static_cast<int>(n))), -1);
  std::vector<int> deviceGroups;
  for (auto& [title, index] : groups) deviceGroups.push_back(index = addArranged(title, keyOf(kDeviceSeed, title), viewRoot_));
  arranged_ = {static_cast<int>(groups.size()), groups.size() > 1 || (!groups.empty() && groups.begin()->first != DeviceWords::noDevice())};
  constexpr int kUnknown = -1, kSplit = -2;
  const std::vector<int> parents(graph_.scopeParent.begin(), graph_.scopeParent.begin() + modelScopes_);
  std::vector<int> device(parents.size(), kUnknown);
  const auto meet = [&](int scope, int at) {
    int& now = device[static_cast<size_t>(scope)];
    if (now == kUnknown) now = at;
    else if (now != at) now = kSplit;
  };
  for (size_t n = 0; n < titles.size(); ++n)
    if (graph_.nodeScope[n] >= 0) meet(graph_.nodeScope[n], groups[titles[n]]);
  for (size_t s = parents.size(); s-- > 0;)
    if (parents[s] >= 0 && device[s] != kUnknown) meet(parents[s], device[s]);
  std::map<std::pair<int, int>, int> pieces;  // of split scopes, by scope and device
  const std::function<int(int, int)> placeOf = [&](int scope, int at) -> int {
    if (scope < 0) return at;
    if (device[static_cast<size_t>(scope)] == at) return scope;
    const auto it = pieces.find({scope, at});
    if (it != pieces.end()) return it->second;
    const int around = placeOf(parents[static_cast<size_t>(scope)], at);
    const std::uint64_t key = mixed(graph_.scopeKey[static_cast<size_t>(scope)] ^ graph_.scopeKey[static_cast<size_t>(at)]);
    return pieces[{scope, at}] = addArranged(model_->scopeTitle(scope), key, around);
  };
  for (size_t s = 0; s < parents.size(); ++s) graph_.scopeParent[s] = device[s] >= 0 ? placeOf(parents[s], device[s]) : -1;
  for (size_t n = 0; n < titles.size(); ++n) graph_.nodeScope[n] = placeOf(graph_.nodeScope[n], groups[titles[n]]);
}

// Transfers between devices are the point of this view: no device box is a helper, and no wire between them is hidden for that reason.
void Scene::joinDevices() {
  const auto deviceOf = [this](int scope) {
    int at = scope;
    while (at >= 0 && graph_.scopeParent[static_cast<size_t>(at)] != viewRoot_) at = graph_.scopeParent[static_cast<size_t>(at)];
    return at;
  };
  for (size_t s = static_cast<size_t>(viewRoot_) + 1; s < graph_.scopeParent.size(); ++s)
    if (graph_.scopeParent[s] == viewRoot_) graph_.scopeRole[s] = layout::Role::Flow;
  for (layout::Edge& edge : graph_.edges)
    if (edge.aside && deviceOf(graph_.nodeScope[static_cast<size_t>(edge.from)]) != deviceOf(graph_.nodeScope[static_cast<size_t>(edge.to)]))
      edge.aside = false;
}

// The initially open boxes of an arrangement.
void Scene::openAtFirst() {
  if (arrangement_.kind == Arrangement::Kind::Devices && arranged_.groups == 1) open_[static_cast<size_t>(viewRoot_) + 1] = 1;
  if (arrangement_.kind != Arrangement::Kind::Depth) return;
  std::vector<int> level(static_cast<size_t>(modelScopes_), 1);
  for (size_t s = 0; s < level.size(); ++s) {
    if (const int above = model_->scopeParent(static_cast<int>(s)); above >= 0) level[s] = level[static_cast<size_t>(above)] + 1;
    // Helpers stay closed: an open saver takes more room than the network.
    open_[s] = level[s] <= arrangement_.depth && graph_.scopeRole[s] != layout::Role::Aside && model_->scopeShape(static_cast<int>(s)) != NodeShape::Variable;
  }
}

int Scene::levels() const {
  int deepest = 0;
  std::vector<int> level(static_cast<size_t>(modelScopes_), 1);
  for (size_t s = 0; s < level.size(); ++s) {
    if (const int above = model_->scopeParent(static_cast<int>(s)); above >= 0) level[s] = level[static_cast<size_t>(above)] + 1;
    if (model_->scopeShape(static_cast<int>(s)) != NodeShape::Variable) deepest = std::max(deepest, level[s]);
  }
  return deepest;
}

QString lastTwoParts(const QString& name) {
  const qsizetype slash = name.lastIndexOf(u'/');
  const qsizetype before = slash > 0 ? name.lastIndexOf(u'/', slash - 1) : -1;
  return name.mid(before + 1);
}

QString Scene::nodeTitle(int node) const {
  if (liftedNode_.empty() || liftedNode_[static_cast<size_t>(node)] == 0) return model_->nodeTitle(node);
  return lastTwoParts(model_->nodeName(node));
}

Scene Scene::inheritingCopy(const Arrangement& arrangement) const {
  Scene next;
  next.metrics_ = metrics_;
  next.fonts_ = fonts_;
  next.arrangement_ = arrangement;
  next.parked_ = parked_;
  next.shownWires_ = shownWires_;
  if (arrangement == arrangement_) {
    next.memory_ = memory_;
    next.ungrouped_ = ungrouped_;
    next.inheritedOpen_ = model_ == nullptr ? inheritedOpen_ : openKeys();
    next.inheritedRoot_ = key(Item::scope(root_));
    next.fresh_ = fresh_;
    next.editedBefore_ = editedBefore_;
    return next;
  }
  const auto idOf = [](const Arrangement& a) { return static_cast<int>(a.kind) * 64 + a.depth; };
  next.parked_[idOf(arrangement_)] = {memory_, openKeys(), ungrouped_, key(Item::scope(root_)), arrangement_.isComposed() ? drawing() : nullptr, false};
  const auto it = next.parked_.find(idOf(arrangement));
  if (it == next.parked_.end()) {
    next.fresh_ = true;
    return next;
  }
  next.memory_ = it->second.memory;
  next.inheritedOpen_ = it->second.open;
  next.ungrouped_ = it->second.ungrouped;
  next.inheritedRoot_ = it->second.root;
  next.editedBefore_ = it->second.edited;
  next.parked_.erase(it);
  return next;
}

std::shared_ptr<const Drawing> Scene::parkedDrawing() const {
  const auto it = parked_.find(0);
  return it == parked_.end() ? nullptr : it->second.drawing;
}

// After an edit, the state of the other arrangements is outdated. The document knows its own drawing of the new state.
void Scene::noteEdit(const GraphModel* model) {
  for (auto& [id, parked] : parked_) parked.edited = true;
  const auto* drawn = dynamic_cast<const DrawnModel*>(model);
  if (const auto it = parked_.find(0); it != parked_.end() && drawn != nullptr && drawn->drawing() != nullptr) it->second.drawing = drawn->drawing();
}

}  // namespace weft::widgets
