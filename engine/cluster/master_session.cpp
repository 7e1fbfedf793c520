#include "cluster/master_session.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>
#include <set>

#include "cluster/graph_bytes.h"
#include "cluster/messages.h"
#include "cluster/request_ids.h"
#include "cluster/step_stats.h"
#include "rpc/cork.h"
#include "runtime/placement_log.h"
#include "weft/cond_var.h"

namespace weft::cluster {
namespace {

constexpr int64_t kStepBits = (int64_t(1) << 56) - 1;  // TensorFlow's steps have 56 bits; the upper ones are used by collective ops
constexpr size_t kMostPlans = 256;
constexpr int kWakeMs = 10;
constexpr std::chrono::milliseconds kCauseMs(500);  // how long the cause of a derived error is waited for

std::string signatureKey(const Signature& s) {
  std::string key;
  for (const auto* names : {&s.feeds, &s.fetches, &s.targets}) {
    for (const std::string& name : *names) (key += name) += '\n';
    key += '|';
  }
  return key;
}

using Clock = std::chrono::steady_clock;

/// The answers of the workers to one step.
struct Answers {
  Mutex mutex;
  CondVar came;
  size_t open WEFT_GUARDED_BY(mutex) = 0;
  std::atomic<bool> finished{false};    ///< None is open.
  Status first WEFT_GUARDED_BY(mutex);  ///< The first error that did not follow from another one; or, while there is none, a derived one.
  std::map<std::string, Tensor> fetches WEFT_GUARDED_BY(mutex);  ///< By key.
  std::vector<std::string> stats WEFT_GUARDED_BY(mutex);
  Clock::time_point causeUntil WEFT_GUARDED_BY(mutex) = {};  ///< When a derived error ends the other parts too; zero: there was none.
  CancellationToken cancellation;                            ///< Of the step; an error of one task ends the other tasks' parts.

  /// Whether a derived error has waited for its cause long enough.
  bool causeIsLate() WEFT_EXCLUDES(mutex) {
    const MutexLock lock(mutex);
    return causeUntil != Clock::time_point() && Clock::now() > causeUntil;
  }

