// Coordinates of the vertices: y by sweeps of weighted medians with overlaps removed, x by columns.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "layout/container_layout.h"
#include "layout/network_simplex.h"

namespace weft::layout {
namespace {

constexpr size_t kFew = 900;  // vertices up to which y is exact
constexpr std::int32_t kPivots = 5000;

struct Coordinates {
  ContainerProblem& p;
  const Options& options;
  Layers& out;
  std::vector<std::vector<std::int32_t>> preds, succs;  // hops
  std::vector<double> desired, weight;

  Vertex& vx(std::int32_t i) { return out.vertices[static_cast<size_t>(i)]; }

  bool isPort(const Vertex& v) const { return v.element >= 0 && p.elements[static_cast<size_t>(v.element)].kind != Element::Kind::Child; }

  double separation(const Vertex& a, const Vertex& b) const {
    const bool plainA = a.element < 0, plainB = b.element < 0;
    double gap = options.gapY;
    if (isPort(a) && isPort(b)) gap = options.portSpacing * 0.75;
    else if (plainA && plainB) gap = options.wireGap;
    else if (plainA || plainB || isPort(a) || isPort(b)) gap = options.wireGap * 1.75;
    return a.below + gap + b.above;
  }

  // The input positions on a node's left edge, in the order of its wires.
  void choosePorts() {
    std::vector<std::int32_t> position(out.vertices.size(), 0);
    for (const auto& layer : out.layers)
      for (size_t i = 0; i < layer.size(); ++i) position[static_cast<size_t>(layer[i])] = static_cast<std::int32_t>(i);
    std::vector<std::vector<std::int32_t>> arriving(p.elements.size());
    for (size_t l = 0; l < p.links.size(); ++l) {
      const Link& link = p.links[l];
      if (link.quiet || link.joint == Joint::Vertical || link.fixedTo) continue;
      if (p.elements[static_cast<size_t>(link.to)].kind == Element::Kind::Child) arriving[static_cast<size_t>(link.to)].push_back(static_cast<std::int32_t>(l));
    }
    const auto rank = [&](std::int32_t l) {
      if (out.lane[static_cast<size_t>(l)]) return -1;  // comes from above
      const auto& way = out.ways[static_cast<size_t>(l)];
      const std::int32_t last = way.empty() ? out.vertexOf[static_cast<size_t>(p.links[static_cast<size_t>(l)].from)] : way.back();
      return position[static_cast<size_t>(last)];
    };
    for (size_t e = 0; e < arriving.size(); ++e) {
      auto& links = arriving[e];
      if (links.empty()) continue;
      std::stable_sort(links.begin(), links.end(), [&](std::int32_t a, std::int32_t b) { return rank(a) < rank(b); });
      const Element& element = p.elements[e];
      const double room = std::max(0.0, 2 * std::min(element.above, element.below) - 12);
      const double step = links.size() < 2 ? 0 : std::min(options.portSpacing, room / static_cast<double>(links.size() - 1));
      // The spine enters at the middle, so that its nodes lie on one line.
      const auto spine = std::find_if(links.begin(), links.end(), [this](std::int32_t l) { return p.links[static_cast<size_t>(l)].spine; });
      const double middle = spine != links.end() ? static_cast<double>(spine - links.begin()) : static_cast<double>(links.size() - 1) / 2;
      const double most = std::max(middle, static_cast<double>(links.size() - 1) - middle);
      const double apart = most > 0 ? std::min(step, room / 2 / most) : step;
      for (size_t i = 0; i < links.size(); ++i) p.links[static_cast<size_t>(links[i])].toDy = (static_cast<double>(i) - middle) * apart;
    }
  }

  double offsetA(const Hop& hop) const { return hop.linkA < 0 ? 0 : p.links[static_cast<size_t>(hop.linkA)].fromDy; }
  double offsetB(const Hop& hop) const { return hop.linkB < 0 ? 0 : p.links[static_cast<size_t>(hop.linkB)].toDy; }

  // One wire per vertex and side should stay straight: the one on the longest path. It outweighs the others together.
  void preferMainWires() {
    const auto depthOf = [&](std::int32_t v) { return vx(v).element < 0 ? -1 : out.depth[static_cast<size_t>(vx(v).element)]; };
    for (auto& list : preds) {
      Hop* best = nullptr;
      for (const std::int32_t h : list) {
        Hop& hop = out.hops[static_cast<size_t>(h)];
        if (hop.weight < 0.9F) continue;
        const bool better = best == nullptr || (hop.weight == best->weight ? depthOf(hop.a) > depthOf(best->a) : hop.weight > best->weight);
        if (better) best = &hop;
      }
      // Many inputs that all start here are drawn as a fan around the middle.
      constexpr size_t kFan = 4;
      const bool fan =
          list.size() >= kFan && std::all_of(list.begin(), list.end(), [&](std::int32_t h) { return depthOf(out.hops[static_cast<size_t>(h)].a) == 0; });
      if (fan)
        for (const std::int32_t h : list) out.hops[static_cast<size_t>(h)].weight = std::min(1.F, out.hops[static_cast<size_t>(h)].weight);
      else if (best != nullptr && list.size() > 1) best->weight += 6;
    }
  }

