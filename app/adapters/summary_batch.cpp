#include "adapters/summary_batch.h"

#include <algorithm>

#include "adapters/engine_graph.h"
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

}  // namespace

void SummaryColumns::add(SummaryBatch& batch) {
  others += batch.others;
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
      } else if (t->elements() == 1 && t->rank() == 0) {
        batch.items.push_back({tag, widgets::Sample{step, wall, t->asDouble(0)}});
      } else {
        ++batch.others;
      }
    } else {
      ++batch.others;
    }
  }
}

}  // namespace weft::app
