// Chooses the elements in the flow, their layers, and the dummies of long links.
#include <algorithm>
#include <cmath>
#include <limits>

#include "layout/acyclic.h"
#include "layout/container_layout.h"
#include "layout/network_simplex.h"

namespace weft::layout {
namespace {

constexpr size_t kMaxAttached = 9;
constexpr double kTallest = 1100;
constexpr size_t kFew = 1000;  // elements up to which the layers are exact
constexpr std::int32_t kPivots = 4000;
constexpr float kSpine = 400;  // outweighs every other wire at its ends

std::uint64_t mixKey(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9E3779B97F4A7C15ull + (a << 6) + (a >> 2);
  a *= 0xBF58476D1CE4E5B9ull;
  return a ^ (a >> 31);
}

struct Layering {
  ContainerProblem& p;
  const Options& options;
  Layers& out;
  size_t n;
  std::vector<char> inFlow;
  std::vector<std::vector<std::int32_t>> succ, pred;  // links in the flow, without back links
  std::vector<std::int32_t> order;                    // topological
  std::vector<std::int32_t> layer;

  Element& el(std::int32_t i) { return p.elements[static_cast<size_t>(i)]; }
  Link& ln(std::int32_t i) { return p.links[static_cast<size_t>(i)]; }
  bool flow(std::int32_t i) const { return inFlow[static_cast<size_t>(i)] != 0; }

  void attachParameters() {
    out.attachedTo.assign(n, -1);
    out.attachedParameters.assign(n, {});
    std::vector<char> hasInput(n, 0);
    std::vector<std::int32_t> reader(n, -1);
    std::vector<char> several(n, 0);  // elements with several readers must be in the flow
    for (const Link& link : p.links) {
      const Element& from = el(link.from);
      const Element& to = el(link.to);
      if (link.kind != EdgeKind::Control && from.role != Role::Aside && !link.hidden) hasInput[static_cast<size_t>(link.to)] = 1;
      if (link.kind == EdgeKind::Control || to.role == Role::Aside || to.role == Role::Beneath || link.hidden) continue;
      const auto i = static_cast<size_t>(link.from);
      several[i] |= reader[i] >= 0 && reader[i] != link.to;
      reader[i] = link.to;
      if (link.fixedTo || to.kind != Element::Kind::Child || to.role != Role::Flow) several[i] = 1;  // an open scope: the wire continues inside it
    }
    for (size_t i = 0; i < n; ++i) {
      const Element& e = p.elements[i];
      if (e.kind != Element::Kind::Child || e.role != Role::Parameter || hasInput[i] || several[i] || reader[i] < 0) continue;
      auto& attached = out.attachedParameters[static_cast<size_t>(reader[i])];
      if (attached.size() >= kMaxAttached) continue;
      out.attachedTo[i] = reader[i];
      attached.push_back(static_cast<std::int32_t>(i));
    }
  }

  void chooseFlow() {
    inFlow.assign(n, 1);
    for (size_t i = 0; i < n; ++i)
      if (p.elements[i].role == Role::Aside || out.attachedTo[i] >= 0) inFlow[i] = 0;
    std::vector<char> linked(n, 0);
    for (Link& link : p.links) {
      const bool parameterWire = out.attachedTo[static_cast<size_t>(link.from)] == link.to && link.kind != EdgeKind::Control;
      link.joint = parameterWire ? Joint::Vertical : Joint::Curve;
      link.quiet = link.hidden || (!parameterWire && (!flow(link.from) || !flow(link.to)));
      if (!flow(link.from) || !flow(link.to) || link.from == link.to || (link.hidden && link.aside)) continue;
      for (const std::int32_t end : {link.from, link.to}) {
        // Ports and parameters with only hidden wires need no place in the flow.
        if (!link.hidden || (el(end).kind == Element::Kind::Child && el(end).role != Role::Parameter)) linked[static_cast<size_t>(end)] = 1;
      }
    }
    for (size_t i = 0; i < n; ++i) {
      const bool child = p.elements[i].kind == Element::Kind::Child;
      if (inFlow[i] && !linked[i] && (!child || out.attachedParameters[i].empty())) inFlow[i] = 0;
      if (child && !inFlow[i] && out.attachedTo[i] < 0) out.shelf.push_back(static_cast<std::int32_t>(i));
    }
  }

