#include "weft/session.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "base/log.h"
#include "base/parallel.h"
#include "kernel/cluster_library.h"
#include "kernel/functions.h"
#include "kernel/step_state.h"
#include "runtime/executor.h"
#include "runtime/moved_reads.h"
#include "runtime/placement_log.h"
#include "runtime/session_impl.h"
#include "runtime/stated_shapes.h"
#include "tensor/freed_memory.h"
#include "weft/defects.h"
#include "weft/gpus.h"
#include "weft/mutex.h"
#include "weft/passes.h"
#include "weft/planned_memory.h"

namespace weft {
namespace {

std::atomic<int> activeRuns{0};
std::atomic<int64_t> stepNumber{0};

bool fitsShape(const Shape& fixed, const Shape& given) { return fixed.compatibleWith(given); }

/// Counts a run as active during its lifetime. A run that is alone uses all threads; concurrent runs share the processors.
struct Active {
  Active(std::atomic<int>& session, int threads) : ofSession(session) {
    const int runs = activeRuns.fetch_add(1, std::memory_order_relaxed) + 1;
    ofSession.fetch_add(1);  // before this run reads anything
    const int most = threads > 0 ? threads : defaultParallelism();
    setThreadParallelism(std::clamp(std::max(most, defaultParallelism()) / runs, 1, most));
  }
  ~Active() {
    ofSession.fetch_sub(1);
    activeRuns.fetch_sub(1, std::memory_order_relaxed);
    MovedReads::forgetUnread();
  }
  std::atomic<int>& ofSession;
};

}  // namespace

Status RunState::check() const {
  if (sessionClosed && sessionClosed->load(std::memory_order_relaxed)) return cancelledError("Session has been closed.");
  if (cancelled && cancelled->load(std::memory_order_relaxed))
    return cancelledError("Step was cancelled by an explicit call to `Session::Close()` or by its caller.");
  if (deadlineNs && StepRecorder::now() > deadlineNs) return deadlineExceeded("Timed out waiting for notification");
  return {};
}

Status LocalSession::Impl::init(Graph g) {
  WEFT_LET(SessionGraph kept, sessionGraph(std::move(g)));
  const auto functions = kept.planned->functions;
  {
    const MutexLock lock(mutex);
    graph = std::move(kept.planned);
    stated = std::move(kept.stated);
  }
  int cpus = 1, gpus = -1;
  if (const auto it = options.deviceCount.find("CPU"); it != options.deviceCount.end()) cpus = it->second;
  if (const auto it = options.deviceCount.find("GPU"); it != options.deviceCount.end()) gpus = it->second;
  if (options.threads < 0) return invalidArgument("A session needs at least 0 threads (0: all processors), not ", options.threads);
  if (cpus < 1) return notFound("No CPU devices are available in this process");
  for (int i = 0; i < cpus; ++i) {
    ownDevices.push_back(makeCpuDevice(i, task));
    devices.push_back(ownDevices.back().get());
  }
  int used = 0;
  for (Device* d : physicalDevices()) {
    if (d->type() != "GPU" || (gpus >= 0 && used >= gpus)) continue;
    if (const Status works = d->sync(); !works.ok()) {
      logMessage(LogLevel::Warning, "a new session does without ", d->name(), ": ", works.error().message);
      continue;
    }
    devices.push_back(d);
    ++used;
  }
  if (used > 0) settleGpus();
  // One limit for the process: the engine must leave enough memory for the GUI.
  if (hostAllocator().limit() == 0 && options.memoryLimitFraction > 0) {
    hostAllocator().setLimit(size_t(double(ownDevices.front()->memoryBytes()) * options.memoryLimitFraction));
  }
  state.setProducts(options.products);
  if (options.memoryLimitBytes < 0) return invalidArgument("A memory limit is a number of bytes, not ", options.memoryLimitBytes);
  if (options.memoryLimitBytes > 0 && used > 0 && options.defaultDevice.find("CPU") == std::string::npos) {
    return invalidArgument(
        "A memory limit of ", memoryText(size_t(options.memoryLimitBytes)),
        " counts the memory of the CPU, and this session may use a GPU: ask for /device:CPU:0, or leave out the GPU (device_count) or the limit");
  }
  // Freed blocks count for nothing, but they would be memory all the same.
  if (options.memoryLimitBytes > 0) keepFreedMemory(std::min<size_t>(size_t(options.memoryLimitBytes) / 32, size_t(64) << 20));
  state.setFunctions(functions ? std::make_shared<FunctionRuntime>(functions, devices, options) : nullptr);
  return {};
}

Result<std::vector<Tensor>> LocalSession::Impl::run(Prepared& p, std::span<const Tensor> feeds, const RunOptions& runOptions, RunReport* report,
                                                    const JointStep* joint) {
  if (closed.load(std::memory_order_relaxed)) return cancelledError("Session has been closed.");
  if (feeds.size() != p.feedTypes.size()) {
    return invalidArgument("Expected ", p.feedTypes.size(), " feeds, but got ", feeds.size());
  }
  for (size_t i = 0; i < feeds.size(); ++i) {
    const std::string& name = p.signature.feeds[i];
    if (feeds[i].dtype() != p.feedTypes[i]) {
      return invalidArgument("The ", i, "th value provided for the placeholder `", name, "` has type ", dtypeName(feeds[i].dtype()), ". Expected type ",
                             dtypeName(p.feedTypes[i]))
          .atNode(name.substr(0, name.rfind(':')));
    }
    if (!fitsShape(p.feedShapes[i], feeds[i].shape())) {
      return invalidArgument("Cannot feed value of shape ", feeds[i].shape().toPythonString(), " for Tensor '", name, "', which has shape '",
                             p.feedShapes[i].toPythonString(), "'")
          .atNode(name.substr(0, name.rfind(':')));
    }
  }
  std::shared_ptr<ExecutablePlan> plan = runOptions.controller ? nullptr : p.made(feeds, state.disproved.load(std::memory_order_acquire));
  if (!plan) {
    WEFT_LET(plan, runOptions.controller ? steppingPlanFor(p) : planFor(p, feeds));
  }

  StepState step(joint ? joint->id : stepNumber.fetch_add(1, std::memory_order_relaxed) + 1);
  if (joint) step.meetAt(joint->rendezvous, joint->frameIds);
  RunState runState{step, state};
  runState.cancelled = runOptions.cancellation.flag();
  runState.sessionClosed = &closed;
  runState.controller = runOptions.controller;
  runState.activeRuns = &activeRuns;
  std::optional<MemoryGuard> guard;
  if (options.memoryLimitBytes > 0) {
    makeRoomFor(plan);
    size_t held = variableBytes();
    for (const Tensor& t : feeds) held += t.bytes();
    guard.emplace(size_t(options.memoryLimitBytes), held, step);
    runState.memory = &*guard;
  }
  const int64_t timeout = runOptions.timeoutMs > 0 ? runOptions.timeoutMs : options.operationTimeoutMs;
  if (timeout > 0) runState.deadlineNs = StepRecorder::now() + timeout * 1000000;

  std::shared_ptr<StepTrace> trace;
  std::unique_ptr<StepRecorder> recorder;
  std::vector<RunObserver*> observers = runOptions.observers;
  const std::shared_ptr<const Graph> seen = runOptions.trace || !observers.empty() ? p.seen() : nullptr;  // avoids a second lock for short runs
  std::erase_if(observers, [&](RunObserver* observer) {
    auto* watch = dynamic_cast<ValueWatch*>(observer);
    if (!watch || runState.watch) return watch != nullptr;
    runState.watch = watch;
    runState.userGraph = seen.get();
    return true;
  });
  if (runOptions.trace || !observers.empty()) {
    if (runOptions.trace) trace = std::make_shared<StepTrace>();
    recorder = std::make_unique<StepRecorder>(trace.get(), std::move(observers), *seen);
    runState.recorder = recorder.get();
  }
  const Active active(state.activeRuns, options.threads);
  std::vector<Tensor> fetched;
  Status status;
  {
    const FlushDenormals flush;
    status = plan->run(feeds, fetched, runState);
  }
  // Kernels are only told to stop; the reason is added here.
  if (status.code() == Code::Cancelled) {
    if (Status why = runState.check(); why.code() == Code::DeadlineExceeded) status = std::move(why);
  }
  if (recorder) recorder->finish();
  if (trace && status.ok() && trace->events.empty()) traceConstants(*trace, p, *seen);
  if (report) {
    report->trace = trace;
    report->peakBytes = runState.peakBytes;
  }
  // A step ends when its work on the devices has ended, with the errors that were found there.
  for (Device* d : devices) {
    if (d->place() == 0) continue;
    if (Status late = d->sync(); status.ok()) status = std::move(late);
  }
  if (!status.ok()) return std::move(status.error());
  for (Tensor& t : fetched) {
    if (t.place() == 0) continue;
    WEFT_LET(t, hostTensor(t));
  }
  return fetched;
}

Status LocalSession::Impl::logPlacement(const Session& session) const {
  WEFT_LET(const std::vector<Placement> placements, session.placements());
  writePlacement(placementLines(*session.graph(), placements));
  return {};
}

/// Traces a step whose results are all constants: one event per fetch.
void LocalSession::Impl::traceConstants(StepTrace& trace, const Prepared& p, const Graph& seen) const {
  for (const std::string& fetch : p.signature.fetches) {
    const auto out = seen.findOutput(fetch);
    if (!out.ok() || std::find(p.signature.feeds.begin(), p.signature.feeds.end(), fetch) != p.signature.feeds.end()) continue;
    TraceEvent event;
    event.node = out->node;
    event.name = seen.node(out->node)->name;
    event.op = "Const";
    event.device = devices.front()->name();
    event.endNs = trace.durationNs;
    trace.events.push_back(std::move(event));
  }
}

/// Runs a partial run, on its own thread.
Status LocalSession::Impl::execute(ExecutablePlan& plan, const std::atomic<bool>& cancelled) {
  StepState step(stepNumber.fetch_add(1, std::memory_order_relaxed) + 1);
  RunState runState{step, state};
  runState.cancelled = &cancelled;
  runState.sessionClosed = &closed;
  runState.activeRuns = &activeRuns;
  const Active active(state.activeRuns, options.threads);
  const FlushDenormals flush;
  std::vector<Tensor> none;
  return plan.run({}, none, runState);
}

namespace {

const LocalSession* localOf(const Session& session) { return dynamic_cast<const LocalSession*>(&session); }

/// A signature of a session of this process.
class LocalCallable final : public CallableImpl {
 public:
  LocalCallable(std::shared_ptr<LocalSession::Impl> session, std::shared_ptr<Prepared> prepared)
      : session_(std::move(session)), prepared_(std::move(prepared)) {}
  Result<std::vector<Tensor>> run(std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) override {
    return session_->run(*prepared_, feeds, options, report);
  }
  std::string explain() const override {
    const MutexLock lock(prepared_->mutex);
    std::string out;
    for (const auto& v : prepared_->variants) {
      out += "plan for";
      for (const Shape& s : v.shapes) out += " " + s.toString();
      out += v.anyShapes ? " (any shapes)\n" : "\n";
      out += v.plan->explain();
    }
    return out;
  }

