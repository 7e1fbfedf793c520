// Which points of a series are drawn, and where they lie.
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <optional>

#include "plot/series_store.h"

namespace weft::widgets {

/// From values to pixels of a chart. Ranges are those of the drawn axes: decimal logarithms where an axis is logarithmic.
struct ChartScale {
  QRectF area;
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  bool logX = false, logY = false;

  static double logarithm(double v);
  double axisX(double x) const { return logX ? logarithm(x) : x; }
  double axisY(double y) const { return logY ? logarithm(y) : y; }
  double pixelX(double x) const { return area.left() + (axisX(x) - x0) / (x1 - x0) * area.width(); }
  /// Far outside the area it stays at a distance that painting can bear.
  double pixelY(double y) const;
  double xAt(double pixel) const;
  double yAt(double pixel) const;
  /// Whether the value has a place: finite, and above 0 on a logarithmic axis.
  bool has(double x, double y) const;
};

/// The drawn points of a curve and of the raw values behind it.
struct CurvePoints {
  QPolygonF raw, curve;
  // Where it goes on when the series has grown:
  std::size_t blockSize = 0;             ///< samples of a block; 0: too few blocks to know
  std::size_t open = 0;                  ///< first sample of the last block, which may not be full yet
  qsizetype rawKept = 0, curveKept = 0;  ///< points before that block
};

/// The samples between `from` and `to` (on `axis`, not logarithms) and one neighbour either side, in at most `blocks` blocks: of a block of several
/// samples, the least and the greatest value, in the order in which the values move, so that a spike stays a spike, and the last smoothed one.
/// `smooth`: one for each sample; null: no smoothing, the raw values are the curve.
CurvePoints curvePoints(const SeriesStore& store, const std::vector<double>* smooth, double from, double to, SeriesStore::X axis, std::size_t blocks,
                        const ChartScale& scale);

/// Adds the points of what was appended to `store` since, on the same scale and in blocks of the same size. Returns the pixel from which on the curve
/// has changed; nullopt if it cannot go on from where it was and has to be made anew. REQUIRES: nothing was removed from the store, and no smoothed
/// value of an older sample has changed.
std::optional<double> growCurvePoints(CurvePoints& points, const SeriesStore& store, const std::vector<double>* smooth, double to, SeriesStore::X axis,
                                      const ChartScale& scale);

}  // namespace weft::widgets
