// A while loop. Its variables are rows: Enter at the left border, Merge, Switch, the body, NextIteration at the right border with Exit beneath it. The wires
// from NextIteration back to Merge are removed before the passes, which makes the rest acyclic, and led around the contents afterwards: those of the upper rows
// along the top, those of the lower ones along the bottom, inner ones closest.
#include <algorithm>
#include <cmath>
#include <limits>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

constexpr double kLabel = 18;              // above the first row: names of the variables
constexpr double kBeside = 10, kStep = 6;  // distance of the vertical pieces from ops, and from each other
constexpr double kAbove = 10, kLane = 9;   // of the horizontal pieces
constexpr double kApart = 8;               // on the edge of a Merge: between its return wire and its input
constexpr size_t kTwice = 4000;            // elements up to which a first layout determines the rows

struct Loop {
  ContainerProblem& whole;
  const Options& options;
  ContainerProblem flow;
  std::vector<std::int32_t> linkOf;  // per link of `flow`: its index in the whole
  std::vector<size_t> returns;       // indexes of links in the whole

  const Element& el(std::int32_t i) const { return flow.elements[static_cast<size_t>(i)]; }
  static bool is(const Element& e, Station s) { return e.kind == Element::Kind::Child && e.station == s; }

  void takeReturnsOut() {
    flow = whole;
    flow.links.clear();
    for (size_t l = 0; l < whole.links.size(); ++l) {
      const Link& link = whole.links[l];
      if (is(whole.elements[static_cast<size_t>(link.from)], Station::Next) && is(whole.elements[static_cast<size_t>(link.to)], Station::Turn)) {
        returns.push_back(l);
        continue;
      }
      linkOf.push_back(static_cast<std::int32_t>(l));
      flow.links.push_back(link);
    }
    // Beneath its Enter, a constant from outside would lie inside the loop.
    for (const Link& link : flow.links) {
      Element& from = flow.elements[static_cast<size_t>(link.from)];
      if (is(from, Station::Outside) && from.role == Role::Parameter && el(link.to).station != Station::Outside) from.role = Role::Flow;
    }
  }

  /// Keeps the ops of each variable in one row, in the order of their Merges in a first layout.
  ContainerMemory::Places rows() {
    std::vector<std::int32_t> turns;
    for (size_t i = 0; i < flow.elements.size(); ++i)
      if (is(flow.elements[i], Station::Turn)) turns.push_back(static_cast<std::int32_t>(i));
    std::stable_sort(turns.begin(), turns.end(), [this](std::int32_t a, std::int32_t b) { return el(a).y < el(b).y; });
    std::vector<float> row(flow.elements.size(), -1);
    for (size_t k = 0; k < turns.size(); ++k) row[static_cast<size_t>(turns[k])] = static_cast<float>(k * 4);
    for (const size_t l : returns) row[static_cast<size_t>(whole.links[l].from)] = row[static_cast<size_t>(whole.links[l].to)];
    for (const Link& link : flow.links) {
      const auto from = static_cast<size_t>(link.from), to = static_cast<size_t>(link.to);
      if (is(el(link.from), Station::Entry) && is(el(link.to), Station::Turn)) row[from] = row[to];
      if (is(el(link.from), Station::Turn) && is(el(link.to), Station::Split)) row[to] = row[from];
    }
    for (const Link& link : flow.links)
      if (is(el(link.from), Station::Split) && is(el(link.to), Station::Exit) && row[static_cast<size_t>(link.from)] >= 0)
        row[static_cast<size_t>(link.to)] = row[static_cast<size_t>(link.from)] + 1;
    ContainerMemory::Places places;
    for (size_t i = 0; i < row.size(); ++i)
      if (row[i] >= 0) places.emplace(flow.elements[i].key, row[i]);
    return places;
  }

  Size layoutRows(ContainerMemory* memory) {
    if ((memory != nullptr && !memory->entries.empty()) || flow.elements.size() > kTwice) return layoutFlow(flow, options, memory);
    ContainerProblem first = flow;
    std::swap(first, flow);
    layoutFlow(flow, options, nullptr);
    ContainerMemory seeded;
    seeded.remember(0, rows());
    std::swap(first, flow);
    const Size size = layoutFlow(flow, options, &seeded);
    if (memory != nullptr) memory->remember(seeded.entries.front().structure, seeded.entries.front().places);
    return size;
  }

