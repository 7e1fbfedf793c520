#include <algorithm>

#include "kernel/session_internals.h"
#include "ops/queue.h"
#include "weft/queues.h"
#include "weft/server.h"

// The state of queues as shown to users.
namespace weft {
namespace {

/// Queues of nodes without a shared name are named "_7_NODE". Without a graph, every such name is taken for one.
std::string nodeName(const std::string& name, const Graph* graph) {
  if (name.empty() || name[0] != '_') return name;
  const size_t end = name.find('_', 1);
  if (end == std::string::npos || end == 1) return name;
  const bool number = std::all_of(name.begin() + 1, name.begin() + std::ptrdiff_t(end), [](char c) { return c >= '0' && c <= '9'; });
  std::string rest = name.substr(end + 1);
  return number && (!graph || graph->find(rest)) ? rest : name;
}

std::vector<QueueState> queuesOf(const SessionState& state, const Graph* graph) {
  std::vector<QueueState> out;
  state.forEach([&](const std::string&, const std::string& name, const SessionResource& resource) {
    const auto* queue = dynamic_cast<const Queue*>(&resource);
    if (!queue) return;
    QueueState told;
    told.name = nodeName(name, graph);
    queue->tell(told);
    out.push_back(std::move(told));
  });
  std::sort(out.begin(), out.end(), [](const QueueState& a, const QueueState& b) { return a.name < b.name; });
  return out;
}

}  // namespace

void Queue::tell(QueueState& state) const {
  state.kind = options_.kind;
  state.types = options_.types;
  state.shapes = options_.shapes;
  state.capacity = options_.capacity;
  if (const RandomQueueFacts* random = randomFacts(*this)) state.minAfterDequeue = random->minAfterDequeue;
  if (!mutex_.try_lock()) {
    state.busy = true;
    return;
  }
  const MutexLock lock(mutex_, std::adopt_lock);
  state.size = count();
  state.closed = closed_;
  state.put = put_;
  state.taken = taken_;
  state.waitingEnqueues = std::count_if(enqueues_.begin(), enqueues_.end(), [](const Attempt& a) { return !a.isClose; });
  state.waitingDequeues = int64_t(dequeues_.size());
  if (!dequeues_.empty()) state.wanted = std::max<int64_t>(1, dequeues_.front().left);
}

std::vector<QueueState> queueStates(const Session& session) {
  const SessionState* state = SessionInternals::state(session);
  if (!state) return {};
  const auto graph = session.graph();
  return queuesOf(*state, &*graph);
}

std::vector<QueueState> queueStates(const TaskServer& task) { return queuesOf(*task.state_, nullptr); }

}  // namespace weft
