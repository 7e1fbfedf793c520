// What the tasks of a cluster sent each other, and what was done about their clocks, in words.
#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "adapters/profile_trace.h"
#include "common/format.h"

namespace weft::app {
namespace {

struct ProfileTransfers {
  Q_DECLARE_TR_FUNCTIONS(ProfileTransfers)
};

/// The node that a master replaced by a feed, `_recv_x_0` -> `x`; other names are returned unchanged.
QString fedNode(const QString& name) {
  const qsizetype end = name.lastIndexOf(u'_');
  return name.startsWith(QLatin1String("_recv_")) && end > 6 ? name.mid(6, end - 6) : name;
}

QString signedTime(qint64 ns) { return (ns < 0 ? QStringLiteral("−") : QStringLiteral("+")) + widgets::formatSeconds(double(std::abs(ns)) / 1e9); }

QString clockWords(const TraceTask& task) {
  switch (task.clock) {
    case TraceTask::Clock::Reference: return ProfileTransfers::tr("reference clock");
    case TraceTask::Clock::Agrees: return ProfileTransfers::tr("clock agrees");
    case TraceTask::Clock::Moved:
      return ProfileTransfers::tr("clock moved by %1 ± %2").arg(signedTime(task.movedNs), widgets::formatSeconds(double(task.uncertaintyNs) / 1e9));
    case TraceTask::Clock::MovedAtLeast: return ProfileTransfers::tr("clock moved by %1 or more").arg(signedTime(task.movedNs));
    case TraceTask::Clock::Contradictory: return ProfileTransfers::tr("clock moved by %1, which does not suit all transfers").arg(signedTime(task.movedNs));
    case TraceTask::Clock::Unknown: break;
  }
  return ProfileTransfers::tr("clock not compared");
}

QString clockTip(const TraceTask& task) {
  switch (task.clock) {
    case TraceTask::Clock::Reference: return ProfileTransfers::tr("The clocks of the other tasks are compared with this one.");
    case TraceTask::Clock::Agrees:
      return ProfileTransfers::tr("Every tensor arrived after it was sent, so the times of this task are shown as it recorded them.");
    case TraceTask::Clock::Moved:
      return ProfileTransfers::tr(
          "By the recorded times, tensors would have arrived before they were sent. The times of this task were moved to the middle of what transfers in both "
          "directions allow.");
    case TraceTask::Clock::MovedAtLeast:
      return ProfileTransfers::tr(
          "By the recorded times, tensors would have arrived before they were sent. The times of this task were moved by the least that corrects it; there are "
          "no transfers in the other direction to tell more.");
    case TraceTask::Clock::Contradictory:
      return ProfileTransfers::tr(
          "No correction makes all tensors arrive after they were sent: the clock ran unevenly, or the trace is damaged. Compare the times of this task with "
          "care.");
    case TraceTask::Clock::Unknown: break;
  }
  return ProfileTransfers::tr("The trace has no transfer that joins this task to the others, so its clock may differ from theirs by any time.");
}

}  // namespace

QString taskText(std::string_view task) {
  const QString full = QString::fromUtf8(task.data(), qsizetype(task.size()));
  return QStringLiteral("%1:%2").arg(full.section(u'/', 1, 1).mid(4), full.section(u'/', 3, 3).mid(5));
}

QVector<ProfileTask> profileTasks(const Trace& trace) {
  QVector<ProfileTask> out;
  for (const TraceTask& task : trace.tasks) out << ProfileTask{text(task.name), taskText(task.name), clockWords(task), clockTip(task), task.movedNs};
  return out;
}

QVector<ProfileTransfer> profileTransfers(const Trace& trace) {
  QVector<ProfileTransfer> out;
  out.reserve(qsizetype(trace.transfers.size()));
  const auto known = [](int64_t ns) { return ns == TraceTransfer::kUnknownTime ? -1.0 : double(ns); };
  for (const TraceTransfer& t : trace.transfers) {
    ProfileTransfer shown;
    shown.tensor = text(t.tensor);
    shown.node = fedNode(text(t.node));
    shown.from = text(t.from);
    shown.to = text(t.to);
    shown.sender = deviceText(t.from);
    shown.receiver = deviceText(t.to);
    shown.latest = t.latest;
    shown.bytes = t.bytes;
    shown.sentNs = known(t.sentNs);
    shown.receivedNs = known(t.receivedNs);
    shown.transitNs = double(t.transitNs());
    shown.waitNs = double(t.waitNs());
    shown.send = t.send;
    shown.ask = t.ask;
    shown.receive = t.receive;
    out << shown;
  }
  return out;
}

QHash<QString, QString> placesOf(const Trace& trace) {
  QHash<QString, QString> out;
  for (const auto& [name, node] : trace.nodes)
    if (!node.device.empty()) out.insert(fedNode(text(name)), text(node.device));
  for (const TraceSlice& s : trace.slices) {
    const TraceTrack& track = trace.tracks[std::size_t(s.track)];
    if (track.duplicate || track.transfers || clusterTaskOf(track.device).empty()) continue;
    out.insert(text(trace.nameOf(s)), text(track.device));
  }
  return out;
}

namespace {

QStringList transferWords(const ProfileTransfer& t, const QString& tensor) {
  QStringList words{tensor};
  if (t.bytes >= 0) words << widgets::formatBytes(t.bytes);
  words << QStringLiteral("%1 → %2").arg(t.sender, t.receiver);
  const QString transit = widgets::formatSeconds(t.transitNs / 1e9), wait = widgets::formatSeconds(t.waitNs / 1e9);
  if (t.receivedNs >= 0 && t.sentNs >= 0)
    words << (t.latest ? ProfileTransfers::tr("at most %1 in transit") : ProfileTransfers::tr("%1 in transit")).arg(transit);
  if (t.waitNs > 0) words << (t.latest ? ProfileTransfers::tr("receiver waited at most %1") : ProfileTransfers::tr("receiver waited %1")).arg(wait);
  return words;
}

}  // namespace

QString transferLine(const ProfileTransfer& t) { return transferWords(t, t.node).join(QStringLiteral(" · ")); }

QString transferTip(const ProfileTransfer& t) { return transferWords(t, t.tensor).join(u'\n'); }

}  // namespace weft::app
