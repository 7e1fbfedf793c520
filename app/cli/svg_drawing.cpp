// Draws a graph as SVG without a window, with the IDE's layout.
#include "cli/svg_drawing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "layout/chosen_part.h"
#include "layout/frames.h"
#include "layout/graph_layout.h"
#include "layout/grouping.h"
#include "support/flow_facts.h"
#include "weft/canvas_drawing.h"
#include "weft/canvas_rules.h"
#include "weft/defects.h"
#include "weft/edit.h"
#include "weft/op.h"
#include "weft/scopes.h"

namespace weft::cli {
namespace {

constexpr double kTitleSize = 14, kDetailSize = 11.5,  // slightly too large, because fonts differ
    kMargin = 24, kLeast = 72, kMost = 260;

/// Roughly the width of a text in a sans-serif face.
double textWidth(const std::string& text, double size) {
  double width = 0;
  for (const char c : text) {
    if ((c & 0xC0) == 0x80) continue;  // further bytes of a character
    if (std::string_view("iljtf.,:;'|!()[] ").find(c) != std::string_view::npos) width += 0.32;
    else if (c == 'm' || c == 'w' || c == 'M' || c == 'W') width += 0.86;
    else width += c >= 'A' && c <= 'Z' ? 0.68 : 0.56;
  }
  return width * size;
}

std::string shortened(const std::string& text, double room, double size) {
  if (textWidth(text, size) <= room) return text;
  // The end of a name tells more than its beginning.
  size_t cut = 1;
  while (cut < text.size() && (textWidth(text.substr(cut), size) > room - size || (text[cut] & 0xC0) == 0x80)) ++cut;
  return "…" + text.substr(cut);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else if (c == '"') out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out;
}

std::string svgNumber(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", v);
  std::string out = text;
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

std::string dimsText(const Shape& shape) {
  if (!shape.hasRank()) return {};
  std::string out;
  for (int i = 0; i < shape.rank(); ++i) out += (i ? "×" : "") + (shape.dim(i) < 0 ? std::string("?") : std::to_string(shape.dim(i)));
  return out.empty() ? "scalar" : out;
}

std::string groupTitle(const layout::Group& group) {
  if (group.kind != layout::Group::Kind::Helpers) return group.title;
  static const char* const kTitles[layout::kAllParts] = {"network",          "weights",   "gradients", "updates",      "initializers",
                                                         "save and restore", "summaries", "checks",    "step counter", "optimizer slots",
                                                         "moving averages",  "queues",    "helpers"};
  return kTitles[size_t(group.part)];
}

class Drawing {
 public:
  explicit Drawing(const MetaGraph& meta) : meta_(meta), graph_(meta.graph) {
    collect();
    place();
    group();
  }

  Status open(const std::vector<std::string>& names) {
    if (!names.empty()) open_.assign(scopes_.size(), 0);
    for (const std::string& name : names) {
      if (name == "all") {
        std::fill(open_.begin(), open_.end(), 1);
        continue;
      }
      const auto it = scopeOf_.find(name);
      if (it == scopeOf_.end()) return notFound("There is no scope ", name, " in this graph");
      for (int s = it->second; s >= 0; s = layout_.scopeParent[size_t(s)]) open_[size_t(s)] = 1;
    }
    return {};
  }

  std::string svg(const std::string& title) {
    measure();
    result_ = layout::layoutGraph(layout_, open_);
    const layout::Box& all = result_.bounds;
    const std::string width = svgNumber(all.w + 2 * kMargin), height = svgNumber(all.h + 2 * kMargin);
    out_ =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height + "\" viewBox=\"" + svgNumber(all.x - kMargin) + " " +
        svgNumber(all.y - kMargin) + " " + width + " " + height + "\" font-family=\"sans-serif\">\n<title>" + escaped(title) +
        "</title>\n<style>.b{fill:#fff;stroke:#8b95a3}.m{fill:none;stroke:#c0392b;stroke-dasharray:5 3}.o{fill:#f7f8fa;stroke:#d3d8df}.p{fill:#f7f8fa;stroke:#1b6196}.t{font-size:13px;fill:#1a1e25;font-weight:600}"
        ".f{fill:none;stroke:#2f6fd0;stroke-dasharray:6 4}.a{fill:#f1f3f6;stroke:#d3d8df}.n{font-size:11px;fill:#2f6fd0}.d{font-size:11px;fill:#5b6472}.w{fill:none;stroke:#74808f;stroke-width:1.5}.c{fill:none;stroke:#8b95a3;stroke-dasharray:4 4}</style>\n<rect x=\"" +
        svgNumber(all.x - kMargin) + "\" y=\"" + svgNumber(all.y - kMargin) + "\" width=\"" + width + "\" height=\"" + height + "\" fill=\"#eef0f3\"/>\n";
    const auto frames = layout::framesOf(layout_, result_, -1);
    for (const layout::DrawnFrame& frame : frames)
      if (frame.scope < 0) drawFrame(frame);
    for (int at = 0; at < layout_.scopeCount(); ++at) {
      const int s = layout_.scopeAt(at);
      if (result_.shown[size_t(layout_.nodeCount() + s)] != layout::Shown::Open) continue;
      drawOpen(s);
      for (const layout::DrawnFrame& frame : frames)
        if (frame.scope == s) drawFrame(frame);
    }
    for (const layout::Segment& segment : result_.segments)
      if (!segment.quiet) drawWire(segment);
    for (int s = 0; s < layout_.scopeCount(); ++s)
      if (result_.shown[size_t(layout_.nodeCount() + s)] == layout::Shown::Leaf) drawClosed(s);
    for (int n = 0; n < layout_.nodeCount(); ++n)
      if (result_.shown[size_t(n)] == layout::Shown::Leaf) drawNode(n);
    return out_ + "</svg>\n";
  }

 private:
  struct Scope {
    std::string name;
    int ops = 0;
    int variable = -1;  ///< A variable node named like the scope.
    int alike = 0;      ///< Number of similar scopes in a series.
  };

  int scopeNamed(const std::string& name) {
    if (name.empty()) return -1;
    if (const auto it = scopeOf_.find(name); it != scopeOf_.end()) return it->second;
    const size_t slash = name.rfind('/');
    const int parent = slash == name.npos ? -1 : scopeNamed(name.substr(0, slash));
    const int index = int(scopes_.size());
    scopes_.push_back({name});
    layout_.scopeParent.push_back(parent);
    scopeOf_[name] = index;
    return index;
  }

  void collect() {
    std::set<std::string_view> prefixes;
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n) continue;
      const std::string_view name = n->name;
      const size_t scope = shownScopeOf(name).size();
      for (size_t slash = name.find('/'); slash <= scope && slash != name.npos; slash = name.find('/', slash + 1)) prefixes.insert(name.substr(0, slash));
    }
    indexOf_.assign(size_t(graph_.size()), -1);
    for (int id = 0; id < graph_.size(); ++id) {
      const Node* n = graph_.node(id);
      if (!n || isNotGiven(*n) || (isOpenInput(*n) && n->name.starts_with("open_inputs/"))) continue;
      // A variable is put into the scope of its helpers, which is named like it.
      const bool namesScope = prefixes.count(n->name) > 0;
      const int scope = scopeNamed(namesScope ? n->name : std::string(shownScopeOf(n->name)));
      indexOf_[size_t(id)] = int(nodes_.size());
      nodes_.push_back(n);
      layout_.nodeScope.push_back(scope);
      for (int s = scope; s >= 0; s = layout_.scopeParent[size_t(s)]) {
        ++scopes_[size_t(s)].ops;
      }
      if (namesScope && isVariable(*n)) scopes_[size_t(scope)].variable = int(nodes_.size()) - 1;
    }
    for (const Node* n : nodes_) {
      for (size_t i = 0; i < n->inputs.size(); ++i) edge(n->inputs[i].node, n->id, layout::EdgeKind::Data, i == 0);
      for (const int control : n->controls) edge(control, n->id, layout::EdgeKind::Control, false);
    }
  }

