// Final places of the elements and routes of the wires.
#include <algorithm>
#include <cmath>
#include <map>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

constexpr int kMaxLanes = 10;
constexpr double kColumn = 420;  // minimum height at which the column of helpers is broken

struct Routing {
  ContainerProblem& p;
  const Options& options;
  Layers& out;
  double width = 0, height = 0;

  Element& el(std::int32_t i) { return p.elements[static_cast<size_t>(i)]; }
  std::int32_t layerOf(std::int32_t element) const { return out.vertices[static_cast<size_t>(out.vertexOf[static_cast<size_t>(element)])].layer; }

  void placeElements() {
    const std::int32_t lanes = out.lanes;
    const bool inPorts = std::any_of(p.elements.begin(), p.elements.end(), [](const Element& e) { return e.kind == Element::Kind::InPort; });
    const bool outPorts = std::any_of(p.elements.begin(), p.elements.end(), [](const Element& e) { return e.kind == Element::Kind::OutPort; });
    const double left = inPorts ? 0 : p.padding, right = outPorts ? 0 : p.padding;
    const double laneRoom = lanes > 0 ? (lanes + 0.5) * options.laneGap : 0;
    const double dy = std::round(p.header + p.padding + laneRoom - out.top);
    for (double& x : out.columnLeft) x += left;
    for (double& x : out.columnRight) x += left;
    for (Vertex& v : out.vertices) v.y += dy;
    for (double& y : out.rowTop) y += dy;
    for (auto& channel : out.channel) channel.y += dy, channel.right += left;
    out.rowLeft += left;
    out.rowRight += left;
    if (out.climb >= 0) out.climb += left;
    const double flowBottom = out.vertices.empty() ? p.header + p.padding : out.bottom + dy;
    const double flowRight = out.vertices.empty() ? 0 : out.right + left + right;
    out.top += dy;
    width = std::max(p.minWidth, flowRight);
    height = flowBottom;

    for (const Vertex& v : out.vertices) {
      if (v.element < 0) continue;
      Element& e = el(v.element);
      const auto c = static_cast<size_t>(v.layer);
      e.y = v.y;
      e.x = std::round((out.columnLeft[c] + out.columnRight[c] - e.width) / 2);
      if (e.kind == Element::Kind::InPort) e.x = 0;
      placeAttachedParameters(v.element);
    }
    placeColumn(flowBottom);
    placeShelf(flowBottom);
    height += p.footer;
    for (Element& e : p.elements)
      if (e.kind == Element::Kind::OutPort) e.x = width;
    placeHiddenPorts();
  }

  // A port with hidden wires lies at the height of the element at their other end.
  void placeHiddenPorts() {
    for (const Link& link : p.links) {
      Element& a = el(link.from);
      Element& b = el(link.to);
      if (a.kind == Element::Kind::InPort && out.vertexOf[static_cast<size_t>(link.from)] < 0) a.y = b.y + link.toDy;
      if (b.kind == Element::Kind::OutPort && out.vertexOf[static_cast<size_t>(link.to)] < 0) b.y = a.y + link.fromDy;
    }
  }

  void placeAttachedParameters(std::int32_t reader) {
    const auto& attached = out.attachedParameters[static_cast<size_t>(reader)];
    const Element& h = el(reader);
    double row = -options.gapY / 2;
    for (const std::int32_t g : attached) row += el(g).width + options.gapY / 2;
    double x = std::round(h.x + (h.width - row) / 2);
    for (const std::int32_t g : attached) {
      Element& e = el(g);
      e.x = x;
      e.y = h.y + h.below + options.parameterGap + e.above;
      x += e.width + options.gapY / 2;
    }
  }

  // Helpers, and elements without wires, stand in a column at the right, in several if it would be higher than the flow.
  void placeColumn(double flowBottom) {
    if (out.vertices.empty()) return;
    std::vector<std::int32_t> column;
    column.swap(out.shelf);
    if (column.empty()) return;
    const double gap = options.gapY * 2 / 3, top = p.header + p.padding, limit = std::max(flowBottom, top + kColumn);
    double x = width + options.gapX, y = top, widest = 0;
    for (const std::int32_t s : column) {
      Element& e = el(s);
      const double h = e.above + e.below;
      if (y > top && y + h > limit) {
        x += widest + gap;
        y = top;
        widest = 0;
      }
      e.shelved = true;
      e.x = std::round(x);
      e.y = std::round(y + e.above);
      y += h + gap;
      height = std::max(height, y - gap);
      widest = std::max(widest, e.width);
    }
    width = x + widest + p.padding;
  }

