#include "runtime/partial_run.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "kernel/async_kernel.h"
#include "weft/cond_var.h"
#include "weft/op.h"
#include "weft/partial_run.h"

namespace weft {
namespace {

/// State shared by the run and its callers.
struct Exchange {
  struct Feed {
    Output output;
    DType type = DType::Invalid;
    bool given = false;
    Tensor value;             ///< Set until the run takes it.
    AsyncKernel::Done taker;  ///< Set while the run waits for the value.
  };
  struct Fetch {
    Output output;
    bool come = false;   ///< Reached by the run; without a value if it lies on a branch that was not taken.
    bool taken = false;  ///< By a caller.
    Tensor value;
  };

  Mutex mutex;
  CondVar changed;
  std::map<std::string, Feed> feeds WEFT_GUARDED_BY(mutex);
  std::map<std::string, Fetch> fetches WEFT_GUARDED_BY(mutex);
  bool ended WEFT_GUARDED_BY(mutex) = false;
  Status status WEFT_GUARDED_BY(mutex);  ///< Of the run, valid once it has ended.

  bool complete() const WEFT_REQUIRES(mutex) {
    return std::all_of(feeds.begin(), feeds.end(), [](const auto& f) { return f.second.given; }) &&
           std::all_of(fetches.begin(), fetches.end(), [](const auto& f) { return f.second.taken; });
  }
};

/// "a:0" -> "_recv_a_0", TensorFlow's name for the receiving node.
std::string nodeName(const char* prefix, std::string tensor) {
  std::replace(tensor.begin(), tensor.end(), ':', '_');
  return prefix + tensor;
}

void hand(const std::string& name, Exchange::Feed& feed, const AsyncKernel::Done& taker) {
  if (feed.value.dtype() != feed.type) {
    taker(internalError("Output 0 of type ", dtypeShortName(feed.value.dtype()), " does not match declared output type ", dtypeShortName(feed.type),
                        " for node {{node ", nodeName("_recv_", name), "}}"));
  } else {
    taker(AsyncKernel::Outputs{feed.value});
  }
  feed.value = Tensor();
}

/// Represents a feed: waits for its value.
class ReceiveKernel final : public AsyncKernel {
 public:
  ReceiveKernel(std::shared_ptr<Exchange> exchange, std::string name) : exchange_(std::move(exchange)), name_(std::move(name)) {}
  Cancel start(KernelContext&, Done done) override {
    const MutexLock lock(exchange_->mutex);
    Exchange::Feed& feed = exchange_->feeds[name_];
    if (feed.given) {
      hand(name_, feed, done);
      return {};
    }
    feed.taker = std::move(done);
    return [exchange = exchange_, name = name_] {
      const MutexLock cancelLock(exchange->mutex);
      const Done taker = std::exchange(exchange->feeds[name].taker, nullptr);
      if (taker) taker(cancelledError("Session has been closed."));
    };
  }

 private:
  const std::shared_ptr<Exchange> exchange_;
  const std::string name_;
};

/// Represents a fetch: keeps its value until it is fetched. Also called if the value is dead.
class KeepKernel final : public Kernel {
 public:
  KeepKernel(std::shared_ptr<Exchange> exchange, std::string name) : exchange_(std::move(exchange)), name_(std::move(name)) {}
  Status compute(KernelContext& c) override {
    if (!c.frameName().empty()) {
      return invalidArgument("Tensor ", name_, " lies inside the while loop '", c.frameName(), "' and cannot be fetched; fetch what leaves the loop");
    }
    Tensor value;
    if (c.input(0).hasValue()) {
      WEFT_LET(value, c.input(0).clone());
    }
    const MutexLock lock(exchange_->mutex);
    Exchange::Fetch& fetch = exchange_->fetches[name_];
    fetch.value = std::move(value);
    fetch.come = true;
    exchange_->changed.notify_all();
    return {};
  }

