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

/// Starts, controls and observes the training of one document at a time. News from the engine's thread are taken once per frame.
class RunController : public QObject {
  Q_OBJECT

 public:
  /// Finished: all steps done, or the evaluations stopped improving. Stopped: ended by the user before that.
  enum class State { Idle, Running, Paused, Stopping, Finished, Stopped, Failed };

  explicit RunController(Log* log, QObject* parent = nullptr);
  ~RunController() override;

  State state() const { return state_; }
  bool isActive() const { return job_ != nullptr; }
  /// Whether the engine computes a step, or is about to.
  bool isComputing() const { return job_ && (state_ != State::Paused || stepping_); }
  /// The present or last trained document; null if it was closed.
  Document* document() const { return document_; }
  const RunProgress& progress() const { return progress_; }
  const std::vector<std::unique_ptr<RunRecord>>& runs() const { return runs_; }
  const RunRecord* currentRun() const { return runs_.empty() ? nullptr : runs_.back().get(); }
  QString lastError() const { return error_; }

  /// Limits for later runs: threads (0: all processors), the share of the machine's memory that a step may use, and the bytes into which a step is made to fit
  /// by computing values again (0: no limit).
  void setLimits(int threads, double memoryFraction, qint64 stepBytes) { threads_ = threads, memoryFraction_ = memoryFraction, stepBytes_ = stepBytes; }
  /// Memory for copies of variables, from which the last steps of later runs can be computed again; 0: none.
  void setRecordBytes(qint64 bytes) { recordBytes_ = bytes; }
  /// Whether the doctor watches later runs; findingsArrived() tells what it finds.
  void setDoctor(bool watches) { doctor_ = watches; }
  /// Why `document` cannot be trained now, in one sentence; empty if it can.
  QString whyNot(const Document* document) const;
  /// REQUIRES: whyNot(document).isEmpty(). `startPaused`: pauses after one step.
  void start(Document* document, qint64 steps, qint64 epochs, bool startPaused = false);
  /// Starts with the settings of `request` in addition to nextRun().
  void start(Document* document, const RunRequest& request);
  /// The settings that the next runs of `document` use in addition to its file's.
  RunRequest nextRun(const Document* document) const;
  void setNextRun(Document* document, const RunRequest& request);
  void pause();
  void resume();
  void stepOnce() { runSteps(1); }
  /// Runs `n` steps, then pauses. REQUIRES: isActive().
  void runSteps(qint64 n);
  /// Ends after the present step, with a checkpoint. On a server, the second call does not wait for the step.
  void stop();
  /// "host:port" of the TensorFlow server that computes the present run; empty: this machine, or no run.
  QString server() const { return job_ ? job_->server() : QString(); }
  /// The server, while the run waits for it: at its start, at its end, or in a step that takes seconds; else empty.
  QString waitsFor() const;
  /// Why the debugger cannot join the present run, in one sentence; empty: it can, or there is no run.
  QString whyNotDebugged() const;
  /// Continues with the document's present graph: after the present step the training ends, and a new one begins at its step, with the values of all variables
  /// that have the same name, type and shape in the new graph.
  void applyNow();
  /// Sets a live scalar of `document`: in its run from the next step on, and in its next run. Does not affect runs of other documents. Returns an error, or
  /// empty.
  QString setLive(Document* document, const QString& name, double value);
  /// The value of a live scalar in the document's present run, or the one set for its next run; else NaN.
  double live(const Document* document, const QString& name) const;
  /// `fresh` replaced `old`, whose training continues; `applyNow` gives it the new graph.
  void follow(const Document* old, Document* fresh);
  /// The model of the present or last run; null if there is none.
  TrainedModelPtr model() const;
  /// The graph and the settings that run began with. REQUIRES: currentRun().
  const GraphContentsPtr& trainedContents() const { return trainedContents_; }
  const TrainRequest& trainedRequest() const { return trainedRequest_; }
  void setNotes(int number, const QString& notes);
  /// The document was saved: moves its runs to that file.
  void documentSaved(Document* document);
  /// Updates the names to the present language.
  void renameRuns();
  const RunRecord* run(int number) const;
  /// Watches the present and later trainings for NaN, see TrainingJob::setWatchNan.
  void setWatchNan(bool watch);
  /// Lets `interceptor` intercept the next `steps` steps, then pauses. REQUIRES: isActive() && whyNotDebugged().isEmpty().
  void attach(std::shared_ptr<StepInterceptor> interceptor, qint64 steps);
  /// The graph in training, which may be older than the document's; null unless isActive().
  GraphContentsPtr contents() const { return job_ ? job_->contents() : nullptr; }
  /// Records `count` steps of the running training after skipping `skip`; traceArrived() delivers them. REQUIRES: isActive().
  void traceSteps(qint64 count, qint64 skip = 0);
  /// A tensor's value with the variables of the present or last run, in the format of case files. Not while a step is being computed.
  bool tensorJson(const QString& name, QString* json, QString* error);
  /// The latest norm of the gradient that a step of the present run applied to each variable; each is returned once. False: nothing new, and `norms` is
  /// unchanged.
  bool takeGradients(QHash<QString, double>& norms) { return job_ && job_->takeGradients(norms); }
  /// Takes over the engine's news now.
  void drain();

