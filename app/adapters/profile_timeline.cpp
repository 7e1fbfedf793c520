// Converts a trace to the rows of the timeline.
#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "adapters/engine_graph.h"
#include "adapters/op_text.h"
#include "adapters/profile_trace.h"
#include "common/category_titles.h"
#include "common/format.h"
#include "graph_view/graph_model.h"
#include "weft/op.h"
#include "weft/profile_views.h"

namespace weft::app {
namespace {

struct ProfileTimeline {
  Q_DECLARE_TR_FUNCTIONS(ProfileTimeline)
};

/// Category numbers for slices, by what the colour means. The rarest keys share the second-to-last category; the critical path has the last.
class Colouring {
 public:
  Colouring(const Trace& trace, SliceColors colors, const TraceComparison* comparison, widgets::TimelineData& data)
      : trace_(trace), colors_(colors), comparison_(comparison) {
    if (colors == SliceColors::Difference) {
      // Only the ends and the middle are named; the legend shows the others between them.
      for (int i = 0; i < kShades; ++i) {
        const double t = 2.0 * i / (kShades - 1) - 1;
        const QString change = widgets::formatSeconds(std::fabs(comparison->changeAt(t)) / 1e9);
        const QString title = i == 0             ? ProfileTimeline::tr("%1 less").arg(change)
                              : i == kShades - 1 ? ProfileTimeline::tr("%1 more").arg(change)
                              : t == 0           ? ProfileTimeline::tr("no certain change")
                                                 : QString();
        data.addCategory({title, {}, -1, t});
      }
      other_ = kShades;
    } else if (colors == SliceColors::Category) {
      for (int i = 0; i < widgets::kOpCategoryCount; ++i) {
        const QString name = widgets::opCategoryName(widgets::OpCategory(i));
        data.addCategory({widgets::opCategoryTitle(name), name, -1});
      }
      other_ = widgets::kOpCategoryCount;
    } else {
      std::unordered_map<std::string, qint64> time;
      for (const TraceSlice& s : trace.slices) time[keyOf(s)] += s.selfNs;
      std::vector<std::pair<std::string, qint64>> most(time.begin(), time.end());
      std::sort(most.begin(), most.end(), [](const auto& a, const auto& b) { return a.second != b.second ? a.second > b.second : a.first < b.first; });
      for (const auto& [key, ns] : most) {
        if (key.empty() || other_ >= kMostHues) continue;
        number_[key] = other_;
        data.addCategory({colors == SliceColors::Device ? deviceText(key) : text(key), {}, other_++});
      }
    }
    data.addCategory({ProfileTimeline::tr("other"), {}, -1});
    data.addCategory({ProfileTimeline::tr("critical path"), {}, -1});
  }

  std::int16_t critical() const { return std::int16_t(other_ + 1); }
  std::int16_t of(const TraceSlice& s) {
    if (colors_ == SliceColors::Difference) {
      const auto [it, made] = byOp_.try_emplace(s.name, other_);
      if (made) it->second = std::int16_t(std::lround((comparison_->scaled(comparison_->changeOf.value(text(trace_.nameOf(s)))) + 1) / 2 * (kShades - 1)));
      return it->second;
    }
    if (colors_ != SliceColors::Category) {
      const auto it = number_.find(keyOf(s));
      return it == number_.end() ? other_ : it->second;
    }
    if (s.op == 0) return other_;
    const auto [it, made] = byOp_.try_emplace(s.op, other_);
    if (made) {
      Node node;
      node.op = trace_.text(s.op);
      it->second = std::int16_t(categoryOf(node));
    }
    return it->second;
  }

 private:
  static constexpr std::int16_t kMostHues = 12;  // number of hues that the theme distinguishes
  static constexpr int kShades = 9;              // of differences
  std::string keyOf(const TraceSlice& s) const {
    if (colors_ == SliceColors::OpType) return trace_.opOf(s);
    if (colors_ == SliceColors::Device) return trace_.tracks[std::size_t(s.track)].device;
    const std::string& name = trace_.nameOf(s);
    const std::size_t slash = name.find('/');
    return slash == name.npos ? std::string() : name.substr(0, slash);
  }

