// Breaks the layers of a long chain into rows, like words into lines, because it fits no screen. Wires that pass a break turn at the right margin, run back
// through the channel between the rows, and enter from the left margin.
#include <algorithm>
#include <cmath>
#include <set>

#include "layout/container_layout.h"

namespace weft::layout {
namespace {

constexpr double kLongest = 2560, kWorstAspect = 3.2;       // below that it is shown at half size or more in a window of common width
constexpr double kCanvasWidth = 1200, kCanvasHeight = 540;  // rows are chosen to appear as large as possible in such a canvas
constexpr double kWorthARow = 1.12;                         // minimum gain in size for another row, since wires run back at the end of each
constexpr double kShortest = 0.6, kLastRow = 0.4;           // of the longest row's width
constexpr size_t kMostWires = 2;                            // across one break: more would be harder to follow than a long line
constexpr double kMargin = 14, kTurn = 6, kChannel = 8;

struct Wrapper {
  const Options& options;
  double laneRoom;
  Layers& out;
  const ContainerProblem& problem;
  std::vector<std::set<std::int32_t>> crossing;  // vertices whose wire passes the gap after each column
  size_t columns = 0;                            // without the column of ports on the right edge

  Vertex& vx(std::int32_t v) { return out.vertices[static_cast<size_t>(v)]; }

  bool isPort(std::int32_t v) const {
    const std::int32_t e = out.vertices[static_cast<size_t>(v)].element;
    return e >= 0 && problem.elements[static_cast<size_t>(e)].kind == Element::Kind::OutPort;
  }

  double widthOf(size_t first, size_t last) const { return out.columnRight[last] - out.columnLeft[first]; }

  void countCrossing() {
    crossing.assign(out.layers.size(), {});
    for (const Hop& hop : out.hops) crossing[static_cast<size_t>(vx(hop.a).layer)].insert(hop.a);
  }

  // Row ends for a target width: where the fewest wires cross in the last part of each row.
  std::vector<size_t> breaks(double targetWidth) const {
    std::vector<size_t> ends;
    size_t first = 0;
    while (first < columns) {
      if (widthOf(first, columns - 1) <= targetWidth * 1.12) break;
      size_t best = columns, fewest = kMostWires + 1;
      for (size_t c = first; c + 1 < columns; ++c) {
        const double w = widthOf(first, c);
        if (w < targetWidth * 0.62) continue;
        if (w > targetWidth && best < columns) break;
        if (crossing[c].size() <= fewest && crossing[c].size() <= kMostWires) {
          fewest = crossing[c].size();
          best = c;
        }
      }
      if (best >= columns) break;
      ends.push_back(best);
      first = best + 1;
    }
    return ends;
  }

  // No row with only a node or two, and none twice as long as another.
  bool isEven(const std::vector<size_t>& ends) const {
    double least = 1e18, most = 0;
    size_t first = 0;
    for (const size_t end : ends) {
      least = std::min(least, widthOf(first, end));
      most = std::max(most, widthOf(first, end));
      first = end + 1;
    }
    const double last = widthOf(first, columns - 1);
    return least >= kShortest * std::max(most, last) && last >= kLastRow * most;
  }

  /// The zoom at which all rows with these ends are visible.
  double sizeOn(const std::vector<size_t>& ends) const {
    double width = 1, height = 1;
    for (size_t first = 0, r = 0; r <= ends.size(); ++r) {
      const size_t end = r < ends.size() ? ends[r] : columns - 1;
      double top = 0, bottom = 0;
      extents(first, end, top, bottom);
      width = std::max(width, widthOf(first, end) + 4 * kMargin);
      height += bottom - top + 2 * options.gapY + kChannel + laneRoom;
      first = end + 1;
    }
    return std::min({1.0, kCanvasWidth / width, kCanvasHeight / height});
  }

  void extents(size_t first, size_t last, double& top, double& bottom) const {
    bool any = false;
    for (size_t c = first; c <= last; ++c)
      for (const std::int32_t i : out.layers[c]) {
        const Vertex& v = out.vertices[static_cast<size_t>(i)];
        top = any ? std::min(top, v.y - v.above) : v.y - v.above;
        bottom = any ? std::max(bottom, v.y + v.below) : v.y + v.below;
        any = true;
      }
  }

