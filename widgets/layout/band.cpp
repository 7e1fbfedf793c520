// A container in two parts: the flow, and beneath it a mirrored band of what runs backwards (gradients and updates). One wire joins them, at the right, from
// the end of the flow to the start of the band; the others are quiet, because each gradient reads most of the forward pass.
#include <algorithm>
#include <cmath>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

constexpr double kTurn = 22;  // how far the joining wire runs out to the right
constexpr double kStep = 10;  // how far beyond its source it turns downwards

/// Elements and links of one part, with their indexes in the whole.
struct Share {
  ContainerProblem problem;
  std::vector<size_t> elementIn, linkIn;
};

struct Banded {
  ContainerProblem& whole;
  const Options& options;
  std::vector<char> beneath;  // per element
  std::vector<std::int32_t> numberIn;
  Share flow, band;

  bool split() {
    const auto isChild = [](const Element& e) { return e.kind == Element::Kind::Child; };
    const bool any = std::any_of(whole.elements.begin(), whole.elements.end(), [&](const Element& e) { return isChild(e) && e.role == Role::Beneath; });
    const bool flows = std::any_of(whole.elements.begin(), whole.elements.end(), [&](const Element& e) { return isChild(e) && e.role == Role::Flow; });
    if (!any) return false;
    if (!flows) {
      for (Element& e : whole.elements)
        if (e.role == Role::Beneath) e.role = Role::Flow;
      return false;
    }
    beneath.assign(whole.elements.size(), 0);
    numberIn.assign(whole.elements.size(), -1);
    flow.problem = whole;
    flow.problem.mirrored = false;
    flow.problem.elements.clear();
    flow.problem.links.clear();
    band.problem.padding = band.problem.header = band.problem.footer = 0;
    for (size_t i = 0; i < whole.elements.size(); ++i) {
      beneath[i] = isChild(whole.elements[i]) && whole.elements[i].role == Role::Beneath;
      Share& share = beneath[i] ? band : flow;
      numberIn[i] = static_cast<std::int32_t>(share.elementIn.size());
      share.elementIn.push_back(i);
      share.problem.elements.push_back(whole.elements[i]);
      if (beneath[i]) share.problem.elements.back().role = Role::Flow;
    }
    for (size_t l = 0; l < whole.links.size(); ++l) {
      const Link& link = whole.links[l];
      const bool low = beneath[static_cast<size_t>(link.from)] != 0;
      if (!low && !link.hidden && beneath[static_cast<size_t>(link.to)] != 0)
        flow.problem.elements[static_cast<size_t>(numberIn[static_cast<size_t>(link.from)])].differentiated = true;
      if (low != (beneath[static_cast<size_t>(link.to)] != 0)) continue;
      Share& share = low ? band : flow;
      share.linkIn.push_back(l);
      share.problem.links.push_back(link);
      share.problem.links.back().from = numberIn[static_cast<size_t>(link.from)];
      share.problem.links.back().to = numberIn[static_cast<size_t>(link.to)];
    }
    return true;
  }

  void takeBack(const Share& share, double dx, double dy) {
    for (size_t i = 0; i < share.elementIn.size(); ++i) {
      Element& e = whole.elements[share.elementIn[i]];
      e.x = share.problem.elements[i].x + dx;
      e.shelved = share.problem.elements[i].shelved;
      e.flow = share.problem.elements[i].flow;
      e.y = share.problem.elements[i].y + dy;
    }
    for (size_t l = 0; l < share.linkIn.size(); ++l) {
      Link& link = whole.links[share.linkIn[l]];
      const std::int32_t from = link.from, to = link.to;
      link = share.problem.links[l];
      link.from = from;
      link.to = to;
      for (Point& p : link.points) p = {p.x + dx, p.y + dy};
    }
  }

