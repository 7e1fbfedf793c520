#include "cluster/worker.h"

#include <algorithm>
#include <thread>

#include "cluster/graph_bytes.h"
#include "cluster/step_stats.h"
#include "rpc/cork.h"
#include "weft/cond_var.h"

namespace weft::cluster {

/// A run whose feeds come in several calls, on a thread of its own.
struct Worker::Partial {
  std::shared_ptr<PartitionRunner> runner;
  std::shared_ptr<StepRendezvous> rendezvous;
  CancellationToken cancellation;
  std::thread thread;
  Mutex mutex;
  CondVar changed;
  bool ended WEFT_GUARDED_BY(mutex) = false;
  Status status WEFT_GUARDED_BY(mutex);
  std::map<std::string, Result<Received>> arrived WEFT_GUARDED_BY(mutex);
};

namespace {

Error notValid(const std::string& key) {
  const auto parsed = RendezvousKey::parse(key);
  return invalidArgument("The tensor returned for ", parsed.ok() ? parsed->tensor : std::string_view(key), " was not valid.");
}

}  // namespace

Worker::Worker(std::shared_ptr<TaskServer> task, Addresses addresses, SessionOptions options)
    : task_(std::move(task)), tasks_(std::make_shared<TaskChannels>(std::move(addresses))), options_(std::move(options)) {}

Worker::~Worker() {
  std::vector<int64_t> partial;
  std::vector<std::shared_ptr<StepRendezvous>> steps;  // those who wait are called outside the lock
  {
    const MutexLock lock(mutex_);
    for (const auto& [step, rendezvous] : steps_) steps.push_back(rendezvous);
    for (const auto& [step, run] : partials_) partial.push_back(step);
  }
  for (const auto& rendezvous : steps) rendezvous->abort(abortedError("The task ", name(), " was shut down"));
  for (const int64_t step : partial) endPartial(step);
}

Status Worker::createSession(const std::string& handle, bool isolated, std::optional<FrameIds> frameIds, std::shared_ptr<TaskChannels> tasks) {
  auto nodes = std::make_shared<WorkerSession>(*task_, options_, isolated, frameIds);
  const MutexLock lock(mutex_);
  sessions_.try_emplace(handle, Session{std::move(nodes), tasks ? std::move(tasks) : tasks_});
  return {};
}

void Worker::deleteSession(const std::string& handle) {
  std::vector<Registered> dying;  // plans are freed outside the lock
  const MutexLock lock(mutex_);
  sessions_.erase(handle);
  for (auto it = graphs_.begin(); it != graphs_.end();) {
    if (it->second.session == handle) {
      dying.push_back(std::move(it->second));
      it = graphs_.erase(it);
    } else {
      ++it;
    }
  }
}

Error Worker::unknownSession(const std::string& handle) const {
  return abortedError("Session handle is not found: ", handle, ". Possibly this worker (\"", name(), "\") just restarted.");
}

Result<Worker::Session> Worker::sessionOf(const std::string& handle, bool created) {
  {
    const MutexLock lock(mutex_);
    if (const auto it = sessions_.find(handle); it != sessions_.end()) return it->second;
  }
  if (created) return unknownSession(handle);
  WEFT_TRY(createSession(handle, false, {}, nullptr));
  const MutexLock lock(mutex_);
  return sessions_[handle];
}

Result<std::string> Worker::registerGraph(const std::string& session, Graph graph, ProductPrecision products, bool created) {
  WEFT_LET(const Session of, sessionOf(session, created));
  WEFT_LET(auto runner, PartitionRunner::create(of.nodes, graph, products));
  const MutexLock lock(mutex_);
  char handle[20];
  std::snprintf(handle, sizeof(handle), "%016llx", static_cast<unsigned long long>(++graphsMade_));
  graphs_[handle] = {std::move(runner), std::move(graph), session, of.tasks};
  return std::string(handle);
}

Status Worker::deregisterGraph(const std::string& graph) {
  Registered dying;
  const MutexLock lock(mutex_);
  const auto it = graphs_.find(graph);
  if (it == graphs_.end()) return abortedError("Graph handle is not found: ", graph, ". Possibly, this worker just restarted.");
  dying = std::move(it->second);
  graphs_.erase(it);
  return {};
}

Result<std::string> Worker::graphDef(const std::string& graph) {
  Graph known;
  {
    const MutexLock lock(mutex_);
    if (const auto it = graphs_.find(graph); it != graphs_.end()) known = it->second.graph;
  }
  return graphBytes(known);
}

std::shared_ptr<StepRendezvous> Worker::rendezvousOf(int64_t step) {
  const MutexLock lock(mutex_);
  auto& rendezvous = steps_[step];
  if (!rendezvous) rendezvous = std::make_shared<StepRendezvous>(step, task_->name());
  return rendezvous;
}

Result<GraphResult> Worker::run(const GraphRun& run, const CancellationToken& cancellation) {
  Registered graph;
  {
    const MutexLock lock(mutex_);
    if (!run.session.empty() && !sessions_.contains(run.session)) return unknownSession(run.session);
    const auto it = graphs_.find(run.graph);
    if (it == graphs_.end()) return abortedError("Graph handle is not found: ", run.graph, ". Possibly, this worker just restarted.");
    graph = it->second;
  }
  if (run.partial) {
    rpc::Cork::end();
    return runPart(run, graph, cancellation);
  }
  Session session;
  if (run.stepped) {
    WEFT_LET(session, sessionOf(graph.session, true));
  }
  PartitionRunner::Step step;
  step.id = run.step;
  const auto rendezvous = rendezvousOf(run.step);
  rendezvous->begin(graph.tasks);
  step.rendezvous = rendezvous;
  RunOptions options;
  options.cancellation = cancellation;
  options.trace = run.trace;
  options.timeoutMs = run.timeoutMs;
  RunReport report;
  std::shared_ptr<SteppedPart> part;
  if (run.stepped) {
    part = std::make_shared<SteppedPart>(session.nodes, cancellation);
    addPart(run.step, part);
    options.controller = part.get();
  }
  if (part || !graph.runner->asksFirst()) rpc::Cork::end();  // else what was gathered goes with what is asked for
  auto ran = graph.runner->run(step, run.feeds, run.fetches, options, run.trace ? &report : nullptr);
  if (part) part->ended(ran.status());
  rendezvous->end();
  stepsDone_.fetch_add(1, std::memory_order_relaxed);
  if (!ran.ok()) return std::move(ran.error());
  auto values = std::move(*ran);
  GraphResult result;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].dead) return notValid(run.fetches[i]);
    result.fetches.emplace_back(run.fetches[i], std::move(values[i].value));
  }
  if (report.trace) result.stepStats = stepStatsOf(*report.trace, graph.graph);
  return result;
}