  /// Moves everything at or right of `x`.
  void widenAt(double x, double by) {
    for (Element& e : flow.elements)
      if (e.x >= x) e.x += by;
    for (Link& link : flow.links)
      for (Point& p : link.points)
        if (p.x >= x) p.x += by;
  }

  struct Return {
    size_t link;
    int number = 0;  // index on its side, from the inside
    bool top = true;
  };

  /// The drawn return wires, split between top and bottom.
  std::vector<Return> sides() const {
    std::vector<Return> all;
    for (const size_t l : returns)
      if (!whole.links[l].hidden) all.push_back({l});
    std::stable_sort(all.begin(), all.end(), [this](const Return& a, const Return& b) { return el(whole.links[a.link].to).y < el(whole.links[b.link].to).y; });
    const size_t upper = (all.size() + 1) / 2;
    for (size_t i = 0; i < all.size(); ++i) {
      all[i].top = i < upper;
      all[i].number = static_cast<int>(i < upper ? i : all.size() - 1 - i);
    }
    return all;
  }

  void extents(double& top, double& bottom) const {
    top = std::numeric_limits<double>::max();
    bottom = 0;
    for (const Element& e : flow.elements)
      if (e.kind == Element::Kind::Child && !e.shelved) top = std::min(top, e.y - e.above), bottom = std::max(bottom, e.y + e.below);
    for (const Link& link : flow.links)
      if (!link.quiet)
        for (const Point& p : link.points) top = std::min(top, p.y), bottom = std::max(bottom, p.y);
    if (top > bottom) top = bottom;
  }

  /// Extends the range to whole columns.
  void wholeColumns(double& left, double& right) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Element& e : flow.elements) {
        if (e.kind != Element::Kind::Child || e.shelved) continue;
        const double begin = e.x, end = e.x + e.width;
        if (begin < left && left < end) left = begin, changed = true;
        if (begin < right && right < end) right = end, changed = true;
      }
    }
  }

  void routeReturns(Size& size) {
    const std::vector<Return> all = sides();
    const auto upper = static_cast<int>(std::count_if(all.begin(), all.end(), [](const Return& r) { return r.top; }));
    const auto lower = static_cast<int>(all.size()) - upper;
    double right = 0, left = std::numeric_limits<double>::max(), top = 0, bottom = 0;
    for (const Element& e : flow.elements) {
      if (is(e, Station::Next) || is(e, Station::Exit)) right = std::max(right, e.x + e.width);
      if (is(e, Station::Turn)) left = std::min(left, e.x);
    }
    wholeColumns(left, right);
    const double room = all.empty() ? 0 : kBeside + kStep * std::max(upper, lower);
    if (room > 0) {
      widenAt(right + 0.5, room);
      widenAt(left - 0.5, room);
      right += room;
      left += room;
      size.w += 2 * room;
    }
    extents(top, bottom);
    const double shift = std::round(kLabel + (upper > 0 ? kLane * upper : 0));
    for (Element& e : flow.elements) e.y += shift;
    for (Link& link : flow.links)
      for (Point& p : link.points) p.y += shift;
    for (const Return& r : all) {
      Link& link = whole.links[r.link];
      const Element &a = el(link.from), &b = el(link.to);
      const double level = r.top ? std::round(top + shift - kLabel + kAbove - kLane * (r.number + 1)) : std::round(bottom + shift + kAbove + kLane * r.number);
      const double out = right + kBeside + kStep * r.number, in = left - kBeside - kStep * r.number;
      if (!link.fixedTo) link.toDy = (r.top ? -1 : 1) * std::min(kApart, std::max(0.0, std::min(b.above, b.below) - 8));
      const double from = a.y + link.fromDy, to = b.y + link.toDy;
      link.joint = Joint::Corners;
      link.back = true;
      link.quiet = false;
      link.points = {{a.x + a.width, from}, {out, from}, {out, level}, {in, level}, {in, to}, {b.x, to}};
    }
    size.h = std::max(size.h + shift, lower > 0 ? std::round(bottom + shift + kAbove + kLane * lower + whole.footer) : 0);
  }

  void takeBack() {
    for (size_t i = 0; i < flow.elements.size(); ++i) {
      Element& e = whole.elements[i];
      e.x = flow.elements[i].x;
      e.y = flow.elements[i].y;
      e.shelved = flow.elements[i].shelved;
    }
    for (size_t l = 0; l < flow.links.size(); ++l) whole.links[static_cast<size_t>(linkOf[l])] = std::move(flow.links[l]);
    for (const size_t l : returns) {
      Link& link = whole.links[l];
      if (!link.hidden) continue;
      const Element &a = whole.elements[static_cast<size_t>(link.from)], &b = whole.elements[static_cast<size_t>(link.to)];
      link.quiet = link.back = true;
      link.points = {{a.x + a.width, a.y + link.fromDy}, {b.x, b.y + link.toDy}};
    }
  }

  Size run(ContainerMemory* memory) {
    takeReturnsOut();
    Size size = layoutRows(memory);
    routeReturns(size);
    takeBack();
    putOutPorts(whole, size.w);
    return size;
  }
};

}  // namespace

