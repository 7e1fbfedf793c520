#include "graph_view/tile_cache.h"

#include <QElapsedTimer>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

namespace weft::widgets {
namespace {

constexpr qsizetype kMaxBytes = 160 << 20;

}  // namespace

void TileCache::clear() {
  tiles_.clear();
  ghost_ = {};
  overview_ = {};
  complete_ = false;
  ++version_;
}

void TileCache::invalidate(const QRectF& world) {
  const QRectF at(world.topLeft() * zoom_, world.size() * zoom_);
  for (auto it = tiles_.begin(); it != tiles_.end(); ++it)
    if (at.intersects(QRectF(QPointF(it.key()) * kSide, QSizeF(kSide, kSide)).adjusted(-2, -2, 2, 2))) it->version = 0;
}

void TileCache::setOverview(const QPixmap& pixmap, const QRectF& world) {
  overview_ = pixmap;
  overviewWorld_ = world;
}

// Before a zoom change: saves the current picture, to be scaled until new tiles exist.
void TileCache::remember(const Viewport& view, QSize size, double ratio) {
  if (tiles_.isEmpty() || !complete_ || size.isEmpty()) return;
  // With alpha: Qt 6.4 scales premultiplied pixmaps ten times faster than opaque ones (1.2 against 13 ms for 1600×1000).
  QPixmap picture((QSizeF(size) * ratio).toSize());
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  for (auto it = tiles_.cbegin(); it != tiles_.cend(); ++it) painter.drawPixmap(QPointF(it.key().x(), it.key().y()) * kSide - view.offset, it->pixmap);
  painter.end();
  ghost_ = picture;
  ghostView_ = view;
}

bool TileCache::draw(QPainter& painter, const Viewport& view, QSize size, double ratio, double budgetMs, const Paint& paint) {
  QElapsedTimer timer;
  timer.start();
  ++frame_;
  if (zoom_ != view.zoom || ratio_ != ratio) {
    if (ratio_ == ratio) remember(shownView_, size, ratio);
    tiles_.clear();
    zoom_ = view.zoom;
    ratio_ = ratio;
  }
  const auto tileAt = [](double v) { return static_cast<int>(std::floor(v / kSide)); };
  const int x0 = tileAt(view.offset.x()), x1 = tileAt(view.offset.x() + size.width() - 1);
  const int y0 = tileAt(view.offset.y()), y1 = tileAt(view.offset.y() + size.height() - 1);
  std::vector<QPoint> missing, stale;
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const auto it = tiles_.constFind({x, y});
      if (it == tiles_.constEnd()) missing.emplace_back(x, y);
      else if (it->version != version_) stale.emplace_back(x, y);
    }
  const auto nearMiddle = [&](const QPoint& a, const QPoint& b) {
    const auto far = [&](const QPoint& p) { return std::abs(2 * p.x() - x0 - x1) + std::abs(2 * p.y() - y0 - y1); };
    return far(a) < far(b);
  };
  std::sort(missing.begin(), missing.end(), nearMiddle);
  std::sort(stale.begin(), stale.end(), nearMiddle);
  missing.insert(missing.end(), stale.begin(), stale.end());
  const int pixels = static_cast<int>(std::ceil(kSide * ratio));
  size_t done = 0;
  double longest = 0;
  // At least one, else a slow machine would never finish.
  for (; done < missing.size() && (done == 0 || static_cast<double>(timer.nsecsElapsed()) / 1e6 + longest < budgetMs); ++done) {
    const qint64 before = timer.nsecsElapsed();
    const QPoint key = missing[done];
    Tile& tile = tiles_[key];
    if (tile.pixmap.isNull() || tile.pixmap.width() != pixels) tile.pixmap = QPixmap(pixels, pixels);
    tile.pixmap.setDevicePixelRatio(ratio);
    tile.version = version_;
    const QPointF corner = QPointF(key.x(), key.y()) * kSide - view.offset;
    QPainter p(&tile.pixmap);
    p.translate(-corner);
    paint(p, QRectF(corner, QSizeF(kSide, kSide)));
    longest = std::max(longest, static_cast<double>(timer.nsecsElapsed() - before) / 1e6);
  }
  const bool holes =
      std::any_of(missing.begin() + static_cast<std::ptrdiff_t>(done), missing.end(), [this](const QPoint& key) { return !tiles_.contains(key); });
  complete_ = done == missing.size();
  if (holes) {
    painter.save();
    QRegion region;
    for (size_t i = done; i < missing.size(); ++i)
      if (!tiles_.contains(missing[i])) region += QRectF(QPointF(missing[i]) * kSide - view.offset, QSizeF(kSide, kSide)).toAlignedRect();
    painter.setClipRegion(region);
    const QRectF ghostAt = ghost_.isNull() ? QRectF() : view.toScreen(ghostView_.toWorld(QRectF(QPointF(), ghost_.deviceIndependentSize())));
    if (!overview_.isNull() && !ghostAt.contains(QRectF(region.boundingRect().intersected(QRect(QPoint(), size)))))
      painter.drawPixmap(view.toScreen(overviewWorld_), overview_, QRectF(overview_.rect()));
    if (!ghost_.isNull()) painter.drawPixmap(ghostAt, ghost_, QRectF(ghost_.rect()));
    painter.restore();
  }
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const auto it = tiles_.find({x, y});
      if (it == tiles_.end()) continue;
      it->used = frame_;
      painter.drawPixmap(QPointF(x, y) * kSide - view.offset, it->pixmap);
    }
  shownView_ = view;
  evict();
  return complete_;
}

void TileCache::evict() {
  const qsizetype bytes = static_cast<qsizetype>(kSide * kSide * 4 * ratio_ * ratio_);
  const qsizetype limit = std::max<qsizetype>(64, kMaxBytes / std::max<qsizetype>(bytes, 1));
  if (tiles_.size() <= limit) return;
  const quint64 oldest = frame_ > 60 ? frame_ - 60 : frame_;
  for (auto it = tiles_.begin(); it != tiles_.end();) it = it->used < oldest ? tiles_.erase(it) : std::next(it);
}

}  // namespace weft::widgets
