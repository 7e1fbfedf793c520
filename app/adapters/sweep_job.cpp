#include "adapters/sweep_job.h"

#include <atomic>
#include <cmath>
#include <thread>

#include "adapters/edit_parts.h"
#include "adapters/engine_graph.h"
#include "weft/document_parameters.h"
#include "weft/file_system.h"
#include "weft/mutex.h"
#include "weft/sweep_runner.h"

namespace weft::app {

QVector<SweepParameterInfo> sweepParameters(const GraphContents& contents) {
  QVector<SweepParameterInfo> out;
  for (const DocumentParameter& p : documentParameters(contents.engine->loaded.meta)) {
    const QString space = text(textOf(p.proposal));
    out << SweepParameterInfo{SweepParameterInfo::Group(int(p.group)), text(p.name), text(p.value), space.mid(qsizetype(text(p.name).size()) + 1)};
  }
  return out;
}

QStringList sweepMetrics(const GraphContents& contents) {
  QStringList out{text(defaultMetric(contents.engine->loaded.meta).first)};
  for (const char* name : {"test_accuracy", "test_loss", "accuracy", "loss"}) {
    const bool tested = out[0].startsWith(QLatin1String("test_")), accurate = out[0].endsWith(QLatin1String("accuracy"));
    const QLatin1String metric(name);
    if (metric == out[0] || (metric.startsWith(QLatin1String("test_")) && !tested) || (metric.endsWith(QLatin1String("accuracy")) && !accurate)) continue;
    out << metric;
  }
  return out;
}

QString sweepParameterError(const QString& words) {
  const auto p = sweepParameterOf(words.toStdString());
  return p.ok() ? QString() : text(p.error().message);
}

qint64 gridSize(const QStringList& parameters) {
  SweepPlan plan;
  plan.method = SweepMethod::Grid;
  for (const QString& words : parameters) {
    auto p = sweepParameterOf(words.toStdString());
    if (!p.ok()) return 0;
    plan.parameters.push_back(std::move(*p));
  }
  return plan.parameters.empty() ? 0 : runsOf(plan);
}

struct SweepJob::Impl {
  SweepRequest request;
  mutable Mutex mutex;
  std::unique_ptr<ExperimentStore> store;  // of the thread
  std::shared_ptr<SweepRunner> runner WEFT_GUARDED_BY(mutex);
  SweepState state WEFT_GUARDED_BY(mutex);
  bool stopping WEFT_GUARDED_BY(mutex) = false, paused WEFT_GUARDED_BY(mutex) = false;
  std::atomic<quint64> version{0};
  std::thread thread;

  Result<SweepPlan> plan() const {
    SweepPlan plan;
    for (const QString& words : request.parameters) {
      WEFT_LET(SweepParameter p, sweepParameterOf(words.toStdString()));
      plan.parameters.push_back(std::move(p));
    }
    WEFT_LET(plan.method, sweepMethodNamed(request.method.toStdString()));
    WEFT_LET(plan.stop.kind, stopRuleNamed(request.stop.toStdString()));
    plan.runs = request.runs;
    plan.seed = quint64(request.seed);
    std::tie(plan.metric, plan.maximize) = defaultMetric(request.contents->engine->loaded.meta);
    if (!request.metric.isEmpty()) {
      plan.metric = request.metric.toStdString();
      plan.maximize = isMaximized(plan.metric);
    }
    for (const auto& [name, value] : request.fixed) plan.fixed.emplace_back(name.toStdString(), value.toStdString());
    WEFT_TRY(checkPlan(plan));
    // A wrong name or value is reported at once, not by every run.
    LoadedGraph trial = request.contents->engine->loaded;
    WEFT_TRY(setDocumentParameters(trial.meta, trial.problems, plan.fixed));
    if (const Status first = setDocumentParameters(trial.meta, trial.problems, suggestPoint(plan, 0)); !first.ok() && first.code() == Code::NotFound)
      return first;
    return plan;
  }

