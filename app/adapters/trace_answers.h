// Answers to questions about traces (weft/trace_questions.h), as the window shows them. Immutable once made; made on worker threads.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>
#include <array>
#include <memory>

#include "adapters/profile_contents.h"

namespace weft::app {

/// What times are summed by in a comparison.
enum class DifferenceKey { Op, Node, Scope };
inline constexpr int kDifferenceKeys = 3;

/// The time per step of an op type, node or scope in two traces.
struct TraceChange {
  enum class In : quint8 { Both, BeforeOnly, AfterOnly };
  QString name, op;                        ///< Name empty: the whole step. `op`: of nodes.
  double beforeNs = 0, afterNs = 0;        ///< Mean self time per step.
  double beforeCount = 0, afterCount = 0;  ///< Executions per step.
  double lowNs = 0, highNs = 0;            ///< The 95 % interval of the change; NaN with fewer than two steps on either side.
  In in = In::Both;
  double deltaNs() const { return afterNs - beforeNs; }
  bool hasInterval() const { return lowNs == lowNs; }
  bool isCertain() const { return lowNs > 0 || highNs < 0; }
};

/// Two traces side by side.
struct TraceComparison {
  QString beforeTitle, afterTitle;
  int beforeSteps = 0, afterSteps = 0;
  TraceChange step;
  std::array<QVector<TraceChange>, kDifferenceKeys> lines;  ///< By DifferenceKey, largest change first.
  qint64 matched = 0, beforeOnly = 0, afterOnly = 0;        ///< Nodes by where they ran.
  double matchedShare = 0;                                  ///< Of the self time of both traces.
  QHash<QString, double> changeOf;                          ///< Change of each node's time in nanoseconds; 0 where it is not certain.
  double mostNs = 0;                                        ///< Largest magnitude in changeOf.
  /// A node's change as a place between -1 and 1 on a diverging scale. Small changes stay distinguishable.
  double scaled(double deltaNs) const;
  /// The change that `scaled` made into `t`.
  double changeAt(double t) const;
};
using TraceComparisonPtr = std::shared_ptr<const TraceComparison>;
TraceComparisonPtr comparisonOf(const ProfileContents& before, const ProfileContents& after);

/// A part of the time in which a thread or stream had nothing to run; as weft::IdleGap.
struct IdlePart {
  enum class Reason : quint8 { Input, Copy, Data, Launch, Scheduler, NoWork };
  Reason reason = Reason::Scheduler;
  int track = 0, step = 0;
  qint64 startNs = 0, durationNs = 0;
  int before = -1, after = -1, cause = -1;  ///< Slices; -1: none.
};
inline constexpr int kIdleReasons = 6;

/// Gaps with the same reason and cause.
struct IdleCause {
  IdlePart::Reason reason = IdlePart::Reason::Scheduler;
  QString node, op;            ///< What was waited for; empty: nothing that has a name.
  QString track;               ///< Without a cause, the thread that was idle.
  double ns = 0;               ///< Per step.
  qint64 count = 0;            ///< Gaps in the whole trace.
  std::vector<int> gaps = {};  ///< Longest first.
};

/// All idle time of a trace.
struct IdleTimes {
  std::vector<IdlePart> gaps;
  QVector<IdleCause> causes;                          ///< Longest time first.
  std::array<double, kIdleReasons> byReason = {};     ///< Nanoseconds per step, over all threads.
  int tracks = 0;                                     ///< That were looked at.
  double shareOfTime = 0;                             ///< Of the time of all these tracks.
  std::vector<int> causeOf;                           ///< By gap: position in `causes`.
  std::shared_ptr<const widgets::TimelineGaps> rows;  ///< For the timeline.
};
using IdleTimesPtr = std::shared_ptr<const IdleTimes>;
/// `leastNs`: shorter gaps are left out.
IdleTimesPtr idleTimesOf(const ProfilePtr& profile, qint64 leastNs = 1000);
/// "waits for an input", translated.
QString idleReasonText(IdlePart::Reason reason);
/// Where a gap is, what is on both sides, and what was waited for, in a few sentences.
QString idlePartText(const ProfileContents& profile, const IdlePart& part);

/// A change to imagine, as weft::WhatIf.
struct ImaginedChange {
  enum class Kind : quint8 { Faster, Gone, Fused, Moved };
  Kind kind = Kind::Faster;
  QString what;          ///< A node, a scope with "/" at its end, or an op type.
  double factor = 2;     ///< Of Faster and Moved.
  QString with, device;  ///< Of Fused: the type that makes the input. Of Moved.
  /// "MatMul=2x", as `weft profile --what-if` takes it.
  QString word() const;
  bool operator==(const ImaginedChange&) const = default;
};
/// Reads what `word` writes; false, with the reason in `error`.
bool readImaginedChange(const QString& word, ImaginedChange* out, QString* error);

/// An op on the critical path, before, after, or both.
struct PathLine {
  QString node, op;
  int slice = -1;
  double beforeNs = -1, afterNs = -1;  ///< Time on the path; negative: not on it.
};
/// A step with changes.
struct PredictedStep {
  QString error;                                           ///< Empty: the rest is known.
  double measuredNs = 0, replayedNs = 0, predictedNs = 0;  ///< Mean durations; see weft::Prediction.
  qint64 changed = 0;                                      ///< Executions per step that the changes concern.
  double changedNs = 0;                                    ///< Their time per step.
  QVector<PathLine> path;                                  ///< In the order of the step.
  double pathBeforeNs = 0, pathAfterNs = 0;                ///< Computing time on the paths.
  qint64 stepNumber = 0;                                   ///< Of the step whose paths these are.
  bool moves = false, fuses = false;
};
PredictedStep predictionOf(const ProfileContents& profile, const QVector<ImaginedChange>& changes);
/// Devices in the trace and of this machine, "CPU:0"; those of the trace first.
QStringList devicesOf(const ProfileContents& profile);

}  // namespace weft::app