  void run() {
    columns = out.layers.size();
    out.row.assign(columns, 0);
    out.rowTop.assign(1, out.top);
    out.slot.assign(out.vertices.size(), -1);
    out.rowRight = out.right;
    const double height = std::max(1.0, out.bottom - out.top);
    if (columns > 0 && isPort(out.layers.back().front())) --columns;
    if (columns < 4 || problem.frame == Frame::Loop || out.right < kLongest || out.right / height < kWorstAspect) return;
    countCrossing();
    std::vector<size_t> ends;
    double best = 0;
    for (int rows = 2; rows <= 40; ++rows) {
      const double targetWidth = out.right / rows + 40;
      if (targetWidth < 560) break;
      std::vector<size_t> candidate = breaks(targetWidth);
      if (candidate.empty() || !isEven(candidate)) continue;
      const double size = sizeOn(candidate);
      if (size <= best * kWorthARow) continue;
      best = size;
      ends = std::move(candidate);
    }
    if (ends.empty()) return;
    ends.push_back(columns - 1);
    apply(ends);
  }

  void apply(const std::vector<size_t>& ends) {
    size_t most = 0;
    for (size_t r = 0; r + 1 < ends.size(); ++r) most = std::max(most, crossing[ends[r]].size());
    const double margin = kMargin * 2 + kTurn * static_cast<double>(most);
    double y = out.top, right = 0;
    size_t first = 0;
    out.rowTop.clear();
    out.channel.clear();
    std::vector<double> shift;
    for (size_t r = 0; r < ends.size(); ++r) {
      double top = 0, bottom = 0;
      extents(first, ends[r], top, bottom);
      const double dy = std::round(y - top), dx = std::round(margin - out.columnLeft[first]);
      for (size_t c = first; c <= ends[r]; ++c) {
        for (const std::int32_t v : out.layers[c]) vx(v).y += dy;
        out.columnLeft[c] += dx;
        out.columnRight[c] += dx;
        out.row[c] = static_cast<std::int32_t>(r);
      }
      out.rowTop.push_back(y);
      right = std::max(right, out.columnRight[ends[r]]);
      y += bottom - top;
      if (r + 1 < ends.size()) {
        // Wires keep their order in the channel: the topmost turns outermost on the right and innermost on the left.
        std::vector<std::int32_t> wires(crossing[ends[r]].begin(), crossing[ends[r]].end());
        std::sort(wires.begin(), wires.end(), [this](std::int32_t a, std::int32_t b) { return vx(a).y < vx(b).y || (vx(a).y == vx(b).y && a < b); });
        for (size_t k = 0; k < wires.size(); ++k) out.slot[static_cast<size_t>(wires[k])] = static_cast<std::int32_t>(k);
        out.channel.push_back({y + options.gapY, static_cast<std::int32_t>(wires.size()), out.columnRight[ends[r]]});
        y += 2 * options.gapY + kChannel * static_cast<double>(std::max<size_t>(wires.size(), 1)) + laneRoom;
      }
      first = ends[r] + 1;
    }
    out.rowRight = right;
    out.rowLeft = margin;
    out.right = right + margin;
    out.bottom = y;
    if (columns < out.layers.size()) raisePorts();
  }

  // Wires leaving the last row climb along the right edge to the height at which the flow entered, so that a chain around this container stays straight.
  void raisePorts() {
    auto& ports = out.layers.back();
    double line = vx(out.layers.front().front()).y;
    for (const std::int32_t v : out.layers.front()) line = std::min(line, vx(v).y);
    out.climb = out.rowRight + kMargin + kTurn * static_cast<double>(kMostWires);
    for (size_t k = 0; k < ports.size(); ++k) vx(ports[k]).y = line + static_cast<double>(k) * options.portSpacing * 0.75;
    out.row.back() = out.row[columns - 1];
    out.columnLeft.back() = out.columnRight.back() = out.right = out.climb + kTurn * static_cast<double>(ports.size()) + kMargin;
  }
};

}  // namespace

void wrapRows(const ContainerProblem& problem, const Options& options, double laneRoom, Layers& layers) {
  Wrapper wrapper{options, laneRoom, layers, problem, {}};
  wrapper.run();
}

std::array<Point, 4> wrapTurn(const Layers& layers, std::int32_t vertex, double fromY, double toY) {
  const auto row = static_cast<size_t>(layers.row[static_cast<size_t>(layers.vertices[static_cast<size_t>(vertex)].layer)]);
  const auto& channel = layers.channel[row];
  const double k = layers.slot[static_cast<size_t>(vertex)], last = channel.wires - 1;
  const double right = channel.right + kMargin + (last - k) * kTurn;
  const double left = layers.rowLeft - kMargin - k * kTurn;
  const double y = channel.y + (last - k) * kChannel;
  return {Point{right, fromY}, Point{right, y}, Point{left, y}, Point{left, toY}};
}

}  // namespace weft::layout