Result<GraphResult> Worker::runPart(const GraphRun& run, const Registered& graph, const CancellationToken& cancellation) {
  std::shared_ptr<Partial> partial;
  {
    const auto rendezvous = rendezvousOf(run.step);
    const MutexLock lock(mutex_);
    std::shared_ptr<Partial>& known = partials_[run.step];
    if (!known) {
      known = std::make_shared<Partial>();
      known->runner = graph.runner;
      known->rendezvous = rendezvous;
      rendezvous->begin(graph.tasks);
      known->thread = std::thread([known, step = run.step] {
        RunOptions options;
        options.cancellation = known->cancellation;
        Status status = known->runner->run({step, known->rendezvous}, options);
        known->rendezvous->end();
        const MutexLock ended(known->mutex);
        known->status = std::move(status);
        known->ended = true;
        known->changed.notify_all();
      });
    }
    partial = known;
  }
  Status failed;
  for (const auto& [key, value] : run.feeds)
    if (failed.ok()) failed = partial->rendezvous->send(key, value, false);
  for (const std::string& key : run.fetches) {
    partial->rendezvous->receive(key, [partial, key](Result<Received> received) {
      const MutexLock lock(partial->mutex);
      partial->arrived.insert_or_assign(key, std::move(received));
      partial->changed.notify_all();
    });
  }
  GraphResult result;
  {
    const MutexLock lock(partial->mutex);
    const auto complete = [&]() WEFT_REQUIRES(partial->mutex) {
      if (run.last && !partial->ended) return false;
      return std::all_of(run.fetches.begin(), run.fetches.end(),
                         [&](const std::string& key) WEFT_REQUIRES(partial->mutex) { return partial->arrived.contains(key); });
    };
    while (failed.ok() && !complete() && !(partial->ended && !partial->status.ok())) {
      partial->changed.wait_for(partial->mutex, std::chrono::milliseconds(10));
      if (cancellation.cancelled()) failed = cancelledError("The partial run was cancelled");
    }
    if (failed.ok() && partial->ended) failed = partial->status;
    for (const std::string& key : run.fetches) {
      if (!failed.ok()) break;
      Result<Received>& received = partial->arrived.at(key);
      if (!received.ok()) failed = received.status();
      else if (received->dead) failed = notValid(key);
      else result.fetches.emplace_back(key, std::move(received->value));
    }
    for (const std::string& key : run.fetches) partial->arrived.erase(key);
  }
  if (run.last || !failed.ok()) endPartial(run.step);
  if (!failed.ok()) return std::move(failed.error());
  return result;
}

