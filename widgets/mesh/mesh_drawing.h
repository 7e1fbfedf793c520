// Pictures of meshes: projection, shading and a depth buffer. No widget, no QPainter.
#pragma once

#include <QColor>
#include <QImage>
#include <QPointF>
#include <QQuaternion>
#include <optional>
#include <vector>

#include "mesh/mesh_series.h"

namespace weft::widgets {

/// Where a mesh is seen from. It looks at `center`; a sphere of `radius` around it fills the view.
struct MeshCamera {
  QQuaternion rotation;
  QPointF shift;  ///< In units of half the view's shorter side, y down.
  double zoom = 1;
  double fieldOfView = 45;  ///< In degrees; 0: parallel projection.
  QVector3D center;
  float radius = 1;
};

/// Maps points of the space to pixels. A plain value.
class MeshProjection {
 public:
  MeshProjection(const MeshCamera& camera, QSizeF view);

  struct Point {
    float x = 0, y = 0;  ///< In pixels.
    float depth = 0;     ///< Linear in the picture's plane; larger is nearer.
    QVector3D turned;    ///< In the camera's space, to which lights are fixed.
  };
  Point place(const QVector3D& v) const;

 private:
  QVector3D rows_[3];
  QVector3D center_;
  float scale_ = 1, midX_ = 0, midY_ = 0;
  float distance_ = 0;  // of the eye, in radii; 0: parallel
};

/// A picture in the making. Each call of advance() draws for a limited time, so that a large mesh never blocks its thread: parts that are still missing are spread
/// evenly over the mesh. Faces are shaded flat, from both sides; a point cloud becomes small squares.
class MeshDrawing {
 public:
  /// `scale`: of squares of points, in pixels. `color`: of vertices without a colour.
  MeshDrawing(std::shared_ptr<const Mesh> mesh, const MeshCamera& camera, QSize size, double scale, QRgb color);

  /// Draws on for about that long; returns whether the picture is complete.
  bool advance(double milliseconds);
  bool isComplete() const { return pass_ >= passes_; }
  /// Share of the faces or points that are drawn.
  double share() const;
  /// The picture so far, on a transparent ground.
  const QImage& image() const { return image_; }
  /// Half as wide and high: each pixel is the mean of four.
  QImage halved() const;

 private:
  void drawFace(std::size_t face);
  void drawPoint(std::size_t vertex);
  void fill(const MeshProjection::Point& a, const MeshProjection::Point& b, const MeshProjection::Point& c, QRgb color);
  QRgb colorOf(std::int32_t vertex) const { return mesh_->colors.empty() ? color_ : mesh_->colors[static_cast<std::size_t>(vertex)]; }
  std::size_t total() const { return mesh_->isCloud() ? mesh_->vertices.size() : mesh_->faces.size(); }

  std::shared_ptr<const Mesh> mesh_;
  MeshProjection projection_;
  QImage image_;
  std::vector<float> depth_;
  QRgb* pixels_ = nullptr;  // of image_, during advance()
  int width_, height_;
  int side_;
  QRgb color_;
  std::size_t passes_, pass_ = 0, next_ = 0, drawn_ = 0;
};

/// The foremost vertex within `near` pixels; -1: there is none.
int vertexAt(const Mesh& mesh, const MeshProjection& projection, QPointF pixel, double near);

}  // namespace weft::widgets