 signals:
  void stateChanged();
  /// At most about eight times a second while a training runs.
  void progressChanged();
  void runStarted(const weft::app::RunRecord* run);
  /// Results of the graph's summary ops; receivers may take the values out of it.
  void summariesArrived(const weft::app::RunRecord* run, weft::app::SummaryColumns& columns);
  /// Notes, checkpoints, edits or the end of a run changed.
  void runChanged(int number);
  void nextRunChanged();
  void samplesArrived(const weft::app::RunRecord* run, const QString& tag, std::span<const weft::widgets::Sample> samples);
  /// A training failed, and the values of its last step can be inspected.
  void stepFailed(weft::app::Document* document, const std::shared_ptr<weft::app::DebugJob>& values);
  void findingsArrived(weft::app::Document* document, const QVector<weft::app::DoctorNote>& notes);
  /// Fewer steps than requested if the training ended before.
  void traceArrived(weft::app::TracedStepsPtr steps);

 private:
  void setState(State state);
  void record();
  void saveRecord();
  void finish();
  void take(const TrainEvent& event);
  void logEvaluations();
  void logCheckpoints();
  bool noteWaiting(bool news);
  /// If it is on in a run that cannot be watched.
  void warnOfNanWatch();

  Log* log_;
  std::unique_ptr<widgets::FrameMember> frame_;
  QElapsedTimer sinceNews_;                            // from the engine
  QElapsedTimer sinceProgress_;                        // of progressChanged()
  std::array<std::vector<widgets::Sample>, 4> fresh_;  // of drain()
  QVector<std::pair<qint64, double>> evaluated_;       // not in the log yet: step, test accuracy
  bool progressPending_ = false;
  bool ending_ = false;              // the job has ended, but this was not reported yet
  bool stopRequested_ = false;       // the job was told to stop
  qsizetype loggedCheckpoints_ = 0;  // of the present run
  std::unique_ptr<TrainingJob> job_;
  std::unique_ptr<TrainingJob> lastJob_;  // keeps variables readable after the end
  GraphContentsPtr trainedContents_;
  TrainRequest trainedRequest_;
  QPointer<Document> document_;
  std::vector<std::unique_ptr<RunRecord>> runs_;
  State state_ = State::Idle;
  RunProgress progress_;
  QString error_;
  QMap<QString, double> live_;  // of the present or last run
  int threads_ = 0;
  double memoryFraction_ = 0.8;
  qint64 stepBytes_ = 0, recordBytes_ = 512 << 20;
  bool doctor_ = false;
  bool watchNan_ = false;
  bool waits_ = false;             // for the server, as last reported
  bool applying_ = false;          // the ending training continues with another graph
  qint64 steps_ = 0, epochs_ = 0;  // arguments of start()
  bool stepping_ = false;          // a single step was requested and has not ended
};

}  // namespace weft::app