  void breakCycles() {
    succ.assign(n, {});
    pred.assign(n, {});
    std::vector<std::pair<std::int32_t, std::int32_t>> arcs;
    std::vector<std::int32_t> linkOf;
    for (size_t i = 0; i < p.links.size(); ++i) {
      const Link& link = p.links[i];
      if (!flow(link.from) || !flow(link.to)) continue;
      arcs.emplace_back(link.from, link.to);
      linkOf.push_back(static_cast<std::int32_t>(i));
    }
    std::vector<char> back;
    order = flowOrder(
        static_cast<std::int32_t>(n), arcs, [&](size_t a) { return ln(linkOf[a]).weak; }, back);
    order.erase(std::remove_if(order.begin(), order.end(), [this](std::int32_t v) { return !flow(v); }), order.end());
    for (size_t a = 0; a < arcs.size(); ++a) {
      if (back[a]) {
        // A control edge or constant against the flow would run around the whole flow.
        ln(linkOf[a]).back = true;
        if (ln(linkOf[a]).weak) ln(linkOf[a]).quiet = ln(linkOf[a]).hidden = true;
        continue;
      }
      succ[static_cast<size_t>(arcs[a].first)].push_back(linkOf[a]);
      pred[static_cast<size_t>(arcs[a].second)].push_back(linkOf[a]);
    }
  }

  void longestPath() {
    layer.assign(n, 0);
    out.depth.assign(n, 0);
    const bool hasPorts = std::any_of(order.begin(), order.end(), [this](std::int32_t v) { return el(v).kind == Element::Kind::InPort; });
    std::int32_t last = 0;
    for (const std::int32_t v : order) {
      const auto i = static_cast<size_t>(v);
      if (el(v).kind == Element::Kind::Child) layer[i] = std::max(layer[i], hasPorts ? 1 : 0);
      for (const std::int32_t l : succ[i]) {
        auto& d = layer[static_cast<size_t>(ln(l).to)];
        d = std::max(d, layer[i] + 1);
      }
      if (el(v).kind != Element::Kind::OutPort) last = std::max(last, layer[i]);
    }
    out.depth = layer;
    for (size_t i = 0; i < n; ++i)
      if (p.elements[i].kind == Element::Kind::OutPort) layer[i] = last + 1;
  }

  // The heaviest data path through the container, and through the loss if there is one: its wires should lie on one line. Control edges and parameters are not
  // on it.
  void chooseSpine() {
    std::vector<double> mass(n, 0), behind(n, 0);
    std::vector<std::int32_t> by(n, -1), onwards(n, -1);
    const auto counts = [this](std::int32_t v) { return el(v).kind != Element::Kind::Child || el(v).role != Role::Parameter; };
    const auto own = [this](std::int32_t v) { return el(v).kind == Element::Kind::Child ? el(v).mass : 0.01F; };
    const auto carries = [this](std::int32_t l) { return !ln(l).hidden && ln(l).kind != EdgeKind::Control; };
    std::int32_t through = -1;
    for (const std::int32_t v : order) {
      if (!counts(v)) continue;
      const auto i = static_cast<size_t>(v);
      mass[i] += own(v);
      const bool loss = el(v).differentiated, before = through >= 0 && el(through).differentiated;
      if (through < 0 || (loss && !before) || (loss == before && mass[i] > mass[static_cast<size_t>(through)])) through = v;
      for (const std::int32_t l : succ[i]) {
        const auto to = static_cast<size_t>(ln(l).to);
        // Of equal masses, the main input wins.
        const double sum = mass[i] + (ln(l).main ? 1e-6 : 0);
        if (carries(l) && sum > mass[to]) mass[to] = sum, by[to] = l;
      }
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it)
      for (const std::int32_t l : succ[static_cast<size_t>(*it)]) {
        const double sum = behind[static_cast<size_t>(ln(l).to)] + own(ln(l).to);
        if (carries(l) && sum > behind[static_cast<size_t>(*it)]) behind[static_cast<size_t>(*it)] = sum, onwards[static_cast<size_t>(*it)] = l;
      }
    for (std::int32_t v = through; v >= 0 && by[static_cast<size_t>(v)] >= 0; v = ln(by[static_cast<size_t>(v)]).from)
      ln(by[static_cast<size_t>(v)]).spine = true;
    for (std::int32_t v = through; v >= 0 && onwards[static_cast<size_t>(v)] >= 0; v = ln(onwards[static_cast<size_t>(v)]).to)
      ln(onwards[static_cast<size_t>(v)]).spine = true;
  }

