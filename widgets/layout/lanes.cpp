// A conditional in four parts: at the left its inputs and Switches, in the middle two lanes, the upper one for the true branch, at the right the Merges and
// everything after. Each part is laid out as a separate flow; where a wire passes from one to the next, both have a port, and the wire is assembled from its
// pieces.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

constexpr double kBetween = 52;  // columns in which wires run between ports
constexpr double kLabel = 18;    // above each lane: its name
constexpr double kLanes = 24;    // between the lanes
constexpr double kInLane = 12;
constexpr double kBeside = 8, kStep = 5;  // distance of wires between the lanes from ops, and from each other
constexpr size_t kMostAcross = 8;         // maximum number of such wires

enum Part { kLeft, kTrue, kFalse, kRight, kParts };

struct Lanes {
  ContainerProblem& whole;
  const Options& options;
  std::vector<std::int32_t> part;      // per element
  std::vector<std::int32_t> numberIn;  // per element: its index in its part
  ContainerProblem parts[kParts];
  std::vector<size_t> elementIn[kParts];
  struct Piece {
    std::int32_t part, link;
  };
  std::vector<std::vector<Piece>> pieces;  // per link
  // A port at the left or right edge of a part, for wires that leave `from` by `port` through `lane`.
  std::map<std::tuple<std::int32_t, bool, std::int32_t, std::int32_t, std::int32_t>, std::int32_t> ports;
  Size sizes[kParts];

  const Element& el(std::int32_t i) const { return whole.elements[static_cast<size_t>(i)]; }
  static bool isLane(std::int32_t p) { return p == kTrue || p == kFalse; }
  static bool isRoute(std::int32_t a, std::int32_t b) { return a == b || (a == kLeft) || (isLane(a) && b == kRight); }

  /// Extends the marks to everything reachable from marked elements, forwards or backwards.
  void spread(std::vector<char>& marked, bool forward) const {
    std::vector<std::vector<std::int32_t>> next(whole.elements.size());
    for (const Link& link : whole.links)
      if (!link.hidden) next[static_cast<size_t>(forward ? link.from : link.to)].push_back(forward ? link.to : link.from);
    std::vector<std::int32_t> stack;
    for (size_t i = 0; i < marked.size(); ++i)
      if (marked[i] != 0) stack.push_back(static_cast<std::int32_t>(i));
    while (!stack.empty()) {
      const auto at = static_cast<size_t>(stack.back());
      stack.pop_back();
      for (const std::int32_t to : next[at])
        if (marked[static_cast<size_t>(to)] == 0) marked[static_cast<size_t>(to)] = 1, stack.push_back(to);
    }
  }

  void chooseParts() {
    const size_t n = whole.elements.size();
    part.assign(n, -1);
    std::vector<char> after(n, 0), before(n, 0);
    for (size_t i = 0; i < n; ++i) {
      const Element& e = whole.elements[i];
      if (e.kind == Element::Kind::InPort) part[i] = kLeft;
      else if (e.kind == Element::Kind::OutPort || e.station == Station::Join || e.role == Role::Aside) part[i] = kRight;
      else if (e.station == Station::WhenTrue) part[i] = kTrue;
      else if (e.station == Station::WhenFalse) part[i] = kFalse;
      else if (e.station == Station::Split || e.station == Station::SplitFalse) part[i] = kLeft;
      after[i] = part[i] == kTrue || part[i] == kFalse || e.station == Station::Join;
      before[i] = isLane(part[i]) || (e.kind == Element::Kind::Child && part[i] == kLeft);
    }
    // A constant that only one lane reads lies in that lane.
    std::vector<std::int32_t> reader(n, -1);
    for (const Link& link : whole.links) {
      if (link.hidden || link.kind == EdgeKind::Control) continue;
      auto& r = reader[static_cast<size_t>(link.from)];
      const std::int32_t to = part[static_cast<size_t>(link.to)];
      r = r == -1 || r == to ? to : -2;
    }
    for (size_t i = 0; i < n; ++i)
      if (part[i] < 0 && whole.elements[i].role == Role::Parameter && isLane(reader[i])) part[i] = reader[i];
    spread(after, true);
    spread(before, false);
    for (size_t i = 0; i < n; ++i)
      if (part[i] < 0) part[i] = after[i] != 0 || before[i] == 0 ? kRight : kLeft;
  }

