#include "mesh/mesh_series.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace weft::widgets {
namespace {

struct MeshWords {
  Q_DECLARE_TR_FUNCTIONS(MeshSeries)
};

/// The part that was logged with the vertices of `step`; null: none.
const MeshPart* partAt(const std::shared_ptr<const MeshSeries>& series, double step) {
  if (!series || series->empty()) return nullptr;
  const MeshPart& part = (*series)[series->at(step)];
  return part.step == step ? &part : nullptr;
}

QString missingSample(const MeshPart& part, int sample) {
  return MeshWords::tr("The batch has %n mesh(es): there is none with the index %1.", nullptr, part.samples).arg(sample);
}

QString takeVertices(const MeshPart& part, int sample, Mesh* mesh) {
  if (sample >= part.samples) return missingSample(part, sample);
  const std::size_t count = static_cast<std::size_t>(part.count), first = static_cast<std::size_t>(sample) * count * 3;
  mesh->vertices.reserve(count);
  QVector3D low, high;
  for (std::size_t i = 0; i < count; ++i) {
    const float* at = &part.positions[first + 3 * i];
    if (!std::isfinite(at[0]) || !std::isfinite(at[1]) || !std::isfinite(at[2])) return MeshWords::tr("Vertex %1 is not finite.").arg(i);
    const QVector3D v(at[0], at[1], at[2]);
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = i == 0 ? v[axis] : std::min(low[axis], v[axis]);
      high[axis] = i == 0 ? v[axis] : std::max(high[axis], v[axis]);
    }
    mesh->vertices.push_back(v);
  }
  mesh->center = low / 2 + high / 2;
  for (const QVector3D& v : mesh->vertices) mesh->radius = std::max(mesh->radius, (v - mesh->center).length());
  if (!std::isfinite(mesh->radius)) return MeshWords::tr("The vertices are too far apart to be drawn.");
  return {};
}

QString takeFaces(const MeshPart& part, int sample, Mesh* mesh) {
  if (sample >= part.samples) return missingSample(part, sample);
  const std::size_t count = static_cast<std::size_t>(part.count), first = static_cast<std::size_t>(sample) * count * 3;
  mesh->faces.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::array<std::int32_t, 3> face{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::int32_t index = face[corner] = part.indices[first + 3 * i + corner];
      if (index >= 0 && static_cast<std::size_t>(index) < mesh->vertices.size()) continue;
      return MeshWords::tr("Face %1 refers to vertex %2, but there are only the vertices 0 to %3.")
          .arg(i)
          .arg(index)
          .arg(static_cast<qint64>(mesh->vertices.size()) - 1);
    }
    mesh->faces.push_back(face);
  }
  return {};
}

QString takeColors(const MeshPart& part, int sample, Mesh* mesh) {
  if (sample >= part.samples) return missingSample(part, sample);
  const std::size_t count = static_cast<std::size_t>(part.count), first = static_cast<std::size_t>(sample) * count * 3;
  if (count != mesh->vertices.size()) return MeshWords::tr("There are %1 colours for %2 vertices.").arg(count).arg(mesh->vertices.size());
  mesh->colors.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* at = &part.channels[first + 3 * i];
    mesh->colors.push_back(qRgb(at[0], at[1], at[2]));
  }
  return {};
}

}  // namespace

std::shared_ptr<const Mesh> meshAt(const MeshParts& parts, std::optional<double> step, int sample) {
  if (!parts.vertices || parts.vertices->empty()) return nullptr;
  const MeshPart& vertices = step ? (*parts.vertices)[parts.vertices->at(*step)] : parts.vertices->back();
  auto mesh = std::make_shared<Mesh>();
  mesh->step = vertices.step;
  mesh->samples = vertices.samples;
  mesh->fieldOfView = vertices.fieldOfView;
  mesh->problem = takeVertices(vertices, sample, mesh.get());
  const MeshPart* faces = partAt(parts.faces, vertices.step);
  if (faces && mesh->problem.isEmpty()) mesh->problem = takeFaces(*faces, sample, mesh.get());
  const MeshPart* colors = partAt(parts.colors, vertices.step);
  if (colors && mesh->problem.isEmpty()) mesh->problem = takeColors(*colors, sample, mesh.get());
  if (mesh->problem.isEmpty()) return mesh;
  mesh->vertices.clear();
  mesh->faces.clear();
  mesh->colors.clear();
  return mesh;
}

}  // namespace weft::widgets
