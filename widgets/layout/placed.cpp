// Keeps items in place: those placed by hand, and after an edit all that existed before.
//
// All places here are "closed" ones: where an item would lie if no preceding scope had been opened since it was placed. A scope that is now larger than then
// pushes items beside it to the right by its gain in width, and everything beneath it down by its gain in height. The push depends only on the two sizes, so
// closing the scope restores everything to the pixel.
#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/container_layout.h"
#include "layout/new_places.h"

namespace weft::layout {
namespace {

constexpr double kSame = 0.5, kClearance = 12, kOpenHeight = 96;                   // open scopes are at least that high
constexpr std::uint64_t kLeft = 0, kTop = 1, kRight = 2, kBottom = 3, kSides = 4;  // keys among the ports: the margins of an open scope
constexpr size_t kMostLeaves = 1000;                                               // maximum leaves whose sizes are checked one by one

std::uint64_t combine(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9E3779B97F4A7C15ull + (a << 6) + (a >> 2);
  return a * 0xBF58476D1CE4E5B9ull;
}

bool overlap(const Box& a, const Box& b, double gap) {
  return a.x < b.right() + gap && b.x < a.right() + gap && a.y < b.bottom() + gap && b.y < a.bottom() + gap;
}

bool sameSize(const Box& a, const Box& b) { return std::abs(a.w - b.w) < kSame && std::abs(a.h - b.h) < kSame; }

struct Placing {
  ContainerProblem& p;
  const Options& options;
  const std::vector<Pin>& pins;
  ContainerMemory* memory;
  std::vector<Box> automatic, reference, now;  // from the passes; as placed by hand or kept; the result
  std::vector<char> fixed;
  bool any = false, kept = false;

  size_t count() const { return p.elements.size(); }
  bool isChild(size_t i) const { return p.elements[i].kind == Element::Kind::Child; }

  static Box boxOf(const Element& e) { return {e.x, e.y - e.above, e.width, e.above + e.below}; }

  std::uint64_t linkKey(const Link& link) const {
    const std::uint64_t ends = combine(p.elements[static_cast<size_t>(link.from)].key, p.elements[static_cast<size_t>(link.to)].key);
    return combine(combine(ends, link.portKey), static_cast<std::uint64_t>(link.kind));
  }

  /// Whether the container is kept; marks it as kept from now on if an edit has changed its contents.
  bool isKept() const {
    if (memory == nullptr || memory->kept.empty()) return false;
    if (options.keep && !memory->edited) {
      size_t children = 0, wires = 0;
      bool same = true;
      for (size_t i = 0; i < count() && same; ++i)
        if (isChild(i)) same = memory->kept.count(p.elements[i].key) != 0, ++children;
      for (const Link& link : p.links)
        if (same && !link.hidden && link.points.size() >= 2) same = memory->links.count(linkKey(link)) != 0, ++wires;
      if (!same || children != memory->kept.size() || wires != memory->links.size()) memory->edited = true;
    }
    return options.keep || memory->edited;
  }

  void recall() {
    kept = isKept();
    automatic.resize(count());
    fixed.assign(count(), 0);
    for (size_t i = 0; i < count(); ++i) automatic[i] = boxOf(p.elements[i]);
    reference = now = automatic;
    for (size_t i = 0; i < count(); ++i) {
      if (!isChild(i)) continue;
      const KeptBox* known = nullptr;
      if (memory != nullptr)
        if (const auto it = memory->kept.find(p.elements[i].key); it != memory->kept.end()) known = &it->second;
      if (pins[i].set) {
        const Box size = known != nullptr ? known->box : automatic[i];
        reference[i] = {pins[i].x, pins[i].y, size.w, size.h};
      } else if (kept && known != nullptr && known->byHand) {
        // Not pinned any more (a move was undone): back to its previous place.
        reference[i] = {known->before.x, known->before.y, known->box.w, known->box.h};
      } else if (kept && known != nullptr) {
        reference[i] = known->box;
      } else {
        continue;
      }
      fixed[i] = 1;
      any = true;
    }
  }

