// From a trace to the rows of the timeline.
#include <QCoreApplication>
#include <algorithm>
#include <unordered_map>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "adapters/profile_trace.h"
#include "common/format.h"
#include "graph_view/graph_model.h"
#include "weft/op.h"
#include "weft/profile_views.h"

namespace weft::app {
namespace {

struct ProfileTimeline {
  Q_DECLARE_TR_FUNCTIONS(ProfileTimeline)
};

constexpr const char* kCategoryTitles[widgets::kOpCategoryCount] = {
    QT_TRANSLATE_NOOP("OpCategory", "math"),         QT_TRANSLATE_NOOP("OpCategory", "nn"),   QT_TRANSLATE_NOOP("OpCategory", "array"),  QT_TRANSLATE_NOOP("OpCategory", "variable"),
    QT_TRANSLATE_NOOP("OpCategory", "control flow"), QT_TRANSLATE_NOOP("OpCategory", "data"), QT_TRANSLATE_NOOP("OpCategory", "random"), QT_TRANSLATE_NOOP("OpCategory", "gradient"),
};

/// `/job:localhost/replica:0/task:0/device:CPU:0` as `CPU:0`.
QString deviceText(const std::string& device) {
  QString out = text(device);
  const qsizetype at = out.indexOf(QLatin1String("/device:"));
  if (at >= 0) return out.mid(at + 8);
  return out.startsWith(QLatin1String("/job:")) ? out.section(u'/', 4) : out;
}

}  // namespace

std::shared_ptr<const widgets::TimelineData> makeTimeline(const Trace& trace) {
  auto data = std::make_shared<widgets::TimelineData>();
  // Categories in the order of the theme, then other, then the critical path.
  for (int i = 0; i < widgets::kOpCategoryCount; ++i) {
    data->addCategory({QCoreApplication::translate("OpCategory", kCategoryTitles[i]), widgets::opCategoryName(widgets::OpCategory(i)), -1});
  }
  constexpr std::int16_t kOther = widgets::kOpCategoryCount, kCritical = widgets::kOpCategoryCount + 1;
  data->addCategory({ProfileTimeline::tr("other"), {}, -1});
  data->addCategory({ProfileTimeline::tr("critical path"), {}, -1});

  std::vector<std::int32_t> nameOf;  // by the trace's strings, made when first needed
  const auto nameIndex = [&](std::int32_t string) {
    if (std::size_t(string) >= nameOf.size()) nameOf.resize(std::size_t(string) + 1024, -1);
    if (nameOf[std::size_t(string)] < 0) nameOf[std::size_t(string)] = data->addName(text(trace.text(string)));
    return nameOf[std::size_t(string)];
  };
  std::unordered_map<std::int32_t, std::int16_t> categories;  // by op
  const auto categoryIndex = [&](std::int32_t op) -> std::int16_t {
    if (op == 0) return kOther;
    const auto [it, made] = categories.try_emplace(op, kOther);
    if (made) {
      Node node;
      node.op = trace.text(op);
      it->second = std::int16_t(categoryOf(node));
    }
    return it->second;
  };

  std::vector<qint64> self(trace.tracks.size(), 0);
  for (const TraceSlice& s : trace.slices) self[std::size_t(s.track)] += s.selfNs;
  for (std::size_t t = 0; t < trace.tracks.size(); ++t) {
    const TraceTrack& track = trace.tracks[t];
    QString title = deviceText(track.device);
    if (!track.name.empty()) title += u' ' + text(track.name);
    const double busy = trace.durationNs > 0 ? double(self[t]) / double(trace.durationNs) : 0;
    const QString subtitle = track.duplicate ? ProfileTimeline::tr("repeats its streams")
                                             : ProfileTimeline::tr("self %1 · %2 % busy").arg(widgets::formatSeconds(double(self[t]) / 1e9)).arg(qRound(busy * 100));
    data->addTrack(title, subtitle, track.rows, track.duplicate);
  }
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const TraceSlice& s = trace.slices[i];
    data->add(s.track, s.depth, {s.startNs, s.durationNs, std::int32_t(i), nameIndex(s.name), categoryIndex(s.op)});
  }
  // The critical path is worth a row if there is more than one track, or more than one thing at a time.
  qint64 critical = 0;
  const int path = data->addTrack(ProfileTimeline::tr("critical path"), {}, 1);
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TraceStep& step = trace.steps[k];
    data->addSpan({step.startNs, step.endNs, ProfileTimeline::tr("step %1").arg(step.number)});
    if (trace.slices.size() > 300000) continue;
    for (const int i : criticalPath(trace, int(k))) {
      const TraceSlice& s = trace.slices[std::size_t(i)];
      critical += s.durationNs;
      data->add(path, 0, {s.startNs, s.durationNs, -1, nameIndex(s.name), kCritical});
    }
  }
  data->setSubtitle(path, trace.slices.size() > 300000 ? ProfileTimeline::tr("not computed: over 300,000 slices")
                                                       : ProfileTimeline::tr("%1 in all").arg(widgets::formatSeconds(double(critical) / 1e9)));
  int hue = 0;
  if (trace.slices.size() <= 300000) {
    for (const MemoryTimeline& m : memoryTimelines(trace)) {
      widgets::TimelineCounter counter;
      counter.title = ProfileTimeline::tr("memory of %1").arg(deviceText(m.device));
      counter.subtitle = ProfileTimeline::tr("peak %1 at %2").arg(widgets::formatBytes(m.peakBytes), widgets::formatSeconds(double(m.peakNs) / 1e9));
      counter.bytes = true;
      counter.hue = hue++;
      counter.points.assign(m.points.begin(), m.points.end());
      data->addCounter(std::move(counter));
    }
  }
  for (const TraceCounter& c : trace.counters) {
    widgets::TimelineCounter counter;
    counter.title = text(c.name);
    double most = 0;
    for (const auto& p : c.points) most = std::max(most, p.second);
    counter.subtitle = ProfileTimeline::tr("at most %1").arg(c.bytes ? widgets::formatBytes(qint64(most)) : widgets::formatValue(most));
    counter.bytes = c.bytes;
    counter.hue = hue++;
    counter.points.assign(c.points.begin(), c.points.end());
    data->addCounter(std::move(counter));
  }
  data->finish();
  return data;
}

}  // namespace weft::app