  void edge(int from, int to, layout::EdgeKind kind, bool main) {
    if (from < 0 || indexOf_[size_t(from)] < 0) return;
    layout_.edges.push_back({indexOf_[size_t(from)], indexOf_[size_t(to)], kind, std::uint8_t(main), isConstant(*graph_.node(from)), 0});
  }

  void place() {
    const auto places = canvasDrawingOf(meta_).places;
    if (places.empty()) return;
    layout_.nodePin.resize(nodes_.size());
    layout_.scopePin.resize(scopes_.size());
    for (const CanvasDrawing::Place& p : places) {
      const layout::Pin pin{float(p.x), float(p.y), true};
      const Node* n = p.isScope ? nullptr : graph_.find(p.name);
      if (n && indexOf_[size_t(n->id)] >= 0) layout_.nodePin[size_t(indexOf_[size_t(n->id)])] = pin;
      if (const auto it = scopeOf_.find(p.name); p.isScope && it != scopeOf_.end()) layout_.scopePin[size_t(it->second)] = pin;
    }
  }

  /// Makes the same groups as the canvas.
  void group() {
    const std::vector<Part> parts = drawnParts(meta_);
    layout::GroupingInput in;
    for (const Node* n : nodes_) {
      in.nodePart.push_back(layout::Part(int(parts[size_t(n->id)])));
      in.nodeKind.push_back(std::hash<std::string>()(n->op));
    }
    // Items placed by hand are in no group.
    for (const CanvasDrawing::Place& p : canvasDrawingOf(meta_).places) {
      if (p.automatic) continue;
      in.nodeFixed.resize(nodes_.size());
      in.scopeFixed.resize(scopes_.size());
      const Node* n = p.isScope ? nullptr : graph_.find(p.name);
      if (n && indexOf_[size_t(n->id)] >= 0) in.nodeFixed[size_t(indexOf_[size_t(n->id)])] = 1;
      if (const auto it = scopeOf_.find(p.name); p.isScope && it != scopeOf_.end()) in.scopeFixed[size_t(it->second)] = 1;
    }
    in.title = [this](std::int32_t item) {
      return lastPart(item < int(nodes_.size()) ? nodes_[size_t(item)]->name : scopes_[size_t(item) - nodes_.size()].name);
    };
    in.isParameter = [this](std::int32_t node) { return isVariable(*nodes_[size_t(node)]) || isConstant(*nodes_[size_t(node)]); };
    in.isInput = [this](std::int32_t node) { return isFeedPoint(*nodes_[size_t(node)]); };
    layout_.scopeSize.resize(scopes_.size());
    layout_.flow = app::flowFactsOf(graph_, indexOf_, nodes_.size());
    for (const layout::Group& g : layout::groupGraph(layout_, in)) {
      Scope scope;
      scope.name = groupTitle(g);
      scope.alike = g.kind == layout::Group::Kind::Series ? g.members : 0;
      scopes_.push_back(std::move(scope));
    }
    open_ = layout::openAtFirst(layout_);
    const size_t own = scopeOf_.size();
    const auto count = [&](int from, int ops) {
      for (int s = from; s >= int(own); s = layout_.scopeParent[size_t(s)]) scopes_[size_t(s)].ops += ops;
    };
    for (const int scope : layout_.nodeScope) count(scope, 1);
    for (size_t s = 0; s < own; ++s) count(layout_.scopeParent[s], scopes_[s].ops);
    scopeFlow_ = layout::scopeFlows(layout_);
  }