  // The wire that `quiet.cpp` did not hide runs out at the right, down, and back into the band; the quiet ones are straight.
  void join(double right, double gap) {
    for (Link& link : whole.links) {
      const auto from = static_cast<size_t>(link.from), to = static_cast<size_t>(link.to);
      if (beneath[from] == beneath[to]) continue;
      const Element &a = whole.elements[from], &b = whole.elements[to];
      link.quiet = link.hidden;
      link.joint = Joint::Corners;
      const Point start{beneath[from] ? a.x : a.x + a.width, a.y + link.fromDy}, end{beneath[to] ? b.x + b.width : b.x, b.y + link.toDy};
      if (link.hidden || beneath[from]) {
        link.joint = Joint::Curve;
        link.points = {start, end};
        continue;
      }
      const double x = std::max(right, start.x) + kTurn, out = start.x + kStep;
      // If elements to the right of its end are in the way, it runs through the gap above the band.
      const double down = end.x + kStep;
      const bool passes = std::any_of(band.elementIn.begin(), band.elementIn.end(), [&](size_t i) {
        const Element& e = whole.elements[i];
        return i != to && e.x > end.x - 1 && e.y - e.above < end.y + 4 && end.y - 4 < e.y + e.below;
      });
      link.points = {start, {x, start.y}, {x, end.y}, end};
      // If elements to the right of its source are in the way, it first goes down to the gap above the band.
      const bool covered = std::any_of(flow.elementIn.begin(), flow.elementIn.end(), [&](size_t i) {
        const Element& e = whole.elements[i];
        return i != from && e.kind == Element::Kind::Child && !e.shelved && e.x > start.x && e.y - e.above < start.y + 4 && start.y - 4 < e.y + e.below;
      });
      if (covered) link.points = {start, {out, start.y}, {out, gap}, {x, gap}, {x, end.y}, end};
      if (passes && covered) link.points = {start, {out, start.y}, {out, gap}, {down, gap}, {down, end.y}, end};
      else if (passes) link.points = {start, {x, start.y}, {x, gap}, {down, gap}, {down, end.y}, end};
    }
  }

  Size run(ContainerMemory* memory) {
    const Size above = layoutParts(flow.problem, options, memory);
    Size below = layoutFlow(band.problem, options, nullptr);
    mirror(band.problem, below.w);
    // The band starts at the right, where the main flow ends.
    double mainRight = 0, mainLeft = 1e18;
    for (const Element& e : flow.problem.elements)
      if (e.kind == Element::Kind::Child && !e.shelved && e.flow == 0) mainRight = std::max(mainRight, e.x + e.width), mainLeft = std::min(mainLeft, e.x);
    // Elements aligned with their forward ops end where those end, whatever is beside them.
    const auto it = std::find_if(band.problem.elements.begin(), band.problem.elements.end(), [](const Element& e) { return e.aligned; });
    const bool aligned = it != band.problem.elements.end() &&
                         std::none_of(whole.elements.begin(), whole.elements.end(), [](const Element& e) { return e.kind == Element::Kind::InPort; });
    const double left = aligned ? std::round(mainRight - it->x - it->width) : std::max(std::min(mainLeft, mainRight), std::round(mainRight - below.w));
    const double top = std::round(flowBottom(flow.problem) + 2 * options.gapY);
    makeRoom(below.h + 2 * options.gapY);
    takeBack(flow, 0, 0);
    takeBack(band, left, top);
    const double right = std::max(mainRight, left + below.w);
    join(right, std::round(top - options.gapY));
    // A band wider than the flow, and the wire that leads to it, push the column of helpers aside.
    const double needed = std::max(flowRight(flow.problem), right + 2 * kTurn);
    double width = moveColumn(whole, needed, above.w, needed + whole.padding);
    if (aligned && left < whole.padding) {
      const double by = whole.padding - left;
      for (Element& e : whole.elements) e.x += by;
      for (Link& link : whole.links)
        for (Point& p : link.points) p.x += by;
      width += by;
    }
    double bottom = top + below.h;
    for (const Element& e : whole.elements)
      if (e.flow > 0) bottom = std::max(bottom, e.y + e.below);
    return {width, std::max(above.h, bottom + whole.footer)};
  }

  /// The band lies directly beneath the main flow: the other flows move down.
  void makeRoom(double height) {
    for (Element& e : flow.problem.elements)
      if (e.flow > 0) e.y += height;
    for (Link& link : flow.problem.links) {
      if (flow.problem.elements[static_cast<size_t>(link.from)].flow == 0 || flow.problem.elements[static_cast<size_t>(link.to)].flow == 0) continue;
      for (Point& p : link.points) p.y += height;
    }
  }
};

}  // namespace

void mirror(ContainerProblem& problem, double width) {
  for (Element& e : problem.elements) e.x = width - e.x - e.width;
  for (Link& link : problem.links)
    for (Point& p : link.points) p.x = width - p.x;
}

Size layoutParts(ContainerProblem& problem, const Options& options, ContainerMemory* memory) {
  Size size;
  if (problem.frame == Frame::Loop) return layoutLoop(problem, options, memory);
  if (problem.frame == Frame::Conditional && layoutLanes(problem, options, memory, size)) return size;
  return layoutFlows(problem, options, memory);
}

Size layoutContainer(ContainerProblem& problem, const Options& options, ContainerMemory* memory) {
  Banded banded{problem, options, {}, {}, {}, {}};
  const Size size = banded.split() ? banded.run(memory) : layoutParts(problem, options, memory);
  if (problem.mirrored) mirror(problem, size.w);
  return size;
}

}  // namespace weft::layout
