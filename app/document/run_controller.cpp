#include "document/run_controller.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include "document/document.h"
#include "document/log.h"

namespace weft::app {
namespace {
constexpr int kDrainMs = 33;
}

RunController::RunController(Log* log, QObject* parent) : QObject(parent), log_(log) {
  timer_.setObjectName(QStringLiteral("run_events"));
  timer_.setInterval(kDrainMs);
  connect(&timer_, &QTimer::timeout, this, &RunController::drain);
}

RunController::~RunController() = default;

QString RunController::whyNot(const Document* document) const {
  if (!document) return tr("Open a graph first.");
  if (job_) {
    return document_ == document ? tr("A training is running.") : tr("Another document is being trained; stop that first.");
  }
  return document->contents()->training.reason;
}

void RunController::start(Document* document, qint64 steps, qint64 epochs, bool startPaused) {
  const std::shared_ptr<const CarriedState> carried = applying_ && lastJob_ ? lastJob_->carriedState() : nullptr;
  applying_ = false;
  steps_ = steps;
  epochs_ = epochs;
  lastJob_.reset();
  auto run = std::make_unique<RunRecord>();
  run->number = int(runs_.size()) + 1;
  run->name = tr("run %1").arg(run->number);
  run->document = document->title();
  const QString stamp = QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss"));
  run->folder = QDir(document->runsFolder()).filePath(QStringLiteral("%1-%2").arg(stamp).arg(run->number));
  runs_.push_back(std::move(run));
  document_ = document;
  progress_ = {};
  error_.clear();
  const QString folder = document->path().isEmpty() ? QString() : QFileInfo(document->path()).absolutePath();
  job_ = std::make_unique<TrainingJob>(document->contents(), TrainRequest{steps, epochs, folder, runs_.back()->folder, threads_, memoryFraction_, carried}, startPaused);
  log_->info(tr("%1: training of %2 started, files go to %3").arg(runs_.back()->name, document->title(), runs_.back()->folder));
  emit runStarted(runs_.back().get());
  stepping_ = startPaused;
  timer_.start();
  setState(startPaused ? State::Paused : State::Running);
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

void RunController::stepOnce() {
  if (state_ == State::Running) pause();
  if (state_ != State::Paused) return;
  stepping_ = true;
  job_->stepOnce();
}

void RunController::stop() {
  if (!job_) return;
  job_->stop();
  setState(State::Stopping);
}

void RunController::applyNow() {
  if (!job_ || !document_) return;
  applying_ = true;
  job_->stop();
}

bool RunController::tensorJson(const QString& name, QString* json, QString* error) {
  TrainingJob* job = job_ ? job_.get() : lastJob_.get();
  if (!job) {
    *error = tr("Nothing was trained yet.");
    return false;
  }
  if (isComputing()) {
    *error = tr("A training is running.");
    return false;
  }
  return job->tensorJson(name, json, error);
}

void RunController::drain() {
  if (!job_) return;
  RunRecord* run = runs_.back().get();
  std::map<TrainTag, QVector<widgets::Sample>> fresh;
  const bool ended = job_->hasEnded();  // read before the queue, so that nothing comes after it
  bool changed = false;
  job_->drain([&](const TrainEvent& event) {
    changed = true;
    take(event);
    if (event.kind == TrainEvent::Kind::Summaries) emit summariesArrived(run, *event.summaries);
    if (event.kind == TrainEvent::Kind::Scalar) fresh[event.tag] << widgets::Sample{event.step, event.wall, event.value};
  });
  for (const auto& [tag, samples] : fresh) {
    const QString name = trainTagName(tag);
    run->series[name].append(std::span<const widgets::Sample>(samples.data(), size_t(samples.size())));
    emit samplesArrived(run, name, samples);
  }
  if (changed) emit progressChanged();
  if (ended) finish();
}

void RunController::take(const TrainEvent& event) {
  switch (event.kind) {
    case TrainEvent::Kind::Scalar:
      if (event.tag == TrainTag::Loss) progress_.loss = event.value, progress_.hasLoss = true;
      if (event.tag == TrainTag::Accuracy) progress_.accuracy = event.value, progress_.hasAccuracy = true;
      if (event.tag == TrainTag::TestAccuracy) {
        progress_.testAccuracy = event.value, progress_.hasTestAccuracy = true;
        log_->info(tr("%1: step %2, test accuracy %3 %").arg(runs_.back()->name).arg(qint64(event.step)).arg(event.value * 100, 0, 'f', 1));
      }
      break;
    case TrainEvent::Kind::Step:
      if (state_ == State::Paused) stepping_ = false;
      progress_.step = qint64(event.step);
      progress_.totalSteps = qint64(event.totalSteps);
      progress_.epoch = event.epoch;
      progress_.totalEpochs = event.totalEpochs;
      progress_.samplesPerSecond = event.rate;
      progress_.elapsed = event.seconds;
      progress_.left = event.totalSteps > 0 && event.step > 0 ? event.seconds * (event.totalSteps - event.step) / event.step : -1;
      break;
    case TrainEvent::Kind::Checkpoint: log_->info(tr("%1: checkpoint at step %2").arg(runs_.back()->name).arg(qint64(event.step))); break;
    case TrainEvent::Kind::Paused:
      if (state_ == State::Running) setState(State::Paused);
      stepping_ = false;
      break;
    case TrainEvent::Kind::Resumed:
    case TrainEvent::Kind::Summaries: break;
  }
}

void RunController::finish() {
  timer_.stop();
  error_ = job_->error();
  const QString checkpoint = job_->checkpoint();
  lastJob_ = std::move(job_);
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
  } else {
    log_->info(checkpoint.isEmpty() ? tr("%1: ended after %2 steps").arg(name).arg(progress_.step)
                                    : tr("%1: ended after %2 steps; checkpoint %3").arg(name).arg(progress_.step).arg(checkpoint));
    setState(State::Finished);
  }
  emit progressChanged();
}

void RunController::setState(State state) {
  if (state_ == state) return;
  state_ = state;
  emit stateChanged();
}

}  // namespace weft::app
