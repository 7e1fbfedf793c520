#include "adapters/mesh_parts.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <cmath>
#include <limits>

#include "adapters/engine_graph.h"
#include "weft/event_plugins.h"
#include "weft/tensor.h"

namespace weft::app {
namespace {

struct MeshPartWords {
  Q_DECLARE_TR_FUNCTIONS(MeshParts)
};

/// TensorBoard names the tags of a mesh after it; scopes are part of the tag only.
QString meshName(const QString& tag, const QString& given) {
  for (const char* end : {"_VERTEX", "_FACE", "_COLOR"})
    if (tag.endsWith(QLatin1String(end))) return tag.chopped(qsizetype(std::char_traits<char>::length(end)));
  return given.isEmpty() ? tag : given;
}

/// The field of view of the camera in a configuration, which is written for three.js.
std::optional<double> fieldOfView(const std::string& config, const QString& tag, QStringList* warnings) {
  if (config.empty()) return {};
  QJsonParseError error{};
  const QJsonDocument json = QJsonDocument::fromJson(QByteArray(config.data(), qsizetype(config.size())), &error);
  if (!json.isObject()) {
    *warnings << MeshPartWords::tr("%1: the configuration of the mesh is not a JSON object and is not used.").arg(tag);
    return {};
  }
  QStringList unused;
  std::optional<double> out;
  const QJsonObject root = json.object();
  for (auto it = root.begin(); it != root.end(); ++it) {
    const QJsonObject camera = it.value().toObject();
    const QString kind = camera.value(QStringLiteral("cls")).toString();
    if (it.key() != QLatin1String("camera")) {
      unused << it.key();
    } else if (kind == QLatin1String("OrthographicCamera")) {
      out = 0;
    } else if (kind == QLatin1String("PerspectiveCamera")) {
      const double degrees = camera.value(QStringLiteral("fov")).toDouble(0);
      if (degrees > 0 && degrees < 180) out = degrees;
    } else {
      unused << QStringLiteral("camera %1").arg(kind);
    }
  }
  if (!unused.isEmpty())
    *warnings << MeshPartWords::tr("%1: of the configuration of the mesh only the camera's kind and field of view are used, not %2.")
                     .arg(tag, unused.join(QStringLiteral(", ")));
  return out;
}

}  // namespace

std::optional<widgets::MeshPart> meshPartOf(std::string_view content, const QString& tag, QStringList* warnings, QString* problem) {
  const auto read = decodeMeshPart(content);
  if (!read.ok()) {
    *problem = MeshPartWords::tr("%1: %2").arg(tag, errorText(read.error()));
    return {};
  }
  widgets::MeshPart part;
  part.kind = read->kind == MeshPart::Kind::Vertices ? widgets::MeshPart::Kind::Vertices
              : read->kind == MeshPart::Kind::Faces  ? widgets::MeshPart::Kind::Faces
                                                     : widgets::MeshPart::Kind::Colors;
  part.mesh = meshName(tag, text(read->name));
  // All parts have the same configuration: that of the vertices counts.
  if (part.kind == widgets::MeshPart::Kind::Vertices) part.fieldOfView = fieldOfView(read->config, tag, warnings);
  return part;
}

QString fillMeshPart(const Tensor& t, const QString& tag, widgets::MeshPart* part) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  if (t.dtype() == DType::String || t.rank() != 3 || t.dim(2) != 3 || t.dim(0) > kMost || t.dim(1) > kMost) {
    QStringList dims;
    for (int i = 0; i < t.rank(); ++i) dims << QString::number(t.dim(i));
    return MeshPartWords::tr("%1 is not a part of a mesh: expected numbers of shape [samples, count, 3], found %2.")
        .arg(tag, QStringLiteral("%1 [%2]").arg(text(dtypeName(t.dtype())), dims.join(QStringLiteral(", "))));
  }
  part->samples = int(t.dim(0));
  part->count = int(t.dim(1));
  const int64_t all = t.elements();
  switch (part->kind) {
    case widgets::MeshPart::Kind::Vertices:
      part->positions.resize(size_t(all));
      for (int64_t i = 0; i < all; ++i) part->positions[size_t(i)] = float(t.asDouble(i));
      break;
    case widgets::MeshPart::Kind::Faces:
      part->indices.resize(size_t(all));
      for (int64_t i = 0; i < all; ++i) {
        const double v = t.asDouble(i);
        if (!(std::abs(v) <= double(kMost)) || v != std::floor(v))
          return MeshPartWords::tr("%1: face %2 refers to vertex %3, expected a 32-bit integer.").arg(tag).arg(i / 3 % t.dim(1)).arg(v);
        part->indices[size_t(i)] = int32_t(v);
      }
      break;
    case widgets::MeshPart::Kind::Colors:
      part->channels.resize(size_t(all));
      for (int64_t i = 0; i < all; ++i) {
        const double v = t.asDouble(i);
        if (!(v >= 0 && v <= 255)) return MeshPartWords::tr("%1: colour %2 has the value %3, expected 0 to 255.").arg(tag).arg(i / 3 % t.dim(1)).arg(v);
        part->channels[size_t(i)] = uint8_t(v);
      }
      break;
  }
  return {};
}

}  // namespace weft::app
