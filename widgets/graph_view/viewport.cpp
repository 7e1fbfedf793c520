#include "graph_view/viewport.h"

#include <algorithm>
#include <cmath>

namespace weft::widgets {

Viewport Viewport::zoomedAt(QPointF screen, double newZoom) const {
  const double z = std::clamp(newZoom, kMinZoom, kMaxZoom);
  return {z, toWorld(screen) * z - screen};
}

Viewport Viewport::fitted(const QRectF& world, QSizeF size, double margin, double maxZoom) {
  const double w = std::max(1.0, size.width() - 2 * margin), h = std::max(1.0, size.height() - 2 * margin);
  double z = std::min(w / std::max(1.0, world.width()), h / std::max(1.0, world.height()));
  z = std::clamp(std::min(z, maxZoom), kMinZoom, kMaxZoom);
  return Viewport{z, {}}.centeredOn(world.center(), size);
}

Viewport Viewport::revealing(const QRectF& world, QSizeF size, double margin) const {
  const QRectF r = toScreen(world);
  const auto shift = [margin](double low, double high, double extent) {
    if (high - low > extent - 2 * margin || low < margin) return low - margin;
    return high > extent - margin ? high - extent + margin : 0.0;
  };
  return {zoom, offset + QPointF(shift(r.left(), r.right(), size.width()), shift(r.top(), r.bottom(), size.height()))};
}

Viewport Viewport::snapped(double ratio) const { return {zoom, {std::round(offset.x() * ratio) / ratio, std::round(offset.y() * ratio) / ratio}}; }

Viewport Viewport::between(const Viewport& a, const Viewport& b, QSizeF size, double t) {
  const double eased = 1 - (1 - t) * (1 - t) * (1 - t);
  const QPointF middle(size.width() / 2, size.height() / 2);
  const double zoom = std::exp(std::log(a.zoom) * (1 - eased) + std::log(b.zoom) * eased);
  const QPointF center = a.toWorld(middle) * (1 - eased) + b.toWorld(middle) * eased;
  return Viewport{zoom, {}}.centeredOn(center, size);
}

}  // namespace weft::widgets