 private:
  const std::shared_ptr<Exchange> exchange_;
  const std::string name_;
};

/// Adds a node that the user's graph does not have.
int addNode(PlanGraph& plan, std::string name, const char* op, int origin, Output input, DType type, std::vector<DType> outputs, Device* device) {
  Node& node = plan.made.emplace_back();
  node.name = std::move(name);
  node.op = op;
  node.record = OpRegistry::instance().find(op);
  node.inputTypes = {type};
  node.outputTypes = outputs;
  node.outputShapes.resize(outputs.size());
  PlanNode p;
  p.node = &node;
  p.origin = origin;
  p.inputs = {input};
  p.types = std::move(outputs);
  p.shapes = node.outputShapes;
  p.device = device;
  plan.nodes.push_back(std::move(p));
  return int(plan.nodes.size()) - 1;
}

/// Turns feeds and fetches of a placed plan into nodes that talk to the exchange.
void joinExchange(PlanGraph& plan, const std::shared_ptr<Exchange>& exchange, const Signature& signature, Device* host) {
  for (size_t i = 0; i < signature.feeds.size(); ++i) {
    const std::string& name = signature.feeds[i];
    PlanNode& p = plan.nodes[size_t(plan.feedNodes[i])];
    Node& node = plan.made.emplace_back();
    node.name = nodeName("_recv_", name);
    node.op = "_Recv";
    node.record = OpRegistry::instance().find(node.op);
    node.outputTypes = p.types;
    node.outputShapes = p.shapes;
    p.node = &node;
    p.feed = -1;
    p.kernel = std::make_shared<ReceiveKernel>(exchange, name);
  }
  plan.feedNodes.clear();
  for (size_t i = 0; i < signature.fetches.size(); ++i) {
    const std::string& name = signature.fetches[i];
    const Output from = plan.fetches[i];
    const int origin = plan.nodes[size_t(from.node)].origin;
    const DType type = baseType(plan.nodes[size_t(from.node)].types[size_t(from.index)]);
    // An Identity goes in between: it reads references (errors then name the fetched node) and propagates deadness.
    const int read = addNode(plan, name.substr(0, name.rfind(':')), "Identity", origin, from, type, {type}, plan.nodes[size_t(from.node)].device);
    const int keep = addNode(plan, nodeName("_send_", name), "_Send", origin, {read, 0}, type, {}, host);
    plan.nodes[size_t(keep)].kernel = std::make_shared<KeepKernel>(exchange, name);
    plan.targets.push_back(keep);
  }
  plan.fetches.clear();
}

std::string canonical(const std::string& name) { return name.find(':') == std::string::npos ? name + ":0" : name; }

std::string joined(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string out;
  for (const std::string& n : names) (out += out.empty() ? "" : ",") += n;
  return out;
}

/// INVALID_ARGUMENT if a fetch needs a feed from `missing`. As in TensorFlow, the search does not stop at fed tensors.
Status canBeComputed(const Graph& graph, const std::vector<Output>& fetches, const std::set<Output>& missing) {
  if (missing.empty()) return {};
  std::vector<char> seen(size_t(graph.size()), 0);
  std::vector<int> stack;
  for (const Output& f : fetches) stack.push_back(f.node);
  while (!stack.empty()) {
    const Node& n = *graph.node(stack.back());
    stack.pop_back();
    const auto visit = [&](int id) {
      if (!std::exchange(seen[size_t(id)], 1)) stack.push_back(id);
    };
    for (const Output& in : n.inputs) {
      if (missing.count(in)) return invalidArgument("Fetch ", graph.tensorName(in), " can't be computed from the feeds that have been fed so far.");
      visit(in.node);
    }
    for (int c : n.controls) visit(c);
  }
  return {};
}

}  // namespace

struct PartialRuns::Run {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<Exchange> exchange = std::make_shared<Exchange>();
  std::unique_ptr<ExecutablePlan> plan;
  std::atomic<bool> cancelled{false};
  std::thread thread;

