// What the layout must not move: items placed by hand, and after an edit everything that was there before.
//
// All places here are "closed" ones: where an item would lie if no scope before it had been opened since it was put there. A scope
// that is now larger than it was then pushes what lies beside it to the right by the width, and everything beneath it down by the height
// that it gained. The push depends on nothing but the two sizes, so that closing the scope brings everything back to the pixel.
#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/container_layout.h"
#include "layout/new_places.h"

namespace weft::layout {
namespace {

constexpr double kSame = 0.5, kClearance = 12, kOpenHeight = 96;                   // open scopes are at least that high
constexpr std::uint64_t kLeft = 0, kTop = 1, kRight = 2, kBottom = 3, kSides = 4;  // keys among the ports: the margins of an open scope
constexpr size_t kMostLeaves = 1000;                                               // whose sizes are looked at one by one

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
  std::vector<Box> automatic, reference, now;  // as the passes put it; as it was put by hand or kept; as it shall be
  std::vector<char> fixed;
  bool any = false, kept = false;

  size_t count() const { return p.elements.size(); }
  bool isChild(size_t i) const { return p.elements[i].kind == Element::Kind::Child; }

  static Box boxOf(const Element& e) { return {e.x, e.y - e.above, e.width, e.above + e.below}; }

  std::uint64_t linkKey(const Link& link) const {
    const std::uint64_t ends = combine(p.elements[static_cast<size_t>(link.from)].key, p.elements[static_cast<size_t>(link.to)].key);
    return combine(combine(ends, link.portKey), static_cast<std::uint64_t>(link.kind));
  }

  /// Whether the container is to be kept, and from now on if an edit changed what it holds.
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
        // Let go of again (a move was undone): back to where it lay before.
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

  /// A scope that has another size than when it was placed, and by how much it pushes.
  struct Push {
    size_t by;
    double dx, dy;
    /// How far it moves what lies there while it has its old size.
    Point of(const Box& box, const Box& was) const {
      if (box.y >= was.bottom() - 1) return {0, dy};
      return {box.x >= was.right() - 1 && box.bottom() > was.y ? dx : 0, 0};
    }
  };
  std::vector<Push> pushes = {};

  // Scopes that grew since they were placed push the others aside; those that shrank let them come back.
  void makeRoom() {
    for (size_t i = 0; i < count(); ++i)
      if (fixed[i]) now[i] = {reference[i].x, reference[i].y, automatic[i].w, automatic[i].h};
    size_t leaves = 0;
    for (size_t s = 0; s < count(); ++s) {
      if (!fixed[s] || sameSize(reference[s], automatic[s])) continue;
      const Box& was = reference[s];
      double dx = automatic[s].w - was.w, dy = automatic[s].h - was.h;
      if (std::max(was.h, automatic[s].h) < kOpenHeight) {
        // Another name, value or font, not a scope that was opened: it grows into the gap, as long as there is one.
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

  /// Where an item that was found a place beside open scopes lies while they are closed.
  Box closedPlace(size_t i) const {
    Box closed = now[i];
    for (const Push& push : pushes) {
      const Point by = push.of(now[i], now[push.by]);
      closed.x -= by.x;
      closed.y -= by.y;
    }
    // What would not be pushed back to where it is stays where it is.
    Box opened = closed;
    for (const Push& push : pushes) {
      const Point by = push.of(closed, reference[push.by]);
      opened.x += by.x;
      opened.y += by.y;
    }
    const bool comesBack = std::abs(opened.x - now[i].x) < kSame && std::abs(opened.y - now[i].y) < kSame;
    return comesBack ? closed : now[i];
  }

  // What has no place yet: beside a few pins it lies where the passes put it, in a drawing that lasts near its neighbours.
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

  // The ends of the wires follow their boxes. A way whose ends moved alike moves as it is; else it becomes one curve.
  void takeWiresAlong() {
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
      // A parameter that no longer lies beneath its reader sends its wire from its side.
      if (link.joint == Joint::Vertical && first.y > last.y) {
        link.points = {first, last};
        continue;
      }
      if (last.x >= first.x + 8) {
        link.joint = Joint::Curve;
        link.points = {first, last};
        continue;
      }
      // Back to the left: around, through the gap between the two if there is one, else beneath both.
      constexpr double kOut = 20;
      const double gapTop = std::min(now[from].bottom(), now[to].bottom()), gapBottom = std::max(now[from].y, now[to].y);
      const double y = gapBottom - gapTop >= 16 ? std::round((gapTop + gapBottom) / 2) : std::max(now[from].bottom(), now[to].bottom()) + kOut;
      link.joint = Joint::Corners;
      link.points = {first, {first.x + kOut, first.y}, {first.x + kOut, y}, {last.x - kOut, y}, {last.x - kOut, last.y}, last};
    }
  }

  // Ports on the edges stand where their wires leave or arrive inside.
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

  /// Per port: the mean height of what it is wired to.
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

  /// How far the contents of an open scope lie from its edges: left, top, right, bottom. They stay when the contents are kept.
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
    const double widest = std::max(p.padding, options.gapX);  // a scope that is only as wide as its title leaves more
    const double margins[] = {left, top, std::min(size.w - right, widest), size.h - bottom};
    for (std::uint64_t side = 0; side < kSides; ++side) memory->ports[side] = static_cast<float>(margins[side]);
  }
  /// The margin that was noted, else `otherwise`.
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
      // The box begins at (0, 0): what was put left of or above it pushes its contents, not its corner.
      origin = {std::max(0.0, work.margin(kLeft, room) - left), std::max(0.0, work.margin(kTop, problem.header + problem.padding) - top)};
      for (size_t i = 0; i < work.count(); ++i)
        if (work.isChild(i)) work.now[i].x += origin.x, work.now[i].y += origin.y;
      size = {std::max(problem.minWidth, right + origin.x + work.margin(kRight, room)), bottom + origin.y + work.margin(kBottom, problem.footer)};
    }
    work.movePorts(0, boxed ? size.w : right);
    for (size_t i = 0; i < work.count(); ++i)
      if (!work.isChild(i) && boxed) size.h = std::max(size.h, work.now[i].y + problem.footer);
    work.takeWiresAlong();
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