  double gapRightOf(size_t s) const {
    double gap = 1e18;
    for (size_t i = 0; i < count(); ++i)
      if (i != s && fixed[i] && reference[i].x >= reference[s].right() - 1 && reference[i].bottom() > reference[s].y && reference[i].y < reference[s].bottom())
        gap = std::min(gap, reference[i].x - reference[s].right());
    return gap;
  }
  double gapBelow(size_t s) const {
    double gap = 1e18;
    for (size_t i = 0; i < count(); ++i)
      if (i != s && fixed[i] && reference[i].y >= reference[s].bottom() - 1 && reference[i].right() > reference[s].x && reference[i].x < reference[s].right())
        gap = std::min(gap, reference[i].y - reference[s].bottom());
    return gap;
  }

  /// A scope whose size has changed since it was placed, and its push.
  struct Push {
    size_t by;
    double dx, dy;
    /// The shift of an item while the item has its old size.
    Point of(const Box& box, const Box& was) const {
      if (box.y >= was.bottom() - 1) return {0, dy};
      return {box.x >= was.right() - 1 && box.bottom() > was.y ? dx : 0, 0};
    }
  };
  std::vector<Push> pushes = {};

  // Scopes that grew since they were placed push others aside; those that shrank let them return.
  void makeRoom() {
    for (size_t i = 0; i < count(); ++i)
      if (fixed[i]) now[i] = {reference[i].x, reference[i].y, automatic[i].w, automatic[i].h};
    size_t leaves = 0;
    for (size_t s = 0; s < count(); ++s) {
      if (!fixed[s] || sameSize(reference[s], automatic[s])) continue;
      const Box& was = reference[s];
      double dx = automatic[s].w - was.w, dy = automatic[s].h - was.h;
      if (std::max(was.h, automatic[s].h) < kOpenHeight) {
        // A leaf with another name, value or font, not an opened scope: it grows into the gap while there is one.
        if (++leaves > kMostLeaves) continue;
        if (dx < gapRightOf(s) - kClearance) dx = 0;
        if (dy < gapBelow(s) - kClearance) dy = 0;
      }
      pushes.push_back({s, dx, dy});
      for (size_t i = 0; i < count(); ++i) {
        if (i == s || !fixed[i]) continue;
        const Point by = pushes.back().of(reference[i], was);
        now[i].x += by.x;
        now[i].y += by.y;
      }
    }
  }

  /// The closed place of an item that was given a place beside open scopes.
  Box closedPlace(size_t i) const {
    Box closed = now[i];
    for (const Push& push : pushes) {
      const Point by = push.of(now[i], now[push.by]);
      closed.x -= by.x;
      closed.y -= by.y;
    }
    // An item that would not be pushed back to its present place stays.
    Box opened = closed;
    for (const Push& push : pushes) {
      const Point by = push.of(closed, reference[push.by]);
      opened.x += by.x;
      opened.y += by.y;
    }
    const bool comesBack = std::abs(opened.x - now[i].x) < kSame && std::abs(opened.y - now[i].y) < kSame;
    return comesBack ? closed : now[i];
  }

  // Items without a place: beside a few pins they keep the passes' places, in a kept drawing they go near their neighbours.
  void placeNew() {
    if (kept) placeBesideNeighbours(p, options, automatic, fixed, now);
    else placeBesidePins();
    for (size_t i = 0; i < count(); ++i)
      if (!fixed[i] && isChild(i)) reference[i] = closedPlace(i);
  }

  void placeBesidePins() {
    std::vector<size_t> placed;
    for (size_t i = 0; i < count(); ++i)
      if (fixed[i]) placed.push_back(i);
    for (size_t i = 0; i < count(); ++i) {
      if (fixed[i] || !isChild(i)) continue;
      Box box = automatic[i];
      for (int tries = 0; tries < 400; ++tries) {
        const auto hit = std::find_if(placed.begin(), placed.end(), [&](size_t o) { return overlap(box, now[o], kClearance); });
        if (hit == placed.end()) break;
        box.y = std::ceil(now[*hit].bottom() + std::max(kClearance, options.gapY));
      }
      now[i] = box;
      placed.push_back(i);
    }
  }

