// Converts the scene's remembered places to a drawing and back. Documents store drawings so that undo, redo and opening a file restore the picture.
#include "graph_view/drawing.h"

#include <QSet>

#include "graph_view/scene.h"
#include "layout/chosen_part.h"

namespace weft::widgets {

std::shared_ptr<const Drawing> Scene::drawing() const {
  if (!arrangement_.isComposed()) return parkedDrawing();  // only these places belong to the document
  if (drawing_ != nullptr || model_ == nullptr || !model_->isEditable()) return drawing_;
  auto made = std::make_shared<Drawing>();
  for (const auto& [container, memory] : memory_->containers) {
    for (const auto& [key, kept] : memory.kept) {
      const Item item = itemWithKey(key);
      if (!item) continue;
      Drawing::Place place;
      place.name = isGroup(item) ? scopeName(item.index) : nameOf(item);
      place.scope = item.isScope();
      place.byHand = kept.byHand;
      place.open = item.isScope() && open_[static_cast<size_t>(item.index)] != 0;
      place.box = {kept.box.x, kept.box.y, kept.box.w, kept.box.h};
      made->places.push_back(std::move(place));
    }
    for (const auto& [ends, way] : memory.links) made->wires.push_back({container, ends, way});
    for (const auto& [port, below] : memory.ports) made->ports.push_back({container, port, below});
  }
  drawing_ = std::move(made);
  return drawing_;
}

// A stored drawing shows no groups that it did not have. Returns whether some must be dissolved: the structure must then be read again.
bool Scene::keepUngrouped(const Drawing& drawing) {
  QSet<QString> had;
  for (const Drawing::Place& place : drawing.places)
    if (place.name.startsWith(u'⟨')) had.insert(place.name);
  auto ungrouped = std::make_shared<std::unordered_set<std::uint64_t>>(*ungrouped_);
  bool again = false;
  for (int s = modelScopes_; s < scopeCount(); ++s) {
    // Nodes that the user made helpers may join the helpers' group.
    if (had.contains(scopeName(s)) || group(s).part == layout::kChosenHelper) continue;
    again = true;
    for (const Item item : members(Item::scope(s))) ungrouped->insert(key(item));
  }
  if (again) ungrouped_ = std::move(ungrouped);
  return again && !drawing.places.empty();
}

// Pins everything in the drawing at its stored place; only unknown items are placed.
void Scene::placeFrom(const Drawing& drawing, bool opens) {
  memory_ = std::make_shared<layout::Memory>();
  for (const Drawing::Place& place : drawing.places) {
    const Item item = itemCalled(place.name, place.scope);
    if (!item) continue;
    const int around = parentScope(item);
    layout::ContainerMemory& memory = memory_->containers[around < 0 ? layout::kRootKey : key(Item::scope(around))];
    layout::KeptBox kept;
    kept.box = {place.box.x(), place.box.y(), place.box.width(), place.box.height()};
    kept.byHand = place.byHand;
    kept.before = {place.box.x(), place.box.y()};
    memory.kept[key(item)] = kept;
    memory.edited = true;
    if (opens && place.open) open_[static_cast<size_t>(item.index)] = 1;
  }
  for (const Drawing::Wire& wire : drawing.wires)
    if (const auto it = memory_->containers.find(wire.container); it != memory_->containers.end()) it->second.links[wire.ends] = wire.way;
  for (const Drawing::Port& port : drawing.ports)
    if (const auto it = memory_->containers.find(port.container); it != memory_->containers.end()) it->second.ports[port.key] = port.below;
}

}  // namespace weft::widgets
