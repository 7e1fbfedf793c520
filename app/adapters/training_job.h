// A training run of the engine, on a thread of its own, as the GUI thread drives and watches it.
#pragma once

#include <QHash>
#include <QPair>
#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>
#include <span>

#include "adapters/graph_contents.h"
#include "adapters/profile_contents.h"
#include "adapters/summary_batch.h"
#include "adapters/trained_model.h"

namespace weft::app {

/// The variables of a run that ended, by name, and its step; the engine's.
struct CarriedState;
class DebugJob;
class TrainingGuest;

/// What a run is asked for; 0: what the document says.
struct TrainRequest {
  qint64 steps = 0, epochs = 0;
  QString documentFolder;                ///< For the relative paths of a document; empty: it has no file yet.
  QString folder;                        ///< Checkpoints and event files go below it.
  QString resumeFrom;                    ///< Prefix of a checkpoint to go on from; empty: from the beginning.
  qint64 firstSteps = 1;                 ///< If it starts paused: after so many; 0: before the first.
  int patience = 0;                      ///< Ends after so many evaluations without gain; 0: never.
  QVector<QPair<QString, QString>> set;  ///< Settings, live scalars or tensors by name, as text.
  bool watchNan = false;                 ///< See TrainingJob::setWatchNan.
  int threads = 0;                       ///< 0: all processors.
  double memoryFraction = 0.8;
  std::shared_ptr<const CarriedState> carried = {};  ///< Of another run, to go on from; null: a fresh start.
};

/// The scalars that a run tells.
enum class TrainTag : qint8 { Loss, Accuracy, TestLoss, TestAccuracy };
/// "loss", "accuracy", "test_loss", "test_accuracy".
QString trainTagName(TrainTag tag);

/// One piece of news from the engine thread.
struct TrainEvent {
  enum class Kind : quint8 {
    Scalar,  ///< tag, step, wall, value: of an evaluation; what every step tells comes as Samples
    Step,    ///< step, totalSteps, epoch, totalEpochs, rate, seconds
    Paused,
    Resumed,
    Checkpoint,  ///< step
    Traced,      ///< takeTrace() has the steps that were asked for
  } kind = Kind::Step;
  TrainTag tag = TrainTag::Loss;
  double step = 0, wall = 0, value = 0;
  double totalSteps = 0;
  double epoch = 0, totalEpochs = 0;  ///< 1.25: a quarter into the second.
  double rate = 0;                    ///< Samples per second.
  double seconds = 0;                 ///< Of training, without pauses.
};

/// Runs a Trainer of the engine over an immutable graph. GUI thread; no method but the destructor waits for a step.
class TrainingJob {
 public:
  TrainingJob(GraphContentsPtr contents, TrainRequest request, bool startPaused);
  /// Asks the run to stop and waits until it has (a step of a small graph takes milliseconds, a checkpoint a little longer).
  ~TrainingJob();

  void pause();
  void resume();
  /// One step, or `n`, then paused.
  void stepOnce() { runSteps(1); }
  void runSteps(qint64 n);
  /// Lets somebody look at the steps that follow, in place of whom it let in before.
  void letIn(std::shared_ptr<TrainingGuest> guest);
  /// Looks for NaN in every value of every step, from the next one on. A step that gives one is the last: the training fails there.
  void setWatchNan(bool watch);
  const GraphContentsPtr& contents() const;
  /// Sets a live scalar from the next step on. Returns why not, or nothing.
  QString setLive(const QString& name, double value);
  /// What has been learnt so far; null before the training is prepared.
  TrainedModelPtr model() const;
  /// SHA-1 of the document's bytes, as a run's record has it; empty until it is known.
  QString documentHash() const;
  bool stoppedEarly() const;
  /// Ends after the present step, with a checkpoint.
  void stop();
  /// The same, and waits for it: for the end of the program.
  void waitForEnd();
  /// Records the `count` steps that come after the next `skip`; a request that is not fulfilled yet is replaced. No request, no cost.
  void traceSteps(qint64 count, qint64 skip);
  /// What was recorded since the last call, whether all that was asked for or, after the end, less; null: nothing.
  TracedStepsPtr takeTrace();

  /// Hands over all news since the last call, oldest first: loss and accuracy of the steps, what the graph's summary ops computed, all else.
  using TakeSamples = std::function<void(TrainTag, std::span<const widgets::Sample>)>;
  void drain(const TakeSamples& samples, SummaryColumns* summaries, const std::function<void(const TrainEvent&)>& take);
  /// The newest size of the gradient that a step applied to each variable. False: nothing new, and `norms` stays as it is.
  bool takeGradients(QHash<QString, double>& norms);
  bool hasEnded() const;
  // After it ended:
  QString error() const;                                     ///< In one line, or empty.
  std::shared_ptr<const CarriedState> carriedState() const;  ///< Null if it never began.
  /// Values of the step that failed, if it could be repeated up to there; else null.
  std::shared_ptr<DebugJob> failedStep() const;
  QString checkpoint() const;  ///< Prefix of the newest one; empty: none.

  /// Value of a tensor with the run's variables, as case files write it. REQUIRES: no step is being computed. False: `error` says why.
  bool tensorJson(const QString& name, QString* json, QString* error);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::app