  // Moves sources, and chains that start with one, right towards their readers. Hidden links are ignored.
  void compactSources() {
    const auto drawn = [this](std::int32_t l) { return !ln(l).hidden; };
    std::vector<char> movable(n, 0);
    for (const std::int32_t v : order) {
      const auto i = static_cast<size_t>(v);
      if (el(v).kind != Element::Kind::Child) continue;
      movable[i] = std::all_of(pred[i].begin(), pred[i].end(), [&](std::int32_t l) {
        const auto from = static_cast<size_t>(ln(l).from);
        return ln(l).hidden || (movable[from] && std::count_if(succ[from].begin(), succ[from].end(), drawn) == 1);
      });
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
      const auto i = static_cast<size_t>(*it);
      if (!movable[i] || succ[i].empty()) continue;
      std::int32_t nearest = std::numeric_limits<std::int32_t>::max();
      for (const std::int32_t l : succ[i])
        if (drawn(l)) nearest = std::min(nearest, layer[static_cast<size_t>(ln(l).to)]);
      if (nearest != std::numeric_limits<std::int32_t>::max()) layer[i] = std::max(layer[i], nearest - 1);
    }
  }

  // Moves an element with more wires on one side towards that side as far as its neighbours permit: wires get shorter, and fewer pass through the layers
  // between. With equal numbers it stays.
  void tighten() {
    constexpr int kRounds = 6;
    const auto weightOf = [this](std::int32_t l) { return ln(l).hidden ? 0 : ln(l).spine ? 4 : ln(l).weak ? 1 : 2; };
    const auto move = [&](std::int32_t v) {
      const auto i = static_cast<size_t>(v);
      if (el(v).kind != Element::Kind::Child) return false;
      std::int32_t low = 0, high = std::numeric_limits<std::int32_t>::max();
      int before = 0, behind = 0;
      for (const std::int32_t l : pred[i]) {
        before += weightOf(l);
        low = std::max(low, layer[static_cast<size_t>(ln(l).from)] + 1);
      }
      for (const std::int32_t l : succ[i]) {
        behind += weightOf(l);
        high = std::min(high, layer[static_cast<size_t>(ln(l).to)] - 1);
      }
      const std::int32_t was = layer[i];
      if (behind > before && high != std::numeric_limits<std::int32_t>::max()) layer[i] = std::max(was, high);
      else if (before > behind && !pred[i].empty()) layer[i] = std::min(was, low);
      return layer[i] != was;
    };
    for (int round = 0; round < kRounds; ++round) {
      bool changed = false;
      for (auto it = order.rbegin(); it != order.rend(); ++it) changed = move(*it) || changed;
      for (const std::int32_t v : order) changed = move(v) || changed;
      if (!changed) return;
    }
  }

  // For small drawings, minimizes the total length of the wires in layers; hidden links that close no cycle keep the order, but have no weight.
  void shorten() {
    if (order.empty()) return;
    std::vector<RankArc> arcs;
    const auto end = static_cast<std::int32_t>(n);  // after everything: the column of the ports on the right edge
    const auto vertexOf = [&](std::int32_t e) { return el(e).kind == Element::Kind::OutPort ? end : e; };
    std::int32_t start = -1;  // the ports on the left edge also form one column
    bool hasEnd = false;
    for (const std::int32_t v : order) {
      if (el(v).kind == Element::Kind::InPort && start < 0) start = v;
      hasEnd = hasEnd || el(v).kind == Element::Kind::OutPort;
    }
    const auto at = [&](std::int32_t e) { return el(e).kind == Element::Kind::InPort ? start : vertexOf(e); };
    for (const std::int32_t v : order) {
      for (const std::int32_t l : succ[static_cast<size_t>(v)])
        arcs.push_back({at(v), at(ln(l).to), 1, ln(l).hidden ? 0 : ln(l).spine ? 4 : ln(l).weak ? 1 : 2});
      if (el(v).kind != Element::Kind::Child) continue;
      if (start >= 0) arcs.push_back({start, v, 1, 0});
      if (hasEnd) arcs.push_back({v, end, 1, 0});
    }
    std::vector<std::int32_t> ranks = layer;
    ranks.push_back(1 + *std::max_element(ranks.begin(), ranks.end()));
    minimizeRanks(arcs, ranks, kPivots);
    const std::int32_t least = *std::min_element(ranks.begin(), ranks.end());
    for (size_t i = 0; i < n; ++i)
      if (inFlow[i]) layer[i] = ranks[static_cast<size_t>(at(static_cast<std::int32_t>(i)))] - least;
  }