  void take(const std::string& task, Result<GraphResult> answer) WEFT_EXCLUDES(mutex) {
    const MutexLock lock(mutex);
    if (!answer.ok()) {
      Error error = std::move(answer.error());
      if (error.code == Code::Cancelled && !first.ok() && !isDerived(error)) error.message.insert(0, kDerived);
      const bool derived = isDerived(error);
      error.message.insert(derived ? kDerived.size() : 0, "From " + task + ":\n");
      if (first.ok() || (isDerived(first.error()) && !derived)) first = std::move(error);
      // A derived error may overtake its cause, and ending the other parts at once would end the call that brings it.
      if (!derived) cancellation.cancel();
      else if (causeUntil == Clock::time_point()) causeUntil = Clock::now() + kCauseMs;
    } else {
      for (auto& [key, value] : answer->fetches) fetches.insert_or_assign(key, std::move(value));
      if (!answer->stepStats.empty()) stats.push_back(std::move(answer->stepStats));
    }
    finished = --open == 0;
    came.notify_all();
  }
};

}  // namespace

Status StepRequest::takeOptions(const std::string& bytes) {
  constexpr int kTraceAll = 3;
  pb::RunOptions options;
  if (!options.ParseFromString(bytes)) return invalidArgument("the step's RunOptions cannot be parsed");
  if (!options.debug_options().empty()) return unimplemented("Watched tensors (RunOptions.debug_options) are not supported by this master");
  timeoutMs = options.timeout_in_ms();
  trace = options.trace_level() >= kTraceAll;
  partitionGraphs = options.output_partition_graphs();
  return {};
}

/// A call that ends when the session is closed.
class MasterSession::Running {
 public:
  Running(MasterSession& session, const CancellationToken& cancellation) : session_(session) {
    const MutexLock lock(session_.mutex_);
    number_ = session_.made_++;
    session_.running_.emplace(number_, cancellation);
    if (!session_.closed_.ok()) cancellation.cancel();
  }
  ~Running() {
    const MutexLock lock(session_.mutex_);
    session_.running_.erase(number_);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;

 private:
  MasterSession& session_;
  int64_t number_ = 0;
};

/// A step whose feeds and fetches come in several calls.
struct MasterSession::Partial {
  std::shared_ptr<const Plan> plan;
  int64_t step = 0;
  std::set<std::string> feeds, fetches;  ///< That are still to come.
};

MasterSession::MasterSession(std::string handle, pb::ConfigProto config, std::vector<ClusterDevice> devices, std::map<std::string, std::shared_ptr<Peer>> peers,
                             std::string ownTask)
    : handle_(std::move(handle)), ownTask_(std::move(ownTask)), config_(std::move(config)), devices_(std::move(devices)), peers_(std::move(peers)) {}

MasterSession::~MasterSession() { close(abortedError("Session ", handle_, " is closed")); }

Status MasterSession::create(std::string graphDef, const CancellationToken& cancellation) {
  // All tasks must number loops alike. Those of TensorFlow 2 do it in one way only; the others do as these, if there are any.
  const bool ofParents = std::any_of(devices_.begin(), devices_.end(), [](const ClusterDevice& d) { return d.frameIds == FrameIds::OfParents; });
  const FrameIds frameIds = ofParents ? FrameIds::OfParents : FrameIds::OfNames;
  for (const auto& [task, peer] : peers_) WEFT_TRY(peer->createSession(handle_, config_.isolate_session_state(), frameIds, cancellation));
  const MutexLock lock(mutex_);
  return load(std::move(graphDef));
}

Status MasterSession::load(std::string graphDef) {
  auto loaded = loadGraphBytes(std::make_shared<const std::string>(graphDef), "the session's graph");
  if (!loaded.ok()) return std::move(loaded.error());
  auto graph = std::make_shared<const Graph>(std::move(loaded->meta.graph));
  SessionOptions options;
  options.allowSoftPlacement = config_.allow_soft_placement();
  WEFT_LET(placement_, placeOnCluster(*graph, devices_, options, placement_));
  graph_ = std::move(graph);
  graphDef_ = std::move(graphDef);
  if (config_.log_device_placement()) logPlacement();
  return {};
}

void MasterSession::logPlacement() const {
  std::vector<Placement> placements;
  for (int id = 0; id < int(placement_.size()); ++id)
    if (const int device = placement_[size_t(id)]; device >= 0) placements.push_back({graph_->node(id)->name, devices_[size_t(device)].name, {}});
  writePlacement(placementLines(*graph_, placements));
}

Status MasterSession::extend(const std::string& graphDef, int64_t version) {
  std::map<std::string, std::shared_ptr<const Plan>> dropped;  // freed outside the lock
  const MutexLock lock(mutex_);
  if (!closed_.ok()) return closed_;
  if (version != version_) return failedPrecondition("Current version is ", version_, " but caller expected ", version, ".");
  // Messages that follow one another are one message with the nodes of both.
  WEFT_TRY(load(graphDef_ + graphDef));
  ++version_;
  dropped.swap(plans_);
  return {};
}

int64_t MasterSession::version() const {
  const MutexLock lock(mutex_);
  return version_;
}

Result<std::shared_ptr<const MasterSession::Plan>> MasterSession::planFor(const Signature& signature, const CancellationToken& cancellation) {
  const std::string key = signatureKey(signature);
  std::vector<StepPartition> partitions;
  int64_t version = 0;
  {
    const MutexLock lock(mutex_);
    if (!closed_.ok()) return closed_.error();
    if (const auto it = plans_.find(key); it != plans_.end()) return it->second;
    WEFT_LET(partitions, cut(signature));
    version = version_;
  }
  // Workers are called outside the lock: one that is gone must not hold up the other calls of the session.
  auto plan = registerParts(std::move(partitions), cancellation);
  std::map<std::string, std::shared_ptr<const Plan>> dropped;
  const MutexLock lock(mutex_);
  if (!closed_.ok()) return closed_.error();
  if (!plan.ok() || version != version_) return plan;  // the graph has grown meanwhile; the step may run, but the next one makes a new plan
  if (plans_.size() >= kMostPlans) dropped.swap(plans_);
  plans_[key] = *plan;
  return plan;
}

Result<std::vector<StepPartition>> MasterSession::cut(const Signature& signature) {
  int client = 0;
  while (client < int(devices_.size()) && taskOfDevice(devices_[size_t(client)].name) != ownTask_) ++client;
  Signature once = signature;  // a tensor that is fetched twice is sent once
  once.fetches.clear();
  for (const std::string& fetch : signature.fetches)
    if (std::find(once.fetches.begin(), once.fetches.end(), fetch) == once.fetches.end()) once.fetches.push_back(fetch);
  return partitionStep(*graph_, placement_, devices_, client, once, names_);
}

Result<std::shared_ptr<const MasterSession::Plan>> MasterSession::registerParts(std::vector<StepPartition> partitions, const CancellationToken& cancellation) {
  auto plan = std::make_shared<Plan>(handle_);
  for (StepPartition& partition : partitions) {
    const auto peer = peers_.find(partition.task);
    if (peer == peers_.end()) return internalError("No worker known as ", partition.task);
    Part part;
    part.peer = peer->second;
    auto graph = part.peer->registerGraph(handle_, partition.graph, partition.hasControlFlow, productsOf(config_.graph_options()), cancellation);
    if (!graph.ok()) {
      graph.error().message.insert(0, "From " + partition.task + ":\n");
      return graph.error();
    }
    part.graph = std::move(*graph);
    part.feeds = std::move(partition.feeds);
    part.fetches = std::move(partition.fetches);
    part.whole = std::move(partition.graph);
    plan->parts.push_back(std::move(part));
  }
  return std::shared_ptr<const Plan>(std::move(plan));
}

Result<StepResult> MasterSession::run(const StepRequest& request, const CancellationToken& cancellation) {
  const Running running(*this, cancellation);
  WEFT_LET(const auto plan, planFor(request.signature, cancellation));
  return runParts(*plan, request, newRequestId() & kStepBits, false, false, cancellation);
}

Result<StepResult> MasterSession::runParts(const Plan& plan, const StepRequest& request, int64_t step, bool partial, bool last,
                                           const CancellationToken& cancellation) {
  const auto answers = std::make_shared<Answers>();
  answers->cancellation = cancellation;
  {
    const MutexLock lock(answers->mutex);
    answers->open = plan.parts.size();
    answers->finished = plan.parts.empty();
  }
  if (request.stepped) {
    std::vector<std::shared_ptr<Peer>> peers;
    for (const Part& part : plan.parts) peers.push_back(part.peer);
    request.stepped(step, std::move(peers));
  }
  std::vector<Peer::Stop> stops;
  // The part of this task runs on this thread, so the others start first. It asks for their tensors in the same breath, and then ends the cork.
  std::optional<rpc::Cork> together(std::in_place);
  Peer* only = nullptr;  // the other task, if there is one
  for (const bool own : {false, true}) {
    for (const Part& part : plan.parts) {
      if ((part.peer->task() == ownTask_) != own) continue;
      if (!own) only = plan.parts.size() <= 2 && (!only || only == part.peer.get()) ? part.peer.get() : nullptr;
      GraphRun run;
      run.graph = part.graph;
      run.step = step;
      run.trace = request.trace;
      run.stepped = bool(request.stepped);
      if (!run.stepped) run.timeoutMs = request.timeoutMs > 0 ? request.timeoutMs : config_.operation_timeout_in_ms();
      run.partial = partial;
      run.last = last;
      for (const auto& [tensor, key] : part.feeds) {
        const auto it = std::find(request.signature.feeds.begin(), request.signature.feeds.end(), tensor);
        if (it != request.signature.feeds.end()) run.feeds.emplace_back(key, request.values[size_t(it - request.signature.feeds.begin())]);
      }
      for (const auto& [tensor, key] : part.fetches) {
        if (std::find(request.signature.fetches.begin(), request.signature.fetches.end(), tensor) != request.signature.fetches.end())
          run.fetches.push_back(key);
      }
      stops.push_back(part.peer->start(handle_, run, cancellation,
                                       [answers, task = part.peer->task()](Result<GraphResult> answer) { answers->take(task, std::move(answer)); }));
    }
  }
  together.reset();
  for (bool open = true, stopped = false; open;) {
    if (!only || answers->finished || !only->help(kWakeMs, answers->finished)) {
      const MutexLock lock(answers->mutex);
      if (answers->open > 0) answers->came.wait_for(answers->mutex, std::chrono::milliseconds(kWakeMs));
    }
    open = !answers->finished;
    if (open && !stopped && answers->causeIsLate()) cancellation.cancel();
    if (stopped || !cancellation.cancelled()) continue;
    stopped = true;
    for (const Peer::Stop& stop : stops)
      if (stop) stop();
  }
  Status failed;
  StepResult result;
  {
    const MutexLock lock(answers->mutex);
    failed = answers->first;
    if (failed.ok()) {
      for (const std::string& fetch : request.signature.fetches) {
        for (const Part& part : plan.parts)
          for (const auto& [tensor, key] : part.fetches)
            if (tensor == fetch && answers->fetches.contains(key)) result.fetches.push_back(answers->fetches.at(key));
      }
      if (request.trace) result.metadata = runMetadataOf(answers->stats);
    }
  }
  if (!partial || last || !failed.ok())
    for (const Part& part : plan.parts) part.peer->cleanupStep(step);
  if (!failed.ok()) {
    const MutexLock lock(mutex_);
    return closed_.ok() ? std::move(failed.error()) : closed_.error();
  }
  if (result.fetches.size() != request.signature.fetches.size()) return internalError("A worker did not return all fetches of the step");
  if (request.partitionGraphs)
    for (const Part& part : plan.parts) {
      WEFT_LET(const std::string graphDef, graphBytes(part.whole));
      result.metadata += partitionGraphField(graphDef);
    }
  return result;
}

Result<std::string> MasterSession::partialSetup(const Signature& signature, const CancellationToken& cancellation) {
  const Running running(*this, cancellation);
  WEFT_LET(auto plan, planFor(signature, cancellation));
  const auto partial = std::make_shared<Partial>();
  partial->plan = std::move(plan);
  partial->step = newRequestId() & kStepBits;
  partial->feeds.insert(signature.feeds.begin(), signature.feeds.end());
  partial->fetches.insert(signature.fetches.begin(), signature.fetches.end());
  const MutexLock lock(mutex_);
  const std::string handle = std::to_string(made_++);
  partials_[handle] = partial;
  return handle;
}

Result<StepResult> MasterSession::partialRun(const std::string& handle, const StepRequest& request, const CancellationToken& cancellation) {
  const Running running(*this, cancellation);
  std::shared_ptr<Partial> partial;
  bool last = false;
  {
    const MutexLock lock(mutex_);
    const auto it = partials_.find(handle);
    if (it == partials_.end()) return invalidArgument("Must run 'setup' before performing partial runs!");
    partial = it->second;
    for (const std::string& feed : request.signature.feeds)
      if (!partial->feeds.contains(feed)) return invalidArgument("The feed ", feed, " was not specified in partial_run_setup or has been fed already.");
    for (const std::string& fetch : request.signature.fetches)
      if (!partial->fetches.contains(fetch))
        return invalidArgument("The fetch ", fetch, " was not specified in partial_run_setup or has been fetched already.");
    for (const std::string& feed : request.signature.feeds) partial->feeds.erase(feed);
    for (const std::string& fetch : request.signature.fetches) partial->fetches.erase(fetch);
    last = partial->feeds.empty() && partial->fetches.empty();
    if (last) partials_.erase(it);
  }
  auto result = runParts(*partial->plan, request, partial->step, true, last, cancellation);
  if (!result.ok()) {
    const MutexLock lock(mutex_);
    partials_.erase(handle);
  }
  return result;
}

Result<int64_t> MasterSession::makeCallable(Signature signature, const CancellationToken& cancellation) {
  const Running running(*this, cancellation);
  WEFT_TRY(planFor(signature, cancellation).status());
  const MutexLock lock(mutex_);
  callables_[made_] = std::move(signature);
  return made_++;
}

Result<Signature> MasterSession::callable(int64_t handle) const {
  const MutexLock lock(mutex_);
  const auto it = callables_.find(handle);
  if (it == callables_.end()) return invalidArgument("Attempted to run callable after handle was released: ", handle);
  return it->second;
}

void MasterSession::releaseCallable(int64_t handle) {
  const MutexLock lock(mutex_);
  callables_.erase(handle);
}

void MasterSession::close(Error why) {
  std::map<int64_t, CancellationToken> running;
  std::map<std::string, std::shared_ptr<Partial>> partials;
  std::map<std::string, std::shared_ptr<const Plan>> dropped;
  {
    const MutexLock lock(mutex_);
    if (!closed_.ok()) return;
    closed_ = std::move(why);
    running = running_;
    partials.swap(partials_);
    dropped.swap(plans_);
  }
  for (const auto& [step, cancellation] : running) cancellation.cancel();
  for (const auto& [handle, partial] : partials)
    for (const Part& part : partial->plan->parts) part.peer->cleanupStep(partial->step);
  for (const auto& [task, peer] : peers_) peer->deleteSession(handle_);
}

}  // namespace weft::cluster
