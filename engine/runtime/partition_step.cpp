#include "runtime/partition_step.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "kernel/async_kernel.h"
#include "runtime/executable_plan.h"

namespace weft {

Status StepRendezvous::send(const std::string& key, Tensor value, bool dead) {
  if (own_.count(key)) return local_.send(key, std::move(value), dead);
  if (!shared_) return failedPrecondition("The step has no rendezvous for ", key);
  return shared_->send(key, std::move(value), dead);
}

Rendezvous::Cancel StepRendezvous::receive(const std::string& key, Done done) {
  if (own_.count(key)) return local_.receive(key, std::move(done));
  if (shared_) return shared_->receive(key, std::move(done));
  done(failedPrecondition("The step has no rendezvous for ", key));
  return {};
}

void StepRendezvous::abort(Error why) {
  local_.abort(why);
  if (shared_) shared_->abort(std::move(why));
}

Result<std::vector<Received>> takeSent(Rendezvous& rendezvous, std::span<const std::string> keys) {
  struct Slot {
    Mutex mutex;
    Result<Received> received WEFT_GUARDED_BY(mutex) = internalError("The step ended without a value");
  };
  std::vector<Received> taken;
  for (const std::string& key : keys) {
    const auto slot = std::make_shared<Slot>();
    const Rendezvous::Cancel cancel = rendezvous.receive(key, [slot](Result<Received> r) {
      const MutexLock lock(slot->mutex);
      slot->received = std::move(r);
    });
    if (cancel) cancel();
    const MutexLock lock(slot->mutex);
    if (!slot->received.ok()) return internalError("The step ended without the tensor ", key, ": ", slot->received.error().message);
    taken.push_back(std::move(*slot->received));
  }
  return taken;
}

StepLimit::StepLimit(const RunOptions& options) : options_(options) {
  if (options.timeoutMs > 0) untilNs_ = StepRecorder::now() + options.timeoutMs * 1000000;
}

Status StepLimit::check() const {
  if (options_.cancellation.cancelled()) return cancelledError("Step was cancelled by an explicit call to `Session::Close()` or by its caller.");
  if (untilNs_ && StepRecorder::now() > untilNs_) return deadlineExceeded("Timed out waiting for notification");
  return {};
}

RunOptions StepLimit::rest() const {
  RunOptions rest = options_;
  if (untilNs_) rest.timeoutMs = std::max<int64_t>(1, (untilNs_ - StepRecorder::now()) / 1000000);
  return rest;
}

Arrivals::Arrivals(const Graph& graph, const std::vector<PartitionEdge>& edges)
    : graph_(graph), edges_(edges), values_(edges.size()), whenNs_(edges.size()), missing_(edges.size()) {}

void Arrivals::ask(Rendezvous& rendezvous) {
  askedNs_ = StepRecorder::now();
  rendezvous_ = &rendezvous;
  cancels_.reserve(edges_.size());
  const auto together = rendezvous.together();
  for (size_t i = 0; i < edges_.size(); ++i)
    cancels_.push_back(rendezvous.receive(edges_[i].key, [self = shared_from_this(), i](Result<Received> r) { self->arrived(i, std::move(r)); }));
}

void Arrivals::arrived(size_t i, Result<Received> received) {
  const MutexLock lock(mutex_);
  if (!failed_.ok() || missing_ == 0) return;  // given up: graph and edges may be gone
  Status status = received.status();
  if (status.ok()) status = checkReceived(*received, baseType(graph_.node(edges_[i].node)->outputTypes[0]), edges_[i].name);
  if (status.ok()) {
    values_[i] = std::move(*received);
    whenNs_[i] = StepRecorder::now();
    if (--missing_ > 0) return;
  } else {
    failed_ = status.error().atNode(edges_[i].name);
  }
  finished_ = true;
  changed_.notify_all();
}

Status Arrivals::wait(const StepLimit& limit) {
  Status status;
  while (!finished_ && status.ok() && rendezvous_->help(kWakeMs, finished_)) {
    if (!finished_) status = limit.check();
  }
  {
    const MutexLock lock(mutex_);
    while (missing_ > 0 && failed_.ok() && status.ok()) {
      changed_.wait_for(mutex_, std::chrono::milliseconds(kWakeMs), [this]() WEFT_REQUIRES(mutex_) { return missing_ == 0 || !failed_.ok(); });
      if (missing_ > 0 && failed_.ok()) status = limit.check();
    }
    if (!failed_.ok()) status = failed_;
  }
  if (!status.ok()) giveUp();
  return status;
}

void Arrivals::giveUp() {
  {
    const MutexLock lock(mutex_);
    if (failed_.ok()) failed_ = cancelledError("The step has ended.");
  }
  for (const Rendezvous::Cancel& cancel : cancels_) {
    if (cancel) cancel();
  }
}

std::vector<Received> Arrivals::take() {
  const MutexLock lock(mutex_);
  return std::move(values_);
}

void Arrivals::traceInto(StepTrace& trace, const std::vector<Received>& taken, int64_t startNs) {
  const MutexLock lock(mutex_);
  for (size_t i = 0; i < edges_.size(); ++i) {
    const Node& node = *graph_.node(edges_[i].node);
    TraceEvent event;
    event.node = node.id;
    event.name = node.name;
    event.op = node.op;
    event.device = node.device;
    event.startNs = askedNs_ - startNs;
    event.endNs = whenNs_[i] - startNs;
    if (!taken[i].dead) {
      event.outputBytes = int64_t(taken[i].value.totalBytes());
      event.outputs.emplace_back(taken[i].value.dtype(), taken[i].value.shape());
    }
    trace.events.push_back(std::move(event));
  }
}

void appendTrace(StepTrace& trace, StepTrace&& later, int64_t afterNs) {
  if (trace.startUnixUs == 0) trace.startUnixUs = later.startUnixUs - afterNs / 1000;
  for (TraceEvent& event : later.events) {
    event.startNs += afterNs;
    event.endNs += afterNs;
  }
  std::move(later.events.begin(), later.events.end(), std::back_inserter(trace.events));
  trace.durationNs = std::max(trace.durationNs, later.durationNs + afterNs);
}

}  // namespace weft
