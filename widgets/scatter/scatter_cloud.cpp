#include "scatter/scatter_cloud.h"

#include <QtGlobal>
#include <algorithm>
#include <cmath>

namespace weft::widgets {
namespace {

constexpr int kPointsPerCell = 32, kMostCells = 256;
constexpr double kMargin = 0.92;  // of the widget that the whole cloud takes

}  // namespace

ScatterCloudPtr ScatterCloud::make(const std::vector<float>& positions, int dimensions) {
  auto out = std::make_shared<ScatterCloud>();
  out->dimensions = dimensions;
  const size_t d = size_t(dimensions), rows = positions.size() / d;
  out->rows = int(rows);
  out->at.assign(rows, -1);
  std::vector<int32_t> shown;
  shown.reserve(rows);
  for (size_t i = 0; i < rows; ++i) {
    bool finite = true;
    for (size_t c = 0; c < d; ++c) finite = finite && std::isfinite(positions[i * d + c]);
    if (!finite) continue;
    const QVector3D p(positions[i * d], positions[i * d + 1], d == 3 ? positions[i * d + 2] : 0);
    if (shown.empty()) out->low = out->high = p;
    for (int c = 0; c < 3; ++c) {
      out->low[c] = std::min(out->low[c], p[c]);
      out->high[c] = std::max(out->high[c], p[c]);
    }
    shown.push_back(int32_t(i));
  }
  // A counting sort by cell. Cells of a row of the grid lie one after another, so that a part of the plane is a few runs of points.
  out->cells = std::clamp(int(std::sqrt(double(shown.size()) / kPointsPerCell)), 1, kMostCells);
  const auto cellOf = [&](float v, float low, float high) {
    return high > low ? std::min(out->cells - 1, int((v - low) / (high - low) * float(out->cells))) : 0;
  };
  std::vector<int32_t> cell(shown.size());
  out->cellStart.assign(size_t(out->cells) * size_t(out->cells) + 1, 0);
  for (size_t k = 0; k < shown.size(); ++k) {
    const float* p = positions.data() + size_t(shown[k]) * d;
    cell[k] = cellOf(p[1], out->low.y(), out->high.y()) * out->cells + cellOf(p[0], out->low.x(), out->high.x());
    ++out->cellStart[size_t(cell[k]) + 1];
  }
  for (size_t c = 1; c < out->cellStart.size(); ++c) out->cellStart[c] += out->cellStart[c - 1];
  std::vector<int32_t> next(out->cellStart.begin(), out->cellStart.end() - 1);
  out->x.resize(shown.size());
  out->y.resize(shown.size());
  out->z.resize(d == 3 ? shown.size() : 0);
  out->row.resize(shown.size());
  for (size_t k = 0; k < shown.size(); ++k) {
    const size_t to = size_t(next[size_t(cell[k])]++);
    const float* p = positions.data() + size_t(shown[k]) * d;
    out->x[to] = p[0];
    out->y[to] = p[1];
    if (d == 3) out->z[to] = p[2];
    out->row[to] = shown[k];
    out->at[size_t(shown[k])] = int32_t(to);
  }
  return out;
}

ScatterView ScatterView::fitted(const ScatterCloud& cloud, QSize size, const QQuaternion& rotation) {
  ScatterView out;
  out.rotation = rotation;
  const QVector3D range = cloud.high - cloud.low;
  if (cloud.dimensions == 3) {
    const double diameter = std::max(1e-12, double(range.length()));
    out.scale = kMargin * std::min(size.width(), size.height()) / diameter;
    return out;
  }
  out.center = {(double(cloud.low.x()) + cloud.high.x()) / 2, (double(cloud.low.y()) + cloud.high.y()) / 2};
  out.scale = kMargin * std::min(size.width() / std::max(1e-12, double(range.x())), size.height() / std::max(1e-12, double(range.y())));
  if (cloud.count() < 2 || (range.x() <= 0 && range.y() <= 0)) out.scale = 100;
  return out;
}

ScatterProjection::ScatterProjection(const ScatterCloud& cloud, const ScatterView& view, QSizeF size) : cloud_(cloud) {
  const auto s = float(view.scale);
  const float x0 = float(size.width() / 2), y0 = float(size.height() / 2);
  if (cloud.dimensions == 3) {
    const QVector3D middle = (cloud.low + cloud.high) / 2;
    const QVector3D axes[3] = {view.rotation.rotatedVector({1, 0, 0}), view.rotation.rotatedVector({0, 1, 0}), view.rotation.rotatedVector({0, 0, 1})};
    const float sign[3] = {s, -s, 1}, begin[3] = {float(x0 - view.center.x() * view.scale), float(y0 + view.center.y() * view.scale), 0};
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c) m[r][c] = sign[r] * axes[c][r];
      m[r][3] = begin[r] - (m[r][0] * middle.x() + m[r][1] * middle.y() + m[r][2] * middle.z());
    }
    return;
  }
  const float rows[3][4] = {{s, 0, 0, float(x0 - view.center.x() * view.scale)}, {0, -s, 0, float(y0 + view.center.y() * view.scale)}, {0, 0, 0, 0}};
  std::copy(&rows[0][0], &rows[0][0] + 12, &m[0][0]);
}

