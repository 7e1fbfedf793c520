#pragma once

#include <QRectF>
#include <vector>

namespace weft::widgets {

/// Rectangles in a uniform grid, built once, for fast region queries. Not thread-safe (queries reuse scratch memory).
class GridIndex {
 public:
  void build(const std::vector<QRectF>& rects);
  /// Ascending, unique indexes of the rectangles that touch `region`. Valid until the next query.
  const std::vector<int>& query(const QRectF& region) const;

 private:
  int column(double x) const;
  int row(double y) const;

  std::vector<QRectF> rects_;
  std::vector<int> cellStart_, cellItems_, large_;
  double left_ = 0, top_ = 0, cell_ = 1;
  int columns_ = 0, rows_ = 0;
  mutable std::vector<unsigned> seen_;
  mutable unsigned stamp_ = 0;
  mutable std::vector<int> found_;
};

}  // namespace weft::widgets
