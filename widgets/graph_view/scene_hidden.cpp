// Wires that are drawn only on demand, and those that the user keeps visible.
#include <algorithm>

#include "graph_view/scene.h"

namespace weft::widgets {

layout::Role Scene::roleAt(int layoutItem) const {
  const int nodes = graph_.nodeCount();
  return layoutItem < nodes ? graph_.nodeRole[static_cast<size_t>(layoutItem)] : graph_.scopeRole[static_cast<size_t>(layoutItem - nodes)];
}

bool Scene::isQuiet(const layout::Route& route) const {
  const auto first = layout_.routeSegments.begin() + route.firstSegment;
  return std::any_of(first, first + route.segmentCount, [this](std::int32_t s) { return wires_[static_cast<size_t>(s)].quiet; });
}

std::vector<HiddenWire> Scene::hiddenWires(int sceneItem) const {
  std::vector<HiddenWire> found;
  if (sceneItem < 0) return found;
  const layout::Role own = roleAt(layoutItem(items_[static_cast<size_t>(sceneItem)].item));
  const bool all = own == layout::Role::Aside || own == layout::Role::Beneath;
  for (const bool out : {false, true})
    for (const RouteEnd& end : (out ? out_ : in_)[static_cast<size_t>(sceneItem)]) {
      if (!isQuiet(layout_.routes[static_cast<size_t>(end.route)])) continue;
      // Wires to the gradients are as many as the network has ops and carry no information.
      if (!all && roleAt(layoutItem(items_[static_cast<size_t>(end.other)].item)) == layout::Role::Beneath) continue;
      found.push_back({end.route, end.other, out});
    }
  return found;
}

void Scene::setWiresShown(Item item, bool shown) {
  if (key(item) == 0) return;
  if (shown) shownWires_.insert(key(item));
  else shownWires_.erase(key(item));
  markShownWires();
}

void Scene::markShownWires() {
  for (SceneWire& wire : wires_) wire.kept = false;
  for (size_t i = 0; i < items_.size(); ++i) {
    SceneItem& it = items_[i];
    it.wiresShown = !it.open && !shownWires_.empty() && areWiresShown(it.item);
    if (!it.wiresShown) continue;
    for (const HiddenWire& hidden : hiddenWires(static_cast<int>(i))) {
      const layout::Route& route = layout_.routes[static_cast<size_t>(hidden.route)];
      for (int k = 0; k < route.segmentCount; ++k) wires_[static_cast<size_t>(layout_.routeSegments[static_cast<size_t>(route.firstSegment + k)])].kept = true;
    }
  }
}

}  // namespace weft::widgets
