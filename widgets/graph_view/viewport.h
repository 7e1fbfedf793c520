#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>

namespace weft::widgets {

/// Maps the graph's coordinates to the screen: screen = world · zoom − offset. A value; all functions are pure.
struct Viewport {
  static constexpr double kMinZoom = 0.005, kMaxZoom = 4;

  double zoom = 1;
  QPointF offset;  ///< of the screen's top left corner, in scaled world coordinates

  QPointF toScreen(QPointF world) const { return world * zoom - offset; }
  QPointF toWorld(QPointF screen) const { return (screen + offset) / zoom; }
  QRectF toScreen(const QRectF& world) const { return {toScreen(world.topLeft()), world.size() * zoom}; }
  QRectF toWorld(const QRectF& screen) const { return {toWorld(screen.topLeft()), screen.size() / zoom}; }

  /// The same world point stays under `screen`.
  Viewport zoomedAt(QPointF screen, double newZoom) const;
  /// Shows `world` whole in `size` with `margin` pixels around it, never above `maxZoom`.
  static Viewport fitted(const QRectF& world, QSizeF size, double margin, double maxZoom);
  /// Moved as little as possible so that `world` lies within `size` less `margin`; what is too large is shown from its top left.
  Viewport revealing(const QRectF& world, QSizeF size, double margin) const;
  /// `world` in the middle.
  Viewport centeredOn(QPointF world, QSizeF size) const { return {zoom, world * zoom - QPointF(size.width() / 2, size.height() / 2)}; }
  /// Offset on whole device pixels: hairlines stay sharp and tiles fit without seams.
  Viewport snapped(double devicePixelRatio) const;
  static Viewport between(const Viewport& a, const Viewport& b, QSizeF size, double t);
};

}  // namespace weft::widgets