  const Trace& trace_;
  SliceColors colors_;
  const TraceComparison* comparison_;
  std::int16_t other_ = 0;
  std::unordered_map<std::string, std::int16_t> number_;
  std::unordered_map<std::int32_t, std::int16_t> byOp_;  // of differences, by name
};

/// Number of non-nested slices that cover each moment on a device: running or waiting ops. `begin` and `end` give a slice's interval.
template <typename Begin, typename End>
std::vector<std::pair<qint64, double>> depthOver(const Trace& trace, const std::string& device, Begin&& begin, End&& end) {
  std::vector<std::pair<qint64, int>> changes;
  for (const TraceSlice& s : trace.slices) {
    const TraceTrack& track = trace.tracks[std::size_t(s.track)];
    if (s.parent >= 0 || !trace.counts(s) || track.transfers || track.device != device || end(s) <= begin(s)) continue;
    changes.emplace_back(begin(s), 1);
    changes.emplace_back(end(s), -1);
  }
  std::sort(changes.begin(), changes.end());
  std::vector<std::pair<qint64, double>> points;
  int now = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    now += changes[i].second;
    if (i + 1 == changes.size() || changes[i + 1].first != changes[i].first) points.emplace_back(changes[i].first, now);
  }
  return points;
}

/// Adds two counters per device: ops that run at the same time, and ops that are ready but wait, if the trace has scheduling times.
void addQueues(const Trace& trace, widgets::TimelineData& data, int* hue) {
  std::vector<std::string> devices;
  for (const TraceTrack& t : trace.tracks)
    if (!t.duplicate && std::find(devices.begin(), devices.end(), t.device) == devices.end()) devices.push_back(t.device);
  const auto add = [&](const QString& title, std::vector<std::pair<qint64, double>> points, bool always) {
    double most = 0;
    for (const auto& p : points) most = std::max(most, p.second);
    if (most < (always ? 1 : 2)) return;
    widgets::TimelineCounter counter;
    counter.title = title;
    counter.subtitle = ProfileTimeline::tr("at most %1").arg(int(most));
    counter.hue = (*hue)++;
    counter.points.assign(points.begin(), points.end());
    data.addCounter(std::move(counter));
  };
  for (const std::string& device : devices) {
    const auto start = [](const TraceSlice& s) { return s.startNs; };
    // A single thread runs one op at a time: not worth a row.
    add(ProfileTimeline::tr("ops running on %1").arg(deviceText(device)),
        depthOver(trace, device, start, [](const TraceSlice& s) { return s.startNs + s.durationNs; }), false);
    add(ProfileTimeline::tr("ops waiting for %1").arg(deviceText(device)),
        depthOver(
            trace, device, [](const TraceSlice& s) { return s.startNs - s.waitNs; }, start),
        true);
  }
}

/// The tracks of a task together: devices, transfers, then what repeats them. A trace of one task keeps its order.
std::vector<int> trackOrder(const Trace& trace) {
  std::vector<int> order(trace.tracks.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
  if (trace.tasks.empty()) return order;
  const auto key = [&](int t) {
    const TraceTrack& track = trace.tracks[std::size_t(t)];
    return std::tuple(clusterTaskOf(track.device), track.duplicate ? 2 : track.transfers ? 1 : 0, std::string_view(track.device), std::string_view(track.name));
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  return order;
}

struct TransferTotal {
  qint64 in = 0, out = 0;
};

/// By track: bytes that its transfers received and sent, as far as known.
std::vector<TransferTotal> transferTotals(const Trace& trace) {
  std::vector<TransferTotal> totals(trace.tracks.size());
  std::unordered_map<std::string_view, std::size_t> trackOf;
  for (std::size_t t = 0; t < trace.tracks.size(); ++t)
    if (trace.tracks[t].transfers) trackOf.emplace(trace.tracks[t].device, t);
  for (const TraceTransfer& t : trace.transfers) {
    if (const auto it = trackOf.find(t.from); it != trackOf.end()) totals[it->second].out += std::max<qint64>(0, t.bytes);
    if (const auto it = trackOf.find(t.to); it != trackOf.end()) totals[it->second].in += std::max<qint64>(0, t.bytes);
  }
  return totals;
}

void addTask(const Trace& trace, std::string_view task, widgets::TimelineData& data) {
  const QVector<ProfileTask> tasks = profileTasks(trace);
  for (int i = 0; i < tasks.size(); ++i) {
    if (trace.tasks[std::size_t(i)].name != task) continue;
    data.addGroup({0, tasks[i].title, tasks[i].clock, tasks[i].tip, i});
  }
}

}  // namespace

QString deviceText(const std::string& device) {
  const QString full = text(device);
  if (!full.startsWith(QLatin1String("/job:"))) return full.contains(QLatin1String("/device:")) ? full.section(QStringLiteral("/device:"), 1) : full;
  const QString job = full.section(u'/', 1, 1).mid(4), task = full.section(u'/', 3, 3).mid(5);
  const qsizetype at = full.indexOf(QLatin1String("/device:"));
  const QString name = at >= 0 ? full.mid(at + 8) : full.section(u'/', 4);
  return job == QLatin1String("localhost") ? name : QStringLiteral("%1:%2 %3").arg(job, task, name);
}

namespace {

/// "/device:GPU:0/stream:all" as "GPU:0 kernels", its other streams with their numbers, "/device:GPU:0/memcpy" as "GPU:0 copies".
QString streamTitle(const std::string& track) {
  const std::string device(deviceOfTrack(track)), rest = track.substr(device.size());
  const QString what = rest == "/stream:all"          ? ProfileTimeline::tr("kernels")
                       : rest.starts_with("/stream:") ? ProfileTimeline::tr("stream %1").arg(text(rest.substr(8)))
                                                      : ProfileTimeline::tr("copies");
  return deviceText(device) + u' ' + what;
}

}  // namespace

QString threadText(const std::string& name) {
  const QString given = text(name);
  bool number = false;
  const qint64 thread = given.startsWith(QLatin1String("thread ")) ? given.mid(7).toLongLong(&number) : 0;
  return number ? ProfileTimeline::tr("thread %1").arg(thread) : given;
}

std::vector<int> timelineTracks(const Trace& trace) {
  const std::vector<int> order = trackOrder(trace);
  std::vector<int> out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) out[std::size_t(order[i])] = int(i);
  return out;
}

std::shared_ptr<const widgets::TimelineData> makeTimeline(const Trace& trace, SliceColors colors, const TraceComparison* comparison) {
  auto data = std::make_shared<widgets::TimelineData>();
  Colouring colouring(trace, colors, comparison, *data);

  std::vector<std::int32_t> nameOf;  // by index of the trace's strings, filled on demand
  const auto nameIndex = [&](std::int32_t string) {
    if (std::size_t(string) >= nameOf.size()) nameOf.resize(std::size_t(string) + 1024, -1);
    if (nameOf[std::size_t(string)] < 0) nameOf[std::size_t(string)] = data->addName(text(trace.text(string)));
    return nameOf[std::size_t(string)];
  };
  std::vector<qint64> self(trace.tracks.size(), 0);
  std::vector<qint64> launches(trace.tracks.size(), 0);  // number of slices that only queued work of a GPU
  for (const TraceSlice& s : trace.slices) {
    self[std::size_t(s.track)] += s.selfNs;
    launches[std::size_t(s.track)] += s.launched >= 0;
  }
  const std::vector<int> order = trackOrder(trace);
  std::vector<int> trackAt(trace.tracks.size(), 0);
  std::vector<TransferTotal> totals = transferTotals(trace);
  std::string_view group;
  for (const int t : order) {
    const TraceTrack& track = trace.tracks[std::size_t(t)];
    const std::string_view task = trace.tasks.empty() ? std::string_view() : clusterTaskOf(track.device);
    if (!task.empty() && task != group) addTask(trace, task, *data);
    group = task;
    // Under the task's heading, its tracks need not name it.
    QString title = task.empty() ? deviceText(track.device) : deviceText(track.device).section(u' ', 1);
    if (track.transfers) title += u' ' + ProfileTimeline::tr("transfers");
    else if (launches[std::size_t(t)] > 0) title += u' ' + ProfileTimeline::tr("launches");
    else if (deviceOfTrack(track.device).size() < track.device.size()) title = streamTitle(track.device);
    else if (!track.name.empty()) title += u' ' + threadText(track.name);
    const double busy = trace.durationNs > 0 ? double(self[std::size_t(t)]) / double(trace.durationNs) : 0;
    const TransferTotal& total = totals[std::size_t(t)];
    const QString subtitle =
        track.duplicate   ? ProfileTimeline::tr("same as others")
        : track.transfers ? ProfileTimeline::tr("out %1 · in %2").arg(widgets::formatBytes(total.out), widgets::formatBytes(total.in))
                          : ProfileTimeline::tr("self %1 · %2 % busy").arg(widgets::formatSeconds(double(self[std::size_t(t)]) / 1e9)).arg(qRound(busy * 100));
    trackAt[std::size_t(t)] = data->addTrack(title, subtitle, track.rows, track.duplicate);
  }
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const TraceSlice& s = trace.slices[i];
    data->add(trackAt[std::size_t(s.track)], s.depth, {s.startNs, s.durationNs, std::int32_t(i), nameIndex(s.name), colouring.of(s)});
  }
  for (const ProfileTransfer& t : profileTransfers(trace)) {
    const bool whole = t.send >= 0 && t.receive >= 0 && t.sentNs >= 0 && t.receivedNs >= 0;
    data->addArrow({whole ? t.send : -1, whole ? t.receive : -1, qint64(t.sentNs), qint64(t.receivedNs), t.ask, transferTip(t)});
  }
  if (!trace.tasks.empty()) data->addGroup({0, ProfileTimeline::tr("all tasks"), {}, {}, -1});
  // The critical path gets a row if there is more than one track, or if ops run at the same time.
  qint64 critical = 0;
  const int path = data->addTrack(ProfileTimeline::tr("critical path"), {}, 1);
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const TraceStep& step = trace.steps[k];
    data->addSpan({step.startNs, step.endNs, ProfileTimeline::tr("step %1").arg(step.number)});
    if (trace.slices.size() > 300000) continue;
    for (const int i : criticalPath(trace, int(k))) {
      const TraceSlice& s = trace.slices[std::size_t(i)];
      critical += s.durationNs;
      data->add(path, 0, {s.startNs, s.durationNs, -1, nameIndex(s.name), colouring.critical()});
    }
  }
  data->setSubtitle(path, trace.slices.size() > 300000 ? ProfileTimeline::tr("not computed: over 300,000 slices")
                                                       : ProfileTimeline::tr("%1 in total").arg(widgets::formatSeconds(double(critical) / 1e9)));
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
  if (trace.slices.size() <= 300000) addQueues(trace, *data, &hue);
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

QString opCategoryOf(const QString& op) {
  if (op.isEmpty()) return {};
  Node node;
  node.op = op.toStdString();
  return widgets::opCategoryName(categoryOf(node));
}

}  // namespace weft::app