  static std::string lastPart(const std::string& name) { return name.substr(name.rfind('/') + 1); }
  std::string detailOf(const Node& n) const {
    if (isMissing(n)) return "not in the file";
    if (isVariable(n)) return dimsText(n.attrs.shape("shape"));
    const std::string shape = n.outputShapes.empty() ? std::string() : dimsText(n.outputShapes[0]);
    if (isPlaceholder(n) || isConstant(n)) return shape.empty() ? n.op : shape;
    return lastPart(n.name).starts_with(n.op) && !shape.empty() ? shape : n.op;
  }
  std::string detailOf(const Scope& s) const {
    if (s.variable >= 0) return detailOf(*nodes_[size_t(s.variable)]);
    if (s.alike > 0) return std::to_string(s.alike) + " alike";
    const layout::ScopeFlow flow = scopeFlow_[size_t(&s - scopes_.data())];
    if (flow != layout::ScopeFlow::None) return std::to_string(s.ops) + (flow == layout::ScopeFlow::Loop ? " ops, loop" : " ops, conditional");
    return std::to_string(s.ops) + (s.ops == 1 ? " op" : " ops");
  }
  static layout::Size sizeOf(const std::string& title, const std::string& detail) {
    const double width = std::max(textWidth(title, kTitleSize), textWidth(detail, kDetailSize)) + 28;
    return {std::clamp(std::ceil(width), kLeast, kMost), detail.empty() ? 34.0 : 46.0};
  }
  void measure() {
    layout_.nodeSize.clear();
    layout_.scopeSize.clear();
    for (const Node* n : nodes_) layout_.nodeSize.push_back(sizeOf(lastPart(n->name), detailOf(*n)));
    for (size_t s = 0; s < scopes_.size(); ++s) {
      layout::Size size = sizeOf(lastPart(scopes_[s].name), detailOf(scopes_[s]));
      if (open_[s]) size.h = 0;
      layout_.scopeSize.push_back(size);
    }
  }

