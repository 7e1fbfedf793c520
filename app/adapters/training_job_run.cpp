// The thread of a training.
#include <QCoreApplication>
#include <QCryptographicHash>
#include <chrono>
#include <utility>

#include "adapters/engine_graph.h"
#include "adapters/training_job_impl.h"
#include "adapters/training_server.h"
#include "weft/server.h"

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

}  // namespace

TrainOptions TrainingJob::Impl::options() {
  TrainOptions options;
  options.folder = request.documentFolder.toStdString();
  options.resumeFrom = request.resumeFrom.toStdString();
  options.patience = request.patience;
  for (const auto& [name, value] : request.set) {
    if (name != QLatin1String("device")) options.set.emplace_back(name.toStdString(), value.toStdString());
    else if (target.isEmpty()) options.session.defaultDevice = "/device:" + value.toStdString();
  }
  options.session.target = target.toStdString();
  options.session.connecting = connecting;
  options.session.threads = request.threads;
  options.session.memoryLimitFraction = request.memoryFraction;
  if (target.isEmpty()) options.session.memoryLimitBytes = request.stepBytes;
  if (target.isEmpty() && request.recordBytes > 0) options.recording = {1000, request.recordBytes};
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
    // A server runs whole steps, so that nothing can watch their values.
    if (target.isEmpty() && watchNan.load(std::memory_order_relaxed)) run.observers.push_back(&watch);
    if (const auto present = activeInterceptor()) present->prepare(step, ownTrainer(), run);
    if (traceLeft.load(std::memory_order_relaxed) <= 0) return;
    if (traceSkip.load(std::memory_order_relaxed) > 0) traceSkip.fetch_sub(1, std::memory_order_relaxed);
    else run.trace = true;
  };
  options.stepReport = [this](int64_t step, const RunReport& report) { record(step, report); };
  // A server's values are not seen here.
  if (request.doctor && target.isEmpty()) {
    doctor = std::make_unique<TrainingDoctor>(contents->engine->loaded.meta);
    doctor->setListener([this](const DoctorFinding& finding) { findings.push(doctorNote(finding)); });
    doctor->attach(options);
  }
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

std::shared_ptr<const CarriedState> TrainingJob::Impl::stateNow() const {
  const auto present = presentTrainer();
  if (!present) return nullptr;
  auto state = std::make_shared<CarriedState>();
  state->variables = present->session().variables();
  state->step = present->step();
  return state;
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
    const MutexLock lock(control);
    if (!wantsStop || made.status().code() != Code::Cancelled) status = made.status();
    ended.store(true, std::memory_order_release);
    return;
  }
  canStep = !target.isEmpty() && canStepOn(target.toStdString(), connecting).ok();
  bool stopped = false;
  {
    const MutexLock lock(control);
    trainer = std::move(made).value();
    stopped = wantsStop;
    if (wantsPause && request.firstSteps > 0) trainer->runSteps(request.firstSteps);
    else if (wantsPause) trainer->pause();
  }
  if (!stopped) status = ownTrainer().run();
  if (abandoned && status.code() == Code::Cancelled) status = {};
  if (!target.isEmpty() && (status.code() == Code::Unavailable || status.code() == Code::Aborted)) {
    const QString what = status.code() == Code::Aborted ? serverAddress(target) + QStringLiteral(": ")
                                                        : QCoreApplication::translate("Training", "%1 no longer answers: ").arg(serverAddress(target));
    status.error().message = concat(what.toStdString(), status.error().message);
  }
  if (failedStep) {
    failedStep->interceptor()->trainingEnds(status);  // from here on its record can be read
    status = nameNan(std::move(status));
  }
  if (const auto present = activeInterceptor()) present->trainingEnds(status);
  if (computed) pushSummaries(nullptr);
  endRecording();
  checkpoint = ownTrainer().lastCheckpoint();
  if (keepsState && status.ok()) carried = stateNow();
  ended.store(true, std::memory_order_release);
}

}  // namespace weft::app
