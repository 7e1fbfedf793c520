#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>
#include <memory>

#include "adapters/profile_plan.h"

namespace weft::app {

class Document;
class Workspace;

/// The trace that is looked at, the one that it is compared with, and what is selected in it. Belongs to a workspace; GUI thread.
class ProfileStore : public QObject {
  Q_OBJECT

 public:
  /// The workspace's; made when first asked for.
  static ProfileStore& of(Workspace& workspace);

  const ProfilePtr& current() const { return current_; }
  const ProfilePtr& compared() const { return compared_; }
  bool isBusy() const { return pending_ > 0; }
  QString lastError() const { return error_; }

  using Done = std::function<void(const QString& error)>;
  /// Reads a trace beside the GUI thread; the open graph completes what the file does not say.
  void open(const QString& path, Done done = {});
  void save(const QString& path, Done done = {});
  /// Reads the trace that the current one is compared with; empty path: none.
  void compareWith(const QString& path, Done done = {});
  /// Records steps of the document's training; starts one of `steps` steps and a few before them if none is running.
  /// REQUIRES: whyNoTrace() is empty.
  void trace(qint64 steps, Done done = {});
  QString whyNoTrace() const;
  /// Records the steps of trainings, now and to come, in batches, and keeps those that take more than `factor` times the median; 0: no more. What is
  /// kept becomes the current trace and is compared with a usual step. The few steps between two batches go unseen; recording costs some per cent.
  void watchSlow(double factor);
  double slowFactor() const { return slowFactor_; }

  /// What the colours of the timeline tell; another choice makes `timeline()` anew beside the GUI thread.
  SliceColors colors() const { return colors_; }
  void setColors(SliceColors colors, Done done = {});
  /// The rows of the current trace in those colours. REQUIRES: current().
  const std::shared_ptr<const widgets::TimelineData>& timeline() const { return timeline_; }
  /// What this machine reaches at best; measured when first asked for, beside the GUI thread, then told by roofMeasured().
  const ProfileRoof& roof();
  /// Whether roofMeasured() has told: a roof of 0 then could not be measured.
  bool isRoofKnown() const { return roofKnown_; }
  /// The nodes of the current trace beside their floors; made when first asked for, beside the GUI thread, then told by floorsMade().
  const QVector<PlanFloor>& floors();

  /// Whether the canvas shows which ops ran at the time under the pointer in the timeline.
  bool lightsRunning() const { return lightsRunning_; }
  void setLightsRunning(bool on);
  /// Nodes that ran at that time of the trace, each once.
  QStringList runningAt(qint64 ns) const;

  /// Which of the traced steps is looked at, by its place among them; -1: all.
  int step() const { return step_; }
  /// REQUIRES: current(), -1 <= step < its steps.
  void setStep(int step);
  /// Place of the step that took longest; -1: there is none.
  int slowestStep() const;
  /// A layer on its way forward or back: its scope in the current document, its costliest slice in the timeline.
  void selectPart(int part);

  int selectedSlice() const { return slice_; }
  /// Selects a slice and its node in the current document, if it has it; -1: none.
  void selectSlice(int slice);
  /// A node by name; its first slice becomes the selected one.
  void selectNode(const QString& node);
  /// Several nodes in the current document; the first slice of the first of them that has one becomes the selected one.
  void selectNodes(const QStringList& nodes);

  /// Gives the canvas values for ColorMode::Values: "time" or "memory" of the nodes, as the colours of a trace. Returns an error, or empty.
  QString applyHeat(Document* document, const QString& what);
  /// What a colour of applyHeat() stands for: 0…1 as time or bytes.
  QString heatText(const QString& what, double heat) const;

 signals:
  void currentChanged();
  void comparedChanged();
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
  void work(const QString& title, std::function<ProfileOutcome()> make, std::function<void(ProfilePtr)> use, Done done);
  void followDocument();
  void finish(const QString& error);

  Workspace& workspace_;
  ProfilePtr current_, compared_;
  QString error_;
  Done traced_;  // of the trace that is being recorded
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
  ProfilePtr floorsOf_;        // the trace that they are, or will be, of
  bool floorsWanted_ = false;  // once the roof is measured
  int slice_ = -1, step_ = -1, pending_ = 0;
  bool selecting_ = false;
};

}  // namespace weft::app
