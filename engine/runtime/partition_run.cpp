#include "runtime/partition_run.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "runtime/partition_edges.h"
#include "runtime/partition_step.h"
#include "runtime/session_impl.h"
#include "runtime/stepping_run.h"
#include "runtime/trace_metadata.h"

namespace weft {
namespace {

/// Graphs of TensorFlow 2.4 and later, whose executor numbers frames by their parents.
constexpr int kProducerWithParentIds = 500;

std::vector<std::string> keysOf(const std::vector<PartitionEdge>& edges) {
  std::vector<std::string> keys;
  for (const PartitionEdge& e : edges) keys.push_back(e.key);
  return keys;
}

std::unordered_map<std::string, size_t> positionsOf(const std::vector<std::string>& keys) {
  std::unordered_map<std::string, size_t> positions;
  for (size_t i = 0; i < keys.size(); ++i) positions.emplace(keys[i], i);
  return positions;
}

/// The position of `key`, probably `guess`; the number of keys if it is none of them.
size_t positionOf(const std::string& key, size_t guess, const std::vector<std::string>& keys, const std::unordered_map<std::string, size_t>& positions) {
  if (guess < keys.size() && keys[guess] == key) return guess;
  const auto it = positions.find(key);
  return it == positions.end() ? keys.size() : it->second;
}

}  // namespace

WorkerSession::WorkerSession(TaskServer& task, SessionOptions options, bool isolated, std::optional<FrameIds> frameIds)
    : task_(task),
      options_(std::move(options)),
      frameIds_(frameIds),
      resources_(isolated ? std::make_shared<SessionState>() : task.state_),
      nodes_(std::make_shared<SessionState>()) {}

FrameIds WorkerSession::frameIdsOf(const Graph& graph) const {
  return frameIds_ ? *frameIds_ : graph.versions.producer < kProducerWithParentIds ? FrameIds::OfNames : FrameIds::OfParents;
}

Result<std::unique_ptr<Session>> WorkerSession::sessionOf(const Graph& graph, ProductPrecision products) const {
  SessionOptions options = options_;
  options.products = products;
  options.target.clear();
  options.deviceCount = task_.options_.deviceCount;
  options.allowSoftPlacement = true;  // the master has placed the nodes, but may know kernels that this task lacks
  options.operationTimeoutMs = 0;     // the master's business
  WEFT_LET(auto made, SessionInternals::create(graph, std::move(options), {task_.name(), resources_, nodes_}));
  if (graph.functions) task_.keep(*made);
  return made;
}

Result<Tensor> WorkerSession::variable(const std::string& name) const { return dataflow::variableNow(*resources_, name); }
Status WorkerSession::setVariable(const std::string& name, const Tensor& value, bool isReference) const {
  return dataflow::setVariableNow(*resources_, name, value, isReference);
}

struct PartitionRunner::Impl {
  enum class Kind { OnePlan, TwoStages, Dataflow };
  /// A session and its plans, which hold the variables that the task had when they were made.
  struct Plans {
    std::unique_ptr<Session> owner;
    LocalSession::Impl* session = nullptr;
    uint64_t clearings = 0;
    std::shared_ptr<Prepared> all;          ///< Everything.
    std::shared_ptr<Prepared> early, late;  ///< The two stages; `early` is null if no send waits for nothing.
  };
  using PlansPtr = std::shared_ptr<const Plans>;
  using Feeds = std::span<const std::pair<std::string, Tensor>>;
  using Fetched = Result<std::vector<Received>>;

  Impl(std::shared_ptr<const WorkerSession> s, Graph g);
  Result<std::shared_ptr<Plans>> makePlans(const Graph& from) const;
  /// The graph with feeds, and fetches if `fetchesDirectly`.
  Result<PlansPtr> makeFed() const;
  /// The graph as it was registered: for dead tensors, and for feeds that come piecemeal.
  Result<PlansPtr> makeWhole() const;
  Result<PlansPtr> current(PlansPtr& kept, Result<PlansPtr> (Impl::*make)() const) WEFT_REQUIRES(mutex);
  Result<PlansPtr> fedPlans() WEFT_EXCLUDES(mutex);
  Result<PlansPtr> wholePlans() WEFT_EXCLUDES(mutex);