void putOutPorts(ContainerProblem& problem, double width) {
  for (Element& e : problem.elements)
    if (e.kind == Element::Kind::OutPort) e.x = width;
  for (Link& link : problem.links)
    if (!link.points.empty() && problem.elements[static_cast<size_t>(link.to)].kind == Element::Kind::OutPort) link.points.back().x = width;
}

Size layoutLoop(ContainerProblem& problem, const Options& options, ContainerMemory* memory) { return Loop{problem, options, {}, {}, {}}.run(memory); }

void alignBorders(const ContainerProblem& p, const std::vector<std::int32_t>& order, const std::vector<std::vector<std::int32_t>>& next,
                  std::vector<std::int32_t>& layer) {
  const auto el = [&](std::int32_t i) -> const Element& { return p.elements[static_cast<size_t>(i)]; };
  const auto at = [&](std::int32_t i) -> std::int32_t& { return layer[static_cast<size_t>(i)]; };
  const auto isOfLoop = [&](std::int32_t i) { return el(i).kind == Element::Kind::Child && el(i).station != Station::Outside; };
  const auto ends = [&](std::int32_t i) { return isOfLoop(i) && (el(i).station == Station::Next || el(i).station == Station::Exit); };
  // Elements outside the loop that do not depend on it stand before it.
  std::vector<char> after(p.elements.size(), 0);
  std::vector<std::int32_t> low(p.elements.size(), 0);
  std::int32_t first = 0;
  bool enters = false;
  for (const std::int32_t v : order) {
    const auto i = static_cast<size_t>(v);
    if (el(v).kind == Element::Kind::OutPort) continue;
    if (el(v).kind == Element::Kind::Child) low[i] = std::max(low[i], 1);
    if (isOfLoop(v)) after[i] = 1;
    enters = enters || (isOfLoop(v) && el(v).station == Station::Entry);
    first = std::max(first, after[i] ? (el(v).station == Station::Entry ? low[i] : 1) : low[i] + 1);
    for (const std::int32_t l : next[i]) {
      const auto to = static_cast<size_t>(p.links[static_cast<size_t>(l)].to);
      after[to] = after[to] != 0 || after[i] != 0;
      low[to] = std::max(low[to], low[i] + 1);
    }
  }
  if (!enters) return;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const auto i = static_cast<size_t>(*it);
    if (after[i] != 0 || el(*it).kind != Element::Kind::Child) continue;
    at(*it) = first - 1;
    for (const std::int32_t l : next[i])
      if (const auto to = p.links[static_cast<size_t>(l)].to; after[static_cast<size_t>(to)] == 0) at(*it) = std::min(at(*it), at(to) - 1);
  }
  std::int32_t last = first;
  for (const std::int32_t v : order) {
    if (isOfLoop(v)) at(v) = std::max(at(v), el(v).station == Station::Entry ? first : first + 1);
    for (const std::int32_t l : next[static_cast<size_t>(v)]) {
      const std::int32_t to = p.links[static_cast<size_t>(l)].to;
      at(to) = std::max(at(to), at(v) + 1);
    }
    if (isOfLoop(v)) last = std::max(last, ends(v) ? at(v) : at(v) + 1);
  }
  std::int32_t most = last;
  for (const std::int32_t v : order) {
    if (ends(v)) at(v) = std::max(at(v), last);
    for (const std::int32_t l : next[static_cast<size_t>(v)]) {
      const std::int32_t to = p.links[static_cast<size_t>(l)].to;
      at(to) = std::max(at(to), at(v) + 1);
    }
    if (el(v).kind != Element::Kind::OutPort) most = std::max(most, at(v));
  }
  for (const std::int32_t v : order)
    if (el(v).kind == Element::Kind::OutPort) at(v) = most + 1;
}

}  // namespace weft::layout
