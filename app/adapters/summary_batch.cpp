#include "adapters/summary_batch.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <utility>

#include "adapters/engine_graph.h"
#include "adapters/mesh_parts.h"
#include "weft/event_plugins.h"
#include "weft/events.h"

namespace weft::app {
namespace {

QByteArray bytes(const std::string& s) { return QByteArray(s.data(), qsizetype(s.size())); }

/// The strings of a tensor; a table (rank 2 and above) as tab-separated rows.
QString textOf(const Tensor& t) {
  QString out;
  const auto elements = t.flat<std::string>();
  const int64_t row = t.rank() >= 2 ? t.dim(t.rank() - 1) : 1;
  for (int64_t i = 0; i < t.elements(); ++i) {
    if (i > 0) out += i % row ? u'\t' : u'\n';
    out += text(elements[size_t(i)]);
  }
  return out;
}

/// Rows of left edge, right edge and count, the format of the v2 summaries.
bool histogramOf(const Tensor& t, widgets::Histogram* h) {
  if (t.rank() != 2 || t.dim(1) != 3 || t.dtype() == DType::String) return false;
  for (int64_t i = 0; i < t.dim(0); ++i) {
    const double left = t.asDouble(3 * i), right = t.asDouble(3 * i + 1), count = t.asDouble(3 * i + 2);
    if (i == 0) h->min = left;
    h->max = right;
    h->num += count;
    h->sum += count * (left + right) / 2;
    h->sumOfSquares += count * (left + right) * (left + right) / 4;
    h->limits.push_back(right);
    h->counts.push_back(count);
  }
  return true;
}

struct DecoderWords {
  Q_DECLARE_TR_FUNCTIONS(SummaryDecoder)
};

/// Rows of true and false positives, true and false negatives, precision and recall, one column per threshold. The highest thresholds may predict nothing as
/// positive: precision is undefined there, whatever the file says, and TensorBoard leaves them out.
bool prCurveOf(const Tensor& t, widgets::PrCurve* curve) {
  if (t.rank() != 2 || t.dim(0) != 6 || t.dim(1) < 1 || t.dtype() == DType::String) return false;
  std::vector<double>* const rows[] = {&curve->truePositives,  &curve->falsePositives, &curve->trueNegatives,
                                       &curve->falseNegatives, &curve->precision,      &curve->recall};
  for (int64_t row = 0; row < 6; ++row)
    for (int64_t i = 0; i < t.dim(1); ++i) rows[row]->push_back(t.asDouble(row * t.dim(1) + i));
  for (size_t i = curve->size() - 1; i > 0 && curve->truePositives[i] + curve->falsePositives[i] == 0; --i)
    curve->precision[i] = std::numeric_limits<double>::quiet_NaN();
  return true;
}

QString shapeOf(const Tensor& t) {
  QStringList dims;
  for (int i = 0; i < t.rank(); ++i) dims << QString::number(t.dim(i));
  return QStringLiteral("%1 [%2]").arg(t.dtype() == DType::String ? DecoderWords::tr("strings") : DecoderWords::tr("numbers"), dims.join(QStringLiteral(", ")));
}

HParamsEntry entryOf(const HParamsData& data, double step, double wall) {
  HParamsEntry out;
  out.step = step;
  out.wall = wall;
  out.kind = data.kind == HParamsData::Kind::Experiment     ? HParamsEntry::Kind::Experiment
             : data.kind == HParamsData::Kind::SessionStart ? HParamsEntry::Kind::SessionStart
                                                            : HParamsEntry::Kind::SessionEnd;
  out.status = HParamsEntry::Status(std::clamp(data.status, 0, 3));
  out.description = text(data.description);
  out.time = data.time;
  for (const auto& h : data.hyperparameters) out.names << std::pair(text(h.name), text(h.displayName.empty() ? h.name : h.displayName));
  for (const auto& m : data.metrics) {
    const std::string title = !m.displayName.empty() ? m.displayName : m.group.empty() ? m.tag : m.group + "/" + m.tag;
    out.metrics << HParamsEntry::Metric{text(m.group), text(m.tag), text(title)};
  }
  for (const auto& [name, value] : data.values) {
    QVariant shown;
    if (const auto* number = std::get_if<double>(&value)) shown = *number;
    if (const auto* word = std::get_if<std::string>(&value)) shown = text(*word);
    if (const auto* flag = std::get_if<bool>(&value)) shown = *flag;
    out.values << std::pair(text(name), shown);
  }
  return out;
}

LayoutEntry entryOf(const ChartLayout& layout, double step, double wall) {
  LayoutEntry out{step, wall, {}};
  for (const ChartLayout::Category& c : layout.categories) {
    LayoutEntry::Category category{text(c.title), {}, c.closed};
    for (const ChartLayout::Chart& from : c.charts) {
      LayoutEntry::Chart chart{text(from.title), {}, {}};
      for (const std::string& tag : from.tags) chart.tags << text(tag);
      for (const ChartLayout::Margin& m : from.margins) chart.margins << LayoutEntry::Margin{text(m.value), text(m.lower), text(m.upper)};
      category.charts << chart;
    }
    out.categories << category;
  }
  return out;
}

}  // namespace

void SummaryColumns::add(SummaryBatch& batch) {
  others += batch.others;
  warnings += std::exchange(batch.warnings, {});
  for (SummaryItem& item : batch.items) {
    const auto is = [&](const Column& c) { return c.values.index() == item.value.index() && c.tag == item.tag; };
    size_t at = next_;
    if (at >= columns.size() || !is(columns[at])) at = size_t(std::find_if(columns.begin(), columns.end(), is) - columns.begin());
    if (at == columns.size()) std::visit([&]<typename T>(const T&) { columns.push_back({item.tag, std::vector<T>()}); }, item.value);
    next_ = at + 1 == columns.size() ? 0 : at + 1;
    std::visit([&]<typename T>(T& value) { std::get<std::vector<T>>(columns[at].values).push_back(std::move(value)); }, item.value);
  }
  batch.items.clear();
}

void SummaryDecoder::add(const Event& event, SummaryBatch& batch) {
  const double step = double(event.step), wall = event.wallTime;
  for (const SummaryValue& v : event.values) {
    const QString tag = text(v.tag);
    if (!v.plugin.empty()) plugins_.insert(tag, text(v.plugin));
    if (const auto* scalar = std::get_if<float>(&v.value)) {
      batch.items.push_back({tag, widgets::Sample{step, wall, double(*scalar)}});
    } else if (const auto* h = std::get_if<HistogramValue>(&v.value)) {
      batch.items.push_back({tag, widgets::Histogram{step, wall, h->min, h->max, h->num, h->sum, h->sumOfSquares, h->limits, h->counts}});
    } else if (const auto* i = std::get_if<ImageValue>(&v.value)) {
      batch.items.push_back({tag, widgets::Picture{step, wall, bytes(i->encoded), i->width, i->height, i->colorspace}});
    } else if (const auto* a = std::get_if<AudioValue>(&v.value)) {
      batch.items.push_back({tag, widgets::SoundClip{step, wall, double(a->sampleRate), a->channels, a->frames, text(a->contentType), bytes(a->encoded)}});
    } else if (const auto* t = std::get_if<Tensor>(&v.value)) {
      const QString plugin = plugins_.value(tag);
      if (t->dtype() == DType::String && plugin == QLatin1String("images")) {
        // Width and height as strings, then the pictures.
        const auto parts = t->flat<std::string>();
        for (size_t k = 2; k < parts.size(); ++k) {
          const QString name = parts.size() > 3 ? tag + QStringLiteral("/%1").arg(k - 2) : tag;
          batch.items.push_back({name, widgets::Picture{step, wall, bytes(parts[k]), text(parts[0]).toInt(), text(parts[1]).toInt(), 0}});
        }
      } else if (t->dtype() == DType::String && plugin == QLatin1String("audio")) {
        const auto parts = t->flat<std::string>();
        const int64_t stride = t->rank() == 2 ? t->dim(1) : 1;  // each clip may be followed by a label
        for (int64_t k = 0; k < t->elements(); k += stride) {
          const QString name = t->elements() > stride ? tag + QStringLiteral("/%1").arg(k / stride) : tag;
          batch.items.push_back({name, widgets::SoundClip{step, wall, 0, 0, 0, QStringLiteral("audio/wav"), bytes(parts[size_t(k)])}});
        }
      } else if (t->dtype() == DType::String && (plugin.isEmpty() || plugin == QLatin1String("text"))) {
        batch.items.push_back({tag, widgets::TextEntry{step, wall, textOf(*t)}});
      } else if (widgets::Histogram h; plugin == QLatin1String("histograms") && histogramOf(*t, &h)) {
        h.step = step;
        h.wall = wall;
        batch.items.push_back({tag, std::move(h)});
      } else if (plugin == QLatin1String("pr_curves") || plugin == QLatin1String("hparams") || plugin == QLatin1String("custom_scalars")) {
        addPlugin(v, tag, plugin, step, wall, batch);
      } else if (plugin == QLatin1String("mesh")) {
        addMesh(v, tag, step, wall, batch);
      } else if (t->dtype() != DType::String && t->elements() == 1 && t->rank() == 0) {
        batch.items.push_back({tag, widgets::Sample{step, wall, t->asDouble(0)}});
      } else {
        ++batch.others;
      }
    } else if (std::holds_alternative<std::monostate>(v.value) && plugins_.value(tag) == QLatin1String("hparams")) {
      addPlugin(v, tag, plugins_.value(tag), step, wall, batch);  // TensorFlow 1.x writes the metadata alone
    } else {
      ++batch.others;
    }
  }
}

/// A value of one of TensorBoard's plugins with a format of their own.
void SummaryDecoder::addPlugin(const SummaryValue& v, const QString& tag, const QString& plugin, double step, double wall, SummaryBatch& batch) {
  const auto* given = std::get_if<Tensor>(&v.value);
  const Tensor none, &t = given ? *given : none;
  QString problem;
  if (plugin == QLatin1String("pr_curves")) {
    if (widgets::PrCurve curve; prCurveOf(t, &curve)) {
      curve.step = step;
      curve.wall = wall;
      batch.items.push_back({tag, std::move(curve)});
      return;
    }
    problem = DecoderWords::tr("%1 is not a PR curve: expected numbers of shape [6, thresholds], found %2.").arg(tag, shapeOf(t));
  } else if (plugin == QLatin1String("hparams")) {
    // Only the first value of a tag has its content.
    if (v.pluginContent.empty()) return;
    const auto data = decodeHParams(v.pluginContent);
    if (data.ok()) return batch.items.push_back({tag, entryOf(*data, step, wall)});
    problem = DecoderWords::tr("%1: %2").arg(tag, errorText(data.error()));
  } else if (t.dtype() != DType::String || t.elements() != 1) {
    problem = DecoderWords::tr("%1 is not a layout of charts: expected one string, found %2.").arg(tag, shapeOf(t));
  } else {
    const auto layout = decodeChartLayout(t.flat<std::string>()[0]);
    if (layout.ok()) return batch.items.push_back({tag, entryOf(*layout, step, wall)});
    problem = DecoderWords::tr("%1: %2").arg(tag, errorText(layout.error()));
  }
  ++batch.others;
  if (warned_.contains(tag)) return;
  warned_.insert(tag);
  batch.warnings << problem;
}

/// Vertices, faces or colours of a mesh. Only the first value of a tag says which.
void SummaryDecoder::addMesh(const SummaryValue& v, const QString& tag, double step, double wall, SummaryBatch& batch) {
  QString problem;
  if (!v.pluginContent.empty() && !meshParts_.contains(tag)) {
    if (auto kind = meshPartOf(v.pluginContent, tag, &batch.warnings, &problem)) meshParts_.insert(tag, *kind);
  }
  if (const auto kind = meshParts_.constFind(tag); kind != meshParts_.cend()) {
    widgets::MeshPart part = *kind;
    part.step = step;
    part.wall = wall;
    problem = fillMeshPart(std::get<Tensor>(v.value), tag, &part);
    if (problem.isEmpty()) return batch.items.push_back({tag, std::move(part)});
  }
  ++batch.others;
  if (problem.isEmpty() || warned_.contains(tag)) return;
  warned_.insert(tag);
  batch.warnings << problem;
}

}  // namespace weft::app
