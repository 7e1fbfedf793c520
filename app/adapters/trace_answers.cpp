#include "adapters/trace_answers.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "adapters/engine_graph.h"
#include "adapters/machine.h"
#include "adapters/profile_trace.h"
#include "common/format.h"
#include "weft/trace_questions.h"

namespace weft::app {
namespace {

struct TraceAnswers {
  Q_DECLARE_TR_FUNCTIONS(TraceAnswers)
};

using widgets::formatSeconds;

TraceChange changeOf(const TraceDifference& d) {
  TraceChange out;
  out.name = text(d.name);
  out.beforeNs = d.beforeNs;
  out.afterNs = d.afterNs;
  out.beforeCount = d.beforeCount;
  out.afterCount = d.afterCount;
  out.lowNs = d.lowNs;
  out.highNs = d.highNs;
  out.in = d.afterCount <= 0 ? TraceChange::In::BeforeOnly : d.beforeCount <= 0 ? TraceChange::In::AfterOnly : TraceChange::In::Both;
  return out;
}

QHash<QString, QString> opsOf(const ProfileContents& profile) {
  QHash<QString, QString> out;
  for (const ProfileLine& l : profile.tables[ByNode].lines) out.insert(l.name, l.op);
  return out;
}

/// Where a gap's cause is known by name.
QString nodeOfSlice(const Trace& trace, int slice) { return slice < 0 ? QString() : text(trace.nameOf(trace.slices[size_t(slice)])); }

QString trackTitle(const TraceTrack& track) {
  return track.name.empty() ? deviceText(track.device) : QStringLiteral("%1 %2").arg(deviceText(track.device), threadText(track.name));
}

/// What stands in a wide gap.
QString shortReason(IdlePart::Reason reason, const QString& node) {
  switch (reason) {
    case IdlePart::Reason::Input: return TraceAnswers::tr("waits for %1").arg(node);
    case IdlePart::Reason::Copy: return TraceAnswers::tr("copy: %1").arg(node);
    case IdlePart::Reason::Data: return TraceAnswers::tr("waits for data: %1").arg(node);
    case IdlePart::Reason::Launch: return TraceAnswers::tr("launch: %1").arg(node);
    case IdlePart::Reason::Scheduler:
    case IdlePart::Reason::NoWork: break;
  }
  return idleReasonText(reason);
}

WhatIf engineOf(const ImaginedChange& c) {
  WhatIf out;
  out.what = c.what.toStdString();
  out.change = WhatIf::Change(int(c.kind));
  out.factor = c.kind == ImaginedChange::Kind::Faster || c.kind == ImaginedChange::Kind::Moved ? c.factor : 1;
  out.with = c.with.toStdString();
  out.device = c.device.toStdString();
  return out;
}

/// Both paths as one list: what is on both stands once.
QVector<PathLine> joined(const Trace& trace, const Prediction& p) {
  QVector<PathLine> out;
  std::unordered_map<int32_t, double> after;
  for (const PathSlice& s : p.pathAfter) after.emplace(s.slice, s.durationNs);
  std::unordered_map<int32_t, qsizetype> known;
  const auto add = [&](int32_t slice) {
    known.emplace(slice, out.size());
    PathLine line;
    line.slice = slice;
    line.node = nodeOfSlice(trace, slice);
    line.op = text(trace.opOf(trace.slices[size_t(slice)]));
    out << line;
    return out.size() - 1;
  };
  for (const PathSlice& s : p.pathBefore) {
    PathLine& line = out[add(s.slice)];
    line.beforeNs = s.durationNs;
    if (const auto it = after.find(s.slice); it != after.end()) line.afterNs = it->second;
  }
  for (const PathSlice& s : p.pathAfter)
    if (!known.contains(s.slice)) out[add(s.slice)].afterNs = s.durationNs;
  std::stable_sort(out.begin(), out.end(),
                   [&](const PathLine& a, const PathLine& b) { return trace.slices[size_t(a.slice)].startNs < trace.slices[size_t(b.slice)].startNs; });
  return out;
}

}  // namespace

double TraceComparison::scaled(double deltaNs) const { return mostNs <= 0 ? 0 : std::copysign(std::sqrt(std::min(1.0, std::fabs(deltaNs) / mostNs)), deltaNs); }

double TraceComparison::changeAt(double t) const { return std::copysign(t * t * mostNs, t); }

TraceComparisonPtr comparisonOf(const ProfileContents& before, const ProfileContents& after) {
  auto out = std::make_shared<TraceComparison>();
  out->beforeTitle = before.title;
  out->afterTitle = after.title;
  out->beforeSteps = before.steps;
  out->afterSteps = after.steps;
  const QHash<QString, QString> ops = opsOf(after), earlier = opsOf(before);
  double common = 0, all = 0;
  for (int key = 0; key < kDifferenceKeys; ++key) {
    QVector<TraceChange>& lines = out->lines[size_t(key)];
    for (const TraceDifference& d : differenceOfTraces(before.engine->trace, after.engine->trace, TraceKey(key))) {
      TraceChange line = changeOf(d);
      if (line.name.isEmpty()) {
        out->step = line;
        continue;
      }
      if (DifferenceKey(key) == DifferenceKey::Node) {
        line.op = ops.value(line.name, earlier.value(line.name));
        (line.in == TraceChange::In::Both ? out->matched : line.in == TraceChange::In::BeforeOnly ? out->beforeOnly : out->afterOnly) += 1;
        all += line.beforeNs + line.afterNs;
        if (line.in == TraceChange::In::Both) common += line.beforeNs + line.afterNs;
        // With one step there is no interval: then the change itself is all that is known.
        const double change = line.hasInterval() && !line.isCertain() ? 0 : line.deltaNs();
        out->changeOf.insert(line.name, change);
        out->mostNs = std::max(out->mostNs, std::fabs(change));
      }
      lines << line;
    }
  }
  out->matchedShare = all > 0 ? common / all : 0;
  return out;
}

QString idleReasonText(IdlePart::Reason reason) {
  switch (reason) {
    case IdlePart::Reason::Input: return TraceAnswers::tr("waits for an input");
    case IdlePart::Reason::Copy: return TraceAnswers::tr("copy between devices");
    case IdlePart::Reason::Data: return TraceAnswers::tr("input pipeline or queue");
    case IdlePart::Reason::Launch: return TraceAnswers::tr("launch by the host");
    case IdlePart::Reason::Scheduler: return TraceAnswers::tr("scheduling");
    case IdlePart::Reason::NoWork: return TraceAnswers::tr("no more work");
  }
  return {};
}

QString idlePartText(const ProfileContents& profile, const IdlePart& part) {
  const Trace& trace = profile.engine->trace;
  const QString before = nodeOfSlice(trace, part.before), after = nodeOfSlice(trace, part.after), cause = nodeOfSlice(trace, part.cause);
  QStringList out;
  out << TraceAnswers::tr("%1 was idle for %2 in step %3, from %4 on.")
             .arg(trackTitle(trace.tracks[size_t(part.track)]), formatSeconds(double(part.durationNs) / 1e9),
                  QString::number(trace.steps[size_t(part.step)].number), formatSeconds(double(part.startNs) / 1e9, 6));
  switch (part.reason) {
    case IdlePart::Reason::Input:
      out << TraceAnswers::tr("%1 waited for its input %2, which ran on %3.")
                 .arg(after, cause, trackTitle(trace.tracks[size_t(trace.slices[size_t(part.cause)].track)]));
      break;
    case IdlePart::Reason::Copy: out << TraceAnswers::tr("%1 waited for a tensor from another device or task: %2.").arg(after, cause); break;
    case IdlePart::Reason::Data: out << TraceAnswers::tr("%1 waited for input data: %2.").arg(after, cause); break;
    case IdlePart::Reason::Launch: out << TraceAnswers::tr("The host had not yet queued %1.").arg(after); break;
    case IdlePart::Reason::Scheduler:
      out << (after.isEmpty() ? TraceAnswers::tr("Nothing that this thread could run was ready.")
                              : TraceAnswers::tr("The inputs of %1 were there; the executor had not started it yet.").arg(after));
      break;
    case IdlePart::Reason::NoWork:
      out << (before.isEmpty() ? TraceAnswers::tr("Nothing more in this step came to it, while others still computed.")
                               : TraceAnswers::tr("After %1, nothing more in this step came to it, while others still computed.").arg(before));
      break;
  }
  return widgets::joinSentences(out);
}

IdleTimesPtr idleTimesOf(const ProfilePtr& profile, qint64 leastNs) {
  const Trace& trace = profile->engine->trace;
  auto out = std::make_shared<IdleTimes>();
  auto rows = std::make_shared<widgets::TimelineGaps>();
  for (int r = 0; r < kIdleReasons; ++r) {
    static constexpr int kHues[kIdleReasons] = {5, 1, 2, 4, 7, -1};
    rows->categories.push_back({idleReasonText(IdlePart::Reason(r)), {}, kHues[r]});
  }
  const std::vector<int> shown = timelineTracks(trace);
  rows->rows.resize(shown.size());
  const double steps = double(std::max<size_t>(1, trace.steps.size()));
  std::unordered_map<uint64_t, int> causes;  // by reason, and name of the cause or track
  std::unordered_map<uint64_t, int> texts;
  double idle = 0;
  for (const IdleGap& g : idleGaps(trace, leastNs)) {
    IdlePart part;
    part.reason = IdlePart::Reason(int(g.reason));
    part.track = g.track;
    part.step = g.step;
    part.startNs = g.startNs;
    part.durationNs = g.durationNs;
    part.before = g.before;
    part.after = g.after;
    part.cause = g.cause;
    const bool named = part.cause >= 0;
    const auto name = named ? trace.slices[size_t(part.cause)].name : int32_t(part.track);
    const uint64_t key = uint64_t(part.reason) << 40 | uint64_t(named) << 36 | uint32_t(name);
    const auto [it, fresh] = causes.try_emplace(key, int(out->causes.size()));
    if (fresh) {
      IdleCause cause;
      cause.reason = part.reason;
      if (named) {
        cause.node = nodeOfSlice(trace, part.cause);
        cause.op = text(trace.opOf(trace.slices[size_t(part.cause)]));
      } else {
        cause.track = trackTitle(trace.tracks[size_t(part.track)]);
      }
      out->causes << cause;
      rows->texts.push_back(shortReason(part.reason, cause.node));
      texts.emplace(key, int(rows->texts.size()) - 1);
    }
    IdleCause& cause = out->causes[it->second];
    cause.ns += double(part.durationNs) / steps;
    ++cause.count;
    const int id = int(out->gaps.size());
    cause.gaps.push_back(id);
    out->byReason[size_t(part.reason)] += double(part.durationNs) / steps;
    idle += double(part.durationNs);
    rows->rows[size_t(shown[size_t(part.track)])].add({part.startNs, part.durationNs, id, texts[key], std::int16_t(part.reason)});
    out->gaps.push_back(part);
  }
  for (IdleCause& c : out->causes)
    std::stable_sort(c.gaps.begin(), c.gaps.end(), [&](int a, int b) { return out->gaps[size_t(a)].durationNs > out->gaps[size_t(b)].durationNs; });
  std::stable_sort(out->causes.begin(), out->causes.end(), [](const IdleCause& a, const IdleCause& b) { return a.ns > b.ns; });
  out->causeOf.resize(out->gaps.size());
  for (qsizetype c = 0; c < out->causes.size(); ++c)
    for (const int gap : out->causes[c].gaps) out->causeOf[size_t(gap)] = int(c);
  double span = 0;
  for (const TraceStep& s : trace.steps) span += double(s.endNs - s.startNs);
  for (const TraceTrack& t : trace.tracks) out->tracks += !t.duplicate && !t.transfers;
  out->shareOfTime = span > 0 && out->tracks > 0 ? idle / span / out->tracks : 0;
  rows->tip = [profile, all = std::weak_ptr<const IdleTimes>(out)](int id) {
    const auto times = all.lock();
    return times ? QStringLiteral("%1\n%2").arg(idleReasonText(times->gaps[size_t(id)].reason), idlePartText(*profile, times->gaps[size_t(id)])) : QString();
  };
  rows->finish(int(out->gaps.size()));
  out->rows = rows;
  return out;
}

QString ImaginedChange::word() const {
  const QString number = QString::number(factor, 'g', 6);
  switch (kind) {
    case Kind::Faster: return QStringLiteral("%1=%2x").arg(what, number);
    case Kind::Gone: return what + QStringLiteral("=gone");
    case Kind::Fused: return QStringLiteral("%1+%2=fused").arg(with, what);
    case Kind::Moved: return QStringLiteral("%1@%2=%3x").arg(what, device, number);
  }
  return {};
}

bool readImaginedChange(const QString& word, ImaginedChange* out, QString* error) {
  const auto read = whatIfOf(word.toStdString());
  if (!read.ok()) {
    *error = errorText(read.error());
    return false;
  }
  out->kind = ImaginedChange::Kind(int(read->change));
  out->what = text(read->what);
  out->factor = read->factor;
  out->with = text(read->with);
  out->device = text(read->device);
  return true;
}

PredictedStep predictionOf(const ProfileContents& profile, const QVector<ImaginedChange>& changes) {
  const Trace& trace = profile.engine->trace;
  std::vector<WhatIf> wanted;
  PredictedStep out;
  for (const ImaginedChange& c : changes) {
    wanted.push_back(engineOf(c));
    out.moves = out.moves || c.kind == ImaginedChange::Kind::Moved;
    out.fuses = out.fuses || c.kind == ImaginedChange::Kind::Fused;
  }
  const auto p = weft::predictStep(trace, wanted);
  if (!p.ok()) {
    out.error = p.error().code == Code::FailedPrecondition
                    ? TraceAnswers::tr("This trace does not say what its ops read. Open the graph that it was made from, then open the trace again.")
                    : errorText(p.error());
    return out;
  }
  out.measuredNs = p->measuredNs;
  out.replayedNs = p->replayedNs;
  out.predictedNs = p->predictedNs;
  out.changed = p->changed;
  out.changedNs = p->changedNs;
  out.path = joined(trace, *p);
  for (const PathLine& l : out.path) {
    out.pathBeforeNs += std::max(0.0, l.beforeNs);
    out.pathAfterNs += std::max(0.0, l.afterNs);
  }
  if (p->pathStep >= 0) out.stepNumber = trace.steps[size_t(p->pathStep)].number;
  return out;
}

QStringList devicesOf(const ProfileContents& profile) {
  QStringList out;
  for (const TraceTrack& t : profile.engine->trace.tracks) {
    const QString device = deviceText(std::string(deviceOfTrack(t.device)));
    if (!t.transfers && !device.isEmpty() && !out.contains(device)) out << device;
  }
  for (const auto& [name, description] : foundGpus())
    if (!out.contains(name)) out << name;
  return out;
}

}  // namespace weft::app
