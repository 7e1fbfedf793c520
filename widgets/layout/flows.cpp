// A container whose flow consists of pieces that no drawn wire joins, such as a network, the pipeline of its iterator and a learning rate decay. Each piece is
// laid out separately, so that none is stretched to the columns of another; the heaviest comes first, the others lie beneath it in rows.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

constexpr double kApart = 2;  // gaps between two flows

struct Piece {
  ContainerProblem problem;
  std::vector<std::size_t> elementIn, linkIn;  // their indexes in the whole
  PreparedFlow flow;
  double weight = 0;
  Size size;
};

struct Flows {
  ContainerProblem& whole;
  const Options& options;
  std::vector<std::int32_t> above;  // union-find
  std::vector<char> drawn;          // per element: a drawn wire ends there
  std::vector<Piece> pieces;        // the main one first
  std::vector<std::int32_t> pieceOf, numberIn;

  const Element& el(std::int32_t i) const { return whole.elements[static_cast<std::size_t>(i)]; }
  std::int32_t top(std::int32_t i) {
    while (above[static_cast<std::size_t>(i)] != i)
      i = above[static_cast<std::size_t>(i)] = above[static_cast<std::size_t>(above[static_cast<std::size_t>(i)])];
    return i;
  }
  void join(std::int32_t a, std::int32_t b) { above[static_cast<std::size_t>(std::max(top(a), top(b)))] = std::min(top(a), top(b)); }

  /// Finds the pieces; returns false if there are fewer than two.
  bool split() {
    above.resize(whole.elements.size());
    std::iota(above.begin(), above.end(), 0);
    drawn.assign(whole.elements.size(), 0);
    std::int32_t port = -1;  // the borders tie together everything wired to them
    for (std::size_t i = 0; i < whole.elements.size(); ++i) {
      if (whole.elements[i].kind == Element::Kind::Child) continue;
      if (port >= 0) join(static_cast<std::int32_t>(i), port);
      port = static_cast<std::int32_t>(i);
      drawn[i] = 1;
    }
    const auto flows = [this](std::int32_t i) { return el(i).role != Role::Aside; };
    for (const Link& link : whole.links) {
      if (link.hidden || !flows(link.from) || !flows(link.to) || link.from == link.to) continue;
      join(link.from, link.to);
      drawn[static_cast<std::size_t>(link.from)] = drawn[static_cast<std::size_t>(link.to)] = 1;
    }
    // Elements with only hidden wires join the piece that these lead to.
    std::vector<char> placed = drawn;
    for (const Link& link : whole.links) {
      if (link.aside) continue;
      for (const auto& [a, b] : {std::pair{link.from, link.to}, std::pair{link.to, link.from}})
        if (!placed[static_cast<std::size_t>(a)] && drawn[static_cast<std::size_t>(b)] && el(a).role == Role::Flow && el(a).kind == Element::Kind::Child) {
          join(a, b);
          placed[static_cast<std::size_t>(a)] = 1;
        }
    }
    return sortPieces(placed, port);
  }

