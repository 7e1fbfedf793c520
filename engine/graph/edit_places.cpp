// Positions of nodes on the canvas: the collection `weft/canvas`.
#include <algorithm>
#include <string_view>
#include <utility>

#include "proto/document_messages.h"
#include "proto/weft_document.pb.h"
#include "weft/canvas_bookmarks.h"
#include "weft/canvas_drawing.h"
#include "weft/canvas_rules.h"
#include "weft/edit.h"

namespace weft {
namespace {
constexpr const char* kCanvas = "weft/canvas";

template <typename List, typename Condition>
void drop(List* list, Condition condition) {
  list->erase(std::remove_if(list->begin(), list->end(), condition), list->end());
}

document::CanvasPositions read(const MetaGraph& meta) {
  document::CanvasPositions all;
  document::readMessages<document::CanvasPositions>(meta, kCanvas, [&](const document::CanvasPositions& m) { all.MergeFrom(m); });
  return all;
}

void write(MetaGraph& meta, const document::CanvasPositions& m) {
  const bool empty =
      m.position_size() == 0 && m.annotation_size() == 0 && m.bookmark_size() == 0 && m.wire_size() == 0 && m.port_size() == 0 && m.rule_size() == 0;
  document::writeMessages(meta, kCanvas, empty ? std::vector<std::string>() : std::vector<std::string>{document::packed(m)});
}

}  // namespace

std::vector<CanvasPlace> canvasPlacesOf(const MetaGraph& meta) {
  std::vector<CanvasPlace> out;
  const document::CanvasPositions m = read(meta);
  for (const auto& p : m.position())
    if (!p.automatic()) out.push_back({p.name(), p.is_scope(), p.x(), p.y(), p.collapsed()});
  return out;
}

void setCanvasPlaces(MetaGraph& meta, const std::vector<CanvasPlace>& places) {
  document::CanvasPositions m = read(meta);
  drop(m.mutable_position(), [&](const document::CanvasPosition& p) {
    return !p.automatic() ||
           std::any_of(places.begin(), places.end(), [&](const CanvasPlace& place) { return place.name == p.name() && place.isScope == p.is_scope(); });
  });
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

CanvasDrawing canvasDrawingOf(const MetaGraph& meta) {
  CanvasDrawing out;
  const document::CanvasPositions m = read(meta);
  out.places.reserve(size_t(m.position_size()));
  for (const auto& p : m.position()) out.places.push_back({p.name(), p.is_scope(), p.x(), p.y(), p.width(), p.height(), p.automatic(), p.expanded()});
  for (const auto& w : m.wire()) {
    if (w.point_size() < 4 || w.point_size() % 2 != 0 || w.box_size() != 8) continue;
    CanvasDrawing::Wire wire{w.scope(), w.ends(), {w.point().begin(), w.point().end()}, {}, w.joint(), w.quiet(), w.back()};
    std::copy(w.box().begin(), w.box().end(), wire.boxes.begin());
    out.wires.push_back(std::move(wire));
  }
  for (const auto& p : m.port()) out.ports.push_back({p.scope(), p.port(), p.below()});
  return out;
}

void setCanvasDrawing(MetaGraph& meta, const CanvasDrawing& drawing) {
  document::CanvasPositions m = read(meta);
  std::set<std::pair<std::string_view, bool>> known;
  for (const CanvasDrawing::Place& place : drawing.places) known.emplace(place.name, place.isScope);
  const auto exists = [&](const document::CanvasPosition& p) {
    if (!p.is_scope()) return meta.graph.find(p.name()) != nullptr;
    for (int id = 0; id < meta.graph.size(); ++id)
      if (const Node* n = meta.graph.node(id); n && n->name.starts_with(p.name() + "/")) return true;
    return false;
  };
  drop(m.mutable_position(), [&](const document::CanvasPosition& p) { return p.automatic() || known.count({p.name(), p.is_scope()}) > 0 || !exists(p); });
  for (const CanvasDrawing::Place& place : drawing.places) {
    auto* p = m.add_position();
    p->set_name(place.name);
    p->set_is_scope(place.isScope);
    p->set_x(place.x);
    p->set_y(place.y);
    p->set_width(place.width);
    p->set_height(place.height);
    p->set_automatic(place.automatic);
    p->set_expanded(place.expanded);
  }
  m.clear_wire();
  for (const CanvasDrawing::Wire& wire : drawing.wires) {
    auto* w = m.add_wire();
    w->set_scope(wire.scope);
    w->set_ends(wire.ends);
    for (const float f : wire.points) w->add_point(f);
    for (const float f : wire.boxes) w->add_box(f);
    w->set_joint(wire.joint);
    w->set_quiet(wire.quiet);
    w->set_back(wire.back);
  }
  m.clear_port();
  for (const CanvasDrawing::Port& port : drawing.ports) {
    auto* p = m.add_port();
    p->set_scope(port.scope);
    p->set_port(port.port);
    p->set_below(port.below);
  }
  write(meta, m);
}

void forgetCanvasPlaces(MetaGraph& meta, const std::set<std::string>& names) {
  document::CanvasPositions m = read(meta);
  const auto concerns = [&](const std::string& name) {
    if (names.empty() || names.count(name) > 0) return true;
    for (size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
      if (names.count(name.substr(0, slash)) > 0) return true;
    return false;
  };
  drop(m.mutable_position(), [&](const document::CanvasPosition& p) { return concerns(p.name()); });
  if (names.empty()) m.clear_wire(), m.clear_port();
  write(meta, m);
}

void forgetAutomaticPlaces(MetaGraph& meta) {
  document::CanvasPositions m = read(meta);
  drop(m.mutable_position(), [](const document::CanvasPosition& p) { return p.automatic(); });
  for (document::CanvasPosition& p : *m.mutable_position()) {
    p.clear_width();
    p.clear_height();
    p.clear_expanded();
  }
  m.clear_wire();
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

std::vector<CanvasRule> canvasRulesOf(const MetaGraph& meta) {
  std::vector<CanvasRule> out;
  const document::CanvasPositions m = read(meta);
  for (const auto& r : m.rule()) out.push_back({r.pattern(), r.helper()});
  return out;
}

void setCanvasRules(MetaGraph& meta, const std::vector<CanvasRule>& rules) {
  document::CanvasPositions m = read(meta);
  m.clear_rule();
  for (const CanvasRule& rule : rules) {
    auto* r = m.add_rule();
    r->set_pattern(rule.pattern);
    r->set_helper(rule.helper);
  }
  write(meta, m);
}

void forgetOwnPlaces(MetaGraph& meta, const std::set<std::pair<std::string, bool>>& items) {
  if (items.empty()) return;
  document::CanvasPositions m = read(meta);
  drop(m.mutable_position(), [&](const document::CanvasPosition& p) { return items.count({p.name(), p.is_scope()}) > 0; });
  write(meta, m);
}

void placeOnCanvas(MetaGraph& meta, const CanvasPlace& place) {
  document::CanvasPositions m = read(meta);
  auto it = std::find_if(m.mutable_position()->begin(), m.mutable_position()->end(),
                         [&](const document::CanvasPosition& p) { return p.name() == place.name && p.is_scope() == place.isScope; });
  document::CanvasPosition* p = it != m.mutable_position()->end() ? &*it : m.add_position();
  p->set_name(place.name);
  p->set_is_scope(place.isScope);
  p->set_x(place.x);
  p->set_y(place.y);
  p->set_collapsed(place.collapsed);
  p->set_automatic(false);
  write(meta, m);
}

}  // namespace weft
