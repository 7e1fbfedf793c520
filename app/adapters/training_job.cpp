#include "adapters/training_job.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <atomic>
#include <chrono>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "adapters/debug_job.h"
#include "adapters/engine_graph.h"
#include "adapters/event_queue.h"
#include "adapters/latest_norms.h"
#include "adapters/latest_value.h"
#include "adapters/profile_trace.h"
#include "adapters/step_interceptor.h"
#include "support/tensor_json.h"
#include "weft/debugger.h"
#include "weft/events.h"
#include "weft/mutex.h"
#include "weft/train.h"

namespace weft::app {
namespace {

double wallSeconds() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

TrainEvent scalar(TrainTag tag, int64_t step, double value) {
  TrainEvent event;
  event.kind = TrainEvent::Kind::Scalar;
  event.tag = tag;
  event.step = double(step);
  event.wall = wallSeconds();
  event.value = value;
  return event;
}

/// The present position of a training: the numbers of a TrainEvent of Kind::Step.
struct TrainingProgress {
  double step = 0, totalSteps = 0, epoch = 0, totalEpochs = 0, rate = 0, seconds = 0;

  TrainingProgress() = default;
  explicit TrainingProgress(const TrainStep& s)
      : step(double(s.step)),
        totalSteps(double(s.totalSteps)),
        epoch(double(s.epoch - 1) + (s.stepsPerEpoch > 0 ? double(s.stepInEpoch) / double(s.stepsPerEpoch) : 0)),
        totalEpochs(double(s.totalEpochs)),
        rate(s.samplesPerSecond),
        seconds(s.seconds) {}
  TrainEvent event() const {
    TrainEvent event;
    event.kind = TrainEvent::Kind::Step;
    event.step = step;
    event.totalSteps = totalSteps;
    event.epoch = epoch;
    event.totalEpochs = totalEpochs;
    event.rate = rate;
    event.seconds = seconds;
    return event;
  }
};

}  // namespace

QString trainTagName(TrainTag tag) {
  switch (tag) {
    case TrainTag::Loss: return QStringLiteral("loss");
    case TrainTag::Accuracy: return QStringLiteral("accuracy");
    case TrainTag::TestLoss: return QStringLiteral("test_loss");
    case TrainTag::TestAccuracy: return QStringLiteral("test_accuracy");
  }
  return {};
}

struct CarriedState {
  std::map<std::string, Tensor> variables;
  int64_t step = 0;
};

struct TrainingJob::Impl {
  GraphContentsPtr contents;
  TrainRequest request;
  // Values of every step use a fast path, because thousands of steps may end in a second.
  EventQueue<widgets::Sample> losses, accuracies;
  LatestValue<TrainingProgress> progress;
  EventQueue<TrainEvent> events;  // everything else
  LatestNorms gradients;
  Mutex summariesMutex;  // held briefly; guards `summaries`
  SummaryColumns summaries WEFT_GUARDED_BY(summariesMutex);
  std::atomic<bool> ended{false};
  std::thread thread;

  mutable Mutex control;  // held briefly; guards the next five members and request.firstSteps
  std::shared_ptr<Trainer> trainer WEFT_GUARDED_BY(control);
  std::shared_ptr<StepInterceptor> interceptor WEFT_GUARDED_BY(control);
  QString documentHash WEFT_GUARDED_BY(control);
  bool wantsStop WEFT_GUARDED_BY(control) = false;
  bool wantsPause WEFT_GUARDED_BY(control) = false;

  std::atomic<bool> watchNan{false};
  NanWatch watch{true};
  std::shared_ptr<DebugJob> failedStep;  // used on the training thread until `ended`

  std::atomic<qint64> traceLeft{0}, traceSkip{0};
  std::shared_ptr<TracedSteps> recording;  // used on the training thread
  std::shared_ptr<const StepPlan> plan;    // the same
  Mutex traces;                            // guards `recorded`
  TracedStepsPtr recorded WEFT_GUARDED_BY(traces);

  Status status;           // written before `ended`, read after it
  std::string checkpoint;  // the same

  // On the training thread only:
  SummaryDecoder decoder;
  SummaryBatchPtr computed;  // summaries of the step in progress

