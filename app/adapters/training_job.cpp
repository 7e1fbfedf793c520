#include "adapters/training_job.h"

#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "adapters/engine_graph.h"
#include "adapters/training_job_impl.h"
#include "adapters/training_server.h"
#include "common/background.h"
#include "support/tensor_json.h"

namespace weft::app {
namespace {
constexpr int kServerPatienceMs = 10000, kServerPollMs = 20;
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

TrainingJob::TrainingJob(GraphContentsPtr contents, TrainRequest request, bool startPaused) : impl_(std::make_unique<Impl>()) {
  impl_->contents = std::move(contents);
  impl_->request = std::move(request);
  for (const auto& [name, value] : impl_->request.set)
    if (name == QLatin1String("device") && !serverAddress(value).isEmpty()) impl_->target = value;
  impl_->wantsPause = startPaused;
  impl_->watchNan = impl_->request.watchNan;
  impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

TrainingJob::~TrainingJob() { waitForEnd(); }

void TrainingJob::waitForEnd() {
  stop();
  if (!impl_->target.isEmpty()) {  // a server may never answer
    for (int waited = 0; waited < kServerPatienceMs && !hasEnded(); waited += kServerPollMs)
      std::this_thread::sleep_for(std::chrono::milliseconds(kServerPollMs));
    abandon();
  }
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
  impl_->connecting.cancel();
  if (const auto present = impl_->activeInterceptor()) present->detach();
}

void TrainingJob::stopForNextRun() {
  impl_->keepsState = true;
  stop();
}

QString TrainingJob::server() const { return serverAddress(impl_->target); }

bool TrainingJob::canStep() const { return impl_->target.isEmpty() || impl_->canStep; }

bool TrainingJob::isConnecting() const { return !impl_->target.isEmpty() && !hasEnded() && !impl_->presentTrainer(); }

void TrainingJob::abandon() {
  const auto trainer = impl_->presentTrainer();
  if (impl_->target.isEmpty() || hasEnded() || !trainer) return;
  impl_->abandoned = true;
  widgets::inBackground([trainer] { trainer->session().close(); });  // tells the server, which takes seconds if it is gone
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

QVector<DoctorNote> TrainingJob::takeFindings() {
  QVector<DoctorNote> out;
  for (DoctorNote note; impl_->findings.pop(note);) out << note;
  return out;
}

bool TrainingJob::hasEnded() const { return impl_->ended.load(std::memory_order_acquire); }

QString TrainingJob::error() const { return impl_->status.ok() ? QString() : errorText(impl_->status.error()); }

std::shared_ptr<const CarriedState> TrainingJob::carriedState() const { return impl_->carried ? impl_->carried : impl_->stateNow(); }

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