  // Moves the ends of the wires with their boxes. A route whose ends moved equally is moved whole; otherwise it becomes one curve.
  void moveWireEnds() {
    for (Link& link : p.links) {
      if (link.points.size() < 2) continue;
      const auto from = static_cast<size_t>(link.from), to = static_cast<size_t>(link.to);
      Box fromWas = automatic[from], toWas = automatic[to];
      if (kept && !link.hidden) {
        const auto it = memory->links.find(linkKey(link));
        if (it != memory->links.end() && sameSize(it->second.from, now[from]) && sameSize(it->second.to, now[to]) && it->second.points.size() >= 2) {
          link.points = it->second.points;
          link.joint = it->second.joint;
          link.quiet = it->second.quiet;
          link.back = it->second.back;
          fromWas = it->second.from;
          toWas = it->second.to;
        }
      }
      const Point a{now[from].x - fromWas.x, now[from].y - fromWas.y}, b{now[to].x - toWas.x, now[to].y - toWas.y};
      if (std::abs(a.x - b.x) < kSame && std::abs(a.y - b.y) < kSame) {
        for (Point& point : link.points) point = {point.x + a.x, point.y + a.y};
        continue;
      }
      const Point first{link.points.front().x + a.x, link.points.front().y + a.y};
      const Point last{link.points.back().x + b.x, link.points.back().y + b.y};
      // A parameter that is no longer beneath its reader sends its wire from its side.
      if (link.joint == Joint::Vertical && first.y > last.y) {
        link.points = {first, last};
        continue;
      }
      if (last.x >= first.x + 8) {
        link.joint = Joint::Curve;
        link.points = {first, last};
        continue;
      }
      // Backwards: around, through the gap between the two if there is one, otherwise beneath both.
      constexpr double kOut = 20;
      const double gapTop = std::min(now[from].bottom(), now[to].bottom()), gapBottom = std::max(now[from].y, now[to].y);
      const double y = gapBottom - gapTop >= 16 ? std::round((gapTop + gapBottom) / 2) : std::max(now[from].bottom(), now[to].bottom()) + kOut;
      link.joint = Joint::Corners;
      link.points = {first, {first.x + kOut, first.y}, {first.x + kOut, y}, {last.x - kOut, y}, {last.x - kOut, last.y}, last};
    }
  }

  // Edge ports lie at the height where their wires leave or arrive inside.
  void movePorts(double left, double right) {
    const std::vector<double> was = heightsBesidePorts(automatic), is = heightsBesidePorts(now);
    double lastIn = -1e18, lastOut = -1e18;
    std::vector<size_t> ports;
    for (size_t i = 0; i < count(); ++i)
      if (!isChild(i)) ports.push_back(i);
    const auto wanted = [&](size_t i) {
      if (kept)
        if (const auto it = memory->ports.find(p.elements[i].key); it != memory->ports.end()) return is[i] + static_cast<double>(it->second);
      return automatic[i].y + is[i] - was[i];
    };
    std::stable_sort(ports.begin(), ports.end(), [&](size_t a, size_t b) { return wanted(a) < wanted(b); });
    for (const size_t i : ports) {
      const bool in = p.elements[i].kind == Element::Kind::InPort;
      double& last = in ? lastIn : lastOut;
      last = std::max(std::round(wanted(i)), last + options.portSpacing);
      now[i].y = last;
      now[i].x = in != p.mirrored ? left : right;
    }
  }

  /// Per port: the mean height of the items that it is wired to.
  std::vector<double> heightsBesidePorts(const std::vector<Box>& boxes) const {
    std::vector<double> sum(count(), 0);
    std::vector<int> wires(count(), 0);
    for (const Link& link : p.links) {
      const auto from = static_cast<size_t>(link.from), to = static_cast<size_t>(link.to);
      if (!isChild(from) && isChild(to)) sum[from] += boxes[to].y, ++wires[from];
      if (!isChild(to) && isChild(from)) sum[to] += boxes[from].y, ++wires[to];
    }
    for (size_t i = 0; i < count(); ++i)
      if (wires[i] > 0) sum[i] /= wires[i];
    return sum;
  }

