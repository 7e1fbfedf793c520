#include "document/run_controller.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QTimer>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "adapters/machine.h"
#include "adapters/training_server.h"
#include "common/background.h"
#include "common/live_frames.h"
#include "document/document.h"
#include "document/log.h"
#include "document/run_places.h"

namespace weft::app {
namespace {
constexpr int kProgressMs = 200;   // numbers that change faster cannot be read
constexpr int kLongStepMs = 3000;  // a server without news for longer is said to be waited for

/// Frees a session's memory on another thread, which takes longer than a handler may.
void freeInBackground(std::unique_ptr<TrainingJob> job) {
  if (job) widgets::inBackground([old = std::shared_ptr<TrainingJob>(std::move(job))] {});
}

}  // namespace

RunController::RunController(Log* log, QObject* parent)
    : QObject(parent), log_(log), frame_(std::make_unique<widgets::FrameMember>(widgets::FrameGovernor::Stage::Source, "training", [this] { drain(); })) {}

RunController::~RunController() {
  if (!job_) return;
  if (!ending_) {  // the program quits during the run: write the record now, or the run would look killed
    stopRequested_ = true;
    job_->waitForEnd();
    blockSignals(true);  // receivers may be deleted
    drain();
  }
  record();
  writeRunRecord(*runs_.back());
}

QString RunController::whyNot(const Document* document) const {
  if (!document) return tr("Open a graph first.");
  if (job_) {
    return document_ == document ? tr("Training is running.") : tr("Another document is being trained; stop that first.");
  }
  const TrainingInfo& training = document->contents()->training;
  if (training.reason.isEmpty() && training.data.isEmpty()) return tr("No data feed this training: choose them in the field “data” of the run bar.");
  return training.reason;
}

void RunController::start(Document* document, qint64 steps, qint64 epochs, bool startPaused) {
  RunRequest request;
  request.steps = steps;
  request.epochs = epochs;
  request.firstSteps = startPaused ? 1 : 0;
  start(document, request);
}

void RunController::start(Document* document, const RunRequest& asked) {
  const std::shared_ptr<const CarriedState> carried = applying_ && lastJob_ ? lastJob_->carriedState() : nullptr;
  applying_ = false;
  steps_ = asked.steps;
  epochs_ = asked.epochs;
  freeInBackground(std::move(lastJob_));
  RunRequest request = asked;
  RunSettings& settings = RunSettings::of(*document);
  const RunRequest next = settings.next();
  if (request.steps == 0 && request.epochs == 0) request.steps = next.steps, request.epochs = next.epochs;
  if (request.patience == 0) request.patience = next.patience;
  for (auto it = next.set.begin(); it != next.set.end(); ++it) {
    if (!request.set.contains(it.key())) request.set.insert(it.key(), it.value());
  }
  live_.clear();
  const TrainingInfo& info = document->contents()->training;
  for (const TrainingInfo::Live& l : info.live) {
    for (const QString& other : {l.tensor, l.tensor.section(u':', 0, 0)}) {
      if (request.set.contains(other)) request.set.insert(l.name, request.set.take(other));
    }
    bool isNumber = false;
    const double asked = request.set.value(l.name).toDouble(&isNumber);
    if (isNumber && std::isfinite(asked)) settings.setLive(l.name, asked);
    else if (request.set.contains(l.name)) continue;  // this run will fail over it; the next one ignores it
    else if (std::isfinite(settings.live(l.name))) request.set.insert(l.name, QString::number(settings.live(l.name), 'g', 17));
    live_[l.name] = std::isfinite(settings.live(l.name)) ? settings.live(l.name) : l.value;
  }
  auto run = std::make_unique<RunRecord>();
  // Above the numbers of this session's runs and of the document's runs on disk, so that a number is unique in both.
  run->number = std::max(runs_.empty() ? 0 : runs_.back()->number, highestRunNumber(document->runsFolder())) + 1;
  run->name = runName(run->number);
  run->document = document->title();
  run->file = document->path();
  run->owner = settings.owner();
  const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
  const QString wanted = QDir(document->runsFolder()).filePath(QStringLiteral("%1-%2").arg(stamp).arg(run->number));
  run->folder = wanted;
  // Another window may have started its first run in the same second.
  for (int k = 2; QFileInfo::exists(run->folder); ++k) run->folder = QStringLiteral("%1-%2").arg(wanted).arg(k);
  run->started = QDateTime::currentDateTime();
  run->origin = request.origin;
  const auto setting = [&](const QString& key, const QString& value) {
    if (!value.isEmpty()) run->settings << qMakePair(key, value);
  };
  setting(QStringLiteral("data"), info.data);
  setting(QStringLiteral("steps"), request.steps > 0                       ? QString::number(request.steps)
                                   : request.epochs > 0 || info.steps == 0 ? QString()
                                                                           : QString::number(info.steps));
  setting(QStringLiteral("epochs"), request.epochs > 0                      ? QString::number(request.epochs)
                                    : request.steps > 0 || info.epochs == 0 ? QString()
                                                                            : QString::number(info.epochs));
  setting(QStringLiteral("batch_size"), request.set.value(QStringLiteral("batch_size"), QString::number(info.batchSize)));
  setting(QStringLiteral("seed"), request.set.value(QStringLiteral("seed"), QString::number(info.seed)));
  if (info.rounds && !request.set.contains(QStringLiteral("precision"))) setting(QStringLiteral("precision"), QStringLiteral("bf16"));
  if (request.patience > 0) setting(QStringLiteral("patience"), QString::number(request.patience));
  for (const TrainingInfo::Live& l : info.live) {
    bool isNumber = true;
    const QString text = request.set.value(l.name);
    const double value = text.isEmpty() ? live_.value(l.name, l.value) : text.toDouble(&isNumber);
    setting(l.name, isNumber ? QString::number(value) : text);
  }
  for (auto it = request.set.begin(); it != request.set.end(); ++it) {
    bool listed = false;
    for (const auto& [key, value] : run->settings) listed = listed || key == it.key();
    if (!listed) setting(it.key(), it.value());
  }
  // Without a choice it is the first GPU.
  if (const auto gpus = foundGpus(); !gpus.isEmpty() && !request.set.contains(QStringLiteral("device"))) setting(QStringLiteral("device"), gpus.first().first);
  if (threads_ > 0) setting(QStringLiteral("threads"), QString::number(threads_));
  if (stepBytes_ > 0 && serverAddress(request.set.value(QStringLiteral("device"))).isEmpty())
    setting(QStringLiteral("memory_limit"), QStringLiteral("%1M").arg(stepBytes_ >> 20));
  runs_.push_back(std::move(run));
  document_ = document;
  stopRequested_ = false;
  progress_ = {};
  progress_.step = request.resumeStep;
  loggedCheckpoints_ = 0;
  error_.clear();
  const QString folder = document->path().isEmpty() ? QString() : QFileInfo(document->path()).absolutePath();
  TrainRequest train;
  train.steps = request.steps;
  train.epochs = request.epochs;
  train.documentFolder = folder;
  train.folder = runs_.back()->folder;
  train.resumeFrom = request.resumeFrom;
  train.patience = request.patience;
  train.firstSteps = request.firstSteps;
  for (auto it = request.set.begin(); it != request.set.end(); ++it) train.set << qMakePair(it.key(), it.value());
  train.watchNan = watchNan_;
  train.threads = threads_;
  train.memoryFraction = memoryFraction_;
  train.stepBytes = stepBytes_;
  train.recordBytes = recordBytes_;
  train.doctor = doctor_;
  train.carried = carried;
  const bool paused = request.paused || request.firstSteps > 0;
  trainedContents_ = document->contents();
  trainedRequest_ = train;
  job_ = std::make_unique<TrainingJob>(trainedContents_, train, paused);
  waits_ = job_->isConnecting();
  log_->info(tr("%1: started training %2, files go to %3").arg(runs_.back()->name, document->title(), runs_.back()->folder));
  warnOfNanWatch();
  writeRunRecord(*runs_.back());
  emit runStarted(runs_.back().get());
  stepping_ = paused;
  frame_->setPolling(true);
  setState(paused ? State::Paused : State::Running);
  emit progressChanged();
}

void RunController::pause() {
  if (state_ != State::Running) return;
  job_->pause();
  setState(State::Paused);
}

void RunController::resume() {
  if (state_ != State::Paused) return;
  job_->resume();
  setState(State::Running);
}

void RunController::runSteps(qint64 n) {
  if (state_ == State::Running) pause();
  if (state_ != State::Paused) return;
  stepping_ = true;
  sinceNews_.start();
  job_->runSteps(n);
}

void RunController::setWatchNan(bool watch) {
  if (watchNan_ == watch) return;
  watchNan_ = watch;
  if (job_) job_->setWatchNan(watch);
  warnOfNanWatch();
}

void RunController::warnOfNanWatch() {
  if (watchNan_ && !server().isEmpty())
    log_->warning(tr("%1: values on %2 cannot be watched for NaN, because a server computes whole steps.").arg(runs_.back()->name, server()));
}

/// Notices whether the server lets the run wait: at its start, or in a step without news for seconds. Returns whether this changed.
bool RunController::noteWaiting(bool news) {
  if (news) sinceNews_.start();
  const bool waits = job_->isConnecting() || (isComputing() && !server().isEmpty() && sinceNews_.elapsed() >= kLongStepMs);
  return std::exchange(waits_, waits) != waits;
}

QString RunController::waitsFor() const { return waits_ || state_ == State::Stopping ? server() : QString(); }

QString RunController::whyNotDebugged() const {
  if (!job_ || job_->canStep()) return {};
  if (job_->isConnecting()) return tr("The training is still waiting for %1.").arg(server());
  return tr("The steps of this training cannot be debugged: %1 computes them as a whole, as TensorFlow's servers do. Train on this machine or on a Weft server to "
            "debug a step.")
      .arg(server());
}

void RunController::attach(std::shared_ptr<StepInterceptor> interceptor, qint64 steps) {
  if (!job_ || !whyNotDebugged().isEmpty()) return;
  job_->attach(std::move(interceptor));
  runSteps(steps);
}

QString RunController::setLive(Document* document, const QString& name, double value) {
  for (const TrainingInfo::Live& l : document->contents()->training.live) {
    if (l.name == name && l.minimum < l.maximum && (value < l.minimum || value > l.maximum))
      return tr("%1 is %2, expected %3 to %4.").arg(name).arg(value).arg(l.minimum).arg(l.maximum);
  }
  if (job_ && document == document_ && state_ != State::Stopping) {
    const QString error = job_->setLive(name, value);
    if (!error.isEmpty()) return error;
    RunRecord& run = *runs_.back();
    run.edits << RunRecord::Edit{progress_.step, name, value};
    live_[name] = value;
    log_->info(tr("%1: %2 is %3 from step %4 on").arg(run.name, name).arg(value).arg(progress_.step + 1));
    emit runChanged(run.number);
  }
  RunSettings::of(*document).setLive(name, value);
  emit nextRunChanged();
  return {};
}

double RunController::live(const Document* document, const QString& name) const {
  constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();
  if (!document) return kUnset;
  if (job_ && document == document_ && live_.contains(name)) return live_.value(name);
  const RunSettings* settings = RunSettings::find(document);
  return settings ? settings->live(name) : kUnset;
}

RunRequest RunController::nextRun(const Document* document) const {
  const RunSettings* settings = document ? RunSettings::find(document) : nullptr;
  return settings ? settings->next() : RunRequest();
}

void RunController::setNextRun(Document* document, const RunRequest& request) {
  RunSettings::of(*document).setNext(request);
  emit nextRunChanged();
}

void RunController::follow(const Document* old, Document* fresh) {
  if (old && document_ == old) document_ = fresh;
}

TrainedModelPtr RunController::model() const {
  const TrainingJob* job = job_ ? job_.get() : lastJob_.get();
  return job ? job->model() : nullptr;
}

const RunRecord* RunController::run(int number) const {
  for (const auto& run : runs_) {
    if (run->number == number) return run.get();
  }
  return nullptr;
}

void RunController::stop() {
  if (!job_) return;
  if (state_ == State::Stopping && !server().isEmpty()) {
    log_->warning(tr("%1: ends without waiting for %2").arg(runs_.back()->name, server()));
    return job_->abandon();
  }
  stopRequested_ = true;
  job_->stop();
  setState(State::Stopping);
}

void RunController::applyNow() {
  if (!job_ || !document_) return;
  applying_ = true;
  job_->stopForNextRun();
}

void RunController::traceSteps(qint64 count, qint64 skip) {
  if (job_) job_->traceSteps(count, skip);
}

bool RunController::tensorJson(const QString& name, QString* json, QString* error) {
  TrainingJob* job = job_ ? job_.get() : lastJob_.get();
  if (!job) {
    *error = tr("Nothing has been trained yet.");
    return false;
  }
  if (isComputing()) {
    *error = tr("Training is running.");
    return false;
  }
  return job->tensorJson(name, json, error);
}

void RunController::drain() {
  if (!job_ || ending_) return;
  RunRecord* run = runs_.back().get();
  const bool ended = job_->hasEnded();  // read before the queue, so that no event follows it
  bool changed = false;
  SummaryColumns summaries;
  // By TrainTag, so that each tag is reported once. The buffers are reused.
  static_assert(std::tuple_size_v<decltype(fresh_)> > size_t(TrainTag::TestAccuracy));
  for (auto& samples : fresh_) samples.clear();
  job_->drain(
      [&](TrainTag tag, std::span<const widgets::Sample> samples) {
        if (tag == TrainTag::Loss) progress_.loss = samples.back().value, progress_.hasLoss = true;
        if (tag == TrainTag::Accuracy) progress_.accuracy = samples.back().value, progress_.hasAccuracy = true;
        fresh_[size_t(tag)].insert(fresh_[size_t(tag)].end(), samples.begin(), samples.end());
      },
      &summaries,
      [&](const TrainEvent& event) {
        changed = true;
        take(event);
        if (event.kind == TrainEvent::Kind::Scalar) fresh_[size_t(event.tag)].push_back({event.step, event.wall, event.value});
      });
  if (noteWaiting(changed)) changed = true;
  if (!summaries.isEmpty()) emit summariesArrived(run, summaries);
  if (const auto found = job_->takeFindings(); !found.isEmpty()) emit findingsArrived(document_, found);
  for (size_t tag = 0; tag < fresh_.size(); ++tag) {
    if (fresh_[tag].empty()) continue;
    changed = true;
    emit samplesArrived(run, trainTagName(TrainTag(tag)), fresh_[tag]);
  }
  if (run->documentHash.isEmpty()) run->documentHash = job_->documentHash();
  run->progress = progress_;
  progressPending_ = progressPending_ || changed;
  if (progressPending_ && (stepping_ || state_ != State::Running || !sinceProgress_.isValid() || sinceProgress_.elapsed() >= kProgressMs)) {
    progressPending_ = false;
    sinceProgress_.start();
    emit progressChanged();
    logEvaluations();
    if (run->checkpoints.size() > loggedCheckpoints_) {
      logCheckpoints();
      emit runChanged(run->number);
    }
  }
  if (!ended) return;
  ending_ = true;
  frame_->setPolling(false);
  QTimer::singleShot(0, this, [this] {
    record();
    saveRecord();
  });
}

void RunController::take(const TrainEvent& event) {
  switch (event.kind) {
    case TrainEvent::Kind::Scalar:
      if (event.tag == TrainTag::TestLoss) progress_.testLoss = event.value, progress_.hasTestLoss = true;
      if (event.tag == TrainTag::TestAccuracy) {
        progress_.testAccuracy = event.value, progress_.hasTestAccuracy = true;
        evaluated_ << qMakePair(qint64(event.step), event.value);
      }
      break;
    case TrainEvent::Kind::Step:
      progress_.step = qint64(event.step);
      progress_.totalSteps = qint64(event.totalSteps);
      progress_.epoch = event.epoch;
      progress_.totalEpochs = event.totalEpochs;
      progress_.samplesPerSecond = event.rate;
      progress_.elapsed = event.seconds;
      progress_.left = event.totalSteps > 0 && event.step > 0 ? event.seconds * (event.totalSteps - event.step) / event.step : -1;
      break;
    case TrainEvent::Kind::Checkpoint:
      runs_.back()->checkpoints << RunRecord::Checkpoint{
          qint64(event.step), QStringLiteral("%1/checkpoints/model.ckpt-%2").arg(runs_.back()->folder).arg(qint64(event.step)),
          progress_.hasTestAccuracy ? progress_.testAccuracy : -1, progress_.hasTestLoss ? progress_.testLoss : -1};
      break;
    case TrainEvent::Kind::Paused:
      if (state_ == State::Running) setState(State::Paused);
      stepping_ = false;
      break;
    case TrainEvent::Kind::Resumed: break;
    case TrainEvent::Kind::Traced:
      if (TracedStepsPtr steps = job_->takeTrace()) emit traceArrived(std::move(steps));
      break;
  }
}

/// Records the results of a run that has ended.
void RunController::record() {
  logEvaluations();
  logCheckpoints();
  error_ = job_->error();
  RunRecord& run = *runs_.back();
  run.error = error_;
  run.end = !error_.isEmpty()                                                    ? RunRecord::End::Failed
            : job_->stoppedEarly()                                               ? RunRecord::End::StoppedEarly
            : progress_.totalSteps > 0 && progress_.step >= progress_.totalSteps ? RunRecord::End::Finished  // even if it was told to stop during its last step
            : stopRequested_ || applying_ || progress_.totalSteps > 0            ? RunRecord::End::Stopped
                                                                                 : RunRecord::End::Finished;
  run.progress = progress_;
}

/// In the background, because a long run has thousands of checkpoints.
void RunController::saveRecord() {
  const auto written = std::make_shared<std::pair<RunRecord, QString>>(*runs_.back(), QString());
  widgets::inBackground(
      this, [written] { written->second = writeRunRecord(written->first); },
      [this, written] {
        const RunRecord& run = *runs_.back();
        if (run.notes != written->first.notes) writeRunRecord(run);  // the notes were changed meanwhile
        if (!written->second.isEmpty()) log_->warning(written->second);
        finish();
      });
}

void RunController::finish() {
  ending_ = false;
  RunRecord& run = *runs_.back();
  const QString checkpoint = job_->checkpoint();
  freeInBackground(std::exchange(lastJob_, std::move(job_)));
  progress_.left = 0;
  if (applying_ && error_.isEmpty() && document_ && document_->contents()->training.reason.isEmpty()) {
    start(document_, steps_, epochs_, state_ == State::Paused);
    return;
  }
  applying_ = false;
  const QString name = runs_.back()->name;
  if (!error_.isEmpty()) {
    log_->error(QStringLiteral("%1: %2").arg(name, error_));
    setState(State::Failed);
    if (const auto values = lastJob_->failedStep(); values && document_) emit stepFailed(document_, values);
  } else {
    const QString how = endSentence(run);
    log_->info(checkpoint.isEmpty() ? QStringLiteral("%1: %2").arg(name, how) : tr("%1: %2; checkpoint %3").arg(name, how, checkpoint));
    setState(run.end == RunRecord::End::Stopped ? State::Stopped : State::Finished);
  }
  emit progressChanged();
  emit runChanged(run.number);
}

void RunController::setState(State state) {
  if (state_ == state) return;
  state_ = state;
  sinceNews_.start();
  emit stateChanged();
}

}  // namespace weft::app
