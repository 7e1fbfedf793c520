#include "adapters/file_projector.h"

#include <QImageReader>

#include "adapters/engine_graph.h"
#include "weft/projector.h"

namespace weft::app {
namespace {

constexpr size_t kShownLabels = 100'000;

void readFiles(const QString& path, const ProjectorEmbedding& e, ProjectedTensor* out) {
  const std::string config = path.toStdString();
  if (e.labelRows >= 0) {
    const auto table = readProjectorLabels(projectorPath(config, e.metadataPath), kShownLabels);
    for (const auto& row : table.ok() ? table->rows : std::vector<std::vector<std::string>>()) {
      QStringList fields;
      for (const std::string& field : row) fields << text(field);
      out->labels << fields;
    }
  }
  if (e.spriteWidth > 0 && e.spriteDim.size() == 2) {
    QImageReader reader(text(projectorPath(config, e.spritePath)));
    reader.setDecideFormatFromContent(true);
    out->sprite = reader.read();
    out->picture = QSize(int(std::min<int64_t>(e.spriteDim[0], 1 << 14)), int(std::min<int64_t>(e.spriteDim[1], 1 << 14)));
    if (out->sprite.isNull()) out->problems << text(e.spritePath) + QStringLiteral(": ") + reader.errorString();
  }
}

}  // namespace

QImage ProjectedTensor::pictureOf(int row) const {
  if (sprite.isNull() || picture.isEmpty() || row < 0) return {};
  const int across = sprite.width() / picture.width(), down = sprite.height() / picture.height();
  if (across == 0 || row / across >= down) return {};
  return sprite.copy(row % across * picture.width(), row / across * picture.height(), picture.width(), picture.height());
}

FileProjectorPtr openProjector(const QString& path, QString* error) {
  const auto settings = readProjectorSettings(path.toStdString());
  if (!settings.ok()) {
    *error = errorText(settings.error());
    return nullptr;
  }
  auto out = std::make_shared<FileProjector>();
  out->checkpoint = text(settings->prefix);
  for (const auto& [kind, message] : settings->problems) out->problems << text(message);
  for (const ProjectorEmbedding& e : settings->embeddings) {
    ProjectedTensor tensor;
    tensor.name = text(e.tensor.empty() ? e.tensorPath : e.tensor);
    tensor.source = ProjectedTensor::Source(int(e.source));
    if (e.source != ProjectorEmbedding::Source::Missing) shapeText(e.shape, &tensor.shape);
    tensor.labelRows = e.labelRows;
    for (const std::string& column : e.labelColumns) tensor.columns << text(column);
    for (const auto& [kind, message] : e.problems) tensor.problems << text(message);
    readFiles(path, e, &tensor);
    out->tensors << tensor;
  }
  return out;
}

}  // namespace weft::app
