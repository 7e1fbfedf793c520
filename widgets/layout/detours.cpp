// Routes around obstacles. Only for containers with items placed by hand or kept: the layout passes leave room for every wire.
//
// A wire that would cross an unrelated box runs along a grid instead, whose lines pass every near box at a small distance (the Hanan grid of the boxes, moved
// outwards). Dijkstra's algorithm finds the shortest route with few bends. The original route is remembered: when the box goes away, so does the detour.
#include <algorithm>
#include <cmath>
#include <queue>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

constexpr double kGap = 10, kOut = 20, kReach = 240, kBend = 60, kTouch = 2;
constexpr size_t kNear = 40;        // boxes considered for one wire
constexpr double kMostTests = 4e6;  // wires times boxes; larger graphs get no detours

bool crosses(Point a, Point b, const Box& box) {
  // Liang and Barsky: clips the line to the box.
  double from = 0, to = 1;
  const double dx = b.x - a.x, dy = b.y - a.y;
  const auto cut = [&](double p, double q) {
    if (p == 0) return q > 0;
    const double t = q / p;
    if (p < 0) from = std::max(from, t);
    else to = std::min(to, t);
    return from < to;
  };
  return cut(-dx, a.x - box.x) && cut(dx, box.right() - a.x) && cut(-dy, a.y - box.y) && cut(dy, box.bottom() - a.y);
}

Box inner(const Box& box) { return {box.x + kTouch, box.y + kTouch, box.w - 2 * kTouch, box.h - 2 * kTouch}; }

/// The drawn pieces of a route: curves as several straight lines.
std::vector<Point> drawn(const Link& link) {
  if (link.joint == Joint::Corners) return link.points;
  std::vector<Point> line{link.points.front()};
  constexpr int kPieces = 12;
  for (size_t i = 1; i < link.points.size(); ++i) {
    const Point a = link.points[i - 1], b = link.points[i];
    if (std::abs(a.y - b.y) < 0.5 || std::abs(a.x - b.x) < 0.5) {
      line.push_back(b);
      continue;
    }
    const double reach = std::max(16.0, std::abs(b.x - a.x) / 2);
    for (int k = 1; k <= kPieces; ++k) {
      const double t = double(k) / kPieces, s = 1 - t;
      const double x = s * s * s * a.x + 3 * s * s * t * (a.x + reach) + 3 * s * t * t * (b.x - reach) + t * t * t * b.x;
      const double y = s * s * (s + 3 * t) * a.y + t * t * (t + 3 * s) * b.y;
      line.push_back({x, y});
    }
  }
  return line;
}

struct Grid {
  std::vector<double> xs, ys;
  std::vector<char> right, down;  // whether the piece to the next line is free

  size_t at(size_t i, size_t j) const { return j * xs.size() + i; }

