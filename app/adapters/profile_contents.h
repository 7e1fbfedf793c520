// What the IDE knows of a trace, in Qt's and the widgets' terms. The engine's own trace is behind EngineTrace.
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

namespace weft::app {

struct EngineTrace;  // adapters/profile_trace.h

/// One line of a table of a trace. Times are nanoseconds per step.
struct ProfileLine {
  QString name, op, device;
  int depth = 0, parent = -1;
  double selfNs = 0, totalNs = 0, spanNs = 0, waitNs = 0, criticalNs = 0;  ///< `total` and `critical`: with all below
  double count = 0, flops = 0, movedBytes = 0, outputBytes = 0;
  double p50Ns = 0, p90Ns = 0, p99Ns = 0, maxNs = 0;
  qint64 parameters = 0;
  double share = 0;      ///< of the self time of everything
  double gflops = 0;     ///< per second
  double gigabytes = 0;  ///< per second
  bool isNode = false;
};

/// A table in the order of the total time.
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

/// What the memory peak of a device consists of.
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

/// A change between two traces.
struct ProfileChangeLine {
  QString name, op;
  double beforeNs = 0, afterNs = 0, beforeCount = 0, afterCount = 0;
};

/// What the panel of the selected slice says.
struct SliceFacts {
  QString node, op, device, thread;
  double startNs = 0, durationNs = 0, selfNs = 0, waitNs = 0;
  qint64 bytes = 0, step = 0;
  double flops = 0, movedBytes = 0;
  int number = 0, of = 0;  ///< Which execution of the node it is.
  QStringList inputs;
};

/// A traced step.
struct TracedStep {
  qint64 number = 0, startNs = 0, endNs = 0;
  qint64 durationNs() const { return endNs - startNs; }
};

enum ProfileViewKind { ByScope, ByGraph, ByOp, ByCode, ByNode, kProfileViews };

/// A trace with everything that is shown of it. Immutable once made (on a worker thread), shared.
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
  PassTimes passes;                       ///< Layers forward and back.
  QVector<TracedStep> stepTimes;          ///< By time.
  QHash<QString, QVector<int>> slicesOf;  ///< Ids of a node's slices, by time.
};
using ProfilePtr = std::shared_ptr<const ProfileContents>;

/// Steps of a training as they were recorded.
struct TracedSteps;
using TracedStepsPtr = std::shared_ptr<const TracedSteps>;

/// A trace, or one sentence on why there is none.
struct ProfileOutcome {
  ProfilePtr profile;
  QString error;
};

/// Reads RunMetadata, a profile of tfprof or a trace in Chrome's format. `graph`: completes what the file does not say of its nodes; may be null.
/// Any thread; blocks.
ProfileOutcome readProfile(const QString& path, const GraphContentsPtr& graph);
/// From recorded steps. Any thread.
ProfilePtr profileOfSteps(const TracedSteps& steps, const QString& title);
/// As `.json` in Chrome's format, as `.pb` RunMetadata. Returns an error, empty if all went well. Any thread.
QString writeProfile(const ProfileContents& profile, const QString& path);
/// Changes of nodes, or of types of ops, largest first.
QVector<ProfileChangeLine> compareProfiles(const ProfileContents& before, const ProfileContents& after, bool byOp);
/// The nodes that ran in a stretch of time, most costly first.
QVector<ProfileLine> linesInRange(const ProfileContents& profile, qint64 fromNs, qint64 toNs);
SliceFacts sliceFacts(const ProfileContents& profile, int slice);
/// From slices that made the inputs of `slice` to it, in the same step.
QVector<std::pair<int, int>> flowsOf(const ProfileContents& profile, int slice);
/// The same of all slices in [fromNs, toNs) whose inputs were made there, too; at most one more than `most`: then there are too many.
QVector<std::pair<int, int>> flowsBetween(const ProfileContents& profile, qint64 fromNs, qint64 toNs, int most);

}  // namespace weft::app
