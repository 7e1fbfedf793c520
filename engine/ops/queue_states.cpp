#include <algorithm>

#include "kernel/session_internals.h"
#include "ops/queue.h"
#include "weft/queues.h"

// The state of queues as shown to users.
namespace weft {
namespace {

/// Queues of nodes without a shared name are named "_7_NODE".
std::string nodeName(const std::string& name, const Graph& graph) {
  if (name.empty() || name[0] != '_') return name;
  const size_t end = name.find('_', 1);
  if (end == std::string::npos || end == 1) return name;
  const bool number = std::all_of(name.begin() + 1, name.begin() + std::ptrdiff_t(end), [](char c) { return c >= '0' && c <= '9'; });
  std::string rest = name.substr(end + 1);
  return number && graph.find(rest) ? rest : name;
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
  std::vector<QueueState> out;
  const SessionState* state = SessionInternals::state(session);
  if (!state) return out;
  const auto graph = session.graph();
  state->forEach([&](const std::string&, const std::string& name, const SessionResource& resource) {
    const auto* queue = dynamic_cast<const Queue*>(&resource);
    if (!queue) return;
    QueueState state;
    state.name = nodeName(name, *graph);
    queue->tell(state);
    out.push_back(std::move(state));
  });
  std::sort(out.begin(), out.end(), [](const QueueState& a, const QueueState& b) { return a.name < b.name; });
  return out;
}

}  // namespace weft