  TrainOptions options();
  std::shared_ptr<StepInterceptor> activeInterceptor() const;
  bool repeatFailed(int64_t step, const Status& failure, RunOptions& run);
  Status nameNan(Status status) const;
  void record(int64_t step, const RunReport& report);
  void describeRecording();
  void endRecording();
  void run();
  /// `step`: null if the step failed after the summaries were computed.
  void pushSummaries(const TrainStep* step);
  /// The trainer, or null while the training is being prepared.
  std::shared_ptr<Trainer> presentTrainer() const;
  /// The same for the training's thread, which need not lock to read what it alone sets.
  Trainer& ownTrainer() const WEFT_NO_THREAD_SAFETY_ANALYSIS { return *trainer; }
};

TrainOptions TrainingJob::Impl::options() {
  TrainOptions options;
  options.folder = request.documentFolder.toStdString();
  options.resumeFrom = request.resumeFrom.toStdString();
  options.patience = request.patience;
  for (const auto& [name, value] : request.set) {
    if (name == QLatin1String("device")) options.session.defaultDevice = "/device:" + value.toStdString();
    else options.set.emplace_back(name.toStdString(), value.toStdString());
  }
  options.session.threads = request.threads;
  options.session.memoryLimitFraction = request.memoryFraction;
  if (request.steps > 0) options.steps = request.steps;
  if (request.epochs > 0) options.epochs = request.epochs;
  options.logFolder = request.folder.toStdString() + "/events";
  options.checkpointFolder = request.folder.toStdString() + "/checkpoints";
  options.callbacks.summary = [this](const Event& event) {
    computed = std::make_shared<SummaryBatch>();
    decoder.add(event, *computed);
  };
  if (request.carried) {
    options.carried = request.carried->variables;
    options.carriedStep = request.carried->step;
  }
  options.callbacks.step = [this](const TrainStep& s) {
    if (computed) pushSummaries(&s);
    const double now = wallSeconds();
    losses.push({double(s.step), now, s.loss});
    if (s.accuracy >= 0) accuracies.push({double(s.step), now, s.accuracy});
    progress.set(TrainingProgress(s));
    if (failedStep) {  // the repeated step succeeded
      failedStep.reset();
      watch.reset();
    }
    if (const auto present = activeInterceptor()) present->stepDone();
  };
  options.callbacks.evaluation = [this](const TrainEvaluation& e) {
    events.push(scalar(TrainTag::TestLoss, e.step, e.loss));
    if (e.accuracy >= 0) events.push(scalar(TrainTag::TestAccuracy, e.step, e.accuracy));
  };
  options.callbacks.gradients = [this](int64_t, const std::vector<GradientNorm>& norms) { gradients.put(norms); };
  options.callbacks.checkpoint = [this](const std::string&, int64_t step) {
    TrainEvent event;
    event.kind = TrainEvent::Kind::Checkpoint;
    event.step = double(step);
    events.push(event);
  };
  options.callbacks.state = [this](TrainState state) {
    TrainEvent event;
    if (state != TrainState::Paused && state != TrainState::Running) return;
    event.kind = state == TrainState::Paused ? TrainEvent::Kind::Paused : TrainEvent::Kind::Resumed;
    events.push(event);
  };
  options.retryStep = [this](int64_t step, const Status& failure, RunOptions& run) { return repeatFailed(step, failure, run); };
  options.prepareRun = [this](int64_t step, RunOptions& run) {
    if (watchNan.load(std::memory_order_relaxed)) run.observers.push_back(&watch);
    if (const auto present = activeInterceptor()) present->prepare(step, ownTrainer(), run);
    if (traceLeft.load(std::memory_order_relaxed) <= 0) return;
    if (traceSkip.load(std::memory_order_relaxed) > 0) traceSkip.fetch_sub(1, std::memory_order_relaxed);
    else run.trace = true;
  };
  options.stepReport = [this](int64_t step, const RunReport& report) { record(step, report); };
  return options;
}

std::shared_ptr<Trainer> TrainingJob::Impl::presentTrainer() const {
  const MutexLock lock(control);
  return trainer;
}

std::shared_ptr<StepInterceptor> TrainingJob::Impl::activeInterceptor() const {
  const MutexLock lock(control);
  return interceptor;
}

/// Repeats a failed step slowly and under observation, to show where it fails and with which values.
bool TrainingJob::Impl::repeatFailed(int64_t step, const Status& failure, RunOptions& run) {
  const bool nan = watch.finding().has_value();
  const Code code = failure.code();
  // A cancelled step is not a failure, and one that ran out of memory or time would need more of it.
  if (!nan && (code == Code::Cancelled || code == Code::ResourceExhausted || code == Code::DeadlineExceeded)) return false;
  failedStep = DebugJob::afterFailure(contents, nan);
  failedStep->interceptor()->prepare(step, ownTrainer(), run);
  return true;
}

/// The error of a training that the NaN watch ended, with what it found.
Status TrainingJob::Impl::nameNan(Status status) const {
  const auto nan = watch.finding();
  if (!nan || status.ok()) return status;
  const DebugAutopsy autopsy = failedStep ? failedStep->autopsy({}) : DebugAutopsy();
  const std::string node = autopsy.found ? autopsy.origin.tensor.section(u':', 0, 0).toStdString() : nan->tensor.substr(0, nan->tensor.rfind(':'));
  const std::string what = autopsy.found ? autopsy.summary.toStdString() : concat(nan->tensor, " (", nan->op, ") holds NaN.");
  return Status(failedPrecondition(QCoreApplication::translate("Training", "NaN in step %1: ").arg(ownTrainer().step() + 1).toStdString(), what).atNode(node));
}

/// Loss and accuracy are reported for every step. A summary with the same name and the same value would make their curve start over at each of its steps, so it
/// is dropped; one with another value is shown under a name of its own.
void TrainingJob::Impl::pushSummaries(const TrainStep* step) {
  const auto told = [&](const QString& tag, double* value) {
    *value = tag == trainTagName(TrainTag::Loss) ? step->loss : step->accuracy;
    return tag == trainTagName(TrainTag::Loss) || (tag == trainTagName(TrainTag::Accuracy) && step->accuracy >= 0);
  };
  std::erase_if(computed->items, [&](SummaryItem& item) {
    const auto* sample = std::get_if<widgets::Sample>(&item.value);
    double value = 0;
    if (!sample || !step || !told(item.tag, &value)) return false;
    if (float(value) == float(sample->value)) return true;
    item.tag = QStringLiteral("summary/") + item.tag;
    return false;
  });
  const MutexLock lock(summariesMutex);
  summaries.add(*computed);
  computed = nullptr;
}

void TrainingJob::Impl::record(int64_t step, const RunReport& report) {
  if (!recording) {
    recording = std::make_shared<TracedSteps>();
    recording->first = step;
    recording->graph = ownTrainer().session().graph();
  }
  recording->steps.push_back(report.trace);
  if (traceLeft.fetch_sub(1) <= 1) endRecording();
}

/// A plan does not change once it is laid out, so it is fetched once.
void TrainingJob::Impl::describeRecording() {
  if (!plan || (plan->report.blocks.empty() && !plan->isDataflow)) {
    auto made = planOfTraining(ownTrainer());
    if (made.ok()) plan = std::make_shared<const StepPlan>(std::move(made).value());
    else recording->whyNoPlan = errorText(made.error());
  }
  recording->plan = plan;
}

void TrainingJob::Impl::endRecording() {
  if (!recording) return;
  describeRecording();
  {
    const MutexLock lock(traces);
    recorded = std::move(recording);
  }
  recording = nullptr;
  TrainEvent event;
  event.kind = TrainEvent::Kind::Traced;
  events.push(event);
}

void TrainingJob::Impl::run() {
  const LoadedGraph& loaded = contents->engine->loaded;
  QByteArray bytes;
  if (loaded.original) {
    bytes = QByteArray::fromRawData(loaded.original->data(), qsizetype(loaded.original->size()));
  } else if (const auto made = serializeGraph(loaded.meta, GraphFormat::MetaBinary); made.ok()) {
    bytes = QByteArray(made->data(), qsizetype(made->size()));
  }
  const QString hash = QString::fromLatin1(QCryptographicHash::hash(bytes, QCryptographicHash::Sha1).toHex());
  {
    const MutexLock lock(control);
    documentHash = hash;
  }
  auto made = Trainer::create(contents->engine->loaded.meta, options());
  if (!made.ok()) {
    status = made.status();
    ended.store(true, std::memory_order_release);
    return;
  }
  bool stopped = false;
  {
    const MutexLock lock(control);
    trainer = std::move(made).value();
    stopped = wantsStop;
    if (wantsPause && request.firstSteps > 0) trainer->runSteps(request.firstSteps);
    else if (wantsPause) trainer->pause();
  }
  if (!stopped) status = ownTrainer().run();
  if (failedStep) {
    failedStep->interceptor()->trainingEnds(status);  // from here on its record can be read
    status = nameNan(std::move(status));
  }
  if (const auto present = activeInterceptor()) present->trainingEnds(status);
  if (computed) pushSummaries(nullptr);
  endRecording();
  checkpoint = ownTrainer().lastCheckpoint();
  ended.store(true, std::memory_order_release);
}

TrainingJob::TrainingJob(GraphContentsPtr contents, TrainRequest request, bool startPaused) : impl_(std::make_unique<Impl>()) {
  impl_->contents = std::move(contents);
  impl_->request = std::move(request);
  impl_->wantsPause = startPaused;
  impl_->watchNan = impl_->request.watchNan;
  impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

TrainingJob::~TrainingJob() { waitForEnd(); }

void TrainingJob::waitForEnd() {
  stop();
  if (impl_->thread.joinable()) impl_->thread.join();
}

void TrainingJob::pause() {
  const MutexLock lock(impl_->control);
  if (impl_->trainer) impl_->trainer->pause();
  impl_->wantsPause = true;
}

void TrainingJob::resume() {
  const MutexLock lock(impl_->control);
  if (impl_->trainer) impl_->trainer->resume();
  impl_->wantsPause = false;
}

void TrainingJob::runSteps(qint64 n) {
  const MutexLock lock(impl_->control);
  if (impl_->trainer) impl_->trainer->runSteps(n);
  impl_->wantsPause = true;
  impl_->request.firstSteps = n;
}

QString TrainingJob::setLive(const QString& name, double value) {
  const MutexLock lock(impl_->control);
  const Status status = impl_->trainer ? impl_->trainer->setLive(name.toStdString(), value) : Status(failedPrecondition("the training is being prepared"));
  return status.ok() ? QString() : errorText(status.error());
}

TrainedModelPtr TrainingJob::model() const {
  const auto trainer = impl_->presentTrainer();
  return trainer ? std::make_shared<const TrainedModel>(trainer) : nullptr;
}

QString TrainingJob::documentHash() const {
  const MutexLock lock(impl_->control);
  return impl_->documentHash;
}

bool TrainingJob::stoppedEarly() const {
  const auto trainer = impl_->presentTrainer();
  return hasEnded() && trainer && trainer->stoppedEarly();
}

void TrainingJob::stop() {
  {
    const MutexLock lock(impl_->control);
    if (impl_->trainer && !hasEnded()) impl_->trainer->stop();
    impl_->wantsStop = true;
  }
  if (const auto present = impl_->activeInterceptor()) present->detach();
}

void TrainingJob::attach(std::shared_ptr<StepInterceptor> interceptor) {
  {
    const MutexLock lock(impl_->control);
    impl_->interceptor = interceptor;
  }
  if (hasEnded()) interceptor->trainingEnds({});
}

void TrainingJob::setWatchNan(bool watch) { impl_->watchNan = watch; }

const GraphContentsPtr& TrainingJob::contents() const { return impl_->contents; }

std::shared_ptr<DebugJob> TrainingJob::failedStep() const { return hasEnded() ? impl_->failedStep : nullptr; }

void TrainingJob::traceSteps(qint64 count, qint64 skip) {
  impl_->traceSkip.store(skip);
  impl_->traceLeft.store(count);
}

TracedStepsPtr TrainingJob::takeTrace() {
  const MutexLock lock(impl_->traces);
  return std::exchange(impl_->recorded, nullptr);
}

/// Delivers each sample of possibly thousands of steps, but only the latest position. Everything reported before an event is delivered before it.
void TrainingJob::drain(const TakeSamples& samples, SummaryColumns* summaries, const std::function<void(const TrainEvent&)>& take) {
  // Taken before the samples, so that the samples are at least as new as the events.
  std::vector<TrainEvent> events;
  impl_->events.popAll([&](std::span<TrainEvent> some) { std::move(some.begin(), some.end(), std::back_inserter(events)); });
  {
    const MutexLock lock(impl_->summariesMutex);
    *summaries = std::exchange(impl_->summaries, {});
  }
  impl_->losses.popAll([&](std::span<const widgets::Sample> some) { samples(TrainTag::Loss, some); });
  impl_->accuracies.popAll([&](std::span<const widgets::Sample> some) { samples(TrainTag::Accuracy, some); });
  if (TrainingProgress progress; impl_->progress.take(progress)) take(progress.event());
  for (const TrainEvent& event : events) take(event);
}

bool TrainingJob::takeGradients(QHash<QString, double>& norms) { return impl_->gradients.take(norms); }

bool TrainingJob::hasEnded() const { return impl_->ended.load(std::memory_order_acquire); }

QString TrainingJob::error() const { return impl_->status.ok() ? QString() : errorText(impl_->status.error()); }

std::shared_ptr<const CarriedState> TrainingJob::carriedState() const {
  const auto trainer = impl_->presentTrainer();
  if (!trainer) return nullptr;
  auto state = std::make_shared<CarriedState>();
  state->variables = trainer->session().variables();
  state->step = trainer->step();
  return state;
}

QString TrainingJob::checkpoint() const { return text(impl_->checkpoint); }

bool TrainingJob::tensorJson(const QString& name, QString* json, QString* error) {
  const auto trainer = impl_->presentTrainer();
  if (!trainer) {
    *error = this->error();
    return false;
  }
  const auto values = trainer->session().run({}, {name.toStdString()});
  if (!values.ok()) {
    *error = errorText(values.error());
    return false;
  }
  *json = text(tensorToJson((*values)[0]).dump());
  return true;
}

}  // namespace weft::app