  double medianFor(std::int32_t v, bool left, bool right, double& total) {
    thread_local std::vector<std::pair<double, double>> targets;
    targets.clear();
    total = 0;
    if (left)
      for (const std::int32_t h : preds[static_cast<size_t>(v)]) {
        const Hop& hop = out.hops[static_cast<size_t>(h)];
        targets.emplace_back(vx(hop.a).y + offsetA(hop) - offsetB(hop), hop.weight);
      }
    if (right)
      for (const std::int32_t h : succs[static_cast<size_t>(v)]) {
        const Hop& hop = out.hops[static_cast<size_t>(h)];
        targets.emplace_back(vx(hop.b).y + offsetB(hop) - offsetA(hop), hop.weight);
      }
    if (targets.empty()) return vx(v).y;
    std::sort(targets.begin(), targets.end());
    for (const auto& target : targets) total += target.second;
    double below = 0;
    for (size_t i = 0; i < targets.size(); ++i) {
      below += targets[i].second;
      if (below * 2 > total + 1e-9) return targets[i].first;
      if (std::abs(below * 2 - total) <= 1e-9 && i + 1 < targets.size()) return (targets[i].first + targets[i + 1].first) / 2;
    }
    return targets.back().first;
  }

  // Pool adjacent violators: the positions nearest to the targets (weighted squares) that keep order and separation. Linear.
  void place(const std::vector<std::int32_t>& layer) {
    struct Pool {
      double sum, weight;
      size_t count;
      double mean() const { return sum / weight; }
    };
    thread_local std::vector<Pool> pools;
    thread_local std::vector<double> shift;
    pools.clear();
    shift.assign(layer.size(), 0);
    for (size_t i = 0; i < layer.size(); ++i) {
      if (i > 0) shift[i] = shift[i - 1] + separation(vx(layer[i - 1]), vx(layer[i]));
      const auto v = static_cast<size_t>(layer[i]);
      Pool pool{(desired[v] - shift[i]) * weight[v], weight[v], 1};
      while (!pools.empty() && pools.back().mean() > pool.mean()) {
        pool.sum += pools.back().sum;
        pool.weight += pools.back().weight;
        pool.count += pools.back().count;
        pools.pop_back();
      }
      pools.push_back(pool);
    }
    size_t i = 0;
    for (const Pool& pool : pools)
      for (size_t k = 0; k < pool.count; ++k, ++i) vx(layer[i]).y = pool.mean() + shift[i];
  }

  void sweep(bool left, bool right, bool forward) {
    const auto one = [&](std::vector<std::int32_t>& layer) {
      for (const std::int32_t v : layer) {
        double total = 0;
        desired[static_cast<size_t>(v)] = medianFor(v, left, right, total);
        weight[static_cast<size_t>(v)] = 0.1 + total;
      }
      place(layer);
    };
    if (forward)
      for (auto& layer : out.layers) one(layer);
    else
      for (auto it = out.layers.rbegin(); it != out.layers.rend(); ++it) one(*it);
  }

  // Vertices that medians and rounding left a few pixels off their main wire are moved onto it where there is room.
  void straighten() {
    constexpr double kOff = 5;
    for (auto& layer : out.layers)
      for (size_t i = 0; i < layer.size(); ++i) {
        const auto& list = preds[static_cast<size_t>(layer[i])];
        if (list.empty()) continue;
        const Hop* main = nullptr;
        for (const std::int32_t h : list)
          if (main == nullptr || out.hops[static_cast<size_t>(h)].weight > main->weight) main = &out.hops[static_cast<size_t>(h)];
        Vertex& v = vx(layer[i]);
        const double wanted = vx(main->a).y + offsetA(*main) - offsetB(*main);
        if (std::abs(wanted - v.y) > kOff) continue;
        if (i > 0 && wanted - vx(layer[i - 1]).y < separation(vx(layer[i - 1]), v) - kOff) continue;
        if (i + 1 < layer.size() && vx(layer[i + 1]).y - wanted < separation(v, vx(layer[i + 1])) - kOff) continue;
        v.y = wanted;
      }
  }