  bool sortPieces(const std::vector<char>& placed, std::int32_t port) {
    std::vector<double> weight(whole.elements.size(), 0);
    std::vector<std::int32_t> tops;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(whole.elements.size()); ++i) {
      if (!placed[static_cast<std::size_t>(i)]) continue;
      double& sum = weight[static_cast<std::size_t>(top(i))];
      if (sum == 0) tops.push_back(top(i));
      // A scope counts by its ops (its mass is their logarithm); weights and constants do not count.
      sum += el(i).kind != Element::Kind::Child || el(i).role != Role::Flow ? 1e-3 : std::exp2(std::min(el(i).mass - 1, 12.F));
    }
    if (tops.size() < 2) return false;
    // The piece wired to the borders comes first, whatever the others weigh.
    if (port >= 0) weight[static_cast<std::size_t>(top(port))] = 1e30;
    std::stable_sort(tops.begin(), tops.end(),
                     [&](std::int32_t a, std::int32_t b) { return weight[static_cast<std::size_t>(a)] > weight[static_cast<std::size_t>(b)]; });
    pieceOf.assign(whole.elements.size(), 0);  // helpers and singles belong to the main piece's column
    std::vector<std::int32_t> rank(whole.elements.size(), 0);
    for (std::size_t k = 0; k < tops.size(); ++k) rank[static_cast<std::size_t>(tops[k])] = static_cast<std::int32_t>(k);
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(whole.elements.size()); ++i)
      if (placed[static_cast<std::size_t>(i)]) pieceOf[static_cast<std::size_t>(i)] = rank[static_cast<std::size_t>(top(i))];
    share(tops.size());
    return true;
  }

  void share(std::size_t count) {
    pieces.resize(count);
    numberIn.assign(whole.elements.size(), -1);
    for (std::size_t k = 0; k < count; ++k) {
      ContainerProblem& p = pieces[k].problem;
      p.mirrored = false;
      p.footer = 0;
      p.padding = whole.padding;
      p.header = k == 0 ? whole.header : 0;
      p.minWidth = k == 0 ? whole.minWidth : 0;
    }
    for (std::size_t i = 0; i < whole.elements.size(); ++i) {
      Piece& piece = pieces[static_cast<std::size_t>(pieceOf[i])];
      numberIn[i] = static_cast<std::int32_t>(piece.elementIn.size());
      piece.elementIn.push_back(i);
      piece.problem.elements.push_back(whole.elements[i]);
    }
    for (std::size_t l = 0; l < whole.links.size(); ++l) {
      const Link& link = whole.links[l];
      const auto from = static_cast<std::size_t>(link.from), to = static_cast<std::size_t>(link.to);
      if (pieceOf[from] != pieceOf[to]) continue;
      Piece& piece = pieces[static_cast<std::size_t>(pieceOf[from])];
      piece.linkIn.push_back(l);
      piece.problem.links.push_back(link);
      piece.problem.links.back().from = numberIn[from];
      piece.problem.links.back().to = numberIn[to];
    }
  }

  void layOut(ContainerMemory* memory) {
    std::uint64_t structure = 0;
    for (Piece& piece : pieces) {
      piece.flow = prepareFlow(piece.problem, options);
      structure += piece.flow.structure;
    }
    const ContainerMemory::Places* seed = memory == nullptr ? nullptr : memory->recall(structure);
    ContainerMemory::Places learned;
    for (Piece& piece : pieces) piece.size = finishFlow(piece.problem, options, piece.flow, seed, learned);
    if (memory != nullptr) memory->remember(structure, std::move(learned));
  }

  void takeBack(Piece& piece, std::int32_t number, double dx, double dy) {
    for (std::size_t i = 0; i < piece.elementIn.size(); ++i) {
      Element& e = whole.elements[piece.elementIn[i]];
      e = piece.problem.elements[i];
      e.x += dx;
      e.y += dy;
      e.flow = number;
      if (number > 0) e.shelved = false;  // its column moves with it
    }
    for (std::size_t l = 0; l < piece.linkIn.size(); ++l) {
      Link& link = whole.links[piece.linkIn[l]];
      const std::int32_t from = link.from, to = link.to;
      link = std::move(piece.problem.links[l]);
      link.from = from;
      link.to = to;
      for (Point& p : link.points) p = {p.x + dx, p.y + dy};
    }
  }

  /// Places the other pieces beneath the main one, side by side where they fit into its width.
  Size stack() {
    takeBack(pieces[0], 0, 0, 0);
    double right = flowRight(whole), y = flowBottom(whole), x = whole.padding, rowHeight = 0, bottom = y;
    double widest = right;
    for (std::size_t k = 1; k < pieces.size(); ++k) widest = std::max(widest, pieces[k].size.w);
    y += kApart * options.gapY;
    for (std::size_t k = 1; k < pieces.size(); ++k) {
      Piece& piece = pieces[k];
      const double width = piece.size.w - 2 * whole.padding, height = piece.size.h - whole.padding;
      if (x > whole.padding && x + width > widest) {
        x = whole.padding;
        y += rowHeight + kApart * options.gapY;
        rowHeight = 0;
      }
      takeBack(piece, static_cast<std::int32_t>(k), std::round(x - whole.padding), std::round(y - whole.padding));
      right = std::max(right, x + width);
      rowHeight = std::max(rowHeight, height);
      bottom = std::max(bottom, y + height);
      x += width + kApart * options.gapX;
    }
    for (Link& link : whole.links) {
      const Element &a = el(link.from), &b = el(link.to);
      if (a.flow == b.flow) continue;
      link.quiet = true;
      link.joint = Joint::Curve;
      link.points = {{a.x + a.width, a.y + link.fromDy}, {b.x, b.y + link.toDy}};
    }
    const double width = moveColumn(whole, right + options.gapX, pieces[0].size.w, right + whole.padding);
    return {width, std::max(pieces[0].size.h, bottom) + whole.footer};
  }
};

bool isShelved(const Element& e) { return e.shelved; }

}  // namespace

double flowRight(const ContainerProblem& problem) {
  double right = 0;
  for (const Element& e : problem.elements)
    if (e.kind == Element::Kind::Child && !e.shelved) right = std::max(right, e.x + e.width);
  return right;
}

double flowBottom(const ContainerProblem& problem) {
  double bottom = 0;
  for (const Element& e : problem.elements)
    if (e.kind == Element::Kind::Child && !e.shelved && e.flow == 0) bottom = std::max(bottom, e.y + e.below);
  for (const Link& link : problem.links)
    if (!link.quiet && problem.elements[static_cast<std::size_t>(link.from)].flow == 0)
      for (const Point& p : link.points) bottom = std::max(bottom, p.y);
  return bottom;
}

double moveColumn(ContainerProblem& problem, double needed, double width, double least) {
  double left = 1e18;
  for (const Element& e : problem.elements)
    if (isShelved(e)) left = std::min(left, e.x);
  const double push = left < 1e17 ? std::max(0.0, needed - left) : 0;
  const double wide = std::max(width + push, least);
  if (push > 0) {
    for (Element& e : problem.elements)
      if (isShelved(e)) e.x += push;
    for (Link& link : problem.links)
      if (link.quiet && link.points.size() == 2) {
        if (isShelved(problem.elements[static_cast<std::size_t>(link.from)])) link.points.front().x += push;
        if (isShelved(problem.elements[static_cast<std::size_t>(link.to)])) link.points.back().x += push;
      }
  }
  if (wide > width)
    for (Link& link : problem.links)
      if (problem.elements[static_cast<std::size_t>(link.to)].kind == Element::Kind::OutPort && !link.points.empty()) link.points.back().x = wide;
  for (Element& e : problem.elements)
    if (e.kind == Element::Kind::OutPort) e.x = std::max(e.x, wide);
  return wide;
}

Size layoutFlows(ContainerProblem& problem, const Options& options, ContainerMemory* memory) {
  for (Element& e : problem.elements) e.flow = 0;
  Flows flows{problem, options, {}, {}, {}, {}, {}};
  if (!flows.split()) return layoutFlow(problem, options, memory);
  flows.layOut(memory);
  return flows.stack();
}

}  // namespace weft::layout
