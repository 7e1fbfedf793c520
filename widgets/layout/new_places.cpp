#include "layout/new_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::layout {
namespace {

constexpr double kClearance = 12, kShelfGap = 48;
constexpr size_t kMostSingly = 160;  // more new items are placed as one block
constexpr int kMostHops = 80;
constexpr double kFar = std::numeric_limits<double>::max();

bool overlap(const Box& a, const Box& b, double gap) {
  return a.x < b.right() + gap && b.x < a.right() + gap && a.y < b.bottom() + gap && b.y < a.bottom() + gap;
}

struct NewPlaces {
  const ContainerProblem& p;
  const Options& options;
  const std::vector<Box>& automatic;
  std::vector<Box>& now;
  std::vector<char> placed;
  struct Neighbour {
    size_t other;
    bool before;  // it is a source of the item
    bool main, control;
  };
  std::vector<std::vector<Neighbour>> neighbours;

  double lineOf(size_t i) const { return now[i].y + p.elements[i].above; }
  Role roleOf(size_t i) const { return p.elements[i].role; }
  bool isChild(size_t i) const { return p.elements[i].kind == Element::Kind::Child; }

  void readNeighbours() {
    neighbours.resize(p.elements.size());
    for (const Link& link : p.links) {
      const auto a = static_cast<size_t>(link.from), b = static_cast<size_t>(link.to);
      if (a == b) continue;
      const bool control = link.kind == EdgeKind::Control;
      neighbours[a].push_back({b, false, link.main != 0, control});
      neighbours[b].push_back({a, true, link.main != 0, control});
    }
  }

  bool anyPlaced(size_t i) const {
    return std::any_of(neighbours[i].begin(), neighbours[i].end(), [&](const Neighbour& n) { return placed[n.other] != 0; });
  }
  // Wires to helpers do not decide the place of a flow node.
  bool counts(size_t i, const Neighbour& n, bool controls) const {
    return placed[n.other] != 0 && isChild(n.other) && (n.control == controls) && (roleOf(i) == Role::Aside || roleOf(n.other) != Role::Aside);
  }

  const Box* hitBy(const Box& box) const {
    const Box* first = nullptr;
    for (size_t o = 0; o < now.size(); ++o)
      if (placed[o] != 0 && isChild(o) && overlap(box, now[o], kClearance)) {
        first = &now[o];
        break;
      }
    return first;
  }

  /// The box moved down, up or right until it touches nothing, whichever is nearest.
  Box freeSpot(const Box& wanted) const {
    if (hitBy(wanted) == nullptr) return wanted;
    Box best = wanted;
    double cost = kFar;
    const auto attempt = [&](int dx, int dy, double weight) {
      Box box = wanted;
      for (int hop = 0; hop < kMostHops; ++hop) {
        const Box* hit = hitBy(box);
        const double moved = (std::abs(box.x - wanted.x) + std::abs(box.y - wanted.y)) * weight;
        if (moved >= cost) return;
        if (hit == nullptr) {
          best = box;
          cost = moved;
          return;
        }
        if (dy > 0) box.y = std::ceil(hit->bottom() + options.gapY);
        if (dy < 0) box.y = std::floor(hit->y - options.gapY - box.h);
        if (dx > 0) box.x = std::ceil(hit->right() + options.gapY);
      }
    };
    attempt(0, 1, 1.0);
    attempt(0, -1, 1.1);
    attempt(1, 0, 1.5);
    if (cost == kFar) best.y = std::ceil(bottomOf(false) + options.gapY);
    return best;
  }

  double bottomOf(bool flowOnly) const {
    double bottom = 0;
    for (size_t o = 0; o < now.size(); ++o)
      if (placed[o] != 0 && isChild(o) && (!flowOnly || roleOf(o) != Role::Aside)) bottom = std::max(bottom, now[o].bottom());
    return bottom;
  }

  // Helpers stand in a row below everything.
  Box aside(Box box) const {
    double left = kFar, top = kFar, right = -kFar;
    for (size_t o = 0; o < now.size(); ++o) {
      if (placed[o] == 0 || !isChild(o)) continue;
      left = std::min(left, now[o].x);
      if (roleOf(o) != Role::Aside) continue;
      top = std::min(top, now[o].y);
      right = std::max(right, now[o].right());
    }
    if (left == kFar) left = box.x;
    box.x = right > -kFar ? right + options.gapX : left;
    box.y = right > -kFar ? top : std::ceil(bottomOf(true) + kShelfGap);
    return box;
  }

