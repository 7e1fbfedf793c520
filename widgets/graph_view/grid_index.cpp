#include "graph_view/grid_index.h"

#include <algorithm>
#include <cmath>

namespace weft::widgets {
namespace {

constexpr int kMaxCellsPerItem = 48;  // larger items are checked in every query

// Touching counts, also for rectangles without width or height (straight wires).
bool touches(const QRectF& a, const QRectF& b) { return a.left() <= b.right() && b.left() <= a.right() && a.top() <= b.bottom() && b.top() <= a.bottom(); }

}  // namespace

int GridIndex::column(double x) const { return std::clamp(static_cast<int>(std::floor((x - left_) / cell_)), 0, columns_ - 1); }
int GridIndex::row(double y) const { return std::clamp(static_cast<int>(std::floor((y - top_) / cell_)), 0, rows_ - 1); }

void GridIndex::build(const std::vector<QRectF>& rects) {
  rects_ = rects;
  seen_.assign(rects.size(), 0);
  stamp_ = 0;
  large_.clear();
  cellItems_.clear();
  cellStart_.assign(1, 0);
  columns_ = rows_ = 0;
  if (rects.empty()) return;
  double right = rects[0].right(), bottom = rects[0].bottom();
  left_ = rects[0].left();
  top_ = rects[0].top();
  for (const QRectF& r : rects) {
    left_ = std::min(left_, r.left());
    top_ = std::min(top_, r.top());
    right = std::max(right, r.right());
    bottom = std::max(bottom, r.bottom());
  }
  const double width = std::max(1.0, right - left_), height = std::max(1.0, bottom - top_);
  cell_ = std::max({128.0, std::sqrt(width * height / static_cast<double>(rects.size())), width / 2000, height / 2000});
  columns_ = static_cast<int>(width / cell_) + 1;
  rows_ = static_cast<int>(height / cell_) + 1;
  const auto forCells = [this](const QRectF& r, auto&& visit) {
    const int c0 = column(r.left()), c1 = column(r.right()), r0 = row(r.top()), r1 = row(r.bottom());
    if ((c1 - c0 + 1) * (r1 - r0 + 1) > kMaxCellsPerItem) return false;
    for (int y = r0; y <= r1; ++y)
      for (int x = c0; x <= c1; ++x) visit(static_cast<size_t>(y * columns_ + x));
    return true;
  };
  std::vector<int> counts(static_cast<size_t>(columns_ * rows_) + 1, 0);
  for (size_t i = 0; i < rects.size(); ++i)
    if (!forCells(rects[i], [&counts](size_t c) { ++counts[c + 1]; })) large_.push_back(static_cast<int>(i));
  for (size_t c = 1; c < counts.size(); ++c) counts[c] += counts[c - 1];
  cellStart_ = counts;
  cellItems_.resize(static_cast<size_t>(counts.back()));
  for (size_t i = 0; i < rects.size(); ++i) forCells(rects[i], [&](size_t c) { cellItems_[static_cast<size_t>(counts[c]++)] = static_cast<int>(i); });
}

const std::vector<int>& GridIndex::query(const QRectF& region) const {
  found_.clear();
  if (rects_.empty()) return found_;
  if (++stamp_ == 0) {
    std::fill(seen_.begin(), seen_.end(), 0);
    stamp_ = 1;
  }
  const auto consider = [&](int i) {
    const auto at = static_cast<size_t>(i);
    if (seen_[at] == stamp_) return;
    seen_[at] = stamp_;
    if (touches(rects_[at], region)) found_.push_back(i);
  };
  for (const int i : large_) consider(i);
  const int c0 = column(region.left()), c1 = column(region.right()), r0 = row(region.top()), r1 = row(region.bottom());
  for (int y = r0; y <= r1; ++y)
    for (int x = c0; x <= c1; ++x) {
      const auto c = static_cast<size_t>(y * columns_ + x);
      for (int k = cellStart_[c]; k < cellStart_[c + 1]; ++k) consider(cellItems_[static_cast<size_t>(k)]);
    }
  std::sort(found_.begin(), found_.end());
  return found_;
}

}  // namespace weft::widgets