  static void tidy(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end(), [](double a, double b) { return b - a < 0.5; }), values.end());
  }
  static size_t index(const std::vector<double>& values, double v) {
    size_t best = 0;
    for (size_t i = 1; i < values.size(); ++i)
      if (std::abs(values[i] - v) < std::abs(values[best] - v)) best = i;
    return best;
  }

  void build(const std::vector<Box>& boxes, Point first, Point last, double gap) {
    xs = {first.x, last.x};
    ys = {first.y, last.y};
    for (const Box& b : boxes) {
      xs.insert(xs.end(), {b.x - gap, b.right() + gap});
      ys.insert(ys.end(), {b.y - gap, b.bottom() + gap});
    }
    tidy(xs);
    tidy(ys);
    right.assign(xs.size() * ys.size(), 1);
    down = right;
    for (const Box& outer : boxes) {
      const Box b{outer.x - gap / 2, outer.y - gap / 2, outer.w + gap, outer.h + gap};
      for (size_t j = 0; j < ys.size(); ++j)
        for (size_t i = 0; i < xs.size(); ++i) {
          if (i + 1 < xs.size() && ys[j] > b.y && ys[j] < b.bottom() && xs[i] < b.right() && xs[i + 1] > b.x) right[at(i, j)] = 0;
          if (j + 1 < ys.size() && xs[i] > b.x && xs[i] < b.right() && ys[j] < b.bottom() && ys[j + 1] > b.y) down[at(i, j)] = 0;
        }
    }
  }

  /// The corners between two grid points, starting and ending horizontally; empty: there is no route.
  std::vector<Point> way(Point first, Point last) const {
    const size_t n = xs.size() * ys.size(), nx = xs.size();
    const size_t start = at(index(xs, first.x), index(ys, first.y)), end = at(index(xs, last.x), index(ys, last.y));
    // A state is a grid point with the direction of arrival: 0 horizontal, 1 vertical.
    std::vector<double> cost(2 * n, 1e18);
    std::vector<size_t> before(2 * n, 2 * n);
    using Entry = std::pair<double, size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    cost[2 * start] = 0;
    open.push({0, 2 * start});
    while (!open.empty()) {
      const double c = open.top().first;
      const size_t state = open.top().second;
      open.pop();
      if (c > cost[state]) continue;
      const size_t node = state / 2, upright = state % 2;
      if (node == end && upright == 0) break;
      const auto go = [&](size_t next, double length, size_t how) {
        const double total = c + length + (how != upright ? kBend : 0);
        if (total < cost[2 * next + how]) {
          cost[2 * next + how] = total;
          before[2 * next + how] = state;
          open.push({total, 2 * next + how});
        }
      };
      const size_t i = node % nx, j = node / nx;
      if (i + 1 < nx && right[node]) go(node + 1, xs[i + 1] - xs[i], 0);
      if (i > 0 && right[node - 1]) go(node - 1, xs[i] - xs[i - 1], 0);
      if (j + 1 < ys.size() && down[node]) go(node + nx, ys[j + 1] - ys[j], 1);
      if (j > 0 && down[node - nx]) go(node - nx, ys[j] - ys[j - 1], 1);
    }
    if (cost[2 * end] > 1e17) return {};
    std::vector<Point> points;
    for (size_t state = 2 * end; state < 2 * n; state = before[state]) {
      const size_t node = state / 2;
      const Point p{xs[node % nx], ys[node / nx]};
      const size_t k = points.size();
      const bool straight = k > 1 && ((std::abs(points[k - 2].x - p.x) < 0.5 && std::abs(points[k - 1].x - p.x) < 0.5) ||
                                      (std::abs(points[k - 2].y - p.y) < 0.5 && std::abs(points[k - 1].y - p.y) < 0.5));
      if (straight) points.back() = p;
      else points.push_back(p);
    }
    std::reverse(points.begin(), points.end());
    return points;
  }
};

}  // namespace

void takeDetours(ContainerProblem& problem, const std::vector<Box>& boxes) {
  if (double(problem.links.size()) * double(boxes.size()) > kMostTests) return;
  std::vector<Box> near;
  int turn = 0;
  for (Link& link : problem.links) {
    if (link.hidden || link.quiet || link.points.size() < 2 || link.joint == Joint::Vertical) continue;
    const std::vector<Point> line = drawn(link);
    double left = 1e18, top = 1e18, right = -1e18, bottom = -1e18;
    for (const Point& p : line) left = std::min(left, p.x), top = std::min(top, p.y), right = std::max(right, p.x), bottom = std::max(bottom, p.y);
    near.clear();
    bool hit = false;
    for (size_t i = 0; i < boxes.size(); ++i) {
      const Box& b = boxes[i];
      if (problem.elements[i].kind != Element::Kind::Child) continue;
      if (b.x > right + kReach || b.right() < left - kReach || b.y > bottom + kReach || b.bottom() < top - kReach) continue;
      near.push_back(b);
      if (i == size_t(link.from) || i == size_t(link.to)) continue;
      const Box box = inner(b);
      for (size_t k = 1; k < line.size() && !hit; ++k) hit = crosses(line[k - 1], line[k], box);
    }
    if (!hit || near.size() > kNear) continue;
    // Wires with the same detour run side by side.
    const double gap = kGap + 5 * (turn++ % 3);
    const Point first = link.points.front(), last = link.points.back();
    double out = kOut, in = kOut;
    for (const Box& b : near) {
      if (first.y > b.y - gap && first.y < b.bottom() + gap && b.x > first.x) out = std::min(out, (b.x - first.x) / 2);
      if (last.y > b.y - gap && last.y < b.bottom() + gap && b.right() < last.x) in = std::min(in, (last.x - b.right()) / 2);
    }
    // The ends themselves may be closer to a box than the grid.
    Grid grid;
    const Point from{first.x + out, first.y}, to{last.x - in, last.y};
    grid.build(near, from, to, std::min({gap, std::max(2.0, out), std::max(2.0, in)}));
    std::vector<Point> way = grid.way(from, to);
    if (way.empty()) continue;
    if (std::abs(way.front().x - from.x) > 0.5 || std::abs(way.front().y - from.y) > 0.5) way.insert(way.begin(), from);
    way.insert(way.begin(), first);
    way.push_back(last);
    link.points = std::move(way);
    link.joint = Joint::Corners;
  }
}

}  // namespace weft::layout
