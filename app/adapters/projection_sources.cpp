#include <QCoreApplication>
#include <QFileInfo>
#include <QImageReader>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "adapters/engine_graph.h"
#include "adapters/file_contents.h"
#include "adapters/file_engine.h"
#include "adapters/op_text.h"
#include "adapters/projection_impl.h"
#include "weft/op_traits.h"
#include "weft/projector.h"
#include "weft/train.h"

namespace weft::app {
namespace {

struct ProjectionWords {
  Q_DECLARE_TR_FUNCTIONS(ProjectionWords)
};

constexpr const char* kSlots[] = {"/Adam", "/Momentum", "/RMSProp", "/Adagrad", "/Adadelta", "/Ftrl", "/ExponentialMovingAverage"};
constexpr int64_t kMostSamples = 100'000;

bool isProjectable(const QVector<qint64>& shape, const QString& dtype) {
  return shape.size() >= 2 && shape[0] >= 2 && dtype != QLatin1String("string") && std::all_of(shape.begin(), shape.end(), [](qint64 d) { return d > 0; });
}

/// Sets the values of a tensor; an error names what it came from.
QString setValues(ProjectedPoints& out, const Tensor& tensor) {
  auto points = pointsOf(tensor);
  if (!points.ok()) return out.name + QStringLiteral(": ") + errorText(points.error());
  out.rows = int(std::min<int64_t>(points->view().rows, std::numeric_limits<int>::max()));
  out.columns = int(std::min<int64_t>(points->view().columns, std::numeric_limits<int>::max()));
  out.values = std::make_shared<ProjectedPoints::Values>(ProjectedPoints::Values{std::move(*points)});
  return {};
}

void readLabels(const QString& path, const ProjectorEmbedding& e, ProjectedPoints& out) {
  const std::string config = path.toStdString();
  for (const std::string& column : e.labelColumns) out.labelColumns << text(column);
  if (e.labelRows >= 0) {
    auto table = readProjectorLabels(projectorPath(config, e.metadataPath), std::numeric_limits<size_t>::max());
    if (table.ok()) {
      out.labels.reserve(qsizetype(table->rows.size()));
      for (const auto& row : table->rows) {
        QStringList fields;
        for (const std::string& field : row) fields << text(field);
        out.labels << fields;
      }
    }
  }
  if (e.spriteWidth <= 0 || e.spriteDim.size() != 2) return;
  QImageReader reader(text(projectorPath(config, e.spritePath)));
  reader.setDecideFormatFromContent(true);
  out.sprite = reader.read();
  out.picture = QSize(int(std::min<int64_t>(e.spriteDim[0], 1 << 14)), int(std::min<int64_t>(e.spriteDim[1], 1 << 14)));
}

QString readEmbedding(const QString& path, const QString& tensor, ProjectedPoints& out) {
  const auto settings = readProjectorSettings(path.toStdString());
  if (!settings.ok()) return errorText(settings.error());
  const auto& all = settings->embeddings;
  const auto nameOf = [](const ProjectorEmbedding& e) { return text(e.tensor.empty() ? e.tensorPath : e.tensor); };
  const auto found = std::find_if(all.begin(), all.end(), [&](const ProjectorEmbedding& e) { return tensor.isEmpty() || nameOf(e) == tensor; });
  if (found == all.end())
    return all.empty() ? ProjectionWords::tr("%1 has no embeddings.").arg(path) : ProjectionWords::tr("%1 has no embedding %2.").arg(path, tensor);
  out.name = nameOf(*found);
  const auto values = readProjectorValues(path.toStdString(), *settings, *found);
  if (!values.ok()) return errorText(values.error());
  readLabels(path, *found, out);
  return setValues(out, *values);
}

}  // namespace

QImage ProjectedPoints::pictureOf(int row) const {
  if (row < 0 || row >= rows) return {};
  if (!sprite.isNull()) {
    if (picture.isEmpty()) return {};
    const int across = sprite.width() / picture.width(), down = sprite.height() / picture.height();
    if (across == 0 || row / across >= down) return {};
    return sprite.copy(row % across * picture.width(), row / across * picture.height(), picture.width(), picture.height());
  }
  if (samples.isEmpty() || sampleShape.isEmpty()) return {};
  const qsizetype count = samples.size() / rows;
  QSize size;
  const int channels = sampleShape.size() == 3 ? sampleShape[2] : 1;
  if (sampleShape.size() == 1) {
    const int side = int(std::lround(std::sqrt(double(count))));
    if (qsizetype(side) * side == count) size = QSize(side, side);
  } else if (sampleShape.size() == 2 || channels == 1 || channels == 3) {
    size = QSize(sampleShape[1], sampleShape[0]);
  }
  if (size.isEmpty() || size.width() < 2 || qsizetype(size.width()) * size.height() * channels != count) return {};
  const float* p = samples.constData() + row * count;
  float low = 0, high = 1;
  for (qsizetype i = 0; i < count; ++i)
    if (std::isfinite(p[i])) low = std::min(low, p[i]), high = std::max(high, p[i]);
  const auto level = [&](float v) { return std::isfinite(v) ? int(std::lround(255 * (v - low) / (high - low))) : 0; };
  QImage out(size, QImage::Format_RGB32);
  for (int y = 0; y < size.height(); ++y)
    for (int x = 0; x < size.width(); ++x, p += channels)
      out.setPixel(x, y, channels == 3 ? qRgb(level(p[0]), level(p[1]), level(p[2])) : qRgb(level(*p), level(*p), level(*p)));
  return out;
}

QStringList projectableTensors(const FileContents& contents) {
  QStringList out;
  if (contents.projector) {
    for (const ProjectedTensor& t : contents.projector->tensors)
      if (t.source != ProjectedTensor::Source::Missing) out << t.name;
  } else if (contents.tensors) {
    for (const TensorEntry& e : contents.tensors->entries())
      if (isProjectable(e.shape, e.dtype) && e.role == TensorRole::Weight) out << e.name;
  }
  return out;
}

QVector<TrainedTensor> projectableTensors(const GraphContents& contents) {
  QVector<TrainedTensor> out;
  const Graph& graph = contents.engine->loaded.meta.graph;
  for (int id = 0; id < graph.size(); ++id) {
    const Node* n = graph.node(id);
    if (!n || n->outputTypes.empty() || n->name.find("gradients") != std::string::npos) continue;
    const Shape& shape = graph.shape({id, 0});
    if (!shape.hasRank() || shape.rank() < 2) continue;
    if (isVariable(*n)) {
      const bool isSlot = std::any_of(std::begin(kSlots), std::end(kSlots), [&](const char* slot) { return n->name.find(slot) != std::string::npos; });
      if (shape.dim(0) >= 2 && !isSlot) out << TrainedTensor{text(n->name), false};
    } else if (isFloating(baseType(graph.dtype({id, 0}))) && shape.dim(0) < 0 &&
               (categoryOf(*n) == widgets::OpCategory::Nn || isPlaceholder(*n) || roleOf(*n) == OpRole::Compute) && n->name.find('/') == n->name.rfind('/')) {
      out << TrainedTensor{text(n->name), true};
    }
  }
  return out;
}

ProjectedPointsPtr readPoints(const QString& path, const QString& tensor, QString* error) {
  auto out = std::make_shared<ProjectedPoints>();
  out->origin = path;
  out->name = tensor.isEmpty() ? QFileInfo(path).fileName() : tensor;
  if (path.endsWith(QLatin1String(".npy")) || path.endsWith(QLatin1String(".csv")) || path.endsWith(QLatin1String(".tsv"))) {
    const auto points = loadPoints(path.toStdString());
    *error = points.ok() ? setValues(*out, points->values) : errorText(points.error());
  } else if (path.endsWith(QLatin1String(".pbtxt")) || path.endsWith(QLatin1String(".pb"))) {
    *error = readEmbedding(path, tensor, *out);
  } else {
    QString prefix;
    const FileTensorsPtr tensors = openTensors(path, &prefix, error);
    if (!tensors) return nullptr;
    const auto& entries = tensors->entries();
    QVector<int> fitting;
    for (int i = 0; i < int(entries.size()); ++i)
      if (tensor.isEmpty() ? isProjectable(entries[i].shape, entries[i].dtype) : entries[i].name == tensor) fitting << i;
    if (fitting.isEmpty()) {
      *error = tensor.isEmpty() ? ProjectionWords::tr("%1 has no matrix.").arg(path) : ProjectionWords::tr("%1 has no tensor %2.").arg(path, tensor);
      return nullptr;
    }
    out->name = entries[fitting.first()].name;
    const TensorRead read = tensors->read(fitting.first());
    *error = read.data ? setValues(*out, tensorOf(*read.data)) : read.error;
  }
  return error->isEmpty() ? out : nullptr;
}

ProjectedPointsPtr readPoints(const TrainedModel& model, const QString& tensor, QString* error) {
  auto out = std::make_shared<ProjectedPoints>();
  out->name = tensor;
  Trainer& trainer = *model.trainer();
  out->step = trainer.step();
  const auto variables = trainer.session().variables();
  if (const auto variable = variables.find(tensor.toStdString()); variable != variables.end()) {
    *error = setValues(*out, variable->second);
    return error->isEmpty() ? out : nullptr;
  }
  const auto result = trainer.evaluateTensor(tensor.toStdString(), kMostSamples);
  if (!result.ok()) {
    *error = errorText(result.error());
    return nullptr;
  }
  *error = setValues(*out, result->values);
  if (!error->isEmpty()) return nullptr;
  out->step = result->step;
  out->actual = QVector<int>(result->labels.begin(), result->labels.end());
  out->predicted = QVector<int>(result->predicted.begin(), result->predicted.end());
  if (!out->actual.isEmpty()) {
    out->labelColumns = {ProjectionWords::tr("Actual"), ProjectionWords::tr("Predicted"), ProjectionWords::tr("Correct")};
    for (qsizetype i = 0; i < out->actual.size(); ++i)
      out->labels << QStringList{QString::number(out->actual[i]), QString::number(out->predicted[i]),
                                 out->actual[i] == out->predicted[i] ? ProjectionWords::tr("yes") : ProjectionWords::tr("no")};
  }
  if (result->inputs.hasValue()) {
    for (int d = 1; d < result->inputs.rank(); ++d) out->sampleShape << int(result->inputs.dim(d));
    if (const auto inputs = pointsOf(result->inputs); inputs.ok())
      out->samples = QVector<float>(inputs->values.flat<float>().begin(), inputs->values.flat<float>().end());
  }
  return out;
}

}  // namespace weft::app
