#include "adapters/tensor_probe.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <set>

#include "adapters/engine_graph.h"
#include "adapters/sample_feeds.h"
#include "common/format.h"
#include "weft/edit.h"
#include "weft/session.h"
#include "weft/tensor_statistics.h"
#include "weft/train.h"

namespace weft::app {
namespace {

constexpr int kPicture = 112, kMostMaps = 16;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(TensorProbe)
};

int gray(double value, const TensorStatistics& s) {
  if (!std::isfinite(value)) return 0;
  return int(std::clamp((value - s.min) / std::max(1e-30, s.max - s.min), 0.0, 1.0) * 255);
}

/// Pictures as they are, feature maps side by side, matrices as grey values; vectors as a strip.
QImage pictureOf(const Tensor& t, const TensorStatistics& s) {
  if (!s.isNumeric || t.elements() < 2 || t.rank() < 1) return {};
  int64_t height = 1, width = 1, channels = 1, maps = 1;
  if (t.rank() == 4 || t.rank() == 3) {
    const int first = t.rank() - 3;
    height = t.dim(first), width = t.dim(first + 1), channels = t.dim(first + 2);
  } else if (t.rank() == 2) {
    height = t.dim(0), width = t.dim(1);
    // Rows of a batch: one sample is a strip, and a square of it says more.
    const auto side = int64_t(std::llround(std::sqrt(double(width))));
    if (height == 1 && side * side == width && side > 1) height = width = side;
  } else {
    width = t.dim(t.rank() - 1);
  }
  if (height <= 0 || width <= 0 || channels <= 0 || height * width > 4096 * 4096) return {};
  const bool colour = channels == 3 && t.rank() >= 3;
  if (!colour) maps = std::min<int64_t>(channels, kMostMaps);
  const auto columns = int64_t(std::ceil(std::sqrt(double(maps))));
  const int64_t rows = (maps + columns - 1) / columns;
  const int64_t gap = maps > 1 ? 1 : 0;
  const int64_t stepX = std::max<int64_t>(1, width * columns / 512), stepY = std::max<int64_t>(1, height * rows / 512);
  const int64_t w = (width + stepX - 1) / stepX, h = (height + stepY - 1) / stepY;
  QImage image(int((w + gap) * columns - gap), int((h + gap) * rows - gap), QImage::Format_RGB32);
  image.fill(qRgb(127, 127, 127));
  for (int64_t m = 0; m < maps; ++m)
    for (int64_t y = 0; y < h; ++y)
      for (int64_t x = 0; x < w; ++x) {
        const int64_t at = ((y * stepY) * width + x * stepX) * channels;
        if (at + channels > t.elements()) continue;
        QRgb pixel;
        if (colour) {
          pixel = qRgb(gray(t.asDouble(at), s), gray(t.asDouble(at + 1), s), gray(t.asDouble(at + 2), s));
        } else {
          const double value = t.asDouble(at + m);
          const int g = gray(value, s);
          pixel = std::isfinite(value) ? qRgb(g, g, g) : qRgb(255, 0, 200);
        }
        image.setPixel(int((m % columns) * (w + gap) + x), int((m / columns) * (h + gap) + y), pixel);
      }
  if (t.rank() == 1 || (t.rank() == 2 && image.height() == 1)) return image.scaled(kPicture, 14, Qt::IgnoreAspectRatio, Qt::FastTransformation);
  const bool small = image.width() < kPicture;
  return image.scaled(kPicture, kPicture, Qt::KeepAspectRatio, small ? Qt::FastTransformation : Qt::SmoothTransformation);
}

QString textOf(const Tensor& t, const TensorStatistics& s) {
  QString shape;
  shapeText(t.shape(), &shape);
  QString out = shape + u' ' + text(dtypeName(t.dtype()));
  if (!s.isNumeric) return out;
  if (t.elements() == 1) return out + u'\n' + widgets::formatValue(t.asDouble(0));
  if (s.finite() > 0)
    out += u'\n' + Words::tr("%1 … %2, mean %3").arg(widgets::formatValue(s.min, 3), widgets::formatValue(s.max, 3), widgets::formatValue(s.mean, 3));
  if (s.nans > 0 || s.infinities() > 0) out += u'\n' + Words::tr("%1 NaN, %2 infinite").arg(s.nans).arg(s.infinities());
  return out;
}

}  // namespace

QVector<ProbeResult> probeTensors(const ProbeRequest& request, QString* note) {
  QVector<ProbeResult> results;
  const MetaGraph& meta = request.contents->engine->loaded.meta;
  const auto failAll = [&](const QString& why) {
    for (const QString& tensor : request.tensors) results.append({tensor, why, {}, {}});
    return results;
  };
  SessionOptions options;
  options.threads = 1;
  auto session = Session::create(meta.graph, options);
  if (!session.ok()) return failAll(errorText(session.error()));
  QString problem;
  const std::map<std::string, Tensor> sample = sampleOf(meta, request.folder.toStdString(), request.sample, 1, &problem);
  *note = !problem.isEmpty()      ? problem
          : sample.empty()        ? Words::tr("made-up inputs")
                                  : Words::tr("sample %1").arg(request.sample);
  bool restored = false;
  if (!request.checkpoint.isEmpty()) restored = restoreVariables(**session, meta, request.checkpoint.toStdString()).ok();
  *note += restored ? QStringLiteral(" · ") + Words::tr("variables of the last run") : QString();
  std::set<std::string> initialised;
  for (const QString& name : request.tensors) {
    ProbeResult result;
    result.tensor = name;
    const auto output = meta.graph.findOutput(name.toStdString());
    if (!output.ok()) {
      result.error = errorText(output.error());
      results << result;
      continue;
    }
    const std::set<int> needs = needed(meta.graph, output->node);
    std::vector<std::pair<std::string, Tensor>> feeds;
    for (const int id : needs) {
      const Node* n = meta.graph.node(id);
      if (!n) continue;
      if (isOpenInput(*n)) {
        result.error = Words::tr("An input before it is not connected.");
        break;
      }
      if (n->op != "Placeholder" || n->outputTypes.empty()) continue;
      const std::string tensor = n->name + ":0";
      const auto it = sample.find(tensor);
      const auto plain = sample.find(n->name);
      feeds.emplace_back(tensor, it != sample.end() ? it->second : plain != sample.end() ? plain->second : madeUp(baseType(n->outputTypes[0]), n->outputShapes[0]));
    }
    if (result.error.isEmpty() && !restored) {
      std::vector<std::string> targets;
      for (const std::string& target : initializers(meta, needs))
        if (initialised.insert(target).second) targets.push_back(target);
      if (!targets.empty()) {
        const auto done = (*session)->run({}, {}, targets);
        if (!done.ok()) result.error = errorText(done.error());
      }
    }
    if (result.error.isEmpty()) {
      const auto values = (*session)->run(feeds, {name.toStdString()});
      if (!values.ok()) {
        result.error = errorText(values.error());
      } else {
        const Tensor& t = values->front();
        const TensorStatistics s = statisticsOf(t);
        result.text = textOf(t, s);
        result.picture = pictureOf(t, s);
      }
    }
    results << result;
  }
  return results;
}

}  // namespace weft::app