  // Without a flow: in rows.
  void placeShelf(double flowBottom) {
    if (out.shelf.empty()) return;
    const double gap = options.gapY;
    double area = 0, widest = 0;
    for (const std::int32_t s : out.shelf) {
      const Element& e = el(s);
      area += (e.width + gap) * (e.above + e.below + gap);
      widest = std::max(widest, e.width);
    }
    const double limit = std::max({width - 2 * p.padding, widest, std::sqrt(area * 2.2)});
    const bool below = !out.vertices.empty();
    double x = p.padding, y = below ? flowBottom + 1.5 * gap : flowBottom, rowHeight = 0, right = 0;
    for (const std::int32_t s : out.shelf) {
      Element& e = el(s);
      if (x > p.padding && x + e.width > p.padding + limit) {
        x = p.padding;
        y += rowHeight + gap;
        rowHeight = 0;
      }
      e.x = std::round(x);
      e.y = std::round(y + e.above);
      x += e.width + gap;
      right = std::max(right, e.x + e.width);
      rowHeight = std::max(rowHeight, e.above + e.below);
    }
    width = std::max(width, right + p.padding);
    height = y + rowHeight;
  }

  static void add(std::vector<Point>& points, double x, double y) {
    const size_t n = points.size();
    if (n >= 1 && std::abs(points[n - 1].x - x) < 0.01 && std::abs(points[n - 1].y - y) < 0.01) return;
    // A point inside a horizontal piece is redundant.
    if (n >= 2 && std::abs(points[n - 1].y - y) < 0.01 && std::abs(points[n - 2].y - y) < 0.01) {
      points[n - 1].x = x;
      return;
    }
    points.push_back({x, y});
  }

  void route(size_t l) {
    Link& link = p.links[l];
    const Element& a = el(link.from);
    const Element& b = el(link.to);
    const Point start{a.x + a.width, a.y + link.fromDy}, end{b.x, b.y + link.toDy};
    auto& points = link.points;
    points.clear();
    if (link.joint == Joint::Vertical) {
      const double x = std::clamp(a.x + a.width / 2, b.x + std::min(8.0, b.width / 2), b.x + b.width - std::min(8.0, b.width / 2));
      points = {{a.x + a.width / 2, a.y - a.above}, {x, b.y + b.below}};
      return;
    }
    if (link.quiet) {
      points = {start, end};
      return;
    }
    if (out.lane[l] != 0) {
      routeLane(l, start, end);
      return;
    }
    std::int32_t before = out.vertexOf[static_cast<size_t>(link.from)];
    double y = start.y;
    points.push_back(start);
    add(points, std::max(start.x, right(before)), y);
    const auto pass = [&](std::int32_t vertex, double nextY) {
      const Vertex& a = out.vertices[static_cast<size_t>(before)];
      const Vertex& b = out.vertices[static_cast<size_t>(vertex)];
      if (out.row[static_cast<size_t>(a.layer)] != out.row[static_cast<size_t>(b.layer)])
        for (const Point& turn : wrapTurn(out, before, y, nextY)) add(points, turn.x, turn.y);
      before = vertex;
      y = nextY;
    };
    for (const std::int32_t d : out.ways[l]) {
      pass(d, out.vertices[static_cast<size_t>(d)].y);
      add(points, left(d), y);
      add(points, right(d), y);
    }
    const std::int32_t last = out.vertexOf[static_cast<size_t>(link.to)];
    if (out.climb >= 0 && el(link.to).kind == Element::Kind::OutPort) {
      // Ports further down are reached further left, so that no two wires cross.
      const auto& ports = out.layers.back();
      const auto k = static_cast<double>(ports.end() - std::find(ports.begin(), ports.end(), last) - 1);
      add(points, out.climb + 6 * k, y);
      add(points, out.climb + 6 * k, end.y);
      add(points, end.x, end.y);
      return;
    }
    pass(last, end.y);
    add(points, std::min(end.x, left(last)), end.y);
    add(points, end.x, end.y);
  }

  double left(std::int32_t vertex) const { return out.columnLeft[static_cast<size_t>(out.vertices[static_cast<size_t>(vertex)].layer)]; }
  double right(std::int32_t vertex) const { return out.columnRight[static_cast<size_t>(out.vertices[static_cast<size_t>(vertex)].layer)]; }

  // Up into the lane above the row, along it, and down; between rows along the left margin.
  void routeLane(size_t l, Point start, Point end) {
    const Link& link = p.links[l];
    const auto from = static_cast<size_t>(layerOf(link.from)), to = static_cast<size_t>(layerOf(link.to));
    const double rise = (out.laneOf[l] + 0.7) * options.laneGap;
    const double laneA = out.rowTop[static_cast<size_t>(out.row[from])] - rise, laneB = out.rowTop[static_cast<size_t>(out.row[to])] - rise;
    const double xa = out.columnRight[from] + 8, xb = out.columnLeft[to] - 8;
    auto& points = p.links[l].points;
    points = {start, {xa, start.y}, {xa, laneA}};
    if (out.row[from] != out.row[to]) {
      const double margin = out.rowLeft - 8 - out.laneOf[l] * 3;
      points.push_back({margin, laneA});
      points.push_back({margin, laneB});
    }
    points.insert(points.end(), {{xb, laneB}, {xb, end.y}, end});
  }
};

}  // namespace

