#include "mesh/mesh_drawing.h"

#include <QElapsedTimer>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace weft::widgets {
namespace {

constexpr std::size_t kPasses = 32;         // an unfinished picture has every 32nd face, then every 16th or so
constexpr std::size_t kBetweenLooks = 256;  // faces between two looks at the clock
constexpr double kFilled = 0.46;            // share of the view's shorter side that the radius fills
constexpr float kAmbient = 0.35F;
constexpr double kPointSide = 3;  // pixels

QRgb shaded(int red, int green, int blue, float light) {
  const auto part = [light](int v) { return std::clamp(static_cast<int>(static_cast<float>(v) * light + 0.5F), 0, 255); };
  return qRgb(part(red), part(green), part(blue));
}

}  // namespace

MeshProjection::MeshProjection(const MeshCamera& camera, QSizeF view) : center_(camera.center) {
  const float one = 1 / (camera.radius > 0 ? camera.radius : 1);
  const QVector3D axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  // The rows of the rotation: the inverse rotation applied to the axes.
  const QQuaternion back = camera.rotation.conjugated();
  for (int i = 0; i < 3; ++i) rows_[i] = back.rotatedVector(axes[i]) * one;
  const double side = std::min(view.width(), view.height());
  double scale = kFilled * side * camera.zoom;
  if (camera.fieldOfView > 0) {
    const double d = 1 / std::sin(camera.fieldOfView / 2 * std::numbers::pi / 180);
    distance_ = static_cast<float>(d);
    scale *= std::sqrt(d * d - 1) / d;  // the sphere's outline, not its middle, fills the view
  }
  scale_ = static_cast<float>(scale);
  midX_ = static_cast<float>(view.width() / 2 + camera.shift.x() * side / 2);
  midY_ = static_cast<float>(view.height() / 2 + camera.shift.y() * side / 2);
}

MeshProjection::Point MeshProjection::place(const QVector3D& v) const {
  const QVector3D from = v - center_;
  Point out;
  out.turned = {QVector3D::dotProduct(rows_[0], from), QVector3D::dotProduct(rows_[1], from), QVector3D::dotProduct(rows_[2], from)};
  float factor = scale_;
  out.depth = out.turned.z();
  if (distance_ > 0) {
    // A vertex at or behind the eye has no place in the picture.
    const float away = distance_ - out.turned.z();
    out.depth = away > 0.01F ? 1 / away : std::numeric_limits<float>::quiet_NaN();
    factor *= distance_ * out.depth;
  }
  out.x = midX_ + out.turned.x() * factor;
  out.y = midY_ - out.turned.y() * factor;
  return out;
}

MeshDrawing::MeshDrawing(std::shared_ptr<const Mesh> mesh, const MeshCamera& camera, QSize size, double scale, QRgb color)
    : mesh_(std::move(mesh)),
      projection_(camera, size),
      image_(size, QImage::Format_ARGB32_Premultiplied),
      depth_(static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height()), -std::numeric_limits<float>::infinity()),
      width_(size.width()),
      height_(size.height()),
      side_(std::max(1, static_cast<int>(std::lround(kPointSide * scale)))),
      color_(color),
      passes_(std::min(kPasses, total())) {
  image_.fill(Qt::transparent);
}

bool MeshDrawing::advance(double milliseconds) {
  QElapsedTimer clock;
  clock.start();
  const std::size_t all = total();
  pixels_ = reinterpret_cast<QRgb*>(image_.bits());  // detaches a copy that is shown
  std::size_t sinceLook = 0;
  for (; pass_ < passes_; ++pass_, next_ = 0) {
    for (std::size_t i = pass_ + next_ * passes_; i < all; i += passes_, ++next_, ++drawn_) {
      if (++sinceLook > kBetweenLooks) {
        sinceLook = 0;
        if (static_cast<double>(clock.nsecsElapsed()) * 1e-6 > milliseconds) return false;
      }
      mesh_->isCloud() ? drawPoint(i) : drawFace(i);
    }
  }
  return true;
}

double MeshDrawing::share() const { return total() == 0 ? 1 : static_cast<double>(drawn_) / static_cast<double>(total()); }

void MeshDrawing::drawFace(std::size_t face) {
  const auto [i, j, k] = mesh_->faces[face];
  const auto place = [this](std::int32_t at) { return projection_.place(mesh_->vertices[static_cast<std::size_t>(at)]); };
  const MeshProjection::Point a = place(i), b = place(j), c = place(k);
  const QVector3D normal = QVector3D::crossProduct(b.turned - a.turned, c.turned - a.turned);
  const float length = std::sqrt(QVector3D::dotProduct(normal, normal));
  if (!(length > 0)) return;  // it has no area
  static const QVector3D kLight = QVector3D(-0.35F, 0.5F, 0.8F).normalized();
  const float light = kAmbient + (1 - kAmbient) * std::abs(QVector3D::dotProduct(normal, kLight)) / length;
  const QRgb p = colorOf(i), q = colorOf(j), r = colorOf(k);
  fill(a, b, c, shaded((qRed(p) + qRed(q) + qRed(r)) / 3, (qGreen(p) + qGreen(q) + qGreen(r)) / 3, (qBlue(p) + qBlue(q) + qBlue(r)) / 3, light));
}