  /// Whether a link leads from one lane to the other: a Switch of an enclosing conditional is created at its first reader and serves both branches.
  bool isAcross(const Link& link) const {
    const std::int32_t a = part[static_cast<size_t>(link.from)], b = part[static_cast<size_t>(link.to)];
    return !link.hidden && isLane(a) && isLane(b) && a != b;
  }
  bool isPossible() const {
    return std::all_of(whole.links.begin(), whole.links.end(),
                       [this](const Link& link) {
                         return link.hidden || link.weak || isAcross(link) || isRoute(part[static_cast<size_t>(link.from)], part[static_cast<size_t>(link.to)]);
                       }) &&
           static_cast<size_t>(std::count_if(whole.links.begin(), whole.links.end(), [this](const Link& link) { return isAcross(link); })) <= kMostAcross;
  }

  std::int32_t addElement(std::int32_t p, Element e) {
    parts[p].elements.push_back(e);
    return static_cast<std::int32_t>(parts[p].elements.size()) - 1;
  }

  /// The port of part `p` at its right (`out`) or left edge.
  std::int32_t portOf(std::int32_t p, bool out, std::int32_t lane, const Link& link) {
    const auto [it, isNew] = ports.try_emplace({p, out, lane, link.from, link.port}, -1);
    if (isNew) {
      Element e;
      e.kind = out ? Element::Kind::OutPort : Element::Kind::InPort;
      e.key = (el(link.from).key * 0x9E3779B97F4A7C15ull) ^
              (link.portKey * 8 + static_cast<std::uint64_t>(p) * 2 + (out ? 1 : 0) + (static_cast<std::uint64_t>(lane) << 60));
      it->second = addElement(p, e);
    }
    return it->second;
  }

  void addPiece(size_t l, std::int32_t p, std::int32_t from, std::int32_t to, bool first, bool last) {
    Link piece = whole.links[l];
    piece.from = from;
    piece.to = to;
    if (!first) piece.fixedFrom = false, piece.fromDy = 0, piece.labelWidth = 0;
    if (!last) piece.fixedTo = false, piece.toDy = 0;
    pieces[l].push_back({p, static_cast<std::int32_t>(parts[p].links.size())});
    parts[p].links.push_back(piece);
  }

  void cut() {
    numberIn.assign(whole.elements.size(), -1);
    for (size_t i = 0; i < whole.elements.size(); ++i) {
      elementIn[part[i]].push_back(i);
      numberIn[i] = addElement(part[i], whole.elements[i]);
    }
    for (ContainerProblem& p : parts) p.padding = p.header = p.footer = 0;
    pieces.assign(whole.links.size(), {});
    for (size_t l = 0; l < whole.links.size(); ++l) {
      const Link& link = whole.links[l];
      const std::int32_t a = part[static_cast<size_t>(link.from)], b = part[static_cast<size_t>(link.to)];
      const std::int32_t from = numberIn[static_cast<size_t>(link.from)], to = numberIn[static_cast<size_t>(link.to)];
      if (a == b) {
        addPiece(l, a, from, to, true, true);
        continue;
      }
      if (link.hidden || !isRoute(a, b)) continue;
      const std::int32_t lane = isLane(a) ? a : isLane(b) ? b : el(link.from).station == Station::SplitFalse ? kFalse : kTrue;
      if (a == kLeft) addPiece(l, kLeft, from, portOf(kLeft, true, lane, link), true, false);
      const std::int32_t begin = isLane(a) ? from : portOf(lane, false, lane, link);
      const std::int32_t end = isLane(b) ? to : portOf(lane, true, lane, link);
      addPiece(l, lane, begin, end, isLane(a), isLane(b));
      if (b == kRight) addPiece(l, kRight, portOf(kRight, false, lane, link), to, false, true);
    }
  }

