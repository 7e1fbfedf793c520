#pragma once

#include <QHash>
#include <QPixmap>
#include <QPoint>
#include <functional>

#include "graph_view/viewport.h"

namespace weft::widgets {

/// The picture of the canvas in square pixmaps at one zoom. Panning only paints newly visible tiles. After a change old tiles stay until they are repainted,
/// for at most `budget` per frame. Areas without a tile are filled from the last complete picture.
class TileCache {
 public:
  static constexpr int kSide = 256;  ///< logical pixels

  using Paint = std::function<void(QPainter&, const QRectF& screen)>;

  /// Marks all tiles as out of date.
  void invalidate() { ++version_; }
  /// Marks the tiles that show a part of `world` as out of date.
  void invalidate(const QRectF& world);
  /// Drops all tiles, for example after a theme change.
  void clear();
  /// Draws the area that `view` shows into `painter` (at the origin, `size` logical pixels). `paint` draws a region of that view's screen. Returns true when
  /// everything shown is up to date.
  bool draw(QPainter& painter, const Viewport& view, QSize size, double devicePixelRatio, double budgetMs, const Paint& paint);
  /// Sets a fallback picture of everything, covering `world`.
  void setOverview(const QPixmap& pixmap, const QRectF& world);

 private:
  struct Tile {
    QPixmap pixmap;
    quint64 version = 0, used = 0;
  };
  void remember(const Viewport& view, QSize size, double ratio);
  void evict();

  QHash<QPoint, Tile> tiles_;
  double zoom_ = 0, ratio_ = 1;
  quint64 version_ = 1, frame_ = 0;
  QPixmap ghost_, overview_;
  Viewport ghostView_, shownView_;
  QRectF overviewWorld_;
  bool complete_ = false;
};

}  // namespace weft::widgets
