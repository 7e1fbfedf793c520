#include "plot/curve_points.h"

#include <algorithm>
#include <cmath>

namespace weft::widgets {

namespace {
constexpr double kFar = 4000;  // pixels
}

double ChartScale::logarithm(double v) { return std::log10(std::max(v, 1e-300)); }

double ChartScale::pixelY(double y) const {
  const double at = area.bottom() - (axisY(y) - y0) / (y1 - y0) * area.height();
  return std::isfinite(at) ? std::clamp(at, area.top() - kFar, area.bottom() + kFar) : at;
}

double ChartScale::xAt(double pixel) const {
  const double at = x0 + (pixel - area.left()) / std::max(1.0, area.width()) * (x1 - x0);
  return logX ? std::pow(10.0, at) : at;
}

double ChartScale::yAt(double pixel) const {
  const double at = y1 - (pixel - area.top()) / std::max(1.0, area.height()) * (y1 - y0);
  return logY ? std::pow(10.0, at) : at;
}

bool ChartScale::has(double x, double y) const { return std::isfinite(y) && (!logY || y > 0) && (!logX || x > 0); }

namespace {

void addBlock(CurvePoints& points, const Block& block, const SeriesStore& store, const std::vector<double>* smooth, const ChartScale& scale) {
  points.open = block.first;
  points.rawKept = points.raw.size();
  points.curveKept = points.curve.size();
  QPolygonF& raw = smooth ? points.raw : points.curve;
  const auto add = [&scale](QPolygonF& list, double x, double value) {
    if (scale.has(x, value)) list.append({scale.pixelX(x), scale.pixelY(value)});
  };
  const std::size_t last = block.first + static_cast<std::size_t>(block.count) - 1;
  if (block.count == 1) {
    add(raw, block.x0, store[block.first].value);
    if (smooth) add(points.curve, block.x0, (*smooth)[block.first]);
  } else if (block.finite > 0) {
    const double x = (block.x0 + block.x1) / 2;
    const bool rising = store[last].value >= store[block.first].value;
    add(raw, x, rising ? block.min : block.max);
    add(raw, x, rising ? block.max : block.min);
    if (smooth) add(points.curve, block.x1, (*smooth)[last]);
  }
}

}  // namespace

CurvePoints curvePoints(const SeriesStore& store, const std::vector<double>* smooth, double from, double to, SeriesStore::X axis, std::size_t blocks,
                        const ChartScale& scale) {
  CurvePoints points;
  (smooth ? points.raw : points.curve).reserve(static_cast<qsizetype>(2 * blocks));
  const std::vector<Block> list = store.blocks(from, to, axis, blocks);
  for (const Block& block : list) addBlock(points, block, store, smooth, scale);
  // The first block may start in the middle of its range; the second does not.
  points.blockSize = list.size() > 2 ? list[2].first - list[1].first : 0;
  return points;
}

std::optional<double> growCurvePoints(CurvePoints& points, const SeriesStore& store, const std::vector<double>* smooth, double to, SeriesStore::X axis,
                                      const ChartScale& scale) {
  if (points.blockSize == 0 || points.curveKept == 0) return std::nullopt;
  points.raw.resize(points.rawKept);
  points.curve.resize(points.curveKept);
  const double from = std::min(points.curve.last().x(), points.raw.isEmpty() ? points.curve.last().x() : points.raw.last().x());
  std::size_t last = store.lowerBound(to, axis);
  while (last < store.size() && store.x(last, axis) <= to) ++last;
  last += last < store.size() ? 1 : 0;
  for (std::size_t at = points.open; at < last;) {
    const std::size_t end = std::min(last, (at / points.blockSize + 1) * points.blockSize);
    Block block = store.summary(at, end);
    block.first = at;
    block.x0 = store.x(at, axis);
    block.x1 = store.x(end - 1, axis);
    addBlock(points, block, store, smooth, scale);
    at = end;
  }
  return from;
}

}  // namespace weft::widgets