  /// The y of one part's ports as in the lanes, used for their other ends.
  ContainerMemory likeLanes(std::int32_t p, bool out, double falseTop) const {
    ContainerMemory::Places places;
    for (const auto& [key, number] : ports) {
      const auto& [at, isOut, lane, from, port] = key;
      if (at != p || isOut != out) continue;
      const auto other = ports.find({lane, !out, lane, from, port});
      if (other == ports.end()) continue;
      const double y = parts[lane].elements[static_cast<size_t>(other->second)].y + (lane == kFalse ? falseTop : 0);
      places.emplace(parts[p].elements[static_cast<size_t>(number)].key, static_cast<float>(y));
    }
    ContainerMemory memory;
    if (!places.empty()) memory.remember(0, std::move(places));
    return memory;
  }

  ContainerMemory known(std::int32_t p, const ContainerMemory* memory) const {
    ContainerMemory out;
    if (memory == nullptr || memory->entries.empty()) return out;
    ContainerMemory::Places places;
    for (const Element& e : parts[p].elements)
      if (const auto it = memory->entries.front().places.find(e.key); it != memory->entries.front().places.end()) places.emplace(*it);
    if (!places.empty()) out.remember(0, std::move(places));
    return out;
  }

  /// The average vertical offset of a part's ports from those of the lanes.
  double offsetOf(std::int32_t p, bool out, double falseTop) const {
    double sum = 0;
    int count = 0;
    for (const auto& [key, number] : ports) {
      const auto& [at, isOut, lane, from, port] = key;
      if (at != p || isOut != out) continue;
      const auto other = ports.find({lane, !out, lane, from, port});
      if (other == ports.end()) continue;
      sum += parts[lane].elements[static_cast<size_t>(other->second)].y + (lane == kFalse ? falseTop : 0) - parts[p].elements[static_cast<size_t>(number)].y;
      ++count;
    }
    return count == 0 ? falseTop / 2 : std::round(sum / count);
  }

  void layoutAll(const ContainerMemory* memory, Point (&at)[kParts]) {
    for (const std::int32_t p : {kTrue, kFalse}) {
      ContainerMemory seeds = known(p, memory);
      sizes[p] = layoutFlow(parts[p], options, &seeds);
    }
    const double falseTop = sizes[kTrue].h + kLanes + kLabel;
    for (const std::int32_t p : {kLeft, kRight}) {
      ContainerMemory seeds = likeLanes(p, p == kLeft, falseTop);
      sizes[p] = layoutFlow(parts[p], options, &seeds);
    }
    const bool inPorts = std::any_of(whole.elements.begin(), whole.elements.end(), [](const Element& e) { return e.kind == Element::Kind::InPort; });
    const double lanesLeft = (inPorts ? 0 : whole.padding) + sizes[kLeft].w + kBetween, laneWidth = std::max(sizes[kTrue].w, sizes[kFalse].w);
    at[kTrue] = {std::round(lanesLeft), kLabel};
    at[kFalse] = {std::round(lanesLeft), kLabel + falseTop};
    at[kLeft] = {inPorts ? 0 : whole.padding, kLabel + offsetOf(kLeft, true, falseTop)};
    at[kRight] = {std::round(lanesLeft + laneWidth + kBetween), kLabel + offsetOf(kRight, false, falseTop)};
    double top = 0;
    for (std::int32_t p = 0; p < kParts; ++p)
      if (!parts[p].elements.empty()) top = std::min(top, at[p].y);
    for (Point& p : at) p.y += std::round(whole.header + whole.padding - top);
    for (const std::int32_t p : {kTrue, kFalse})
      for (Element& e : parts[p].elements)
        if (e.kind == Element::Kind::OutPort && e.x < laneWidth) e.x = laneWidth;
  }

