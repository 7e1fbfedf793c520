// Loops and conditionals of a scene: frames, lanes and loop variable names.
#include <QCoreApplication>

#include "graph_view/scene.h"

namespace weft::widgets {
namespace {

struct FlowWords {
  Q_DECLARE_TR_FUNCTIONS(weft::widgets::GraphView)
 public:
  static QString loop() { return tr("loop"); }
  static QString conditional() { return tr("conditional"); }
  static QString lane(bool whenTrue) { return whenTrue ? tr("if true") : tr("if false"); }
};

QRectF rectOf(const layout::Box& b) { return {b.x, b.y, b.w, b.h}; }

/// `rnn/while` for the frame `rnn/while/while_context`.
QString shortFrame(const std::string& frame) {
  QString name = QString::fromStdString(frame);
  if (name.endsWith(QLatin1String("/while_context"))) name.chop(14);
  return name;
}

}  // namespace

QString flowWord(layout::ScopeFlow flow) {
  return flow == layout::ScopeFlow::Loop ? FlowWords::loop() : flow == layout::ScopeFlow::Conditional ? FlowWords::conditional() : QString();
}

layout::ScopeFlow Scene::flowOf(int scope) const { return scopeFlow_.empty() ? layout::ScopeFlow::None : scopeFlow_[static_cast<size_t>(scope)]; }

// Loop variables are named after the source of their initial value: `w` for `w/read`.
QString Scene::variableName(int node) const {
  const QString name = model_->nodeName(node);
  const QString last = name.mid(name.lastIndexOf(u'/') + 1);
  if (last != QLatin1String("read") && last != QLatin1String("Identity")) return last;
  const QString rest = name.left(name.lastIndexOf(u'/'));
  return rest.isEmpty() ? last : rest.mid(rest.lastIndexOf(u'/') + 1);
}

void Scene::buildFrames() {
  frames_.clear();
  frameOf_.assign(items_.size(), -1);
  if (model_ == nullptr || graph_.flow.nodes.empty()) return;
  for (const layout::DrawnFrame& drawn : layout::framesOf(graph_, layout_, root_)) {
    SceneFrame frame;
    frame.loop = drawn.kind == layout::DrawnFrame::Kind::Loop;
    frame.isScope = drawn.isScope;
    frame.rect = rectOf(drawn.box);
    // The header of a loop's scope already shows its title.
    if (frame.loop && (drawn.scope < 0 || drawn.scope == root_ || flowOf(drawn.scope) != layout::ScopeFlow::Loop))
      frame.title = FlowWords::loop() + u' ' + shortFrame(graph_.flow.loops[static_cast<size_t>(drawn.id)].frame);
    for (const auto& name : drawn.names) frame.names.push_back({variableName(name.source), QPointF(name.at.x, name.at.y), name.width, name.entry});
    for (const auto& lane : drawn.lanes) frame.lanes.push_back({rectOf(lane.box), FlowWords::lane(lane.whenTrue), lane.whenTrue});
    const int around = drawn.scope < 0 || drawn.scope == root_ ? -1 : sceneOf_[static_cast<size_t>(graph_.nodeCount() + drawn.scope)];
    if (around >= 0) {
      SceneItem& it = items_[static_cast<size_t>(around)];
      frameOf_[static_cast<size_t>(around)] = static_cast<int>(frames_.size());
      it.framed = frame.isScope;
      if (it.framed) it.status.badges |= BadgeLoop;
    }
    if (frame.loop && !frame.isScope) bounds_ = bounds_.united(frame.rect);
    frame.atTop = around < 0;
    frames_.push_back(std::move(frame));
  }
}

// A loss is an end: a marked item that leads to another marked one is not the loss, even if some gradient reads only that item.
void Scene::keepLastLosses() {
  std::vector<int> marked;
  for (size_t i = 0; i < items_.size(); ++i)
    if (items_[i].loss) marked.push_back(static_cast<int>(i));
  if (marked.size() < 2) return;
  std::vector<char> leads(items_.size(), 0);  // to one that is marked
  std::vector<int> stack = marked;
  while (!stack.empty()) {
    const int at = stack.back();
    stack.pop_back();
    for (const RouteEnd& end : in_[static_cast<size_t>(at)]) {
      const layout::Route& route = layout_.routes[static_cast<size_t>(end.route)];
      if (leads[static_cast<size_t>(end.other)] != 0 || route.kind == layout::EdgeKind::Control || isQuiet(route) || !isFlow(end.other)) continue;
      leads[static_cast<size_t>(end.other)] = 1;
      stack.push_back(end.other);
    }
  }
  for (const int at : marked)
    if (leads[static_cast<size_t>(at)] != 0) items_[static_cast<size_t>(at)].loss = false;
}

// Marks the differentiated nodes if the graph names them, else those whose wires lead to the gradients (scene_wires.cpp).
void Scene::markLosses() {
  constexpr size_t kMost = 8;  // with more losses the mark would be meaningless
  keepLastLosses();
  const auto& losses = graph_.flow.losses;
  if (losses.empty() || losses.size() > kMost) return;
  std::vector<int> seen;
  for (const int node : losses)
    if (const int at = find(visibleFor(Item::node(node))); at >= 0 && !items_[static_cast<size_t>(at)].open) seen.push_back(at);
  if (seen.empty()) return;
  for (SceneItem& it : items_) it.loss = false;
  for (const int at : seen) items_[static_cast<size_t>(at)].loss = true;
}

}  // namespace weft::widgets