  Result<ExperimentSweep> sweep() {
    const std::string folder = request.folder.toStdString();
    if (request.continues == 0) {
      WEFT_LET(const SweepPlan made, plan());
      WEFT_TRY(posixFileSystem().makeFolders(folder));
      WEFT_LET(store, ExperimentStore::open(experimentsFileOf(folder)));
      return beginSweep(*store, folder, request.document.toStdString(), made);
    }
    ExperimentStore::Options options;
    options.create = false;
    WEFT_LET(store, ExperimentStore::open(experimentsFileOf(folder), options));
    WEFT_LET(const auto known, store->sweeps());
    for (auto it = known.rbegin(); it != known.rend(); ++it)
      if (it->id == request.continues || (request.continues < 0 && !it->plan.parameters.empty())) return *it;
    return notFound("there is no sweep to continue").inFile(store->path());
  }

  Status work() {
    WEFT_LET(const ExperimentSweep own, sweep());
    SweepOptions options;
    options.parallel = request.parallel;
    options.changed = [this](const ExperimentRun&) { ++version; };
    SweepBody body = trainInProcesses(request.program.toStdString(), request.contents->engine->loaded, request.documentFolder.toStdString());
    WEFT_LET(std::shared_ptr<SweepRunner> made, SweepRunner::create(*store, own, std::move(body), std::move(options)));
    {
      const MutexLock lock(mutex);
      state.sweep = own.id;
      state.name = text(own.name);
      state.metric = text(own.plan.metric);
      state.total = runsOf(own.plan);
      runner = made;
      if (paused) made->pause();
      if (stopping) made->stop();
    }
    ++version;
    return made->run();
  }
};

SweepJob::SweepJob(SweepRequest request) : impl_(std::make_unique<Impl>()) {
  impl_->request = std::move(request);
  impl_->thread = std::thread([d = impl_.get()] {
    const Status status = d->work();
    const MutexLock lock(d->mutex);
    if (!status.ok()) d->state.error = errorText(status.error());
    d->state.phase = !status.ok() ? SweepState::Phase::Failed : d->runner->stopped() ? SweepState::Phase::Stopped : SweepState::Phase::Done;
    ++d->version;
  });
}

SweepJob::~SweepJob() {
  stop();
  impl_->thread.join();
}

void SweepJob::pause() {
  const MutexLock lock(impl_->mutex);
  impl_->paused = true;
  if (impl_->runner) impl_->runner->pause();
}

void SweepJob::resume() {
  const MutexLock lock(impl_->mutex);
  impl_->paused = false;
  if (impl_->runner) impl_->runner->resume();
}

void SweepJob::stop() {
  const MutexLock lock(impl_->mutex);
  impl_->stopping = true;
  if (impl_->runner) impl_->runner->stop();
}

quint64 SweepJob::version() const { return impl_->version; }

SweepState SweepJob::state() const {
  const MutexLock lock(impl_->mutex);
  SweepState s = impl_->state;
  if (impl_->runner) {
    const SweepProgress p = impl_->runner->progress();
    s.total = p.total;
    s.running = p.running;
    s.finished = p.finished;
    s.stoppedEarly = p.stoppedEarly;
    s.failed = p.failed;
    s.bestRun = p.bestRun;
    s.bestValue = p.bestValue;
    s.seconds = p.seconds;
    if (s.isActive()) s.phase = impl_->stopping ? SweepState::Phase::Stopping : impl_->paused ? SweepState::Phase::Paused : SweepState::Phase::Running;
  }
  return s;
}

QString sweepFolder(const QString& document) { return text(sweepFolderOf(document.toStdString())); }
QString experimentsFile(const QString& folder) { return text(experimentsFileOf(folder.toStdString())); }

GraphEdit promoteEdit(const QString& run, const QVector<QPair<QString, QString>>& parameters) {
  return {GraphEdits::tr("Use the parameters of %1").arg(run), [parameters](const EngineGraph& before) {
            LoadedGraph after = before.loaded;
            after.original = nullptr;
            SweepPoint point;
            for (const auto& [name, value] : parameters) point.emplace_back(name.toStdString(), value.toStdString());
            const Status status = setDocumentParameters(after.meta, after.problems, point);
            if (!status.ok()) return EditOutcome{nullptr, errorText(status.error()), {}, {}};
            EditOutcome out;
            out.graph = std::make_shared<const EngineGraph>(std::move(after));
            return out;
          }};
}

}  // namespace weft::app