  /// Appends the points of each piece to its wire, including the way to the next part's port.
  void joinWires(const Point (&at)[kParts]) {
    for (size_t l = 0; l < whole.links.size(); ++l) {
      Link& link = whole.links[l];
      const Link before = link;
      link.points.clear();
      for (const Piece& piece : pieces[l]) {
        const Link& p = parts[piece.part].links[static_cast<size_t>(piece.link)];
        const Point& origin = at[piece.part];
        if (link.points.empty()) link.fromDy = p.fromDy, link.joint = p.joint, link.quiet = p.quiet, link.back = p.back;
        link.quiet = link.quiet || p.quiet;
        link.spine = link.spine || p.spine;
        link.toDy = p.toDy;
        for (const Point& point : p.points) link.points.push_back({point.x + origin.x, point.y + origin.y});
        // The narrower lane ends before the wider one.
        const Element& end = parts[piece.part].elements[static_cast<size_t>(p.to)];
        if (end.kind == Element::Kind::OutPort && isLane(piece.part)) link.points.push_back({end.x + origin.x, end.y + origin.y});
      }
      if (!pieces[l].empty() && !link.quiet) continue;
      const Element &a = el(link.from), &b = el(link.to);
      if (pieces[l].empty()) link.fromDy = before.fromDy, link.toDy = before.toDy;
      link.quiet = true;
      link.joint = Joint::Curve;
      link.points = {{a.x + a.width, a.y + link.fromDy}, {b.x, b.y + link.toDy}};
    }
  }

  /// Routes out of the source's column, up or down to the gap between the lanes, and along it to the target's column.
  void routeAcross(const Point (&at)[kParts]) {
    const double gap = at[kFalse].y - kLabel - kLanes / 2;
    int number = 0;
    for (Link& link : whole.links) {
      if (!isAcross(link)) continue;
      const Element &a = el(link.from), &b = el(link.to);
      double out = a.x + a.width, in = b.x;
      for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < whole.elements.size(); ++i) {
          const Element& e = whole.elements[i];
          if (e.kind != Element::Kind::Child || !isLane(part[i])) continue;
          const double end = e.x + e.width;
          if (part[i] == part[static_cast<size_t>(link.from)] && e.x < out && out < end) out = end, changed = true;
          if (part[i] == part[static_cast<size_t>(link.to)] && e.x < in && in < end) in = e.x, changed = true;
        }
      }
      out += kBeside + kStep * number;
      in -= kBeside + kStep * number;
      const double y = std::round(gap - kStep * number), from = a.y + link.fromDy, to = b.y + link.toDy;
      link.quiet = false;
      link.joint = Joint::Corners;
      link.points = {{a.x + a.width, from}, {out, from}, {out, y}, {in, y}, {in, to}, {b.x, to}};
      number = (number + 1) % 4;
    }
  }

  Size run(ContainerMemory* memory) {
    cut();
    Point at[kParts];
    layoutAll(memory, at);
    Size size{whole.minWidth, 0};
    bool outPorts = false;
    for (std::int32_t p = 0; p < kParts; ++p)
      for (size_t i = 0; i < elementIn[p].size(); ++i) {
        const Element& placed = parts[p].elements[static_cast<size_t>(numberIn[elementIn[p][i]])];
        Element& e = whole.elements[elementIn[p][i]];
        e.x = placed.x + at[p].x;
        e.y = placed.y + at[p].y;
        e.shelved = placed.shelved;
        outPorts = outPorts || e.kind == Element::Kind::OutPort;
        if (e.kind == Element::Kind::Child) size.w = std::max(size.w, e.x + e.width + whole.padding);
        size.h = std::max(size.h, e.y + e.below);
      }
    joinWires(at);
    routeAcross(at);
    for (const Link& link : whole.links)
      if (!link.quiet)
        for (const Point& p : link.points) size.h = std::max(size.h, p.y);
    size.w = std::max(size.w, at[kRight].x + sizes[kRight].w + (outPorts ? 0 : whole.padding));
    size.h += kInLane + whole.footer;
    putOutPorts(whole, size.w);
    if (memory != nullptr) {
      ContainerMemory::Places places;
      for (const ContainerProblem& p : parts)
        for (const Element& e : p.elements) places.emplace(e.key, static_cast<float>(e.y));
      memory->remember(whole.elements.size(), std::move(places));
    }
    return size;
  }
};

}  // namespace

bool layoutLanes(ContainerProblem& problem, const Options& options, ContainerMemory* memory, Size& size) {
  Lanes lanes{problem, options, {}, {}, {}, {}, {}, {}, {}};
  lanes.chooseParts();
  if (!lanes.isPossible()) return false;
  size = lanes.run(memory);
  return true;
}

}  // namespace weft::layout
