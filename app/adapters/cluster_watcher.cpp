#include "adapters/cluster_watcher.h"

#include <QRegularExpression>
#include <chrono>
#include <thread>

#include "adapters/engine_graph.h"
#include "weft/cluster_status.h"
#include "weft/cond_var.h"
#include "weft/mutex.h"
#include "weft/session.h"

namespace weft::app {
namespace {

constexpr int64_t kAnswerMs = 800;
constexpr std::chrono::milliseconds kBetween{1000};

ClusterTask taskOf(const TaskStatus& status) {
  ClusterTask task;
  task.name = shortTaskName(text(status.name));
  task.job = task.name.section(u':', 0, 0);
  task.address = text(status.address);
  task.state = status.state == TaskStatus::State::Answers  ? ClusterTask::State::Answers
               : status.state == TaskStatus::State::Silent ? ClusterTask::State::Silent
                                                           : ClusterTask::State::Listed;
  task.problem = text(status.problem);
  task.isTarget = status.isTarget;
  for (const TaskDevice& device : status.devices) {
    const QString name = text(device.name);
    task.devices << ClusterDevice{name.mid(name.lastIndexOf(QLatin1String("device:")) + 7), text(device.type), qint64(device.memoryBytes)};
  }
  task.restarts = status.restarts;
  task.sinceRestart = status.sinceRestart;
  task.sinceAnswer = status.sinceAnswer;
  if (!status.report) return task;
  const TaskReport& report = *status.report;
  task.isWeft = true;
  task.version = text(report.version);
  task.uptime = report.uptimeSeconds;
  task.resident = report.residentBytes;
  task.sessions = report.sessions;
  task.clients = report.clients;
  task.graphs = report.graphs;
  task.stepsDone = report.stepsDone;
  for (const RunningStep& running : report.steps) {
    ClusterStep step;
    step.seconds = running.seconds;
    step.waitsInAll = running.awaitedInAll;
    for (const AwaitedTensor& awaited : running.awaited) step.waits << ClusterWait{shortTaskName(text(awaited.from)), text(awaited.tensor), awaited.seconds};
    task.steps << step;
  }
  for (const QueueState& queue : report.queues) {
    if (queue.waitingDequeues > 0) task.queuesNotFull << text(queue.name);
    if (queue.waitingEnqueues > 0) task.queuesFull << text(queue.name);
  }
  for (const auto& [name, seconds] : report.missing) {
    task.missing << shortTaskName(text(name));
    task.missingSeconds = std::max(task.missingSeconds, seconds);
  }
  return task;
}

}  // namespace

QString shortTaskName(const QString& name) {
  static const QRegularExpression pattern(QStringLiteral("^/job:([^/]+)/(?:replica:\\d+/)?task:(\\d+)$"));
  const auto match = pattern.match(name);
  return match.hasMatch() ? match.captured(1) + u':' + match.captured(2) : name;
}

struct ClusterWatcher::Shared {
  Mutex mutex;
  CondVar changed;
  bool active WEFT_GUARDED_BY(mutex) = false, ended WEFT_GUARDED_BY(mutex) = false, now WEFT_GUARDED_BY(mutex) = false;
  std::string target WEFT_GUARDED_BY(mutex);
  ClusterJobs known WEFT_GUARDED_BY(mutex);
  CancellationToken look WEFT_GUARDED_BY(mutex);  // of the present one
  ClusterFacts facts WEFT_GUARDED_BY(mutex);
  int generation WEFT_GUARDED_BY(mutex) = 0;  // of `target` and `known`
  std::thread thread;                         // GUI thread's
};

ClusterWatcher::ClusterWatcher(QObject* parent) : QObject(parent), shared_(std::make_shared<Shared>()) {}

ClusterWatcher::~ClusterWatcher() {
  {
    const MutexLock lock(shared_->mutex);
    shared_->ended = true;
    shared_->look.cancel();
    shared_->changed.notify_all();
  }
  if (shared_->thread.joinable()) shared_->thread.join();  // it polls its token every 10 ms
}

bool ClusterWatcher::isActive() const {
  const MutexLock lock(shared_->mutex);
  return shared_->active;
}

void ClusterWatcher::start(const QString& target, const ClusterJobs& known) {
  {
    const MutexLock lock(shared_->mutex);
    const std::string fresh = target.toStdString();
    if (fresh != shared_->target || known != shared_->known) {
      shared_->target = fresh;
      shared_->known = known;
      ++shared_->generation;
      shared_->look.cancel();
      shared_->facts = {};
      facts_ = {};
    } else if (shared_->active) {
      return;
    }
    shared_->active = true;
    shared_->changed.notify_all();
  }
  if (!shared_->thread.joinable()) shared_->thread = std::thread([shared = shared_, this] { work(shared, this); });
}

void ClusterWatcher::stop() {
  const MutexLock lock(shared_->mutex);
  shared_->active = false;
  shared_->look.cancel();
  shared_->changed.notify_all();
}

void ClusterWatcher::lookNow() {
  const MutexLock lock(shared_->mutex);
  shared_->now = true;
  shared_->changed.notify_all();
}

void ClusterWatcher::take() {
  {
    const MutexLock lock(shared_->mutex);
    facts_ = shared_->facts;
  }
  emit looked();
}

void ClusterWatcher::work(const std::shared_ptr<Shared>& shared, ClusterWatcher* receiver) {
  std::unique_ptr<ClusterWatch> watch;
  std::string problem;
  int present = -1;
  while (true) {
    std::string target;
    ClusterJobs known;
    CancellationToken token;
    int generation = 0;
    {
      const MutexLock lock(shared->mutex);
      while (!shared->active && !shared->ended) shared->changed.wait(shared->mutex);
      if (shared->ended) return;
      target = shared->target;
      known = shared->known;
      generation = shared->generation;
      shared->look = token;
      shared->now = false;
    }
    if (generation != present) {
      auto made = ClusterWatch::start(target, known);
      watch = made.ok() ? std::move(*made) : nullptr;
      problem = made.ok() ? std::string() : made.error().message;
      present = generation;
    }
    ClusterFacts facts;
    facts.address = text(target).mid(QLatin1String("grpc://").size());
    facts.problem = text(problem);
    if (watch) {
      const ClusterStatus status = watch->look(kAnswerMs, token);
      for (const TaskStatus& task : status.tasks) facts.tasks << taskOf(task);
      facts.waitsForTasks = status.waitsForTasks;
    }
    const MutexLock lock(shared->mutex);
    if (shared->ended) return;
    if (token.cancelled() || generation != shared->generation) continue;
    shared->facts = std::move(facts);
    QMetaObject::invokeMethod(receiver, "take", Qt::QueuedConnection);  // the receiver joins this thread before it goes
    const auto until = std::chrono::steady_clock::now() + kBetween;
    while (shared->active && !shared->ended && !shared->now && generation == shared->generation) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
      if (left.count() <= 0) break;
      shared->changed.wait_for(shared->mutex, left);
    }
  }
}

}  // namespace weft::app