/// Fills the pixels whose middles are inside. The sides of one triangle are linear functions of the pixel, and so is its depth.
void MeshDrawing::fill(const MeshProjection::Point& a, const MeshProjection::Point& b, const MeshProjection::Point& c, QRgb color) {
  const double area = double(b.x - a.x) * double(c.y - a.y) - double(c.x - a.x) * double(b.y - a.y);
  if (!std::isfinite(area) || area == 0 || !std::isfinite(a.depth + b.depth + c.depth)) return;
  const auto [left, right] = std::minmax({a.x, b.x, c.x});
  const auto [top, bottom] = std::minmax({a.y, b.y, c.y});
  const float lastX = static_cast<float>(width_ - 1), lastY = static_cast<float>(height_ - 1);
  const int x0 = static_cast<int>(std::clamp(std::floor(left), 0.0F, lastX + 1)), x1 = static_cast<int>(std::clamp(std::ceil(right), -1.0F, lastX));
  const int y0 = static_cast<int>(std::clamp(std::floor(top), 0.0F, lastY + 1)), y1 = static_cast<int>(std::clamp(std::ceil(bottom), -1.0F, lastY));
  // Weights of b and c at a pixel's middle; that of a is what is left of 1.
  const double bx = double(c.y - a.y) / area, by = -double(c.x - a.x) / area, cx = -double(b.y - a.y) / area, cy = double(b.x - a.x) / area;
  const float stepB = static_cast<float>(bx), stepC = static_cast<float>(cx);
  for (int y = y0; y <= y1; ++y) {
    const double dx = x0 + 0.5 - double(a.x), dy = y + 0.5 - double(a.y);
    float wb = static_cast<float>(bx * dx + by * dy), wc = static_cast<float>(cx * dx + cy * dy);
    const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
    QRgb* line = pixels_ + row;
    float* depth = &depth_[row];
    for (int x = x0; x <= x1; ++x, wb += stepB, wc += stepC) {
      if (wb < 0 || wc < 0 || wb + wc > 1) continue;
      const float z = a.depth + wb * (b.depth - a.depth) + wc * (c.depth - a.depth);
      if (z <= depth[x]) continue;
      depth[x] = z;
      line[x] = color;
    }
  }
}

void MeshDrawing::drawPoint(std::size_t vertex) {
  const MeshProjection::Point at = projection_.place(mesh_->vertices[vertex]);
  if (!std::isfinite(at.depth) || std::abs(at.x) > 1e6F || std::abs(at.y) > 1e6F) return;
  const int left = static_cast<int>(std::lround(at.x - static_cast<float>(side_) / 2)),
            top = static_cast<int>(std::lround(at.y - static_cast<float>(side_) / 2));
  const QRgb color = colorOf(static_cast<std::int32_t>(vertex)) | 0xff000000U;
  for (int y = std::max(0, top); y < std::min(height_, top + side_); ++y) {
    const std::size_t row = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_);
    QRgb* line = pixels_ + row;
    float* depth = &depth_[row];
    for (int x = std::max(0, left); x < std::min(width_, left + side_); ++x) {
      if (at.depth <= depth[x]) continue;
      depth[x] = at.depth;
      line[x] = color;
    }
  }
}

QImage MeshDrawing::halved() const {
  QImage out(image_.width() / 2, image_.height() / 2, QImage::Format_ARGB32_Premultiplied);
  for (int y = 0; y < out.height(); ++y) {
    const auto* up = reinterpret_cast<const QRgb*>(image_.constScanLine(2 * y));
    const auto* down = reinterpret_cast<const QRgb*>(image_.constScanLine(2 * y + 1));
    auto* to = reinterpret_cast<QRgb*>(out.scanLine(y));
    for (int x = 0; x < out.width(); ++x) {
      // Two channels at once: sums of four bytes fit between them.
      const QRgb four[4] = {up[2 * x], up[2 * x + 1], down[2 * x], down[2 * x + 1]};
      std::uint32_t even = 0, odd = 0;
      for (const QRgb p : four) {
        even += p & 0xff00ffU;
        odd += (p >> 8) & 0xff00ffU;
      }
      to[x] = ((even >> 2) & 0xff00ffU) | (((odd >> 2) & 0xff00ffU) << 8);
    }
  }
  return out;
}

int vertexAt(const Mesh& mesh, const MeshProjection& projection, QPointF pixel, double near) {
  int best = -1;
  float nearest = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const MeshProjection::Point at = projection.place(mesh.vertices[i]);
    if (!(at.depth > nearest) || std::hypot(double(at.x) - pixel.x(), double(at.y) - pixel.y()) > near) continue;
    nearest = at.depth;
    best = static_cast<int>(i);
  }
  return best;
}

}  // namespace weft::widgets