  // For small drawings: the y that make the wires straightest (weighted), an exact minimum starting from the medians. Each wire gets a vertex above both of its
  // ends, so that its cost is its vertical offset (Gansner and others 1993, section 4.2).
  void straightest() {
    constexpr double kUnit = 2;  // steps per pixel
    constexpr float kWhole = 2;  // weights are whole numbers
    std::vector<RankArc> arcs;
    std::vector<std::int32_t> ranks;
    for (const Vertex& v : out.vertices) ranks.push_back(static_cast<std::int32_t>(std::lround(v.y * kUnit)));
    for (const auto& layer : out.layers)
      for (size_t i = 1; i < layer.size(); ++i) {
        const auto gap = static_cast<std::int32_t>(std::ceil(separation(vx(layer[i - 1]), vx(layer[i])) * kUnit));
        arcs.push_back({layer[i - 1], layer[i], gap, 0});
        auto& y = ranks[static_cast<size_t>(layer[i])];
        y = std::max(y, ranks[static_cast<size_t>(layer[i - 1])] + gap);
      }
    for (const Hop& hop : out.hops) {
      const auto wanted = static_cast<std::int32_t>(std::lround((offsetB(hop) - offsetA(hop)) * kUnit));  // y of a minus y of b
      const std::int32_t toA = std::max(0, wanted), toB = std::max(0, -wanted), weight = std::max(1, static_cast<int>(std::lround(hop.weight * kWhole)));
      const auto wire = static_cast<std::int32_t>(ranks.size());
      ranks.push_back(std::min(ranks[static_cast<size_t>(hop.a)] - toA, ranks[static_cast<size_t>(hop.b)] - toB));
      arcs.push_back({wire, hop.a, toA, weight});
      arcs.push_back({wire, hop.b, toB, weight});
    }
    minimizeRanks(arcs, ranks, kPivots);
    for (size_t v = 0; v < out.vertices.size(); ++v) out.vertices[v].y = ranks[v] / kUnit;
  }

  void chooseY() {
    preds.assign(out.vertices.size(), {});
    succs.assign(out.vertices.size(), {});
    for (size_t h = 0; h < out.hops.size(); ++h) {
      preds[static_cast<size_t>(out.hops[h].b)].push_back(static_cast<std::int32_t>(h));
      succs[static_cast<size_t>(out.hops[h].a)].push_back(static_cast<std::int32_t>(h));
    }
    preferMainWires();
    desired.assign(out.vertices.size(), 0);
    weight.assign(out.vertices.size(), 1);
    for (auto& layer : out.layers) {
      double y = 0;
      for (size_t i = 0; i < layer.size(); ++i) {
        if (i > 0) y += separation(vx(layer[i - 1]), vx(layer[i]));
        vx(layer[i]).y = y;
      }
      for (const std::int32_t v : layer) vx(v).y -= y / 2;
    }
    for (int round = 0; round < 3; ++round) {
      sweep(true, false, true);
      sweep(false, true, false);
    }
    sweep(true, true, true);
    sweep(true, true, false);
    sweep(true, false, true);
    if (out.vertices.size() <= kFew) straightest();
    // Whole pixels: hairlines stay sharp and straight wires exactly straight.
    for (Vertex& v : out.vertices) v.y = std::round(v.y);
    straighten();
    out.top = out.bottom = 0;
    bool first = true;
    for (const Vertex& v : out.vertices) {
      const double top = v.y - v.above, bottom = v.y + v.below;
      out.top = first ? top : std::min(out.top, top);
      out.bottom = first ? bottom : std::max(out.bottom, bottom);
      first = false;
    }
  }

  void chooseX() {
    const size_t columns = out.layers.size();
    std::vector<double> width(columns, 0), gap(columns, options.chainGapX);
    for (const Vertex& v : out.vertices) width[static_cast<size_t>(v.layer)] = std::max(width[static_cast<size_t>(v.layer)], v.width);
    for (const Hop& hop : out.hops) {
      double& g = gap[static_cast<size_t>(vx(hop.a).layer)];
      const double dy = std::abs(vx(hop.a).y + offsetA(hop) - vx(hop.b).y - offsetB(hop));
      if (dy > 0.5) g = std::max(g, options.gapX + std::min(72.0, dy * 0.03));
      if (hop.linkB >= 0 && p.links[static_cast<size_t>(hop.linkB)].labelWidth > 0) g = std::max(g, p.links[static_cast<size_t>(hop.linkB)].labelWidth + 22.0);
    }
    out.columnLeft.assign(columns, 0);
    out.columnRight.assign(columns, 0);
    double x = 0;
    for (size_t c = 0; c < columns; ++c) {
      out.columnLeft[c] = x;
      out.columnRight[c] = x + std::ceil(width[c]);
      x = out.columnRight[c] + std::round(gap[c]);
    }
    out.right = columns == 0 ? 0 : out.columnRight.back();
  }
};

}  // namespace

void assignCoordinates(ContainerProblem& problem, const Options& options, Layers& layers) {
  Coordinates pass{problem, options, layers, {}, {}, {}, {}};
  pass.choosePorts();
  pass.chooseY();
  pass.chooseX();
}

}  // namespace weft::layout
