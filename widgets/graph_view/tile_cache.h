#pragma once

#include <QHash>
#include <QPixmap>
#include <QPoint>
#include <functional>

#include "graph_view/viewport.h"

namespace weft::widgets {

/// The picture of the canvas in square pixmaps of one zoom. Panning only paints what comes into sight; after a change old tiles
/// stay until they are painted again, at most for `budget` per frame. What has no tile yet is filled from the last complete
/// picture.
class TileCache {
 public:
  static constexpr int kSide = 256;  ///< logical pixels

  using Paint = std::function<void(QPainter&, const QRectF& screen)>;

  /// All tiles are out of date.
  void invalidate() { ++version_; }
  /// Those that show a part of `world` are out of date.
  void invalidate(const QRectF& world);
  /// Forgets everything, as after a change of the theme.
  void clear();
  /// Draws what `view` shows into `painter` (at the origin, `size` logical pixels). `paint` draws a region of the screen of that
  /// view. Returns true when everything shown is up to date.
  bool draw(QPainter& painter, const Viewport& view, QSize size, double devicePixelRatio, double budgetMs, const Paint& paint);
  /// A picture of everything to fall back on, covering `world`.
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