void Worker::endPartial(int64_t step) {
  std::shared_ptr<Partial> partial;
  {
    const MutexLock lock(mutex_);
    const auto it = partials_.find(step);
    if (it == partials_.end()) return;
    partial = std::move(it->second);
    partials_.erase(it);
  }
  partial->cancellation.cancel();
  partial->rendezvous->abort(cancelledError("The partial run has ended"));
  partial->thread.join();
}

void Worker::addPart(int64_t step, std::shared_ptr<SteppedPart> part) {
  const MutexLock lock(mutex_);
  parts_[step] = std::move(part);
}

std::shared_ptr<SteppedPart> Worker::findPart(int64_t step) {
  const MutexLock lock(mutex_);
  const auto it = parts_.find(step);
  return it == parts_.end() ? nullptr : it->second;
}

Result<pb::PartResponse> Worker::part(const pb::PartRequest& request, const CancellationToken& cancellation) {
  std::shared_ptr<SteppedPart> part = findPart(request.step());
  while (!part) {
    if (request.kind() != pb::PartRequest::NEXT) return notFound("The step ", request.step(), " is not in the debugger");
    if (cancellation.cancelled()) return cancelledError("Nobody waits for the step to begin any more");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    part = findPart(request.step());
  }
  return part->answer(request, cancellation);
}

Rendezvous::Cancel Worker::receive(int64_t step, const std::string& key, Rendezvous::Done done) {
  const auto parsed = RendezvousKey::parse(key);
  if (!parsed.ok()) {
    done(parsed.error());
    return {};
  }
  for (const TaskDevice& device : devices()) {
    if (device.name != parsed->sendDevice) continue;
    if (device.incarnation != parsed->incarnation) {
      done(abortedError("RecvTensor expects a different device incarnation: ", parsed->incarnation, " vs. ", device.incarnation, ". Your worker job (\"",
                        name(), "\") was probably restarted. Check your worker job for the reason why it was restarted."));
      return {};
    }
    return rendezvousOf(step)->receiveHere(key, std::move(done));
  }
  done(internalError("Device ", parsed->sendDevice, " is not of task ", name()));
  return {};
}

void Worker::report(TaskReport& report) const {
  std::vector<std::shared_ptr<StepRendezvous>> steps;
  {
    const MutexLock lock(mutex_);
    report.sessions = int64_t(sessions_.size());
    report.graphs = int64_t(graphs_.size());
    for (const auto& [step, rendezvous] : steps_) steps.push_back(rendezvous);
  }
  report.stepsDone = stepsDone_.load(std::memory_order_relaxed);
  for (const auto& rendezvous : steps)
    if (auto step = rendezvous->running()) report.steps.push_back(std::move(*step));
  std::sort(report.steps.begin(), report.steps.end(), [](const RunningStep& a, const RunningStep& b) { return a.seconds > b.seconds; });
  for (QueueState& queue : queueStates(*task_))
    if (queue.waitingEnqueues > 0 || queue.waitingDequeues > 0) report.queues.push_back(std::move(queue));
}

void Worker::cleanupStep(int64_t step) {
  endPartial(step);
  std::shared_ptr<StepRendezvous> rendezvous;
  {
    const MutexLock lock(mutex_);
    parts_.erase(step);
    const auto it = steps_.find(step);
    if (it == steps_.end()) return;
    rendezvous = std::move(it->second);
    steps_.erase(it);
  }
  rendezvous->abort(abortedError("Cleanup ", step));
}

}  // namespace weft::cluster
