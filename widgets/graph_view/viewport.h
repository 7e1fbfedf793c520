#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace weft::widgets {

/// The mapping from graph to screen coordinates: screen = world · zoom − offset. A value; all functions are pure.
struct Viewport {
  static constexpr double kMinZoom = 0.005, kMaxZoom = 4;

  double zoom = 1;
  QPointF offset;  ///< of the screen's top left corner, in scaled world coordinates

  QPointF toScreen(QPointF world) const { return world * zoom - offset; }
  QPointF toWorld(QPointF screen) const { return (screen + offset) / zoom; }
  QRectF toScreen(const QRectF& world) const { return {toScreen(world.topLeft()), world.size() * zoom}; }
  QRectF toWorld(const QRectF& screen) const { return {toWorld(screen.topLeft()), screen.size() / zoom}; }

  /// Zooms, keeping the world point under `screen` in place.
  Viewport zoomedAt(QPointF screen, double newZoom) const;
  /// Fits `world` into `size` with `margin` pixels around it, at most at `maxZoom`.
  static Viewport fitted(const QRectF& world, QSizeF size, double margin, double maxZoom);
  /// Scrolls as little as possible so that `world` lies within `size` less `margin`; a larger `world` is shown from its top left corner.
  Viewport revealing(const QRectF& world, QSizeF size, double margin) const;
  /// Centres `world`.
  Viewport centeredOn(QPointF world, QSizeF size) const { return {zoom, world * zoom - QPointF(size.width() / 2, size.height() / 2)}; }
  /// Rounds the offset to whole device pixels: hairlines stay sharp and tiles fit without seams.
  Viewport snapped(double devicePixelRatio) const;
  static Viewport between(const Viewport& a, const Viewport& b, QSizeF size, double t);
};

}  // namespace weft::widgets