  Fetched run(const Step& step, Feeds feeds, std::span<const std::string> fetches, const RunOptions& options, RunReport* report);
  Fetched runStages(const Plans& plans, const Step& step, std::vector<Tensor> feeds, std::span<const std::string> fetches, const RunOptions& options,
                    RunReport* report);
  Fetched runLateDead(const Step& step, std::vector<Tensor> feeds, std::vector<Received> received, std::span<const std::string> fetches,
                      const RunOptions& options, RunReport* report);
  Status runWhole(const Step& step, const RunOptions& options, RunReport* report);
  LocalSession::Impl::JointStep joint(const Step& step, Rendezvous* rendezvous) const { return {step.id, rendezvous, frameIds}; }
  /// The caller's choice among the fetched values.
  Fetched chosen(std::vector<Tensor> values, std::span<const std::string> fetches) const;

  const std::shared_ptr<const WorkerSession> session;
  const Graph graph;
  const PartitionEdges edges;
  const std::vector<std::string> targets, feedKeys, fetchKeys;
  const std::unordered_map<std::string, size_t> feedAt, fetchAt;
  const FrameIds frameIds;
  const PartitionStages stages;
  const Kind kind;
  ProductPrecision products = ProductPrecision::Float32;
  const bool fetchesDirectly;               ///< As fetches of the plan rather than by its Sends.
  std::unordered_set<std::string> callers;  ///< Keys of the caller's edges.
  std::unordered_set<std::string> given;    ///< These, and keys of the receives.

