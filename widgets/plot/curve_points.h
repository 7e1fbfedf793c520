// The points of a series that are drawn, and their positions.
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <optional>

#include "plot/series_store.h"

namespace weft::widgets {

/// Maps values to pixels of a chart. Ranges are those of the drawn axes: decimal logarithms where an axis is logarithmic.
struct ChartScale {
  QRectF area;
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  bool logX = false, logY = false;

  static double logarithm(double v);
  double axisX(double x) const { return logX ? logarithm(x) : x; }
  double axisY(double y) const { return logY ? logarithm(y) : y; }
  double pixelX(double x) const { return area.left() + (axisX(x) - x0) / (x1 - x0) * area.width(); }
  /// Clamped far outside the area, so that painting can handle it.
  double pixelY(double y) const;
  double xAt(double pixel) const;
  double yAt(double pixel) const;
  /// Whether the value can be drawn: finite, and above 0 on a logarithmic axis.
  bool has(double x, double y) const;
};

/// The drawn points of a curve and of the raw values behind it.
struct CurvePoints {
  QPolygonF raw, curve;
  // Where growCurvePoints() continues:
  std::size_t blockSize = 0;             ///< samples per block; 0: too few blocks to know
  std::size_t open = 0;                  ///< first sample of the last, possibly partial block
  qsizetype rawKept = 0, curveKept = 0;  ///< points before that block
};

/// The samples between `from` and `to` (on `axis`, not logarithms) and one neighbour on either side, in at most `blocks` blocks. A block of several samples
/// gives its least and greatest value, in the order of the trend, so that spikes stay visible, and its last smoothed value. `smooth`: one per sample; null: no
/// smoothing, the raw values are the curve.
CurvePoints curvePoints(const SeriesStore& store, const std::vector<double>* smooth, double from, double to, SeriesStore::X axis, std::size_t blocks,
                        const ChartScale& scale);

/// Adds the points of samples appended to `store` since, with the same scale and block size. Returns the pixel from which the curve has changed; nullopt if it
/// must be rebuilt. REQUIRES: nothing was removed from the store, and no smoothed value of an older sample has changed.
std::optional<double> growCurvePoints(CurvePoints& points, const SeriesStore& store, const std::vector<double>* smooth, double to, SeriesStore::X axis,
                                      const ChartScale& scale);

}  // namespace weft::widgets
