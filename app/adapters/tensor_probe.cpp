#include "adapters/tensor_probe.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <set>

#include "adapters/engine_graph.h"
#include "adapters/graph_defects.h"
#include "adapters/preview_words.h"
#include "common/format.h"
#include "weft/edit.h"
#include "weft/op_traits.h"
#include "weft/preview.h"
#include "weft/session.h"
#include "weft/tensor_statistics.h"
#include "weft/train.h"

namespace weft::app {
namespace {

constexpr int kBars = 28, kBarsHeight = 34, kLeastForBars = 256;  // of the histogram below a picture
constexpr int kPicture = 112, kMostMaps = 16, kMostText = 40;
constexpr int64_t kPipelineMs = 5000;    // for one element
constexpr qint64 kMostPassedOver = 200;  // elements to skip before the requested one

struct ProbeWords {
  Q_DECLARE_TR_FUNCTIONS(TensorProbe)
};

int gray(double value, const TensorStatistics& s) {
  if (!std::isfinite(value)) return 0;
  return int(std::clamp((value - s.min) / std::max(1e-30, s.max - s.min), 0.0, 1.0) * 255);
}

/// Shows pictures as they are, feature maps side by side, matrices as grey values, vectors as a strip.
QImage pictureOf(const Tensor& t, const TensorStatistics& s) {
  if (!s.isNumeric || t.elements() < 2 || t.rank() < 1) return {};
  int64_t height = 1, width = 1, channels = 1, maps = 1;
  if (t.rank() == 4 || t.rank() == 3) {
    const int first = t.rank() - 3;
    height = t.dim(first), width = t.dim(first + 1), channels = t.dim(first + 2);
  } else if (t.rank() == 2) {
    height = t.dim(0), width = t.dim(1);
    // One sample would be a strip; a square shows more.
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

/// Adds the histogram of the values in grey below the picture, which shows how an initializer draws. Not for samples and pictures, which are clear by
/// themselves.
QImage withDistribution(const QImage& picture, const Tensor& t, const TensorStatistics& s) {
  if (!isFloating(t.dtype()) || s.finite() < kLeastForBars || s.max <= s.min || t.rank() == 3 || t.dim(0) == 1) return picture;
  const std::vector<int64_t> counts = histogramOf(t, s, kBars);
  const int64_t most = *std::max_element(counts.begin(), counts.end());
  const int width = std::max(kPicture, picture.width()), top = picture.isNull() ? 0 : picture.height() + 3;
  QImage out(width, top + kBarsHeight, QImage::Format_RGB32);
  out.fill(Qt::white);
  QPainter painter(&out);
  painter.drawImage(0, 0, picture);
  for (int b = 0; b < kBars; ++b) {
    const int left = width * b / kBars, right = width * (b + 1) / kBars, high = int(std::lround(double(counts[size_t(b)]) / double(most) * (kBarsHeight - 1)));
    const int grey = 40 + 130 * b / kBars;
    painter.fillRect(left, top + kBarsHeight - high, std::max(1, right - left - 1), high, QColor(grey, grey, grey));
  }
  painter.fillRect(0, top + kBarsHeight - 1, width, 1, QColor(90, 90, 90));
  return out;
}

QString textOf(const Tensor& t, const TensorStatistics& s) {
  QString shape;
  shapeText(t.shape(), &shape);
  QString out = shape + u' ' + text(dtypeName(t.dtype()));
  if (t.dtype() == DType::String && t.elements() > 0) {
    const QString first = QString::fromUtf8(QByteArray::fromStdString(t.data<std::string>()[0]));
    return out + u'\n' + (first.size() > kMostText ? first.left(kMostText - 1) + u'…' : first);
  }
  if (!s.isNumeric) return out;
  if (t.elements() == 1) return out + u'\n' + widgets::formatValue(t.asDouble(0));
  if (s.finite() > 0)
    out += u'\n' + ProbeWords::tr("%1 … %2, mean %3").arg(widgets::formatValue(s.min, 3), widgets::formatValue(s.max, 3), widgets::formatValue(s.mean, 3));
  if (s.finite() >= kLeastForBars) out += QStringLiteral(" σ ") + widgets::formatValue(s.std, 3);
  if (s.nans > 0 || s.infinities() > 0) out += u'\n' + ProbeWords::tr("%1 NaN, %2 infinite").arg(s.nans).arg(s.infinities());
  return out;
}

QString notConnected() { return ProbeWords::tr("An input before it is not connected."); }

/// Feeds for the placeholders of a graph: rows of its data, or synthetic values.
struct Inputs {
  const MetaGraph& meta;
  std::map<std::string, Tensor> sample;

  /// Feeds for the placeholders among `nodes`; sets `error` if one is an open input.
  PreviewFeeds feeds(const std::set<int>& nodes, QString* error) const {
    PreviewFeeds out;
    for (const int id : nodes) {
      const Node* n = meta.graph.node(id);
      if (!n) continue;
      if (isOpenInput(*n)) {
        *error = notConnected();
        break;
      }
      if (!isPlaceholder(*n) || n->outputTypes.empty()) continue;
      const std::string tensor = n->name + ":0";
      const auto it = sample.find(tensor);
      const auto plain = sample.find(n->name);
      out.emplace_back(tensor, it != sample.end()      ? it->second
                               : plain != sample.end() ? plain->second
                                                       : syntheticValue(baseType(n->outputTypes[0]), n->outputShapes[0]));
    }
    return out;
  }
};

void show(const Tensor& t, ProbeResult& result) {
  const TensorStatistics s = statisticsOf(t);
  const QString words = textOf(t, s);
  result.text += (result.text.isEmpty() ? QString() : QStringLiteral("\n")) + words;
  if (result.picture.isNull()) result.picture = withDistribution(pictureOf(t, s), t, s);
}

/// Fetches tensors of an input pipeline in one run, so that they belong to the same element. For an op that takes elements out, all components are shown.
void probePipeline(const Inputs& inputs, Session& session, qint64 element, bool restored, QVector<ProbeResult*> results) {
  const Graph& g = inputs.meta.graph;
  PipelineFeeder feeder(inputs.meta, session);
  std::set<int> own;
  std::vector<std::string> fetches;
  std::vector<ProbeResult*> owners;
  for (ProbeResult* result : results) {
    const Output o = *g.findOutput(result->tensor.toStdString());
    own.merge(nodesNeededBy(g, o.node));
    const Node& node = *g.node(o.node);
    const bool source = roleOf(node) == OpRole::IteratorGetNext || roleOf(node) == OpRole::Dequeue;
    for (int k = 0; k < (source ? int(node.outputTypes.size()) : 1); ++k) {
      fetches.push_back(g.tensorName(source ? Output{o.node, k} : o));
      owners.push_back(result);
    }
  }
  const std::set<int> sources = feeder.withSources(own);
  QString error;
  PreviewFeeds feeds = inputs.feeds(sources, &error);
  if (error.isEmpty() && !restored) {
    const std::vector<std::string> targets = freshInitializers(inputs.meta, own);
    if (!targets.empty())
      if (const auto done = session.run({}, {}, targets); !done.ok()) error = errorText(done.error());
  }
  if (error.isEmpty())
    if (const Status started = feeder.start(sources, own, feeds); !started.ok()) error = previewErrorText(started.error());
  std::erase_if(feeds, [&](const auto& f) {
    const auto o = g.findOutput(f.first);
    return !o.ok() || !own.count(o->node);
  });
  RunOptions options;
  options.timeoutMs = kPipelineMs;
  element = std::clamp<qint64>(element, 0, kMostPassedOver);
  std::vector<Tensor> values;
  for (qint64 k = 0; k <= element && error.isEmpty(); ++k) {
    auto run = session.run(feeds, fetches, {}, options);
    if (run.ok()) {
      values = std::move(*run);
      continue;
    }
    if (run.error().code == Code::OutOfRange && k > 0) {
      element = k - 1;  // the last available element
      break;
    }
    error = run.error().code == Code::DeadlineExceeded ? whyNoElement(feeder, session) : errorText(run.error());
  }
  feeder.stop();
  for (size_t i = 0; i < owners.size(); ++i) {
    owners[i]->error = error;
    owners[i]->note = ProbeWords::tr("element %1 of its pipeline").arg(element);
    if (error.isEmpty()) show(values[i], *owners[i]);
  }
}

}  // namespace

QVector<ProbeResult> probeTensors(const ProbeRequest& request, QString* note) {
  QVector<ProbeResult> results;
  const MetaGraph& meta = request.contents->engine->loaded.meta;
  const auto failAll = [&](const QString& why) {
    for (const QString& tensor : request.tensors) {
      ProbeResult result;
      result.tensor = tensor;
      result.error = why;
      results << result;
    }
    return results;
  };
  if (const QString why = whyNotRun(*request.contents); !why.isEmpty()) return failAll(why);
  SessionOptions options;
  options.threads = 1;
  auto session = Session::create(meta.graph, options);
  if (!session.ok()) return failAll(errorText(session.error()));
  auto sample = sampleRows(meta, request.folder.toStdString(), request.sample, 1);
  *note = !sample.ok() ? errorText(sample.error()) : sample->empty() ? ProbeWords::tr("dummy inputs") : ProbeWords::tr("sample %1").arg(request.sample);
  const Inputs inputs{meta, sample.ok() ? std::move(*sample) : std::map<std::string, Tensor>()};
  bool restored = false;
  if (!request.checkpoint.isEmpty()) restored = restoreVariables(**session, meta, request.checkpoint.toStdString()).ok();
  *note += restored ? QStringLiteral(" · ") + ProbeWords::tr("variables of the last run") : QString();
  std::set<std::string> initialised;
  results.resize(request.tensors.size());
  QVector<ProbeResult*> piped;
  for (qsizetype i = 0; i < results.size(); ++i) {
    ProbeResult& result = results[i];
    result.tensor = request.tensors[i];
    const auto output = meta.graph.findOutput(result.tensor.toStdString());
    if (!output.ok()) {
      result.error = errorText(output.error());
      continue;
    }
    const std::set<int> needs = nodesNeededBy(meta.graph, output->node);
    if (PipelineFeeder::readsPipeline(meta.graph, needs)) {
      piped << &result;
      continue;
    }
    const auto feeds = inputs.feeds(needs, &result.error);
    if (result.error.isEmpty() && !restored) {
      std::vector<std::string> targets;
      for (const std::string& target : freshInitializers(meta, needs))
        if (initialised.insert(target).second) targets.push_back(target);
      if (!targets.empty()) {
        const auto done = (*session)->run({}, {}, targets);
        if (!done.ok()) result.error = errorText(done.error());
      }
    }
    if (!result.error.isEmpty()) continue;
    const auto values = (*session)->run(feeds, {result.tensor.toStdString()});
    if (values.ok()) show(values->front(), result);
    else result.error = errorText(values.error());
  }
  if (!piped.isEmpty()) probePipeline(inputs, **session, request.sample, restored, piped);
  return results;
}

}  // namespace weft::app
