#pragma once

#include <QColor>
#include <QString>
#include <QVector3D>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "common/step_list.h"

namespace weft::widgets {

/// The vertices, the faces or the colours of a mesh at one step: `samples` (the batch) times `count` rows of three values. Only the list of its kind is filled.
struct MeshPart {
  enum class Kind : std::uint8_t { Vertices, Faces, Colors };

  double step = 0;
  double wall = 0;  ///< seconds since the epoch
  Kind kind = Kind::Vertices;
  QString mesh;  ///< Name of the mesh.
  int samples = 0, count = 0;
  std::vector<float> positions;        ///< Vertices: x, y, z.
  std::vector<std::int32_t> indices;   ///< Faces: three vertices.
  std::vector<std::uint8_t> channels;  ///< Colors: red, green, blue of each vertex.
  std::optional<double> fieldOfView;   ///< Of the camera, in degrees; 0: parallel. nullopt: not given.

  std::size_t bytes() const { return 4 * (positions.size() + indices.size()) + channels.size(); }
};

using MeshSeries = StepList<MeshPart>;

/// The three series of a mesh; those that were not logged are null.
struct MeshParts {
  std::shared_ptr<const MeshSeries> vertices, faces, colors;

  std::shared_ptr<const MeshSeries>& of(MeshPart::Kind kind) {
    return kind == MeshPart::Kind::Vertices ? vertices : kind == MeshPart::Kind::Faces ? faces : colors;
  }
};

/// One mesh of a batch at one step, checked. Immutable once made.
struct Mesh {
  double step = 0;
  int samples = 0;
  std::vector<QVector3D> vertices;
  std::vector<std::array<std::int32_t, 3>> faces;  ///< Empty: a point cloud.
  std::vector<QRgb> colors;                        ///< One per vertex, or empty.
  std::optional<double> fieldOfView;
  QVector3D center;  ///< Of the box around all vertices.
  float radius = 0;  ///< Of the sphere around `center` with all vertices.
  QString problem;   ///< Why it cannot be drawn, one sentence; the lists are empty then. Empty: no problem.

  bool isCloud() const { return faces.empty(); }
};

/// The mesh at the last step with vertices at or before `step` (nullopt: the newest). Faces and colours are those of the same step, as in TensorBoard. An index out
/// of range, a vertex that is not finite, or a number of colours other than that of vertices is a problem. Null: there are no vertices.
std::shared_ptr<const Mesh> meshAt(const MeshParts& parts, std::optional<double> step, int sample);

}  // namespace weft::widgets