 private:
  const std::shared_ptr<LocalSession::Impl> session_;
  const std::shared_ptr<Prepared> prepared_;
};

}  // namespace

const SessionState* SessionInternals::state(const Session& session) {
  const LocalSession* local = localOf(session);
  return local ? &local->impl()->state : nullptr;
}

std::shared_ptr<const ExecutablePlan> SessionInternals::plan(const Session& session, const Wanted& wanted) {
  const LocalSession* local = localOf(session);
  if (!local) return nullptr;
  const MutexLock lock(local->impl()->mutex);
  const LocalSession::Impl::CachedSignature* newest = nullptr;
  for (const auto& [key, cached] : local->impl()->prepared) {
    const Signature& s = cached.prepared->signature;
    if (wanted(s.fetches, s.targets) && (!newest || newest->lastUse < cached.lastUse)) newest = &cached;
  }
  if (!newest) return nullptr;
  const MutexLock ofPlans(newest->prepared->mutex);
  return newest->prepared->variants.empty() ? nullptr : newest->prepared->variants.back().plan;
}

std::shared_ptr<void> SessionInternals::keepAlive(const Session& session) { return localOf(session)->impl(); }

Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::create(Graph graph, SessionOptions options) {
  if (options.target.empty()) return SessionInternals::create(std::move(graph), std::move(options), {});
  if (!options.target.starts_with("grpc://")) {
    return notFound("No session factory registered for the given session options: {target: \"", options.target,
                    "\"} Registered factories are {DIRECT_SESSION, GRPC_SESSION}.");
  }
  WEFT_LET(ClusterLibrary * library, clusterLibrary());
  return library->connect(std::move(graph), std::move(options));
}

Result<std::unique_ptr<Session>> SessionInternals::create(Graph graph, SessionOptions options, SessionPlace place) {
  auto session = std::make_unique<LocalSession>(std::move(place));
  WEFT_TRY(session->init(std::move(graph), std::move(options)));
  return std::unique_ptr<Session>(std::move(session));
}

LocalSession::LocalSession(SessionPlace place) : impl_(std::make_shared<Impl>(std::move(place))) {}

LocalSession::~LocalSession() {
  close();
  const MutexLock lock(impl_->mutex);
  impl_->prepared.clear();  // the remains of a task's session need no plans; Callables keep theirs
}

Status LocalSession::init(Graph graph, SessionOptions options) {
  WEFT_TRY(checkPassNames(options.disabledPasses));
  // A graph with missing nodes can be opened for viewing, but not run.
  for (int id = 0; id < graph.size(); ++id)
    if (const Node* n = graph.node(id); n && isMissing(*n)) return invalidArgument("The graph refers to '", n->name, "', which it does not have");
  Impl& impl = *impl_;
  impl.options = std::move(options);
  WEFT_TRY(impl.init(std::move(graph)));
  if (impl.options.logDevicePlacement) {
    writePlacement(deviceMapping(impl.devices));
    WEFT_TRY(impl.logPlacement(*this));
  }
  impl.partialRuns = std::make_unique<PartialRuns>(
      PartialRuns::Surroundings{impl.state, impl.devices, impl.placement, impl.options, impl.closed,
                                [&impl](ExecutablePlan& plan, const std::atomic<bool>& cancelled) { return impl.execute(plan, cancelled); }});
  return {};
}

Result<std::string> LocalSession::partialRunSetup(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                                  const std::vector<std::string>& targets) {
  WEFT_LET(auto graph, withoutDisprovedShapes(this->graph(), impl_->state));
  return impl_->partialRuns->setup(std::move(graph), {feeds, fetches, targets});
}

Result<std::vector<Tensor>> LocalSession::partialRun(const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                                     const std::vector<std::string>& fetches) {
  return impl_->partialRuns->run(handle, feeds, fetches);
}

Result<std::vector<Tensor>> LocalSession::run(const std::vector<std::pair<std::string, Tensor>>& feeds, const std::vector<std::string>& fetches,
                                              const std::vector<std::string>& targets, const RunOptions& options, RunReport* report) {
  if (impl_->closed) return cancelledError("Session has been closed.");
  std::vector<std::string> names;
  std::vector<Tensor> values;
  for (const auto& [name, value] : feeds) {
    names.push_back(name);
    values.push_back(value);
  }
  WEFT_LET(const std::shared_ptr<Prepared> p, impl_->prepare(names, fetches, targets));
  return impl_->run(*p, values, options, report);
}

Result<Callable> LocalSession::prepare(const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                       const std::vector<std::string>& targets) {
  WEFT_LET(auto p, impl_->prepare(feeds, fetches, targets));
  return Callable(std::make_shared<LocalCallable>(impl_, std::move(p)));
}

Result<std::vector<Tensor>> Callable::run(std::span<const Tensor> feeds, const RunOptions& options, RunReport* report) const {
  return impl_->run(feeds, options, report);
}

std::string Callable::explain() const { return impl_->explain(); }

std::shared_ptr<const Graph> LocalSession::graph() const {
  const MutexLock lock(impl_->mutex);
  return impl_->graph;
}

Status LocalSession::extend(Graph graph) {
  WEFT_TRY(impl_->extend(std::move(graph)));
  return impl_->options.logDevicePlacement ? impl_->logPlacement(*this) : Status();
}

Status LocalSession::Impl::extend(Graph newer) {
  const MutexLock lock(mutex);
  if (newer.size() < graph->size()) return invalidArgument("The graph has ", newer.size(), " nodes, fewer than the session's ", graph->size());
  for (int i = 0; i < graph->size(); ++i) {
    const Node *a = graph->node(i), *b = newer.node(i);
    if (a && (!b || a->name != b->name)) return invalidArgument("Node ", a->name, " of the session is not in the new graph");
  }
  WEFT_LET(SessionGraph kept, sessionGraph(std::move(newer)));
  if (kept.planned->functions != graph->functions) {
    state.setFunctions(kept.planned->functions ? std::make_shared<FunctionRuntime>(kept.planned->functions, devices, options) : nullptr);
  }
  graph = std::move(kept.planned);
  stated = std::move(kept.stated);
  prepared.clear();
  return {};
}

namespace {

/// A copy in host memory. All threads copy a large one: most of the time goes into pages that nobody has touched before.
Result<Tensor> copyOf(const Tensor& value) {
  if (value.place() != 0) return hostTensor(value);
  constexpr int64_t kGrain = 1 << 20;
  if (sizeOf(value.dtype()) == 0 || value.bytes() <= size_t(kGrain)) return value.clone();
  WEFT_LET(Tensor out, Tensor::allocate(value.dtype(), value.shape()));
  char* to = static_cast<char*>(out.mutableRaw());
  const char* from = static_cast<const char*>(value.raw());
  parallelFor(int64_t(value.bytes()), kGrain, [&](int64_t begin, int64_t end) { std::memcpy(to + begin, from + begin, size_t(end - begin)); });
  return out;
}

}  // namespace

std::map<std::string, Tensor> LocalSession::variables() const {
  std::map<std::string, Tensor> out;
  for (const auto& v : impl_->state.variables()) {
    const MutexLock lock(v->mutex);
    if (!v->value.hasValue()) continue;
    auto copy = copyOf(v->value);
    if (copy.ok()) out[v->name] = std::move(*copy);
  }
  return out;
}

Status LocalSession::setVariable(const std::string& name, const Tensor& value) {
  auto named = [&]() -> std::shared_ptr<Variable> {
    for (const auto& v : impl_->state.variables())
      if (v->name == name) return v;
    return nullptr;
  };
  std::shared_ptr<Variable> v = named();
  const auto snapshot = graph();
  if (const Node* node = v ? nullptr : snapshot->find(name); node && isVariable(*node)) {
    WEFT_TRY(run({}, {}, {name}, {}, nullptr).status());  // making the node's kernel creates the variable
    v = named();
  }
  if (v) {
    const MutexLock lock(v->mutex);
    if (v->dtype != DType::Invalid && v->dtype != value.dtype()) {
      return invalidArgument("Variable ", name, " holds ", dtypeName(v->dtype), ", not ", dtypeName(value.dtype()));
    }
    if (!v->disproved && !v->shape.compatibleWith(value.shape())) {
      return invalidArgument("Variable ", name, " has shape ", v->shape.toString(), ", not ", value.shape().toString());
    }
    const int place = v->value.place();
    if (place == 0) {
      WEFT_LET(v->value, value.clone());
      return {};
    }
    for (Device* d : impl_->devices) {
      if (d->place() != place) continue;
      WEFT_LET(v->value, d->fromHost(value));
      return d->sync();
    }
    return internalError("Variable ", name, " lies on a device that this session does not have");
  }
  return notFound("No variable ", name, " in this session");
}

std::map<std::string, std::string> LocalSession::opStates() const { return impl_->state.saveStreams(); }
void LocalSession::restoreOpStates(const std::map<std::string, std::string>& states) { impl_->state.restoreStreams(states); }

std::vector<std::string> LocalSession::devices() const {
  std::vector<std::string> out;
  for (Device* d : impl_->devices) out.push_back(d->name());
  return out;
}

Result<std::vector<Placement>> LocalSession::placements() const {
  const auto snapshot = graph();
  return impl_->placement.all(*snapshot, impl_->devices, impl_->options);
}

void LocalSession::close() { impl_->closed = true; }

std::string engineVersion() { return WEFT_VERSION; }

}  // namespace weft