  void compact() {
    std::vector<std::int32_t> used;
    for (size_t i = 0; i < n; ++i)
      if (inFlow[i]) used.push_back(layer[i]);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (size_t i = 0; i < n; ++i)
      if (inFlow[i]) layer[i] = static_cast<std::int32_t>(std::lower_bound(used.begin(), used.end(), layer[i]) - used.begin());
    out.layers.assign(used.size(), {});
  }

  double heightOf(size_t i) const {
    double attachedHeight = 0;
    for (const std::int32_t g : out.attachedParameters[i])
      attachedHeight = std::max(attachedHeight, p.elements[static_cast<size_t>(g)].above + p.elements[static_cast<size_t>(g)].below + options.parameterGap);
    return p.elements[i].above + p.elements[i].below + attachedHeight + options.gapY;
  }

  // Splits a column that is much higher than the drawing is wide: elements of one layer are independent, so they may stand side by side. Those that only have
  // outputs go right, near their readers, those that only have inputs go left.
  void splitTallLayers() {
    double area = 0;
    std::vector<std::vector<std::int32_t>> members(out.layers.size());
    for (size_t i = 0; i < n; ++i) {
      if (!inFlow[i]) continue;
      members[static_cast<size_t>(layer[i])].push_back(static_cast<std::int32_t>(i));
      area += heightOf(i) * (p.elements[i].width + options.gapX);
    }
    const double limit = std::max(kTallest, std::sqrt(area / 1.5));
    std::int32_t next = 0;
    for (auto& list : members) {
      double height = 0;
      bool ports = false;
      for (const std::int32_t i : list) {
        height += heightOf(static_cast<size_t>(i));
        ports = ports || el(i).kind != Element::Kind::Child || (p.frame == Frame::Loop && el(i).station > Station::Inside);
      }
      if (height <= 1.3 * limit || ports) {
        for (const std::int32_t i : list) layer[static_cast<size_t>(i)] = next;
        ++next;
        continue;
      }
      const auto side = [this](std::int32_t i) {
        const bool gives = !succ[static_cast<size_t>(i)].empty(), takes = !pred[static_cast<size_t>(i)].empty();
        return gives == takes ? 1 : (gives ? 2 : 0);
      };
      std::stable_sort(list.begin(), list.end(), [&](std::int32_t a, std::int32_t b) { return side(a) < side(b); });
      const double share = height / std::ceil(height / limit);
      double filled = 0;
      for (const std::int32_t i : list) {
        if (filled > 0 && filled + heightOf(static_cast<size_t>(i)) / 2 > share) {
          ++next;
          filled = 0;
        }
        layer[static_cast<size_t>(i)] = next;
        filled += heightOf(static_cast<size_t>(i));
      }
      ++next;
    }
    out.layers.assign(static_cast<size_t>(next), {});
  }

  std::int32_t addVertex(std::int32_t element, std::int32_t l, std::uint64_t key) {
    Vertex v;
    v.element = element;
    v.layer = l;
    v.key = key;
    out.vertices.push_back(v);
    return static_cast<std::int32_t>(out.vertices.size() - 1);
  }

  void addElements() {
    out.vertexOf.assign(n, -1);
    for (size_t i = 0; i < n; ++i) {
      if (!inFlow[i]) continue;
      const Element& e = p.elements[i];
      out.vertexOf[i] = addVertex(static_cast<std::int32_t>(i), layer[i], e.key);
      Vertex& v = out.vertices.back();
      v.above = e.above;
      v.below = e.below;
      v.width = e.width;
      double row = -options.gapY / 2, height = 0;
      for (const std::int32_t g : out.attachedParameters[i]) {
        row += el(g).width + options.gapY / 2;
        height = std::max(height, el(g).above + el(g).below);
      }
      if (height > 0) {
        v.width = std::max(v.width, row);
        v.below += options.parameterGap + height;
      }
    }
  }

