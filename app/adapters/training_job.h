// A training run of the engine on its own thread, controlled and observed from the GUI thread.
#pragma once

#include <QHash>
#include <QPair>
#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <memory>
#include <span>

#include "adapters/doctor_notes.h"
#include "adapters/graph_contents.h"
#include "adapters/profile_contents.h"
#include "adapters/summary_batch.h"
#include "adapters/trained_model.h"

namespace weft::app {

/// The variables (by name) and the step of a run that has ended; an engine type.
struct CarriedState;
class DebugJob;
class StepInterceptor;

/// Settings of a run; 0: the document's value.
struct TrainRequest {
  qint64 steps = 0, epochs = 0;
  QString documentFolder;                ///< For a document's relative paths; empty: it has no file yet.
  QString folder;                        ///< Checkpoints and event files are written below it.
  QString resumeFrom;                    ///< Prefix of a checkpoint to resume from; empty: start from the beginning.
  qint64 firstSteps = 1;                 ///< If it starts paused, after this many steps; 0: before the first.
  int patience = 0;                      ///< Stops after this many evaluations without improvement; 0: never.
  QVector<QPair<QString, QString>> set;  ///< Settings, live scalars or tensors by name, as text; `device`: "GPU:0" or "grpc://host:port".
  bool watchNan = false;                 ///< See TrainingJob::setWatchNan.
  int threads = 0;                       ///< 0: all processors.
  double memoryFraction = 0.8;
  qint64 stepBytes = 0;                              ///< Memory limit of a step, into which it is made to fit; 0: none.
  bool doctor = false;                               ///< Looks for what goes wrong (weft/doctor.h); takeFindings() delivers it.
  qint64 recordBytes = 0;                            ///< Of copies of variables, from which the last steps can be computed again; 0: none are made.
  std::shared_ptr<const CarriedState> carried = {};  ///< State of another run to continue from; null: a fresh start.
};

/// The scalars that a run reports.
enum class TrainTag : qint8 { Loss, Accuracy, TestLoss, TestAccuracy };
/// "loss", "accuracy", "test_loss", "test_accuracy".
QString trainTagName(TrainTag tag);

/// One event from the engine's thread.
struct TrainEvent {
  enum class Kind : quint8 {
    Scalar,  ///< tag, step, wall, value: from an evaluation; per-step values come as samples
    Step,    ///< step, totalSteps, epoch, totalEpochs, rate, seconds
    Paused,
    Resumed,
    Checkpoint,  ///< step
    Traced,      ///< takeTrace() has the requested steps
  } kind = Kind::Step;
  TrainTag tag = TrainTag::Loss;
  double step = 0, wall = 0, value = 0;
  double totalSteps = 0;
  double epoch = 0, totalEpochs = 0;  ///< 1.25: a quarter into the second.
  double rate = 0;                    ///< Samples per second.
  double seconds = 0;                 ///< Training time, without pauses.
};

/// Runs a Trainer of the engine on an immutable graph. GUI thread; no method waits for a step, except the destructor and waitForEnd().
class TrainingJob {
 public:
  TrainingJob(GraphContentsPtr contents, TrainRequest request, bool startPaused);
  /// Requests a stop and waits for it (a step of a small graph takes milliseconds, a checkpoint a little longer).
  ~TrainingJob();

  void pause();
  void resume();
  /// Runs one step, or `n`, then pauses.
  void stepOnce() { runSteps(1); }
  void runSteps(qint64 n);
  /// Lets `interceptor` intercept the steps that follow; replaces an earlier interceptor. REQUIRES: canStep().
  void attach(std::shared_ptr<StepInterceptor> interceptor);
  /// Checks every value of every step for NaN, from the next step on. The training fails at the first step with a NaN. On a server
  /// nothing is checked.
  void setWatchNan(bool watch);
  const GraphContentsPtr& contents() const;
  /// Sets a live scalar from the next step on. Returns an error, or empty.
  QString setLive(const QString& name, double value);
  /// The present state of the model; null before the training is prepared.
  TrainedModelPtr model() const;
  /// SHA-1 of the document's bytes, for the run's record; empty until it is known.
  QString documentHash() const;
  bool stoppedEarly() const;
  /// "host:port" of the TensorFlow server that computes the steps; empty: this process.
  QString server() const;
  /// Whether single ops of its steps can be debugged: not on a server of TensorFlow's. False while it is connecting.
  bool canStep() const;
  /// Whether the training waits for its server, or is being prepared there.
  bool isConnecting() const;
  /// Ends after the present step and writes a checkpoint; ends the wait for a server at once.
  void stop();
  /// As stop(), and keeps the variables for carriedState().
  void stopForNextRun();
  /// Ends a stopped training without waiting for its server: a running step fails, and there may be no checkpoint. Does nothing in this process.
  void abandon();
  /// Stops and waits for the end, when the program exits; for a server only some seconds.
  void waitForEnd();
  /// Records `count` steps after skipping `skip`; replaces a pending request. Costs nothing without a request.
  void traceSteps(qint64 count, qint64 skip);
  /// The steps recorded since the last call: all that were requested, or fewer after the end; null: none.
  TracedStepsPtr takeTrace();

  /// Delivers all news since the last call, oldest first: loss and accuracy of the steps, results of the graph's summary ops, all else.
  using TakeSamples = std::function<void(TrainTag, std::span<const widgets::Sample>)>;
  void drain(const TakeSamples& samples, SummaryColumns* summaries, const std::function<void(const TrainEvent&)>& take);
  /// The latest norm of the gradient that a step applied to each variable. False: nothing new, and `norms` is unchanged.
  bool takeGradients(QHash<QString, double>& norms);
  /// What the doctor found since the last call.
  QVector<DoctorNote> takeFindings();
  bool hasEnded() const;
  // After it ended:
  QString error() const;                                     ///< In one line, or empty.
  std::shared_ptr<const CarriedState> carriedState() const;  ///< Null if it never started.
  /// Debug values of the failed step, if it could be repeated up to the failure; else null.
  std::shared_ptr<DebugJob> failedStep() const;
  QString checkpoint() const;  ///< Prefix of the newest checkpoint; empty: none.

  /// A tensor's value with the run's variables, in the format of case files. REQUIRES: no step is being computed. On failure false, with the reason in `error`.
  bool tensorJson(const QString& name, QString* json, QString* error);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::app
