// Where people put nodes on the canvas: the collection `weft/canvas`.
#include <google/protobuf/any.pb.h>

#include "proto/weft_document.pb.h"
#include "weft/edit.h"

namespace weft {
namespace {
constexpr const char* kCanvas = "weft/canvas";
}

std::vector<CanvasPlace> canvasPlacesOf(const MetaGraph& meta) {
  std::vector<CanvasPlace> out;
  const auto it = meta.collections.find(kCanvas);
  if (it == meta.collections.end()) return out;
  for (const std::string& bytes : it->second.anys) {
    google::protobuf::Any any;
    document::CanvasPositions m;
    if (!any.ParseFromString(bytes) || !any.UnpackTo(&m)) continue;
    for (const auto& p : m.position()) out.push_back({p.name(), p.is_scope(), p.x(), p.y(), p.collapsed()});
  }
  return out;
}

void setCanvasPlaces(MetaGraph& meta, const std::vector<CanvasPlace>& places) {
  if (places.empty()) {
    meta.collections.erase(kCanvas);
    return;
  }
  document::CanvasPositions m;
  for (const CanvasPlace& place : places) {
    auto* p = m.add_position();
    p->set_name(place.name);
    p->set_is_scope(place.isScope);
    p->set_x(place.x);
    p->set_y(place.y);
    p->set_collapsed(place.collapsed);
  }
  google::protobuf::Any any;
  any.set_type_url("type.googleapis.com/weft.document.CanvasPositions");
  any.set_value(m.SerializeAsString());
  Collection c;
  c.kind = Collection::Kind::Anys;
  c.anys = {any.SerializeAsString()};
  meta.collections[kCanvas] = std::move(c);
}

void placeOnCanvas(MetaGraph& meta, const CanvasPlace& place) {
  auto places = canvasPlacesOf(meta);
  for (CanvasPlace& p : places) {
    if (p.name != place.name || p.isScope != place.isScope) continue;
    p = place;
    setCanvasPlaces(meta, places);
    return;
  }
  places.push_back(place);
  setCanvasPlaces(meta, places);
}

}  // namespace weft
