// Points to draw, in an order in which near points follow one another, and where they are on the screen. Without widgets.
#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QQuaternion>
#include <QRectF>
#include <QSize>
#include <QVector3D>
#include <cstdint>
#include <memory>
#include <vector>

namespace weft::widgets {

/// The points of a scatter plot. Does not change once it is made; any thread.
struct ScatterCloud {
  int dimensions = 2;
  int rows = 0;                    ///< Rows given; those that are not finite have no point.
  std::vector<float> x, y, z;      ///< In the order of drawing; z is empty in two dimensions.
  std::vector<int32_t> row;        ///< The row of each point.
  std::vector<int32_t> at;         ///< The point of each row; -1: none.
  int cells = 1;                   ///< Two dimensions: a grid of cells by cells, row by row.
  std::vector<int32_t> cellStart;  ///< [cells * cells + 1]
  QVector3D low, high;             ///< The box around all points.

  qsizetype count() const { return qsizetype(x.size()); }
  /// `positions`: [rows, dimensions]. Takes some 0.1 s for a million points.
  static std::shared_ptr<const ScatterCloud> make(const std::vector<float>& positions, int dimensions);
};
using ScatterCloudPtr = std::shared_ptr<const ScatterCloud>;

/// The part of the space that is seen. In three dimensions the cloud is turned about its middle and seen from far away.
struct ScatterView {
  QPointF center;    ///< What lies in the middle of the widget, after the rotation.
  double scale = 1;  ///< Pixels per unit.
  QQuaternion rotation;

  /// Shows the whole cloud in that size.
  static ScatterView fitted(const ScatterCloud& cloud, QSize size, const QQuaternion& rotation);
};

/// From points to pixels.
class ScatterProjection {
 public:
  ScatterProjection(const ScatterCloud& cloud, const ScatterView& view, QSizeF size);
  QPointF pixel(qsizetype point) const;
  /// Larger: nearer to the eye. 0 in two dimensions.
  double depth(qsizetype point) const;
  /// Two dimensions: the place of a pixel.
  QPointF place(QPointF pixel) const;
  /// The foremost point within `reach` pixels, the nearest of those in two dimensions; -1: none.
  qsizetype pointAt(QPointF pixel, double reach) const;
  /// Rows within a polygon of pixels, ascending.
  std::vector<int32_t> rowsIn(const QPolygonF& polygon) const;
  /// Points within a rectangle of pixels, at most `most`; more than that give nothing.
  std::vector<qsizetype> pointsIn(const QRectF& pixels, qsizetype most) const;
  /// Calls f(first, last) for runs of points that may lie within a rectangle of pixels.
  template <typename F>
  void forRuns(const QRectF& pixels, F&& f) const;
  /// Number of points in those runs.
  qsizetype countIn(const QRectF& pixels) const;

  float m[3][4];  ///< Pixel x, pixel y and depth = m * (x, y, z, 1).

 private:
  const ScatterCloud& cloud_;
};

template <typename F>
void ScatterProjection::forRuns(const QRectF& pixels, F&& f) const {
  if (cloud_.dimensions == 3 || cloud_.count() == 0) {
    if (cloud_.count() > 0) f(qsizetype(0), cloud_.count());
    return;
  }
  const QPointF a = place(pixels.topLeft()), b = place(pixels.bottomRight());
  const auto cellOf = [&](double v, float low, float high) {
    const double c = high > low ? (v - low) / (high - low) * cloud_.cells : 0;
    return int(std::min(std::max(c, -1.0), double(cloud_.cells)));
  };
  const int left = std::max(0, cellOf(std::min(a.x(), b.x()), cloud_.low.x(), cloud_.high.x()) - 1);
  const int right = std::min(cloud_.cells - 1, cellOf(std::max(a.x(), b.x()), cloud_.low.x(), cloud_.high.x()) + 1);
  const int top = std::max(0, cellOf(std::min(a.y(), b.y()), cloud_.low.y(), cloud_.high.y()) - 1);
  const int bottom = std::min(cloud_.cells - 1, cellOf(std::max(a.y(), b.y()), cloud_.low.y(), cloud_.high.y()) + 1);
  for (int row = top; row <= bottom && left <= right; ++row) {
    const size_t line = size_t(row) * size_t(cloud_.cells);
    const qsizetype first = cloud_.cellStart[line + size_t(left)], last = cloud_.cellStart[line + size_t(right) + 1];
    if (first < last) f(first, last);
  }
}

}  // namespace weft::widgets
