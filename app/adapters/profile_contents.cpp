#include "adapters/profile_contents.h"

#include <QCoreApplication>
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "adapters/engine_graph.h"
#include "adapters/profile_trace.h"
#include "weft/events.h"
#include "weft/file_kinds.h"
#include "weft/file_system.h"
#include "weft/profile_views.h"

namespace weft::app {
namespace {

struct ProfileTexts {
  Q_DECLARE_TR_FUNCTIONS(ProfileTexts)
};

// Texts of the engine, listed here for translation.
[[maybe_unused]] constexpr const char* kAdviceTexts[] = {
    QT_TRANSLATE_NOOP("Advice", "%1 takes %2 of the step"),
    QT_TRANSLATE_NOOP("Advice", "%3 per step (%5, executed %4×); the next most expensive op takes %6."),
    QT_TRANSLATE_NOOP("Advice", "%1 runs at %2 of the best rate in this trace"),
    QT_TRANSLATE_NOOP("Advice", "It reaches %3 GFLOP/s with %4 MFLOP per step, while %5 reaches %6 GFLOP/s in the same trace."),
    QT_TRANSLATE_NOOP("Advice", "%1 ops are shorter than %2"),
    QT_TRANSLATE_NOOP("Advice", "Together they take %3, or %4 of the step: launching an op costs more here than the work it does."),
    QT_TRANSLATE_NOOP("Advice", "%1 is idle for %2 of the step"),
    QT_TRANSLATE_NOOP("Advice", "Nothing runs on it for %3; the longest gap is %4, between %5 and %6."),
    QT_TRANSLATE_NOOP("Advice", "Copies take %1 of the step"),
    QT_TRANSLATE_NOOP("Advice", "%2 copies between devices take %3 per step. Place ops that exchange much data on one device."),
    QT_TRANSLATE_NOOP("Advice", "Batch normalization is computed by separate ops"),
    QT_TRANSLATE_NOOP("Advice", "%1 ops under %2 take %3 per step; FusedBatchNorm does the same in one pass."),
    QT_TRANSLATE_NOOP("Advice", "%1 runs in NHWC on a GPU"),
    QT_TRANSLATE_NOOP("Advice", "%2 ops with data_format NHWC take %3 per step there; GPU kernels are optimized for NCHW."),
    QT_TRANSLATE_NOOP("Advice", "The step waits for input data"),
    QT_TRANSLATE_NOOP("Advice", "Reading and preparing data takes %1 of the step (%2); prefetching in a separate thread, or larger batches, would hide it."),
    QT_TRANSLATE_NOOP("Advice", "Step times vary"),
    QT_TRANSLATE_NOOP("Advice", "Half of the steps take at most %1, but the slowest takes %2; in it, %3 takes %4 more than usual."),
    QT_TRANSLATE_NOOP("Advice", "One tensor accounts for %1 of peak memory"),
    QT_TRANSLATE_NOOP("Advice", "%2 of %3 at the peak belong to output %4 of %5, which is kept for %6 after it was computed."),
    QT_TRANSLATE_NOOP("Advice", "%1 ops compute the same value in every step"),
    QT_TRANSLATE_NOOP("Advice", "Their inputs are constants. They take %2 per step and could be computed once."),
    QT_TRANSLATE_NOOP("Advice", "%1 waits %2 before it starts"),
    QT_TRANSLATE_NOOP("Advice", "It was ready, but no thread was free; ops wait %3 per step in total."),
};

QString filled(const char* source, const std::vector<std::string>& words) {
  QString out;
  const QString given = QCoreApplication::translate("Advice", source);
  for (qsizetype i = 0; i < given.size(); ++i) {
    const int place = given[i] == u'%' && i + 1 < given.size() ? given[i + 1].digitValue() : 0;
    if (place >= 1 && size_t(place) <= words.size()) {
      out += text(words[size_t(place) - 1]);
      ++i;
    } else {
      out += given[i];
    }
  }
  return out;
}

ProfileLine lineOf(const ProfileRow& r, double all, ProfileViewKind kind) {
  ProfileLine out;
  out.name = text(r.name);
  out.op = text(r.op);
  out.device = text(r.device);
  out.depth = r.depth;
  out.parent = r.parent;
  out.selfNs = r.self.selfNs;
  out.totalNs = r.total.selfNs;
  out.spanNs = r.self.spanNs;
  out.waitNs = r.self.waitNs;
  out.criticalNs = r.total.criticalNs;
  out.count = r.total.count;
  out.flops = r.total.flops;
  out.movedBytes = r.total.bytes;
  out.outputBytes = r.total.outputBytes;
  out.parameters = r.total.parameters;
  out.p50Ns = r.p50Ns;
  out.p90Ns = r.p90Ns;
  out.p99Ns = r.p99Ns;
  out.maxNs = r.maxNs;
  out.share = all > 0 ? r.total.selfNs / all : 0;
  out.gflops = r.total.selfNs > 0 ? r.total.flops / r.total.selfNs : 0;
  out.gigabytes = r.total.selfNs > 0 ? r.total.bytes / r.total.selfNs : 0;
  out.isNode = (kind == ByScope || kind == ByGraph || kind == ByNode) && r.self.count > 0;
  return out;
}

/// The nodes that ran, as a flat list taken from the scope tree.
ProfileLines nodeLines(const ProfileLines& scopes, double all) {
  ProfileLines out;
  for (ProfileLine line : scopes.lines) {
    if (!line.isNode) continue;
    line.totalNs = line.selfNs;
    line.share = all > 0 ? line.selfNs / all : 0;
    line.depth = 0;
    line.parent = -1;
    out.lines << line;
  }
  std::stable_sort(out.lines.begin(), out.lines.end(), [](const ProfileLine& a, const ProfileLine& b) { return a.selfNs > b.selfNs; });
  return out;
}

}  // namespace

ProfilePtr makeProfile(Trace given, const QString& title, const QString& path, const TracedSteps* steps) {
  auto out = std::make_shared<ProfileContents>();
  if (steps && steps->plan) describePlan(given, *steps->graph, steps->plan->report);
  auto engine = std::make_shared<EngineTrace>(std::move(given));
  if (steps) {
    engine->plan = steps->plan ? makePlan(*steps->plan) : nullptr;
    engine->whyNoPlan = steps->whyNoPlan;
  }
  const Trace& trace = engine->trace;
  out->engine = engine;
  out->title = title;
  out->path = path;
  out->steps = int(trace.steps.size());
  out->slices = qint64(trace.slices.size());
  for (const TraceProblem& p : trace.problems) out->problems << text(p.message);
  static constexpr ProfileView kViews[] = {ProfileView::Scope, ProfileView::Graph, ProfileView::Op, ProfileView::Code};
  for (int v = 0; v < 4; ++v) {
    ProfileOptions options;
    options.view = kViews[v];
    const auto table = profileTable(trace, options);
    if (!table.ok()) continue;
    for (const ProfileRow& r : table->rows) out->tables[size_t(v)].lines << lineOf(r, table->all.selfNs, ProfileViewKind(v));
    if (!table->note.empty()) {
      out->tables[size_t(v)].note = ProfileTexts::tr("This trace does not contain the source lines of its ops. Use a tfprof profile written with code traces.");
    }
    out->nodes = table->all.nodes;
    out->stepNs = table->stepNs;
    out->p50StepNs = table->p50StepNs;
    out->p99StepNs = table->p99StepNs;
    out->flops = table->all.flops;
    if (v == ByScope) out->tables[ByNode] = nodeLines(out->tables[ByScope], table->all.selfNs);
  }
  for (const ProfileLine& line : out->tables[ByNode].lines) {
    out->timeOf.insert(line.name, line.selfNs);
    if (line.outputBytes > 0) out->memoryOf.insert(line.name, line.outputBytes);
  }
  std::unordered_map<int32_t, QVector<int>> byName;
  for (size_t i = 0; i < trace.slices.size(); ++i) byName[trace.slices[i].name] << int(i);
  for (auto& [name, ids] : byName) {
    std::sort(ids.begin(), ids.end(), [&](int a, int b) { return trace.slices[size_t(a)].startNs < trace.slices[size_t(b)].startNs; });
    out->slicesOf.insert(text(trace.text(name)), ids);
  }
  if (trace.slices.size() <= 300000) {
    for (const Advice& a : advise(trace)) {
      ProfileAdvice advice;
      advice.warning = a.weight == Advice::Weight::Warning;
      advice.title = filled(a.title, a.titleWords);
      advice.detail = filled(a.detail, a.words);
      for (const std::string& node : a.nodes) advice.nodes << text(node);
      advice.gainNs = a.gainNs;
      out->advice << advice;
    }
    for (const MemoryTimeline& m : memoryTimelines(trace)) {
      ProfilePeak peak;
      peak.device = text(m.device);
      peak.bytes = m.peakBytes;
      peak.atNs = m.peakNs;
      for (const MemoryOwner& o : m.atPeak) peak.owners << ProfilePeak::Owner{text(o.node), text(o.op), o.slot, o.bytes, o.startNs, o.endNs};
      out->peaks << peak;
    }
  }
  out->stepTimes = trace.steps;
  out->passes = passTimesOf(*engine);
  out->tasks = profileTasks(trace);
  if (!out->tasks.isEmpty()) out->placeOf = placesOf(trace);
  out->transfers = profileTransfers(trace);
  for (int i = 0; i < out->transfers.size(); ++i) {
    const ProfileTransfer& t = out->transfers[i];
    for (const int slice : {t.latest ? -1 : t.receive, t.ask, t.send})  // the first use may be that of several tensors
      if (slice >= 0 && !out->transferOf.contains(slice)) out->transferOf.insert(slice, i);
  }
  out->timeline = makeTimeline(trace);
  return out;
}

ProfileOutcome readProfile(const QString& path, const GraphContentsPtr& graph) {
  auto trace = readTrace(path.toStdString());
  if (!trace.ok()) {
    Error error = trace.error();
    return {nullptr, errorText(error.inFile(path.toStdString()))};
  }
  if (graph && graph->engine) describeNodes(*trace, graph->engine->loaded.meta.graph);
  const QString title = text(trace->title);
  return {makeProfile(std::move(trace).value(), title, path), {}};
}

ProfileOutcome readEventProfile(const QString& path, const QString& tag, const GraphContentsPtr& graph) {
  const std::string name = path.toStdString();
  const auto bytes = readEventRun(name, tag.toStdString());
  if (!bytes.ok()) return {nullptr, errorText(bytes.error())};
  auto trace = readTraceBytes(*bytes, name);
  if (!trace.ok()) {
    Error error = trace.error();
    return {nullptr, errorText(error.inFile(name))};
  }
  if (graph && graph->engine) {
    describeNodes(*trace, graph->engine->loaded.meta.graph);
  } else if (auto own = readEventGraph(name); own.ok()) {
    const auto loaded = loadGraphBytes(std::make_shared<const std::string>(std::move(*own)), name);
    if (loaded.ok()) describeNodes(*trace, loaded->meta.graph);
  }
  return {makeProfile(std::move(trace).value(), tag, path), {}};
}

ProfileOutcome readProfileToCompare(const QString& path, const QString& tag, QStringList* tags) {
  if (!tag.isEmpty()) return readEventProfile(path, tag, nullptr);
  const FileKind* kind = fileKindOf(path.toStdString());
  if (!kind || (kind->name != std::string_view("events") && kind->name != std::string_view("logdir"))) return readProfile(path, nullptr);
  const auto runs = eventRunTags(path.toStdString());
  if (!runs.ok()) return {nullptr, errorText(runs.error())};
  if (runs->empty()) return {nullptr, ProfileTexts::tr("%1: these events contain no session run.").arg(path)};
  if (runs->size() == 1) return readEventProfile(path, text(runs->front()), nullptr);
  for (const std::string& run : *runs) *tags << text(run);
  return {nullptr,
          ProfileTexts::tr("%1 contains %n session run(s), from %2 to %3: choose one.", nullptr, int(tags->size())).arg(path, tags->first(), tags->last())};
}

ProfilePtr profileOfSteps(const TracedSteps& steps, const QString& title) {
  Trace trace = traceOfSteps(steps.steps, *steps.graph, steps.first);
  for (size_t i = 0; i < trace.steps.size(); ++i) trace.steps[i].number = steps.numberOf(i);
  return makeProfile(std::move(trace), title, {}, &steps);
}

QString writeProfile(const ProfileContents& profile, const QString& path) {
  const Status status = saveTrace(profile.engine->trace, path.toStdString());
  return status.ok() ? QString() : errorText(status.error());
}

namespace {

/// Percentile of sorted values, computed as in the engine's tables.
double percentile(const std::vector<double>& sorted, double p) {
  return sorted.empty() ? 0 : sorted[std::min(sorted.size() - 1, size_t(p * double(sorted.size())))];
}

}  // namespace

QVector<ProfileLine> linesInRange(const ProfileContents& profile, qint64 fromNs, qint64 toNs) {
  const Trace& trace = profile.engine->trace;
  std::unordered_map<int32_t, qsizetype> place;
  QVector<ProfileLine> out;
  std::vector<std::vector<double>> times;  // by line: full durations of single executions
  double all = 0;
  for (const TraceSlice& s : trace.slices) {
    if (s.startNs >= toNs || s.startNs + s.durationNs < fromNs || !trace.counts(s)) continue;
    const auto [it, made] = place.try_emplace(s.name, out.size());
    if (made) {
      ProfileLine line;
      line.name = text(trace.text(s.name));
      line.op = text(trace.text(s.op));
      line.device = text(std::string(deviceOfTrack(trace.tracks[size_t(s.track)].device)));
      line.isNode = true;
      out << line;
      times.emplace_back();
    }
    ProfileLine& line = out[it->second];
    const double inside = double(std::min<int64_t>(toNs, s.startNs + s.durationNs) - std::max<int64_t>(fromNs, s.startNs));
    const double share = s.durationNs > 0 ? inside / double(s.durationNs) : 1;
    line.count += 1;
    line.selfNs += double(s.selfNs) * share;
    line.totalNs = line.selfNs;
    line.outputBytes += double(s.bytes);
    times[size_t(it->second)].push_back(double(s.selfNs));
    if (const TraceNode* node = trace.node(trace.text(s.name))) line.flops += node->flops * share;
    all += double(s.selfNs) * share;
  }
  for (qsizetype i = 0; i < out.size(); ++i) {
    ProfileLine& line = out[i];
    line.share = all > 0 ? line.selfNs / all : 0;
    line.gflops = line.selfNs > 0 ? line.flops / line.selfNs : 0;
    std::vector<double>& t = times[size_t(i)];
    std::sort(t.begin(), t.end());
    line.p50Ns = percentile(t, 0.5);
    line.p90Ns = percentile(t, 0.9);
    line.p99Ns = percentile(t, 0.99);
    line.maxNs = percentile(t, 1);
  }
  std::stable_sort(out.begin(), out.end(), [](const ProfileLine& a, const ProfileLine& b) { return a.selfNs > b.selfNs; });
  return out;
}

SliceFacts sliceFacts(const ProfileContents& profile, int slice) {
  SliceFacts out;
  const Trace& trace = profile.engine->trace;
  if (slice < 0 || size_t(slice) >= trace.slices.size()) return out;
  const TraceSlice& s = trace.slices[size_t(slice)];
  const TraceTrack& track = trace.tracks[size_t(s.track)];
  out.node = text(trace.nameOf(s));
  out.op = text(trace.opOf(s));
  out.device = text(track.device);
  out.thread = threadText(track.name);
  out.startNs = double(s.startNs);
  out.durationNs = double(s.durationNs);
  out.selfNs = double(s.selfNs);
  out.waitNs = double(s.waitNs);
  out.bytes = s.bytes;
  out.step = trace.steps[size_t(s.step)].number;
  const QVector<int>& all = profile.slicesOf.value(out.node);
  out.number = int(all.indexOf(slice)) + 1;
  out.of = int(all.size());
  if (const TraceNode* node = trace.node(trace.nameOf(s))) {
    out.flops = node->flops;
    out.movedBytes = node->movedBytes;
    for (const std::string& input : node->inputs) out.inputs << text(input);
  }
  return out;
}

QVector<std::pair<int, int>> flowsOf(const ProfileContents& profile, int slice) {
  QVector<std::pair<int, int>> out;
  const Trace& trace = profile.engine->trace;
  if (slice < 0 || size_t(slice) >= trace.slices.size()) return out;
  const TraceSlice& s = trace.slices[size_t(slice)];
  const TraceNode* node = trace.node(trace.nameOf(s));
  // From the host's launch to the work on the stream, and back.
  if (s.launched >= 0) out << std::pair(slice, int(s.launched));
  for (const int i : profile.slicesOf.value(text(trace.nameOf(s))))
    if (trace.slices[size_t(i)].launched == slice) out << std::pair(i, slice);
  if (!node) return out;
  for (const std::string& input : node->inputs) {
    int best = -1;
    for (const int i : profile.slicesOf.value(text(input))) {
      const TraceSlice& from = trace.slices[size_t(i)];
      if (from.step == s.step && from.startNs <= s.startNs && trace.counts(from)) best = i;
    }
    if (best >= 0) out << std::pair(best, slice);
  }
  return out;
}

QVector<std::pair<int, int>> flowsBetween(const ProfileContents& profile, qint64 fromNs, qint64 toNs, int most) {
  QVector<std::pair<int, int>> out;
  const Trace& trace = profile.engine->trace;
  const auto inside = [&](const TraceSlice& s) { return s.startNs < toNs && s.startNs + s.durationNs >= fromNs; };
  for (size_t i = 0; i < trace.slices.size() && out.size() <= most; ++i) {
    const TraceSlice& s = trace.slices[i];
    if (!inside(s) || !trace.counts(s)) continue;
    for (const auto& flow : flowsOf(profile, int(i)))
      if (inside(trace.slices[size_t(flow.first)])) out << flow;
  }
  return out;
}

}  // namespace weft::app