  void rect(const char* kind, const layout::Box& b, double radius) {
    out_ += "<rect class=\"" + std::string(kind) + "\" x=\"" + svgNumber(b.x) + "\" y=\"" + svgNumber(b.y) + "\" width=\"" + svgNumber(b.w) + "\" height=\"" +
            svgNumber(b.h) + "\" rx=\"" + svgNumber(radius) + "\"/>";
  }
  void text(const char* kind, double x, double y, const std::string& words, double room, double size) {
    if (words.empty()) return;
    out_ +=
        "<text class=\"" + std::string(kind) + "\" x=\"" + svgNumber(x) + "\" y=\"" + svgNumber(y) + "\">" + escaped(shortened(words, room, size)) + "</text>";
  }
  void begin(const std::string& name) { out_ += "<g><title>" + escaped(name) + "</title>"; }
  void end() { out_ += "</g>\n"; }

  void drawOpen(int s) {
    const layout::Box& b = result_.boxes[size_t(layout_.nodeCount() + s)];
    begin(scopes_[size_t(s)].name);
    rect("o", b, 6);
    text("t", b.x + 10, b.y + 17, lastPart(scopes_[size_t(s)].name), b.w - 20, kTitleSize);
    end();
  }
  /// The frame of a loop with the names of its variables, or the lanes of a conditional.
  void drawFrame(const layout::DrawnFrame& frame) {
    const bool loop = frame.kind == layout::DrawnFrame::Kind::Loop;
    std::string title = "conditional";
    if (loop) {
      title = layout_.flow.loops[size_t(frame.id)].frame;
      if (title.ends_with("/while_context")) title.resize(title.size() - 14);
      title = "loop " + title;
    }
    begin(title);
    for (const auto& lane : frame.lanes) {
      rect("a", lane.box, 6);
      text("d", lane.box.x + 8, lane.box.y + 14, lane.whenTrue ? "if true" : "if false", lane.box.w - 12, kDetailSize);
    }
    if (loop) {
      rect("f", frame.box, 6);
      const double width = textWidth(title, kDetailSize);
      if (!frame.isScope) text("n", frame.box.x + 14, frame.box.y - 5, title, frame.box.w - 20, kDetailSize);
      else if (frame.box.w > 2 * width) text("n", frame.box.right() - width - 4, frame.box.y + 16, title, width + 10, kDetailSize);
    }
    for (const auto& name : frame.names)
      text(name.entry ? "n" : "d", name.at.x, name.at.y, variableName(nodes_[size_t(name.source)]->name), name.width, kDetailSize);
    end();
  }
  static std::string variableName(const std::string& node) {
    const std::string last = lastPart(node);
    return last == "read" && last.size() < node.size() ? lastPart(node.substr(0, node.size() - 5)) : last;
  }
  void drawClosed(int s) {
    const Scope& scope = scopes_[size_t(s)];
    const layout::Box& b = result_.boxes[size_t(layout_.nodeCount() + s)];
    begin(scope.name);
    const layout::ScopeFlow flow = scopeFlow_[size_t(s)];
    rect(scope.variable >= 0 ? "p" : "b", b, scope.variable >= 0 ? b.h / 2 : 6);
    if (flow == layout::ScopeFlow::Loop) rect("f", b, 6);
    text("t", b.x + 12, b.y + 19, lastPart(scope.name), b.w - 20, kTitleSize);
    text("d", b.x + 12, b.y + 36, detailOf(scope), b.w - 20, kDetailSize);
    end();
  }
  void drawNode(int i) {
    const Node& n = *nodes_[size_t(i)];
    const layout::Box& b = result_.boxes[size_t(i)];
    const bool parameter = layout_.nodeRole[size_t(i)] == layout::Role::Parameter;
    begin(isMissing(n) ? n.name + " (not in the file)" : n.name + " (" + n.op + ")");
    rect(isMissing(n) ? "m" : parameter ? "p" : "b", b, parameter ? b.h / 2 : 3);
    text("t", b.x + 12, b.y + 19, lastPart(n.name), b.w - 20, kTitleSize);
    text("d", b.x + 12, b.y + 36, detailOf(n), b.w - 20, kDetailSize);
    end();
  }
  void drawWire(const layout::Segment& segment) {
    if (segment.pointCount < 2) return;
    const auto point = [&](int i) { return result_.points[size_t(segment.firstPoint + i)]; };
    std::string path = "M" + svgNumber(point(0).x) + " " + svgNumber(point(0).y);
    for (int i = 1; i < segment.pointCount; ++i) {
      const layout::Point a = point(i - 1), b = point(i);
      const auto at = [](double x, double y) { return svgNumber(x) + " " + svgNumber(y); };
      if (segment.joint == layout::Joint::Curve && std::abs(a.y - b.y) > 0.5 && std::abs(a.x - b.x) > 0.5) {
        const double reach = std::max(16.0, std::abs(b.x - a.x) / 2) * (b.x < a.x ? -1 : 1);  // backwards: below the flow
        path += "C" + at(a.x + reach, a.y) + " " + at(b.x - reach, b.y) + " " + at(b.x, b.y);
      } else if (segment.joint == layout::Joint::Vertical && std::abs(a.x - b.x) > 0.5) {
        const double reach = (b.y - a.y) / 2;
        path += "C" + at(a.x, a.y + reach) + " " + at(b.x, b.y - reach) + " " + at(b.x, b.y);
      } else {
        path += "L" + at(b.x, b.y);
      }
    }
    out_ += "<path class=\"" + std::string(segment.kind == layout::EdgeKind::Control ? "c" : "w") + "\" d=\"" + path + "\"><title>" +
            escaped(nameOf(segment.from) + " → " + nameOf(segment.to)) + "</title></path>\n";
  }
  /// The name of an item; "" for the edge of the enclosing scope.
  std::string nameOf(int item) const {
    if (item < 0) return {};
    return item < int(nodes_.size()) ? nodes_[size_t(item)]->name : scopes_[size_t(item) - nodes_.size()].name;
  }

  const MetaGraph& meta_;
  const Graph& graph_;
  std::vector<const Node*> nodes_;
  std::vector<Scope> scopes_;
  std::map<std::string, int> scopeOf_;
  std::vector<int> indexOf_;
  std::vector<layout::ScopeFlow> scopeFlow_;
  std::vector<char> open_;
  layout::Graph layout_;
  layout::Result result_;
  std::string out_;
};

}  // namespace

Result<std::string> svgDrawing(const MetaGraph& meta, const std::string& title, const std::vector<std::string>& open) {
  Drawing drawing(meta);
  WEFT_TRY(drawing.open(open));
  return drawing.svg(title);
}

}  // namespace weft::cli