  /// Stores the margins of an open scope around its contents: left, top, right, bottom. They stay when the contents are kept.
  void noteMargins(const Size& size) {
    if (p.header <= 0) return;
    double left = 1e18, top = 1e18, right = -1e18, bottom = -1e18;
    for (size_t i = 0; i < count(); ++i) {
      if (!isChild(i)) continue;
      left = std::min(left, now[i].x);
      top = std::min(top, now[i].y);
      right = std::max(right, now[i].right());
      bottom = std::max(bottom, now[i].bottom());
    }
    if (right < left) return;
    const double widest = std::max(p.padding, options.gapX);  // a scope widened by its title has more
    const double margins[] = {left, top, std::min(size.w - right, widest), size.h - bottom};
    for (std::uint64_t side = 0; side < kSides; ++side) memory->ports[side] = static_cast<float>(margins[side]);
  }
  /// The stored margin, or else `otherwise`.
  double margin(std::uint64_t side, double otherwise) const {
    if (!kept) return otherwise;
    const auto it = memory->ports.find(side);
    return it != memory->ports.end() ? static_cast<double>(it->second) : otherwise;
  }

  void note(const Size& size) {
    memory->ports.clear();
    noteMargins(size);
    const std::vector<double> beside = heightsBesidePorts(now);
    for (size_t i = 0; i < count(); ++i)
      if (!isChild(i)) memory->ports[p.elements[i].key] = static_cast<float>(now[i].y - beside[i]);
    const auto old = std::exchange(memory->kept, {});
    memory->links.clear();
    for (size_t i = 0; i < count(); ++i) {
      if (!isChild(i)) continue;
      KeptBox& box = memory->kept[p.elements[i].key];
      box.box = reference[i];
      box.byHand = pins[i].set;
      if (!box.byHand) continue;
      const auto it = old.find(p.elements[i].key);
      if (it == old.end()) box.before = {automatic[i].x, automatic[i].y};
      else box.before = it->second.byHand ? it->second.before : Point{it->second.box.x, it->second.box.y};
    }
    for (const Link& link : p.links) {
      if (link.hidden || link.points.size() < 2) continue;
      memory->links[linkKey(link)] = {link.points, now[static_cast<size_t>(link.from)], now[static_cast<size_t>(link.to)], link.joint, link.quiet, link.back};
    }
  }
};

}  // namespace

Size keepPlaces(ContainerProblem& problem, const Options& options, const std::vector<Pin>& pins, ContainerMemory* memory, Size size, Point& origin,
                std::vector<Point>& placed) {
  Placing work{problem, options, pins, memory, {}, {}, {}, {}};
  work.recall();
  origin = {};
  if (work.any) {
    work.makeRoom();
    work.placeNew();
    double left = 1e18, top = 1e18, right = -1e18, bottom = -1e18;
    for (size_t i = 0; i < work.count(); ++i) {
      if (!work.isChild(i)) continue;
      left = std::min(left, work.now[i].x);
      top = std::min(top, work.now[i].y);
      right = std::max(right, work.now[i].right());
      bottom = std::max(bottom, work.now[i].bottom());
    }
    const bool boxed = problem.header > 0;
    const bool ports = std::any_of(problem.elements.begin(), problem.elements.end(), [](const Element& e) { return e.kind != Element::Kind::Child; });
    const double room = ports ? std::max(problem.padding, options.gapX) : problem.padding;
    if (boxed) {
      // The box starts at (0, 0): items placed left of or above it shift its contents, not its corner.
      origin = {std::max(0.0, work.margin(kLeft, room) - left), std::max(0.0, work.margin(kTop, problem.header + problem.padding) - top)};
      for (size_t i = 0; i < work.count(); ++i)
        if (work.isChild(i)) work.now[i].x += origin.x, work.now[i].y += origin.y;
      size = {std::max(problem.minWidth, right + origin.x + work.margin(kRight, room)), bottom + origin.y + work.margin(kBottom, problem.footer)};
    }
    work.movePorts(0, boxed ? size.w : right);
    for (size_t i = 0; i < work.count(); ++i)
      if (!work.isChild(i) && boxed) size.h = std::max(size.h, work.now[i].y + problem.footer);
    work.moveWireEnds();
    for (size_t i = 0; i < work.count(); ++i) {
      Element& e = problem.elements[i];
      e.x = work.now[i].x;
      e.y = work.now[i].y + e.above;
    }
  }
  placed.resize(work.count());
  for (size_t i = 0; i < work.count(); ++i) placed[i] = {work.reference[i].x, work.reference[i].y};
  if (options.note && memory != nullptr) work.note(size);
  if (work.any) takeDetours(problem, work.now);
  return size;
}

}  // namespace weft::layout
