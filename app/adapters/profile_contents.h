// A trace in Qt's and the widgets' terms. The engine's own trace is behind EngineTrace.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>
#include <array>
#include <memory>

#include "adapters/graph_contents.h"
#include "adapters/pass_times.h"
#include "timeline/timeline_data.h"
#include "weft/profile.h"

namespace weft::app {

struct EngineTrace;  // adapters/profile_trace.h

/// One line of a trace's table. Times are nanoseconds per step.
struct ProfileLine {
  QString name, op, device;
  int depth = 0, parent = -1;
  double selfNs = 0, totalNs = 0, spanNs = 0, waitNs = 0, criticalNs = 0;  ///< `total` and `critical` include all lines below
  double count = 0, flops = 0, movedBytes = 0, outputBytes = 0;
  double p50Ns = 0, p90Ns = 0, p99Ns = 0, maxNs = 0;
  qint64 parameters = 0;
  double share = 0;      ///< of the whole self time
  double gflops = 0;     ///< per second
  double gigabytes = 0;  ///< per second
  bool isNode = false;
};

/// A table, ordered by total time.
struct ProfileLines {
  QVector<ProfileLine> lines;
  QString note;  ///< Why it is empty.
};

/// One piece of advice.
struct ProfileAdvice {
  bool warning = false;
  QString title, detail;
  QStringList nodes;
  double gainNs = 0;
};

/// The contents of a device's memory at its peak.
struct ProfilePeak {
  struct Owner {
    QString node, op;
    int slot = 0;
    qint64 bytes = 0, fromNs = 0, toNs = 0;
  };
  QString device;
  qint64 bytes = 0, atNs = 0;
  QVector<Owner> owners;
};

/// Facts on the selected slice.
struct SliceFacts {
  QString node, op, device, thread;
  double startNs = 0, durationNs = 0, selfNs = 0, waitNs = 0;
  qint64 bytes = 0, step = 0;
  double flops = 0, movedBytes = 0;
  int number = 0, of = 0;  ///< The slice is execution `number` of the `of` executions of its node.
  QStringList inputs;
};

/// A tensor that one task of a cluster sent to another. Times are nanoseconds from the start of the trace, negative: unknown.
struct ProfileTransfer {
  QString tensor, node;      ///< `edge_4_w/read`, and the node that computed it
  QString from, to;          ///< full names of devices
  QString sender, receiver;  ///< the same in short, `ps:0 CPU:0`
  qint64 bytes = -1;         ///< -1: unknown
  double sentNs = -1, receivedNs = -1, transitNs = 0, waitNs = 0;
  bool latest = false;                    ///< The arrival was not recorded: receivedNs, transitNs and waitNs are the most that they can be.
  int send = -1, ask = -1, receive = -1;  ///< slices; -1: not in the trace
};

/// A task of a cluster in a trace of several.
struct ProfileTask {
  QString name;        ///< `/job:ps/replica:0/task:0`
  QString title;       ///< `ps:0`
  QString clock, tip;  ///< what was done about its clock, in a few words and in full
  qint64 movedNs = 0;
};

enum ProfileViewKind { ByScope, ByGraph, ByOp, ByCode, ByNode, kProfileViews };

/// A trace and everything that is shown of it. Made on a worker thread, immutable afterwards, shared.
struct ProfileContents {
  std::shared_ptr<const EngineTrace> engine;
  std::shared_ptr<const widgets::TimelineData> timeline;
  QString title, path;
  int steps = 0, nodes = 0;
  qint64 slices = 0;
  double stepNs = 0, p50StepNs = 0, p99StepNs = 0, flops = 0;
  QStringList problems;
  std::array<ProfileLines, kProfileViews> tables;
  QVector<ProfileAdvice> advice;
  QVector<ProfilePeak> peaks;
  QHash<QString, double> timeOf;          ///< Self time per step of each node.
  QHash<QString, double> memoryOf;        ///< Bytes of each node's outputs.
  PassTimes passes;                       ///< Layers in the forward and backward pass.
  std::vector<TraceStep> stepTimes;       ///< By time.
  QHash<QString, QVector<int>> slicesOf;  ///< Ids of a node's slices, by time.
  QVector<ProfileTask> tasks;             ///< Empty unless there are several.
  QVector<ProfileTransfer> transfers;     ///< By time; the timeline's arrows have the same indexes.
  QHash<QString, QString> placeOf;        ///< The device that ran each node, if there are several tasks.
  QHash<int, int> transferOf;             ///< Of the slices of sends and receives.
};
using ProfilePtr = std::shared_ptr<const ProfileContents>;

/// Recorded steps of a training.
struct TracedSteps;
using TracedStepsPtr = std::shared_ptr<const TracedSteps>;

/// A trace, or an error sentence.
struct ProfileOutcome {
  ProfilePtr profile;
  QString error;
};

/// Reads RunMetadata, a profile of tfprof or a trace in Chrome's format. `graph` completes what the file lacks on its nodes; may be null. Any thread; blocks.
ProfileOutcome readProfile(const QString& path, const GraphContentsPtr& graph);
/// Reads the session run `tag` in an event file, or in the event files directly in a folder. Their own graph completes its nodes if `graph` is null. Any thread;
/// blocks.
ProfileOutcome readEventProfile(const QString& path, const QString& tag, const GraphContentsPtr& graph);
/// Reads a trace to compare with: a trace file, or the session run `tag` of event files. Event files with several runs need a tag: without one, `tags` gets
/// theirs. Any thread; blocks.
ProfileOutcome readProfileToCompare(const QString& path, const QString& tag, QStringList* tags);
/// Makes a profile from recorded steps. Any thread.
ProfilePtr profileOfSteps(const TracedSteps& steps, const QString& title);
/// Writes `.json` as Chrome's trace format, `.pb` as RunMetadata. Returns an error, or empty. Any thread.
QString writeProfile(const ProfileContents& profile, const QString& path);
/// The nodes that ran in a time range, costliest first.
QVector<ProfileLine> linesInRange(const ProfileContents& profile, qint64 fromNs, qint64 toNs);
/// A transfer in a line: `w/read · 12 B · ps:0 → worker:0 · 47 µs in transit · waited 0.4 ms`.
QString transferLine(const ProfileTransfer& transfer);
/// The same in several lines, with the full names.
QString transferTip(const ProfileTransfer& transfer);
SliceFacts sliceFacts(const ProfileContents& profile, int slice);
/// Pairs from each slice that produced an input of `slice` to `slice`, within the same step.
QVector<std::pair<int, int>> flowsOf(const ProfileContents& profile, int slice);
/// These pairs for all slices in [fromNs, toNs) whose inputs were produced there too; `most` + 1 pairs mean that there are too many.
QVector<std::pair<int, int>> flowsBetween(const ProfileContents& profile, qint64 fromNs, qint64 toNs, int most);

}  // namespace weft::app