  Status checkFeeds(const std::vector<std::pair<std::string, Tensor>>& given) const WEFT_REQUIRES(exchange->mutex);
  Status checkFetches(const std::vector<std::string>& names, const std::vector<std::pair<std::string, Tensor>>& given) const WEFT_REQUIRES(exchange->mutex);
};

/// REQUIRES, here and below: names are canonical.
Status PartialRuns::Run::checkFeeds(const std::vector<std::pair<std::string, Tensor>>& given) const {
  std::set<std::string> seen;
  for (const auto& [name, value] : given) {
    const auto it = exchange->feeds.find(name);
    if (it == exchange->feeds.end()) return invalidArgument("The feed ", name, " was not specified in partial_run_setup.");
    if (it->second.given || !seen.insert(name).second) return invalidArgument("The feed ", name, " has already been fed.");
    const Shape& shape = graph->shape(it->second.output);
    if (!shape.compatibleWith(value.shape())) {
      return invalidArgument("Cannot feed value of shape ", value.shape().toPythonString(), " for Tensor '", name, "', which has shape '",
                             shape.toPythonString(), "'")
          .atNode(name.substr(0, name.rfind(':')));
    }
  }
  return {};
}

Status PartialRuns::Run::checkFetches(const std::vector<std::string>& names, const std::vector<std::pair<std::string, Tensor>>& given) const {
  std::vector<Output> outputs;
  for (const std::string& name : names) {
    const auto it = exchange->fetches.find(name);
    if (it == exchange->fetches.end()) return invalidArgument("The fetch ", name, " was not specified in partial_run_setup.");
    if (it->second.taken) return invalidArgument("The fetch ", name, " has already been fetched.");
    outputs.push_back(it->second.output);
  }
  std::set<Output> missing;
  for (const auto& [name, feed] : exchange->feeds) {
    if (!feed.given) missing.insert(feed.output);
  }
  for (const auto& [name, value] : given) missing.erase(exchange->feeds[name].output);
  return canBeComputed(*graph, outputs, missing);
}

PartialRuns::~PartialRuns() {
  while (true) {
    std::string handle;
    {
      const MutexLock lock(mutex_);
      if (runs_.empty()) return;
      handle = runs_.begin()->first;
    }
    end(handle);
  }
}

void PartialRuns::end(const std::string& handle) {
  std::shared_ptr<Run> run;
  {
    const MutexLock lock(mutex_);
    const auto it = runs_.find(handle);
    if (it == runs_.end()) return;
    run = std::move(it->second);
    runs_.erase(it);
  }
  run->cancelled = true;
  run->thread.join();
}

Result<std::string> PartialRuns::setup(std::shared_ptr<const Graph> graph, const Signature& asked) {
  if (around_.closed) return cancelledError("Session has been closed.");
  if (asked.fetches.empty() && asked.targets.empty()) return invalidArgument("Must specify at least one target to fetch or execute.");
  Signature signature;
  signature.targets = asked.targets;
  for (const std::string& f : asked.feeds) signature.feeds.push_back(canonical(f));
  for (const std::string& f : asked.fetches) {
    const std::string name = canonical(f);
    if (std::find(signature.feeds.begin(), signature.feeds.end(), name) != signature.feeds.end()) return invalidArgument(name, " is both fed and fetched.");
    if (std::find(signature.fetches.begin(), signature.fetches.end(), name) == signature.fetches.end()) signature.fetches.push_back(name);
  }
  auto run = std::make_shared<Run>();
  run->graph = std::move(graph);
  WEFT_LET(PlanGraph plan, pruneGraph(*run->graph, signature));
  {
    const MutexLock lock(run->exchange->mutex);
    for (const std::string& name : signature.feeds) {
      Exchange::Feed& feed = run->exchange->feeds[name];
      WEFT_LET(feed.output, run->graph->findOutput(name));
      feed.type = baseType(run->graph->dtype(feed.output));
    }
    for (const std::string& name : signature.fetches) {
      WEFT_LET(run->exchange->fetches[name].output, run->graph->findOutput(name));
    }
  }
  WEFT_TRY(around_.placement.place(*run->graph, plan, around_.devices, around_.options));
  joinExchange(plan, run->exchange, signature, around_.devices.front());
  WEFT_TRY(insertDeviceCopies(plan));
  WEFT_LET(run->plan, makeDataflowPlan(std::move(plan), around_.state));

  const MutexLock lock(mutex_);
  const std::string handle = joined(signature.feeds) + "->" + joined(signature.fetches) + "/" + joined(signature.targets) + "/1/;" + std::to_string(made_++);
  run->thread = std::thread([this, &cancelled = run->cancelled, plan = run->plan.get(), exchange = run->exchange] {
    Status status = around_.execute(*plan, cancelled);
    const MutexLock ended(exchange->mutex);
    exchange->status = std::move(status);
    exchange->ended = true;
    exchange->changed.notify_all();
  });
  runs_.emplace(handle, std::move(run));
  return handle;
}

Result<std::vector<Tensor>> PartialRuns::run(const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                             const std::vector<std::string>& fetches) {
  if (around_.closed) return cancelledError("Session has been closed.");
  std::shared_ptr<Run> run;
  {
    const MutexLock lock(mutex_);
    const auto it = runs_.find(handle);
    if (it == runs_.end()) return invalidArgument("Must run 'setup' before performing partial runs!");
    run = it->second;
  }
  std::vector<std::pair<std::string, Tensor>> given;
  for (const auto& [name, value] : feeds) given.emplace_back(canonical(name), value);
  std::vector<std::string> wanted;
  for (const std::string& name : fetches) wanted.push_back(canonical(name));

  Exchange& exchange = *run->exchange;
  const auto limit = std::chrono::milliseconds(around_.options.operationTimeoutMs);
  const auto until = std::chrono::steady_clock::now() + limit;
  const auto waitFor = [&](const auto& done) WEFT_REQUIRES(exchange.mutex) {
    if (limit.count() > 0) return exchange.changed.wait_until(exchange.mutex, until, done);
    exchange.changed.wait(exchange.mutex, done);
    return true;
  };
  Status status;
  std::vector<Tensor> values;
  bool complete = false;
  {
    const MutexLock lock(exchange.mutex);
    run->exchange->mutex.assertHeld();  // the same one
    WEFT_TRY(run->checkFeeds(given));
    WEFT_TRY(run->checkFetches(wanted, given));
    for (auto& [name, value] : given) {
      Exchange::Feed& feed = exchange.feeds[name];
      feed.given = true;
      feed.value = std::move(value);
      if (const AsyncKernel::Done taker = std::exchange(feed.taker, nullptr)) hand(name, feed, taker);
    }
    const auto come = [&]() WEFT_REQUIRES(exchange.mutex) {
      return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) WEFT_REQUIRES(exchange.mutex) { return exchange.fetches[name].come; });
    };
    const bool inTime = waitFor([&]() WEFT_REQUIRES(exchange.mutex) { return come() || exchange.ended; });
    if (come()) {
      for (const std::string& name : wanted) {
        Exchange::Fetch& fetch = exchange.fetches[name];
        fetch.taken = true;
        values.push_back(fetch.value);
        if (!fetch.value.hasValue() && status.ok()) status = invalidArgument("The tensor returned for ", name, " was not valid.");
      }
      for (const std::string& name : wanted) exchange.fetches[name].value = Tensor();
    } else if (inTime) {
      status = exchange.status;
    } else {
      status = deadlineExceeded("Timed out waiting for notification");
    }
    complete = exchange.complete();
    if (status.ok() && complete) {
      status = waitFor([&]() WEFT_REQUIRES(exchange.mutex) { return exchange.ended; }) ? exchange.status
                                                                                       : Status(deadlineExceeded("Timed out waiting for notification"));
    }
  }
  if (complete || !status.ok()) end(handle);
  if (!status.ok()) return std::move(status.error());
  return values;
}

Result<std::string> partialRunSetup(Session& session, const std::vector<std::string>& feeds, const std::vector<std::string>& fetches,
                                    const std::vector<std::string>& targets) {
  return session.partialRunSetup(feeds, fetches, targets);
}

Result<std::vector<Tensor>> partialRun(Session& session, const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds,
                                       const std::vector<std::string>& fetches) {
  return session.partialRun(handle, feeds, fetches);
}

}  // namespace weft
