// Groups of the drawing, as scopes beyond the model's.
#include <QCoreApplication>
#include <algorithm>
#include <iterator>
#include <utility>

#include "common/format.h"
#include "graph_view/scene.h"
#include "layout/chosen_part.h"

namespace weft::widgets {
namespace {

struct GroupWords {
  Q_DECLARE_TR_FUNCTIONS(weft::widgets::GraphView)
 public:
  static QString helpers(layout::Part part) {
    switch (part) {
      case layout::Part::Gradient: return tr("gradients");
      case layout::Part::Update: return tr("updates");
      case layout::Part::Init: return tr("initializers");
      case layout::Part::Save: return tr("save and restore");
      case layout::Part::Summary: return tr("summaries");
      case layout::Part::Check: return tr("checks");
      case layout::Part::Step: return tr("step counter");
      case layout::Part::Slot: return tr("optimizer slots");
      case layout::Part::Average: return tr("moving averages");
      case layout::Part::Queue: return tr("queues");
      case layout::Part::Network: return tr("constants not read");
      default: return tr("helpers");
    }
  }
  static QString loss() { return tr("loss"); }
  static QString members(int count) { return tr("%n item(s)", nullptr, count); }
  static QString alike(int count) { return tr("%n alike", nullptr, count); }
};

}  // namespace

// Scopes whose nodes were all made helpers by the user. They may join the helpers' group, although an edit otherwise never hides items.
std::vector<char> Scene::chosenHelpers(const std::vector<layout::Part>& parts) const {
  std::vector<char> chosen(static_cast<size_t>(graph_.scopeCount()), 0);
  if (std::find(parts.begin(), parts.end(), layout::kChosenHelper) == parts.end()) return chosen;
  chosen.assign(chosen.size(), 1);
  for (size_t n = 0; n < parts.size(); ++n)
    if (parts[n] != layout::kChosenHelper)
      for (int s = graph_.nodeScope[n]; s >= 0 && std::exchange(chosen[static_cast<size_t>(s)], 0) != 0;) s = graph_.scopeParent[static_cast<size_t>(s)];
  return chosen;
}

void Scene::makeGroups() {
  layout::GroupingInput in;
  const auto nodes = static_cast<size_t>(graph_.nodeCount()), scopes = static_cast<size_t>(graph_.scopeCount());
  in.nodePart.resize(nodes);
  in.nodeKind.resize(nodes);
  for (size_t n = 0; n < nodes; ++n) {
    in.nodePart[n] = model_->nodePart(static_cast<int>(n));
    in.nodeKind[n] = qHash(model_->nodeOp(static_cast<int>(n)));
  }
  in.nodeFixed.assign(nodes, 0);
  in.scopeFixed.assign(scopes, 0);
  const auto isFixed = [this](std::uint64_t key, const std::vector<layout::Pin>& pins, size_t i) {
    return (!pins.empty() && pins[i].set) || ungrouped_->count(key) != 0;
  };
  const std::vector<char> chosen = chosenHelpers(in.nodePart);
  for (size_t n = 0; n < nodes; ++n) in.nodeFixed[n] = in.nodePart[n] != layout::kChosenHelper && isFixed(graph_.nodeKey[n], graph_.nodePin, n);
  for (size_t s = 0; s < scopes; ++s)
    in.scopeFixed[s] = s >= static_cast<size_t>(modelScopes_) || (chosen[s] == 0 && isFixed(graph_.scopeKey[s], graph_.scopePin, s));
  in.title = [this](std::int32_t item) { return (item < graph_.nodeCount() ? nodeTitle(item) : scopeTitle(item - graph_.nodeCount())).toStdString(); };
  in.flow = arrangement_.kind == Arrangement::Kind::Scopes || arrangement_.kind == Arrangement::Kind::Devices;
  in.isParameter = [this](std::int32_t node) {
    const NodeShape shape = model_->nodeShape(node);
    return shape == NodeShape::Variable || shape == NodeShape::Constant;
  };
  in.isInput = [this](std::int32_t node) { return model_->nodeShape(node) == NodeShape::Placeholder; };
  std::vector<layout::Group> made = layout::groupGraph(graph_, in);
  groups_.insert(groups_.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  if (arrangement_.kind == Arrangement::Kind::Devices) joinDevices();
  // The stats of a group are those of its contents; groups inside others were added later.
  stats_.resize(static_cast<size_t>(graph_.scopeCount()));
  const auto add = [this](int to, const ScopeStats& more) {
    stats_[static_cast<size_t>(to)].ops += more.ops;
    for (size_t c = 0; c < more.mix.size(); ++c) stats_[static_cast<size_t>(to)].mix[c] += more.mix[c];
  };
  for (size_t n = 0; n < nodes; ++n)
    if (const int scope = graph_.nodeScope[n]; scope >= modelScopes_) {
      ++stats_[static_cast<size_t>(scope)].ops;
      ++stats_[static_cast<size_t>(scope)].mix[static_cast<size_t>(model_->nodeCategory(static_cast<int>(n)))];
    }
  for (int s = 0; s < modelScopes_; ++s)
    if (const int parent = graph_.scopeParent[static_cast<size_t>(s)]; parent >= modelScopes_) add(parent, stats_[static_cast<size_t>(s)]);
  for (int s = graph_.scopeCount() - 1; s >= modelScopes_; --s)
    if (const int parent = graph_.scopeParent[static_cast<size_t>(s)]; parent >= modelScopes_) add(parent, stats_[static_cast<size_t>(s)]);
  open_.assign(static_cast<size_t>(graph_.scopeCount()), 0);
  groupMembers_.assign(groups_.size(), {});
  const auto addMember = [this](Item item, int scope) {
    for (; scope >= modelScopes_; scope = graph_.scopeParent[static_cast<size_t>(scope)]) groupMembers_[static_cast<size_t>(scope - modelScopes_)].append(item);
  };
  if (!groups_.empty()) {
    for (size_t s = 0; s < static_cast<size_t>(modelScopes_); ++s) addMember(Item::scope(static_cast<int>(s)), graph_.scopeParent[s]);
    for (size_t n = 0; n < nodes; ++n) addMember(Item::node(static_cast<int>(n)), graph_.nodeScope[n]);
  }
  auto ungrouped = std::make_shared<std::unordered_set<std::uint64_t>>();
  if (arrangement_.isComposed()) {  // nothing can be moved in the others
    for (size_t n = 0; n < nodes; ++n)
      if (graph_.nodeScope[n] < modelScopes_) ungrouped->insert(graph_.nodeKey[n]);
    for (size_t s = 0; s < static_cast<size_t>(modelScopes_); ++s)
      if (graph_.scopeParent[s] < modelScopes_) ungrouped->insert(graph_.scopeKey[s]);
  }
  ungrouped_ = std::move(ungrouped);
}

QString lossWord() { return GroupWords::loss(); }

int Scene::modelScope(int scope) const {
  while (scope >= modelScopes_) scope = graph_.scopeParent[static_cast<size_t>(scope)];
  return scope;
}

QVector<Item> Scene::members(Item groupItem) const {
  if (!isGroup(groupItem)) return {groupItem};
  return groupMembers_[static_cast<size_t>(groupItem.index - modelScopes_)];
}

bool Scene::isMovable(Item item) const { return item && arrangement_.isComposed() && !isGroup(item) && parentScope(item) < modelScopes_; }

QString Scene::scopeTitle(int scope) const {
  if (scope < modelScopes_ && !liftedScope_.empty() && liftedScope_[static_cast<size_t>(scope)] != 0) return lastTwoParts(model_->scopeName(scope));
  if (scope < modelScopes_) return model_->scopeTitle(scope);
  const layout::Group& g = group(scope);
  return g.kind == layout::Group::Kind::Helpers ? GroupWords::helpers(g.part) : QString::fromStdString(g.title);
}

QStringList Scene::scopeDetail(int scope) const {
  const QString ops = formatOps(stats_[static_cast<size_t>(scope)].ops);
  if (scope < modelScopes_) {
    const layout::Role role = graph_.scopeRole[static_cast<size_t>(scope)];
    QStringList lines = model_->scopeDetail(scope);
    if (role == layout::Role::Beneath && !lines.isEmpty() && !model_->scopeIsLayer(scope)) lines[0] = QStringLiteral("∂ ") + lines[0];
    return lines;
  }
  const layout::Group& g = group(scope);
  if (g.kind == layout::Group::Kind::Arranged) return arrangement_.kind == Arrangement::Kind::Ops ? QStringList() : QStringList{ops};
  if (g.kind == layout::Group::Kind::Series) return {GroupWords::alike(g.members), ops};
  if (g.part == layout::Part::Gradient) return {QStringLiteral("∂ ") + ops};
  return {GroupWords::members(g.members), ops};
}

// A problem inside a group must be visible on it.
quint16 Scene::badgesOf(int scope) const {
  // An open loop is dashed only if the scope's box is its frame.
  quint16 badges = flowOf(scope) == layout::ScopeFlow::Loop && open_[static_cast<size_t>(scope)] == 0 ? BadgeLoop : 0;
  if (scope < modelScopes_) return badges | model_->scopeBadges(scope);
  for (const Item item : groupMembers_[static_cast<size_t>(scope - modelScopes_)])
    badges |= (item.isNode() ? model_->nodeStatus(item.index).badges : model_->scopeBadges(item.index)) & (BadgeError | BadgeWarning | BadgeNan);
  return badges;
}

NodeShape Scene::scopeShape(int scope) const {
  if (scope < modelScopes_) {
    const NodeShape shape = model_->scopeShape(scope);
    return shape == NodeShape::Annotation ? NodeShape::Op : shape;
  }
  return NodeShape::Op;
}

QString Scene::scopeName(int scope) const {
  if (scope < modelScopes_) return model_->scopeName(scope);
  return QStringLiteral("⟨%1⟩").arg(group(scope).key, 16, 16, QLatin1Char('0'));
}

}  // namespace weft::widgets