  Box wantedPlace(size_t i) const {
    Box box = automatic[i];
    if (roleOf(i) == Role::Aside) return aside(box);
    const double above = p.elements[i].above;
    for (const bool controls : {false, true}) {
      double right = -kFar, left = kFar, low = -kFar;
      size_t from = now.size(), to = now.size();
      bool mainFrom = false;
      for (const Neighbour& n : neighbours[i]) {
        if (!counts(i, n, controls)) continue;
        low = std::max(low, now[n.other].bottom());
        if (n.before) {
          right = std::max(right, now[n.other].right());
          if (from == now.size() || (n.main && !mainFrom)) from = n.other, mainFrom = n.main;
        } else {
          left = std::min(left, now[n.other].x);
          if (to == now.size()) to = n.other;
        }
      }
      if (from == now.size() && to == now.size()) continue;
      if (from == now.size() && roleOf(i) == Role::Parameter) {
        box.x = std::round(now[to].x + (now[to].w - box.w) / 2);
        box.y = now[to].bottom() + options.parameterGap;
        return box;
      }
      box.y = std::round(lineOf(from < now.size() ? from : to) - above);
      if (from == now.size()) {
        box.x = left - options.gapX - box.w;
      } else {
        box.x = right + options.gapX;
        if (to < now.size() && left > right && left < box.right() + 2 * kClearance) {
          // Between two: in the gap if it is wide enough, otherwise beneath both, centred.
          box.x = std::round((right + left - box.w) / 2);
          if (left - right < box.w + 2 * kClearance) box.y = std::ceil(low + options.gapY);
        }
      }
      return box;
    }
    // Without wires to existing items.
    double left = kFar;
    for (size_t o = 0; o < now.size(); ++o)
      if (placed[o] != 0 && isChild(o)) left = std::min(left, now[o].x);
    if (left < kFar) box.x = left, box.y = std::ceil(bottomOf(true) + options.gapY);
    return box;
  }

  void placeBlock(const std::vector<size_t>& fresh) {
    double top = kFar, left = kFar, leftThere = kFar;
    for (const size_t i : fresh) top = std::min(top, automatic[i].y), left = std::min(left, automatic[i].x);
    for (size_t o = 0; o < now.size(); ++o)
      if (placed[o] != 0 && isChild(o)) leftThere = std::min(leftThere, now[o].x);
    const double dy = std::ceil(bottomOf(false) + kShelfGap - top), dx = leftThere < kFar ? leftThere - left : 0;
    for (const size_t i : fresh) now[i] = {automatic[i].x + dx, automatic[i].y + dy, automatic[i].w, automatic[i].h};
  }

  void run() {
    std::vector<size_t> fresh;
    for (size_t i = 0; i < now.size(); ++i)
      if (placed[i] == 0 && isChild(i)) fresh.push_back(i);
    if (fresh.empty()) return;
    if (fresh.size() > kMostSingly) return placeBlock(fresh);
    readNeighbours();
    std::stable_sort(fresh.begin(), fresh.end(), [&](size_t a, size_t b) {
      const bool asideA = roleOf(a) == Role::Aside, asideB = roleOf(b) == Role::Aside;
      if (asideA != asideB) return asideB;
      return automatic[a].x != automatic[b].x ? automatic[a].x < automatic[b].x : automatic[a].y < automatic[b].y;
    });
    while (!fresh.empty()) {
      // Helpers last, because they go below everything else.
      auto next = std::find_if(fresh.begin(), fresh.end(), [&](size_t i) { return roleOf(i) != Role::Aside && anyPlaced(i); });
      if (next == fresh.end()) next = fresh.begin();
      const size_t i = *next;
      fresh.erase(next);
      now[i] = freeSpot(wantedPlace(i));
      placed[i] = 1;
    }
  }
};

}  // namespace

void placeBesideNeighbours(const ContainerProblem& problem, const Options& options, const std::vector<Box>& automatic, const std::vector<char>& fixed,
                           std::vector<Box>& now) {
  NewPlaces work{problem, options, automatic, now, fixed, {}};
  work.run();
}

}  // namespace weft::layout