QPointF ScatterProjection::pixel(qsizetype point) const {
  const size_t k = size_t(point);
  const float x = cloud_.x[k], y = cloud_.y[k], z = cloud_.z.empty() ? 0 : cloud_.z[k];
  return {m[0][0] * x + m[0][1] * y + m[0][2] * z + m[0][3], m[1][0] * x + m[1][1] * y + m[1][2] * z + m[1][3]};
}

double ScatterProjection::depth(qsizetype point) const {
  const size_t k = size_t(point);
  return cloud_.z.empty() ? 0 : m[2][0] * cloud_.x[k] + m[2][1] * cloud_.y[k] + m[2][2] * cloud_.z[k] + m[2][3];
}

QPointF ScatterProjection::place(QPointF pixel) const { return {(pixel.x() - m[0][3]) / m[0][0], (pixel.y() - m[1][3]) / m[1][1]}; }

qsizetype ScatterProjection::pointAt(QPointF pixel, double reach) const {
  qsizetype best = -1;
  double bestSquare = reach * reach, bestDepth = 0;
  forRuns(QRectF(pixel.x() - reach, pixel.y() - reach, 2 * reach, 2 * reach), [&](qsizetype first, qsizetype last) {
    for (qsizetype k = first; k < last; ++k) {
      const QPointF d = this->pixel(k) - pixel;
      const double square = QPointF::dotProduct(d, d);
      if (square > reach * reach) continue;
      const double nearness = depth(k);
      const bool better = best < 0 || (cloud_.dimensions == 3 ? nearness > bestDepth : square < bestSquare);
      if (better) best = k, bestSquare = square, bestDepth = nearness;
    }
  });
  return best;
}

std::vector<int32_t> ScatterProjection::rowsIn(const QPolygonF& polygon) const {
  std::vector<int32_t> out;
  const QRectF box = polygon.boundingRect();
  forRuns(box, [&](qsizetype first, qsizetype last) {
    for (qsizetype k = first; k < last; ++k) {
      const QPointF p = pixel(k);
      if (box.contains(p) && polygon.containsPoint(p, Qt::OddEvenFill)) out.push_back(cloud_.row[size_t(k)]);
    }
  });
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<qsizetype> ScatterProjection::pointsIn(const QRectF& pixels, qsizetype most) const {
  std::vector<qsizetype> out;
  if (cloud_.dimensions == 2 && countIn(pixels) > 4 * most + 1024) return out;
  bool over = false;
  forRuns(pixels, [&](qsizetype first, qsizetype last) {
    for (qsizetype k = first; k < last && !over; ++k) {
      if (!pixels.contains(pixel(k))) continue;
      out.push_back(k);
      over = qsizetype(out.size()) > most;
    }
  });
  if (over) out.clear();
  return out;
}

qsizetype ScatterProjection::countIn(const QRectF& pixels) const {
  qsizetype count = 0;
  forRuns(pixels, [&](qsizetype first, qsizetype last) { count += last - first; });
  return count;
}

}  // namespace weft::widgets
