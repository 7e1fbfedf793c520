#pragma once

#include <QDateTime>
#include <QObject>
#include <QVector>
#include <functional>

#include "adapters/trace_answers.h"

namespace weft::app {

class ProfileStore;
class Workspace;

/// A trace that was current before.
struct EarlierTrace {
  ProfilePtr profile;
  QDateTime time;  ///< When it became current.
};

/// Questions about the current trace: which earlier ones it can be compared with, why threads were idle, how long a step would take with changes. GUI thread; the
/// work runs on another thread.
class TraceQuestions : public QObject {
  Q_OBJECT

 public:
  /// The workspace's instance; created on the first call.
  static TraceQuestions& of(Workspace& workspace);

  /// Traces of this session other than the current one, newest first: as many as hold kMostSlices together.
  const QVector<EarlierTrace>& earlier() const { return earlier_; }
  static constexpr qint64 kMostSlices = 2'000'000;
  static constexpr int kMostEarlier = 12;

  using Done = std::function<void(const QString& error)>;
  /// The idle times of the current trace; null: not known yet.
  const IdleTimesPtr& idleTimes() const { return idle_; }
  bool isFindingIdleTimes() const { return idleTask_ != 0; }
  /// Finds them unless they are known. REQUIRES: there is a current trace.
  void findIdleTimes(Done done = {});
  /// Whether the timeline shows them.
  bool showsGaps() const { return showsGaps_; }
  void setShowsGaps(bool on);
  int selectedGap() const { return gap_; }
  /// Selects a gap of idleTimes(), and on the canvas what waited and what it waited for; -1: none.
  void selectGap(int gap);
  /// Selects the next gap of a cause, the longest first, or the one before; wraps around. REQUIRES: 0 <= cause < the number of causes.
  void selectGapOf(int cause, bool backward = false);

  const QVector<ImaginedChange>& changes() const { return changes_; }
  /// Predicts the step with these changes. They stay when the trace changes, and are then predicted anew.
  void setChanges(const QVector<ImaginedChange>& changes, Done done = {});
  /// Of changes(); null: not known yet, or there is no trace.
  const std::shared_ptr<const PredictedStep>& prediction() const { return prediction_; }
  bool isPredicting() const { return predictTask_ != 0; }

 signals:
  void earlierChanged();
  void idleTimesChanged();
  void showsGapsChanged();
  void gapSelected(int gap);
  void changesChanged();
  void predictionChanged();

 private:
  explicit TraceQuestions(Workspace& workspace);
  void follow();
  void predict(Done done);

  Workspace& workspace_;
  ProfileStore& profiles_;
  ProfilePtr current_;
  QDateTime since_;
  QVector<EarlierTrace> earlier_;
  IdleTimesPtr idle_;
  int idleTask_ = 0, gap_ = -1;
  QVector<Done> idleDone_;
  bool showsGaps_ = false;
  QVector<ImaginedChange> changes_;
  std::shared_ptr<const PredictedStep> prediction_;
  int predictTask_ = 0;
};

}  // namespace weft::app
