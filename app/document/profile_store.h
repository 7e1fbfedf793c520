#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <memory>

#include "adapters/device_comparison.h"
#include "adapters/profile_plan.h"
#include "adapters/trace_answers.h"

namespace weft::app {

class Document;
class Workspace;

/// The current trace, the one compared with it, and the selection. Belongs to a workspace; GUI thread.
class ProfileStore : public QObject {
  Q_OBJECT

 public:
  /// The workspace's store; created on the first call.
  static ProfileStore& of(Workspace& workspace);

  const ProfilePtr& current() const { return current_; }
  const ProfilePtr& compared() const { return compared_; }
  bool isBusy() const { return pending_ > 0; }
  QString lastError() const { return error_; }

  using Done = std::function<void(const QString& error)>;
  /// Reads a trace on another thread; the open graph adds what the file lacks.
  void open(const QString& path, Done done = {});
  /// Reads the session run `tag` from event files in the same way.
  void openEventRun(const QString& path, const QString& tag, Done done = {});
  void save(const QString& path, Done done = {});
  /// Reads the trace to compare with: a trace file, or the session run `tag` of event files. Without a tag, event files with several runs are refused with
  /// runsFound().
  void compareWith(const QString& path, const QString& tag = {}, Done done = {});
  /// Compares with a trace of this session; null: with none.
  void compareWith(ProfilePtr profile);
  /// The current trace beside compared(), computed on another thread; null: nothing is compared, or not yet.
  const TraceComparisonPtr& comparison() const { return comparison_; }
  /// Records steps of the document's training; if none is running, starts one of `steps` steps plus a few warm-up steps. REQUIRES: whyNoTrace() is empty.
  void trace(qint64 steps, Done done = {});
  QString whyNoTrace() const;
  /// Trains copies of the current document for `steps` steps on each device of this machine. REQUIRES: whyNotCompared() is empty.
  void compareDevices(qint64 steps, Done done = {});
  QString whyNotCompared() const;
  /// The last comparison; null: none yet.
  const DeviceComparisonPtr& devices() const { return devices_; }
  /// Records steps of present and future trainings in batches, and keeps those that take more than `factor` times the median; 0: stops. The kept steps become
  /// the current trace, compared with a typical step. The few steps between batches are not recorded; recording costs some per cent.
  void watchSlow(double factor);
  double slowFactor() const { return slowFactor_; }

  /// The meaning of the timeline's colours; a change rebuilds `timeline()` on another thread.
  SliceColors colors() const { return colors_; }
  /// SliceColors::Difference has no effect before comparison() is there.
  void setColors(SliceColors colors, Done done = {});
  /// The rows of the current trace in those colours. REQUIRES: current().
  const std::shared_ptr<const widgets::TimelineData>& timeline() const { return timeline_; }
  /// The best rates of this machine. Measured on another thread at the first call; roofMeasured() is then emitted.
  const ProfileRoof& roof();
  /// Whether roofMeasured() was emitted: a roof of 0 then could not be measured.
  bool isRoofKnown() const { return roofKnown_; }
  /// The nodes of the current trace with their lower bounds. Computed on another thread at the first call; floorsMade() is then emitted.
  const QVector<PlanFloor>& floors();

  /// Whether the canvas highlights the ops that ran at the time under the pointer in the timeline.
  bool lightsRunning() const { return lightsRunning_; }
  void setLightsRunning(bool on);
  /// Nodes that ran at that time of the trace, each once.
  QStringList runningAt(qint64 ns) const;

  /// Index of the selected step among the traced ones; -1: all.
  int step() const { return step_; }
  /// REQUIRES: current(), -1 <= step < its steps.
  void setStep(int step);
  /// Index of the slowest step; -1: none.
  int slowestStep() const;
  /// Selects a layer's forward or backward part: its scope in the current document, and its costliest slice in the timeline.
  void selectPart(int part);

  int selectedSlice() const { return slice_; }
  /// Selects a slice, and its node if the current document has it; -1: none.
  void selectSlice(int slice);
  /// Selects a node by name, and its first slice.
  void selectNode(const QString& node);
  /// Selects several nodes in the current document, and the first slice among theirs.
  void selectNodes(const QStringList& nodes);
  /// Selects the nodes that the current document has, and no slice.
  void selectOnCanvas(const QStringList& nodes);

  /// Sets the canvas's values for ColorMode::Values: "time" or "memory" of the nodes, with the colours of a trace. Returns an error, or empty.
  QString applyHeat(Document* document, const QString& what);
  /// The time or bytes that a heat of applyHeat(), 0…1, stands for, as text.
  QString heatText(const QString& what, double heat) const;
  /// The same for the change since the compared trace: 0.5 is none, more is slower. REQUIRES: comparison().
  QString applyDifference(Document* document);
  QString differenceText(double heat) const;

 signals:
  void currentChanged();
  void comparedChanged();
  /// It was computed, or there is none any more.
  void comparisonChanged();
  /// Several session runs are in the event files that were to be compared with.
  void runsFound(const QString& path, const QStringList& tags);
  void devicesCompared();
  void sliceSelected(int slice);
  void stepChanged();
  void busyChanged();
  /// The same trace in other colours.
  void timelineChanged();
  void lightsRunningChanged();
  void roofMeasured();
  void floorsMade();

 private:
  explicit ProfileStore(Workspace& workspace);
  void take(const TracedStepsPtr& steps);
  void show(ProfilePtr profile);
  void compareNow();
  void work(const QString& title, std::function<ProfileOutcome()> make, std::function<void(ProfilePtr)> use, Done done);
  void followDocument();
  void finish(const QString& error);

  Workspace& workspace_;
  ProfilePtr current_, compared_;
  TraceComparisonPtr comparison_;
  int comparisons_ = 0;  // number of the latest one
  DeviceComparisonPtr devices_;
  bool comparing_ = false;
  QString error_;
  Done traced_;  // for the trace that is being recorded
  void takeSlow(const TracedStepsPtr& steps);
  void askForSlow();

  double slowFactor_ = 0;
  bool lightsRunning_ = false;
  std::unique_ptr<SlowSteps> slow_;
  std::shared_ptr<const widgets::TimelineData> timeline_;
  SliceColors colors_ = SliceColors::Category;
  ProfileRoof roof_;
  bool roofAsked_ = false, roofKnown_ = false;
  QVector<PlanFloor> floors_;
  ProfilePtr floorsOf_;        // the trace that floors_ belong to, or will
  bool floorsWanted_ = false;  // to be computed once the roof is measured
  int slice_ = -1, step_ = -1, pending_ = 0;
  bool selecting_ = false;
};

}  // namespace weft::app