  // The longest span for which all links fit into the budget of dummies; longer ones run over the top.
  std::int32_t longestSpan() const {
    std::vector<std::int64_t> count(out.layers.size() + 2, 0);
    std::int64_t flowing = 0;
    for (size_t i = 0; i < n; ++i) {
      flowing += inFlow[i];
      for (const std::int32_t l : succ[i]) {
        const Link& link = p.links[static_cast<size_t>(l)];
        if (link.hidden) continue;
        const auto span = layer[static_cast<size_t>(link.to)] - layer[i];
        if (span > 1) ++count[static_cast<size_t>(span)];
      }
    }
    std::int64_t budget = 3 * flowing + 2000;
    std::int32_t span = 1;
    while (static_cast<size_t>(span) + 1 < count.size()) {
      budget -= count[static_cast<size_t>(span) + 1] * span;
      if (budget < 0) break;
      ++span;
    }
    return std::max(span, 1);
  }

  void addDummies() {
    out.ways.assign(p.links.size(), {});
    out.lane.assign(p.links.size(), 0);
    const std::int32_t longest = longestSpan();
    for (size_t i = 0; i < p.links.size(); ++i)
      if (p.links[i].back && !p.links[i].hidden) {
        out.lane[i] = 1;
        p.links[i].joint = Joint::Corners;
      }
    std::vector<std::int32_t> links;
    for (size_t i = 0; i < n; ++i) {
      links = succ[i];
      std::stable_sort(links.begin(), links.end(), [this](std::int32_t a, std::int32_t b) { return ln(a).port < ln(b).port; });
      std::vector<std::int32_t> way, wayHops;  // dummies of the current port, and the hops to them
      std::int32_t port = -1;
      bool first = true;
      for (const std::int32_t l : links) {
        Link& link = ln(l);
        if (link.hidden) continue;
        if (first || link.port != port) {
          port = link.port;
          first = false;
          way.clear();
          wayHops.clear();
        }
        const std::int32_t span = layer[static_cast<size_t>(link.to)] - layer[i];
        const bool quietWire = link.kind == EdgeKind::Control;
        if (span > longest) {
          // No wire runs around the whole picture: it is drawn on demand.
          link.quiet = true;
          continue;
        }
        while (static_cast<std::int32_t>(way.size()) < span - 1) {
          const auto k = static_cast<std::int32_t>(way.size());
          const std::int32_t before = k == 0 ? out.vertexOf[i] : way.back();
          const auto key = mixKey(mixKey(p.elements[i].key, link.portKey), static_cast<std::uint64_t>(k + 1));
          const std::int32_t dummy = addVertex(-1, layer[i] + k + 1, key);
          wayHops.push_back(static_cast<std::int32_t>(out.hops.size()));
          out.hops.push_back({before, dummy, link.spine ? kSpine : quietWire ? 0.7F : (k == 0 ? 2.F : 8.F), k == 0 ? l : -1, -1, 0});
          way.push_back(dummy);
        }
        for (std::int32_t k = 0; k + 1 < span; ++k) ++out.hops[static_cast<size_t>(wayHops[static_cast<size_t>(k)])].wires;
        const std::int32_t before = span <= 1 ? out.vertexOf[i] : way[static_cast<size_t>(span) - 2];
        const float weight = link.spine ? kSpine : quietWire ? 0.5F : (link.main ? 1.5F : 1.F);
        out.hops.push_back({before, out.vertexOf[static_cast<size_t>(link.to)], weight, span <= 1 ? l : -1, l});
        out.ways[static_cast<size_t>(l)].assign(way.begin(), way.begin() + std::max(0, span - 1));
      }
    }
  }
};

}  // namespace

void assignLayers(ContainerProblem& problem, const Options& options, Layers& layers) {
  Layering pass{problem, options, layers, problem.elements.size(), {}, {}, {}, {}, {}};
  pass.attachParameters();
  pass.chooseFlow();
  pass.breakCycles();
  pass.longestPath();
  pass.chooseSpine();
  pass.compactSources();
  if (pass.order.size() <= kFew) pass.shorten();
  else pass.tighten();
  if (problem.frame == Frame::Loop) alignBorders(problem, pass.order, pass.succ, pass.layer);
  pass.compact();
  pass.splitTallLayers();
  pass.addElements();
  pass.addDummies();
}

}  // namespace weft::layout