// Links over the top share a lane if they do not overlap; short ones lie inside. Wires from one port share a lane.
void assignLanes(const ContainerProblem& p, Layers& out) {
  const auto layerOf = [&out](std::int32_t element) { return out.vertices[static_cast<size_t>(out.vertexOf[static_cast<size_t>(element)])].layer; };
  struct Span {
    std::int32_t low, high, link;
  };
  std::vector<Span> spans;
  for (size_t l = 0; l < p.links.size(); ++l) {
    if (!out.lane.empty() && out.lane[l] != 0) {
      const std::int32_t a = layerOf(p.links[l].from), b = layerOf(p.links[l].to);
      spans.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(l)});
    }
  }
  out.laneOf.assign(p.links.size(), -1);
  std::stable_sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.high - a.low < b.high - b.low; });
  std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> lanes;
  std::map<std::pair<std::int32_t, std::int32_t>, int> shared;
  for (const Span& span : spans) {
    const Link& link = p.links[static_cast<size_t>(span.link)];
    const auto key = std::make_pair(link.from, link.port);
    if (const auto it = shared.find(key); it != shared.end() && !link.back) {
      out.laneOf[static_cast<size_t>(span.link)] = it->second;
      lanes[static_cast<size_t>(it->second)].emplace_back(span.low, span.high);
      continue;
    }
    size_t lane = 0;
    const auto overlaps = [&](const std::pair<std::int32_t, std::int32_t>& used) { return used.first <= span.high && span.low <= used.second; };
    while (lane < lanes.size() && lane + 1 < kMaxLanes && std::any_of(lanes[lane].begin(), lanes[lane].end(), overlaps)) ++lane;
    if (lane >= lanes.size()) lanes.emplace_back();
    lanes[lane].emplace_back(span.low, span.high);
    out.laneOf[static_cast<size_t>(span.link)] = static_cast<int>(lane);
    if (!link.back) shared[key] = static_cast<int>(lane);
  }
  out.lanes = static_cast<std::int32_t>(lanes.size());
}

void routeLinks(ContainerProblem& problem, const Options& options, Layers& layers) {
  Routing pass{problem, options, layers};
  pass.placeElements();
  for (size_t l = 0; l < problem.links.size(); ++l) pass.route(l);
  layers.right = pass.width;
  layers.bottom = pass.height;
}

const ContainerMemory::Places* ContainerMemory::recall(std::uint64_t structure) const {
  for (const Entry& entry : entries)
    if (entry.structure == structure) return &entry.places;
  return entries.empty() ? nullptr : &entries.front().places;
}

void ContainerMemory::remember(std::uint64_t structure, Places places) {
  constexpr size_t kStructures = 3;  // open, closed, and the one before the last edit
  entries.erase(std::remove_if(entries.begin(), entries.end(), [structure](const Entry& e) { return e.structure == structure; }), entries.end());
  entries.insert(entries.begin(), {structure, std::move(places)});
  if (entries.size() > kStructures) entries.pop_back();
}

PreparedFlow prepareFlow(ContainerProblem& problem, const Options& options) {
  PreparedFlow flow;
  assignLayers(problem, options, flow.layers);
  flow.structure = flow.layers.vertices.size();
  for (const Vertex& v : flow.layers.vertices) flow.structure += (v.key ^ (static_cast<std::uint64_t>(v.layer) << 48)) * 0x9E3779B97F4A7C15ull;
  return flow;
}

Size finishFlow(ContainerProblem& problem, const Options& options, PreparedFlow& flow, const ContainerMemory::Places* seed, ContainerMemory::Places& learned) {
  Layers& layers = flow.layers;
  orderLayers(problem, options, seed, layers);
  assignCoordinates(problem, options, layers);
  for (const auto& layer : layers.layers)
    for (const std::int32_t i : layer) {
      const Vertex& v = layers.vertices[static_cast<size_t>(i)];
      learned.emplace(v.key, static_cast<float>(v.y));
    }
  assignLanes(problem, layers);
  wrapRows(problem, options, layers.lanes > 0 ? (layers.lanes + 0.5) * options.laneGap : 0, layers);
  routeLinks(problem, options, layers);
  return {layers.right, layers.bottom};
}

Size layoutFlow(ContainerProblem& problem, const Options& options, ContainerMemory* memory) {
  PreparedFlow flow = prepareFlow(problem, options);
  ContainerMemory::Places learned;
  learned.reserve(flow.layers.vertices.size());
  const Size size = finishFlow(problem, options, flow, memory == nullptr ? nullptr : memory->recall(flow.structure), learned);
  if (memory != nullptr) memory->remember(flow.structure, std::move(learned));
  return size;
}

}  // namespace weft::layout
