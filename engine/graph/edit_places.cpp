// Where people put nodes on the canvas: the collection `weft/canvas`.
#include <google/protobuf/any.pb.h>

#include "proto/weft_document.pb.h"
#include "weft/canvas_bookmarks.h"
#include "weft/edit.h"

namespace weft {
namespace {
constexpr const char* kCanvas = "weft/canvas";

document::CanvasPositions read(const MetaGraph& meta) {
  document::CanvasPositions all;
  const auto it = meta.collections.find(kCanvas);
  if (it == meta.collections.end()) return all;
  for (const std::string& bytes : it->second.anys) {
    google::protobuf::Any any;
    document::CanvasPositions m;
    if (any.ParseFromString(bytes) && any.UnpackTo(&m)) all.MergeFrom(m);
  }
  return all;
}

void write(MetaGraph& meta, const document::CanvasPositions& m) {
  if (m.position_size() == 0 && m.annotation_size() == 0 && m.bookmark_size() == 0) {
    meta.collections.erase(kCanvas);
    return;
  }
  google::protobuf::Any any;
  any.set_type_url("type.googleapis.com/weft.document.CanvasPositions");
  any.set_value(m.SerializeAsString());
  Collection c;
  c.kind = Collection::Kind::Anys;
  c.anys = {any.SerializeAsString()};
  meta.collections[kCanvas] = std::move(c);
}

}  // namespace

std::vector<CanvasPlace> canvasPlacesOf(const MetaGraph& meta) {
  std::vector<CanvasPlace> out;
  const document::CanvasPositions m = read(meta);
  for (const auto& p : m.position()) out.push_back({p.name(), p.is_scope(), p.x(), p.y(), p.collapsed()});
  return out;
}

void setCanvasPlaces(MetaGraph& meta, const std::vector<CanvasPlace>& places) {
  document::CanvasPositions m = read(meta);
  m.clear_position();
  for (const CanvasPlace& place : places) {
    auto* p = m.add_position();
    p->set_name(place.name);
    p->set_is_scope(place.isScope);
    p->set_x(place.x);
    p->set_y(place.y);
    p->set_collapsed(place.collapsed);
  }
  write(meta, m);
}

std::vector<CanvasNote> canvasNotesOf(const MetaGraph& meta) {
  std::vector<CanvasNote> out;
  const document::CanvasPositions m = read(meta);
  for (const auto& a : m.annotation()) {
    CanvasNote note;
    note.id = a.id();
    note.kind = a.kind() == document::CanvasAnnotation::FRAME     ? CanvasNote::Kind::Frame
                : a.kind() == document::CanvasAnnotation::REROUTE ? CanvasNote::Kind::Reroute
                                                                  : CanvasNote::Kind::Comment;
    note.text = a.text();
    note.scope = a.scope();
    note.x = a.x();
    note.y = a.y();
    note.color = a.color();
    note.width = a.width();
    note.height = a.height();
    note.input = a.input();
    out.push_back(std::move(note));
  }
  return out;
}

void setCanvasNotes(MetaGraph& meta, const std::vector<CanvasNote>& notes) {
  document::CanvasPositions m = read(meta);
  m.clear_annotation();
  for (const CanvasNote& note : notes) {
    auto* a = m.add_annotation();
    a->set_id(note.id);
    a->set_kind(note.kind == CanvasNote::Kind::Frame     ? document::CanvasAnnotation::FRAME
                : note.kind == CanvasNote::Kind::Reroute ? document::CanvasAnnotation::REROUTE
                                                         : document::CanvasAnnotation::COMMENT);
    a->set_text(note.text);
    a->set_scope(note.scope);
    a->set_x(note.x);
    a->set_y(note.y);
    a->set_color(note.color);
    a->set_width(note.width);
    a->set_height(note.height);
    a->set_input(note.input);
  }
  write(meta, m);
}

std::vector<CanvasBookmark> canvasBookmarksOf(const MetaGraph& meta) {
  std::vector<CanvasBookmark> out;
  const document::CanvasPositions m = read(meta);
  for (const auto& b : m.bookmark()) out.push_back({b.number(), b.anchor(), b.x(), b.y(), b.width(), b.height()});
  return out;
}

void setCanvasBookmarks(MetaGraph& meta, const std::vector<CanvasBookmark>& bookmarks) {
  document::CanvasPositions m = read(meta);
  m.clear_bookmark();
  for (const CanvasBookmark& bookmark : bookmarks) {
    auto* b = m.add_bookmark();
    b->set_number(bookmark.number);
    b->set_anchor(bookmark.anchor);
    b->set_x(bookmark.x);
    b->set_y(bookmark.y);
    b->set_width(bookmark.width);
    b->set_height(bookmark.height);
  }
  write(meta, m);
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
