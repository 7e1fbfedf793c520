#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QMap>
#include <QObject>
#include <QPointer>
#include <QVector>
#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "adapters/debug_job.h"
#include "adapters/training_job.h"
#include "document/document.h"
#include "document/run_record.h"
#include "document/run_settings.h"
#include "plot/series_store.h"

namespace weft::widgets {
class FrameMember;
}

namespace weft::app {

class Log;

/// Starts, steers and watches the training of one document at a time. News of the engine thread are taken once in a frame.
class RunController : public QObject {
  Q_OBJECT

 public:
  /// Finished: it did what it was to do, or its evaluations got no better. Stopped: somebody ended it before.
  enum class State { Idle, Running, Paused, Stopping, Finished, Stopped, Failed };

  explicit RunController(Log* log, QObject* parent = nullptr);
  ~RunController() override;

  State state() const { return state_; }
  bool isActive() const { return job_ != nullptr; }
  /// Whether the engine works on a step now, or is about to.
  bool isComputing() const { return job_ && (state_ != State::Paused || stepping_); }
  /// What is or was trained last; null if it was closed.
  Document* document() const { return document_; }
  const RunProgress& progress() const { return progress_; }
  const std::vector<std::unique_ptr<RunRecord>>& runs() const { return runs_; }
  const RunRecord* currentRun() const { return runs_.empty() ? nullptr : runs_.back().get(); }
  QString lastError() const { return error_; }

  /// For the runs that are started from now on: threads (0: all processors) and the share of the memory that a step may take.
  void setLimits(int threads, double memoryFraction) { threads_ = threads, memoryFraction_ = memoryFraction; }
  /// A sentence on why `document` cannot be trained now; empty if it can.
  QString whyNot(const Document* document) const;
  /// REQUIRES: whyNot(document).isEmpty(). `startPaused`: does one step, then waits.
  void start(Document* document, qint64 steps, qint64 epochs, bool startPaused = false);
  /// The same, with what `request` asks for on top of nextRun().
  void start(Document* document, const RunRequest& request);
  /// What the next runs of `document` are started with beside what its file says.
  RunRequest nextRun(const Document* document) const;
  void setNextRun(Document* document, const RunRequest& request);
  void pause();
  void resume();
  void stepOnce() { runSteps(1); }
  /// `n` steps, then paused. REQUIRES: isActive().
  void runSteps(qint64 n);
  void stop();
  /// Goes on with the graph as the document is now: the present training ends, and a new one begins at its step, with the values of all variables
  /// that the new graph has by the same name, type and shape. Later, when the present step is done.
  void applyNow();
  /// Sets a live scalar of `document`: of its run from the next step on, and of its next run. A run of another document is left alone. Returns why not, or nothing.
  QString setLive(Document* document, const QString& name, double value);
  /// The value of a live scalar of `document` in its run that goes on, or as its next run will begin with it if somebody has set it; else NaN.
  double live(const Document* document, const QString& name) const;
  /// `fresh` took the place of `old`, whose training goes on; `applyNow` brings it the new graph.
  void follow(const Document* old, Document* fresh);
  /// What the present or last run has learnt; null if there is none.
  TrainedModelPtr model() const;
  void setNotes(int number, const QString& notes);
  /// The document was written to a file: its runs are kept with that one.
  void documentSaved(Document* document);
  /// Names in the present language.
  void renameRuns();
  const RunRecord* run(int number) const;
  /// Watches this training and those to come for NaN, see TrainingJob::setWatchNan.
  void setWatchNan(bool watch);
  /// The next `steps` steps are done before the eyes of `guest`; then it pauses. REQUIRES: isActive().
  void letIn(std::shared_ptr<TrainingGuest> guest, qint64 steps);
  /// The graph that is being trained, which may be older than the document; null unless isActive().
  GraphContentsPtr contents() const { return job_ ? job_->contents() : nullptr; }
  /// Records `count` steps of the running training after `skip` more; they arrive with traceArrived(). REQUIRES: isActive().
  void traceSteps(qint64 count, qint64 skip = 0);
  /// Value of a tensor with the variables of the present or last run, as a case file writes it. Not while a step is being computed.
  bool tensorJson(const QString& name, QString* json, QString* error);
  /// The newest size of the gradient that a step of the present run applied to each variable, for whoever shows them: each is handed out once. False:
  /// nothing new, and `norms` stays as it is.
  bool takeGradients(QHash<QString, double>& norms) { return job_ && job_->takeGradients(norms); }
  /// Takes over what the engine has to tell, now.
  void drain();

 signals:
  void stateChanged();
  /// At most about eight times a second while a training runs.
  void progressChanged();
  void runStarted(const weft::app::RunRecord* run);
  /// What the graph's summary ops computed; receivers may take the values out of it.
  void summariesArrived(const weft::app::RunRecord* run, weft::app::SummaryColumns& columns);
  /// Notes, checkpoints, edits or the end of a run became other ones.
  void runChanged(int number);
  void nextRunChanged();
  void samplesArrived(const weft::app::RunRecord* run, const QString& tag, std::span<const weft::widgets::Sample> samples);
  /// A training failed, and what its last step computed can be looked at.
  void stepFailed(weft::app::Document* document, const std::shared_ptr<weft::app::DebugJob>& values);
  /// Fewer than were asked for if the training ended before.
  void traceArrived(weft::app::TracedStepsPtr steps);

 private:
  void setState(State state);
  void record();
  void saveRecord();
  void finish();
  void take(const TrainEvent& event);
  void logEvaluations();
  void logCheckpoints();

  Log* log_;
  std::unique_ptr<widgets::FrameMember> frame_;
  QElapsedTimer sinceTold_;                            // of progressChanged()
  std::array<std::vector<widgets::Sample>, 4> fresh_;  // of drain()
  QVector<std::pair<qint64, double>> evaluated_;       // not in the log yet: step, test accuracy
  bool untold_ = false;
  bool ending_ = false;              // the job has ended, nobody knows yet
  bool told_ = false;                // to stop
  qsizetype loggedCheckpoints_ = 0;  // of the present run
  std::unique_ptr<TrainingJob> job_;
  std::unique_ptr<TrainingJob> lastJob_;  // keeps variables readable after the end
  QPointer<Document> document_;
  std::vector<std::unique_ptr<RunRecord>> runs_;
  State state_ = State::Idle;
  RunProgress progress_;
  QString error_;
  QMap<QString, double> live_;  // of the run that goes on, or went on last
  int threads_ = 0;
  double memoryFraction_ = 0.8;
  bool watchNan_ = false;
  bool applying_ = false;          // the training that ends goes on with another graph
  qint64 steps_ = 0, epochs_ = 0;  // as start() was told
  bool stepping_ = false;          // a single step was asked for and has not ended
};

}  // namespace weft::app