  Mutex mutex;
  PlansPtr fed WEFT_GUARDED_BY(mutex), whole WEFT_GUARDED_BY(mutex);
};

namespace {

/// Whether a plan can fetch what the caller's Sends send. It cannot say that a fetch is dead.
bool canFetch(const Graph& graph, const PartitionEdges& edges) {
  return !edges.mayBeDead &&
         std::all_of(edges.fetches.begin(), edges.fetches.end(), [&](const PartitionEdge& e) { return graph.node(e.node)->controls.empty(); });
}

}  // namespace

PartitionRunner::Impl::Impl(std::shared_ptr<const WorkerSession> s, Graph g)
    : session(std::move(s)),
      graph(std::move(g)),
      edges(graph),
      targets(partitionTargets(graph)),
      feedKeys(keysOf(edges.feeds)),
      fetchKeys(keysOf(edges.fetches)),
      feedAt(positionsOf(feedKeys)),
      fetchAt(positionsOf(fetchKeys)),
      frameIds(session->frameIdsOf(graph)),
      stages(edges.receives.empty() ? PartitionStages{} : partitionStages(graph, edges, targets)),
      kind(edges.receives.empty() ? Kind::OnePlan
           : stages.possible      ? Kind::TwoStages
                                  : Kind::Dataflow),
      fetchesDirectly(kind != Kind::Dataflow && canFetch(graph, edges)),
      callers(feedKeys.begin(), feedKeys.end()) {
  callers.insert(fetchKeys.begin(), fetchKeys.end());
  given = callers;
  for (const PartitionEdge& e : edges.receives) given.insert(e.key);
}

Result<std::shared_ptr<PartitionRunner::Impl::Plans>> PartitionRunner::Impl::makePlans(const Graph& from) const {
  auto plans = std::make_shared<Plans>();
  plans->clearings = session->resources().clearings();
  WEFT_LET(plans->owner, session->sessionOf(from, products));
  plans->session = static_cast<LocalSession&>(*plans->owner).impl().get();
  return plans;
}

Result<PartitionRunner::Impl::PlansPtr> PartitionRunner::Impl::makeFed() const {
  // What is fed holds nothing up.
  std::vector<PartitionEdge> fedEdges = edges.feeds;
  if (kind == Kind::TwoStages) fedEdges.insert(fedEdges.end(), edges.receives.begin(), edges.receives.end());
  WEFT_LET(const Graph free, withoutControlsFrom(graph, fedEdges));
  WEFT_LET(const std::shared_ptr<Plans> plans, makePlans(free));

  std::vector<std::string> feeds, fetches, asked = kind == Kind::TwoStages ? stages.late : targets;
  for (const PartitionEdge& e : edges.feeds) feeds.push_back(e.name + ":0");
  if (!stages.early.empty()) {
    WEFT_LET(plans->early, plans->session->prepare(feeds, {}, stages.early));
  }
  for (size_t i = feeds.size(); i < fedEdges.size(); ++i) feeds.push_back(fedEdges[i].name + ":0");
  for (const PartitionEdge& e : fedEdges) std::erase(asked, e.name);
  for (const PartitionEdge& e : edges.fetches) {
    if (!fetchesDirectly) break;
    fetches.push_back(graph.tensorName(graph.node(e.node)->inputs[0]));
    std::erase(asked, e.name);
  }
  std::shared_ptr<Prepared>& prepared = kind == Kind::TwoStages ? plans->late : plans->all;
  WEFT_LET(prepared, plans->session->prepare(feeds, fetches, asked));
  return PlansPtr(plans);
}

Result<PartitionRunner::Impl::PlansPtr> PartitionRunner::Impl::makeWhole() const {
  WEFT_LET(const std::shared_ptr<Plans> plans, makePlans(graph));
  WEFT_LET(plans->all, plans->session->prepare({}, {}, targets));
  if (kind == Kind::TwoStages) {
    WEFT_LET(plans->late, plans->session->prepare({}, {}, stages.late));
  }
  return PlansPtr(plans);
}

Result<PartitionRunner::Impl::PlansPtr> PartitionRunner::Impl::current(PlansPtr& kept, Result<PlansPtr> (Impl::*make)() const) {
  if (!kept || kept->clearings != session->resources().clearings()) {
    WEFT_LET(kept, (this->*make)());
  }
  return kept;
}

Result<PartitionRunner::Impl::PlansPtr> PartitionRunner::Impl::fedPlans() {
  const MutexLock lock(mutex);
  return current(fed, &Impl::makeFed);
}

Result<PartitionRunner::Impl::PlansPtr> PartitionRunner::Impl::wholePlans() {
  const MutexLock lock(mutex);
  return current(whole, &Impl::makeWhole);
}

PartitionRunner::Impl::Fetched PartitionRunner::Impl::chosen(std::vector<Tensor> values, std::span<const std::string> fetches) const {
  std::vector<Received> out(fetches.size());
  for (size_t i = 0; i < fetches.size(); ++i) {
    const size_t at = positionOf(fetches[i], i, fetchKeys, fetchAt);
    if (at == fetchKeys.size()) return invalidArgument("The graph sends no ", fetches[i], " to its caller");
    out[i].value = values[at];
  }
  return out;
}

PartitionRunner::Impl::Fetched PartitionRunner::Impl::run(const Step& step, Feeds feeds, std::span<const std::string> fetches, const RunOptions& options,
                                                          RunReport* report) {
  std::vector<Tensor> values(feedKeys.size());
  bool known = true;
  for (size_t i = 0; i < feeds.size(); ++i) {
    const size_t at = positionOf(feeds[i].first, i, feedKeys, feedAt);
    if (at < values.size()) values[at] = feeds[i].second;
    else known = false;
  }
  if (!known || options.controller || !std::all_of(values.begin(), values.end(), [](const Tensor& t) { return t.hasValue(); })) {
    if (!step.rendezvous) return invalidArgument("The step has neither the feeds of its graph nor a rendezvous");
    for (const auto& [key, value] : feeds) WEFT_TRY(step.rendezvous->send(key, value, false));
    WEFT_TRY(runWhole(step, options, report));
    return takeSent(*step.rendezvous, fetches);
  }
  WEFT_LET(const PlansPtr plans, fedPlans());
  if (kind == Kind::TwoStages) return runStages(*plans, step, std::move(values), fetches, options, report);
  if (fetchesDirectly || fetchKeys.empty()) {
    const auto part = joint(step, step.rendezvous.get());
    WEFT_LET(std::vector<Tensor> fetched, plans->session->run(*plans->all, values, options, report, &part));
    return chosen(std::move(fetched), fetches);
  }
  const auto own = std::make_shared<StepRendezvous>(step.rendezvous, callers);
  const auto part = joint(step, own.get());
  WEFT_TRY(plans->session->run(*plans->all, values, options, report, &part).status());
  return takeSent(*own, fetches);
}

PartitionRunner::Impl::Fetched PartitionRunner::Impl::runStages(const Plans& plans, const Step& step, std::vector<Tensor> feeds,
                                                                std::span<const std::string> fetches, const RunOptions& options, RunReport* report) {
  if (!step.rendezvous) return failedPrecondition("The graph has edges from other tasks, but the step has no rendezvous");
  const StepLimit limit(options);
  const Moment start = options.trace ? Moment::now() : Moment();
  const bool sendsToCaller = !fetchesDirectly && !fetchKeys.empty();
  const auto own = sendsToCaller ? std::make_shared<StepRendezvous>(step.rendezvous, callers) : nullptr;
  const auto part = joint(step, own ? own.get() : step.rendezvous.get());
  const auto arrivals = std::make_shared<Arrivals>(graph, edges.receives);
  arrivals->ask(*step.rendezvous);
  RunReport first;
  if (plans.early) {
    const Status status = plans.session->run(*plans.early, feeds, options, &first, &part).status();
    if (!status.ok()) {
      arrivals->giveUp();
      return status.error();
    }
  }
  WEFT_TRY(arrivals->wait(limit));
  std::vector<Received> received = arrivals->take();
  const RunOptions rest = limit.rest();
  RunReport second;
  Fetched fetched = std::vector<Received>();
  if (std::any_of(received.begin(), received.end(), [](const Received& r) { return r.dead; })) {
    fetched = runLateDead(step, std::move(feeds), received, fetches, rest, &second);
  } else {
    for (const Received& r : received) feeds.push_back(r.value);
    auto values = plans.session->run(*plans.late, feeds, rest, &second, &part);
    fetched = !values.ok() ? Fetched(std::move(values.error())) : own ? takeSent(*own, fetches) : chosen(std::move(*values), fetches);
  }
  if (!report) return fetched;
  report->peakBytes = std::max(first.peakBytes, second.peakBytes);
  if (!options.trace) return fetched;
  report->trace = std::make_shared<StepTrace>();
  report->trace->startUnixUs = start.unixNs / 1000;
  arrivals->traceInto(*report->trace, received, start.steadyNs);
  for (const auto& part : {first.trace, second.trace})
    if (part) appendTrace(*report->trace, std::move(*part));
  return fetched;
}

/// The second stage if something that came is dead: with the dataflow executor, on the graph as registered.
PartitionRunner::Impl::Fetched PartitionRunner::Impl::runLateDead(const Step& step, std::vector<Tensor> feeds, std::vector<Received> received,
                                                                  std::span<const std::string> fetches, const RunOptions& options, RunReport* report) {
  WEFT_LET(const PlansPtr plans, wholePlans());
  const auto own = std::make_shared<StepRendezvous>(step.rendezvous, given);
  for (size_t i = 0; i < feeds.size(); ++i) WEFT_TRY(own->send(feedKeys[i], std::move(feeds[i]), false));
  for (size_t i = 0; i < received.size(); ++i) WEFT_TRY(own->send(edges.receives[i].key, std::move(received[i].value), received[i].dead));
  const auto part = joint(step, own.get());
  WEFT_TRY(plans->session->run(*plans->late, {}, options, report, &part).status());
  return takeSent(*own, fetches);
}

Status PartitionRunner::Impl::runWhole(const Step& step, const RunOptions& options, RunReport* report) {
  WEFT_LET(const PlansPtr plans, wholePlans());
  const auto part = joint(step, step.rendezvous.get());
  return plans->session->run(*plans->all, {}, options, report, &part).status();
}

PartitionRunner::PartitionRunner(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PartitionRunner::~PartitionRunner() = default;

Result<std::unique_ptr<PartitionRunner>> PartitionRunner::create(std::shared_ptr<const WorkerSession> session, Graph graph, ProductPrecision products) {
  auto runner = std::unique_ptr<PartitionRunner>(new PartitionRunner(std::make_unique<Impl>(std::move(session), std::move(graph))));
  runner->impl_->products = products;
  WEFT_TRY(runner->impl_->fedPlans().status());
  return runner;
}

const std::vector<std::string>& PartitionRunner::feedKeys() const { return impl_->feedKeys; }
const std::vector<std::string>& PartitionRunner::fetchKeys() const { return impl_->fetchKeys; }

Result<std::vector<Received>> PartitionRunner::run(const Step& step, std::span<const std::pair<std::string, Tensor>> feeds,
                                                   std::span<const std::string> fetches, const RunOptions& options, RunReport* report) {
  auto fetched = impl_->run(step, feeds, fetches, options, report);
  if (!fetched.ok() && step.rendezvous && !options.cancellation.cancelled()) step.rendezvous->abort(fetched.error());
  return fetched;
}

Status PartitionRunner::run(const Step& step, const RunOptions& options, RunReport* report) {
  Status status = impl_->runWhole(step, options, report);
  if (!status.ok() && step.rendezvous && !options.cancellation.cancelled()) step.rendezvous->abort(status.error());
  return status;
}

bool PartitionRunner::asksFirst() const { return impl_->kind == Impl::Kind::TwoStages; }

std::string PartitionRunner::explain() const {
  switch (impl_->kind) {
    case Impl::Kind::OnePlan: return "one plan";
    case Impl::Kind::TwoStages: return "two stages";
    case Impl::Kind::Dataflow: break;
  }
  return "dataflow";
}

}  // namespace weft
