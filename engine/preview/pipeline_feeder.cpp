#include <algorithm>

#include "weft/op_traits.h"
#include "weft/preview.h"
#include "weft/state_changes.h"

namespace weft {
namespace {

constexpr int kMostFillRounds = 100'000;  // of one enqueue op
constexpr size_t kMostFillThreads = 32;
constexpr int64_t kPipelineStartMs = 5000;

bool isQueue(const Node& n) { return roleOf(n) == OpRole::Queue || roleOf(n) == OpRole::ShuffleQueue; }

/// The queue, iterator or table that an op's first input is.
const Node* objectOf(const Graph& g, const Node& n) { return n.inputs.empty() ? nullptr : objectMaker(g, n.inputs[0]); }

bool fills(const Graph& g, const Node* enqueue, const Node& queue) { return enqueue && roleOf(*enqueue) == OpRole::Enqueue && objectOf(g, *enqueue) == &queue; }

Error missingSource(const char* kind, const Node& node, const char* what) { return failedPrecondition(what).ofKind(kind).atNode(node.name); }

}  // namespace

/// The first op that initializes this iterator or fills this table.
const Node* PipelineFeeder::initializerOf(const Node& object) const {
  const Graph& g = meta_.graph;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n || n->inputs.empty()) continue;
    if (roleOf(*n) == OpRole::MakeIterator && n->inputs.size() > 1 && objectMaker(g, n->inputs[1]) == &object) return n;
    if (roleOf(*n) == OpRole::InitializeTable && objectOf(g, *n) == &object) return n;
  }
  return nullptr;
}

bool PipelineFeeder::readsPipeline(const Graph& graph, const std::set<int>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [&](int id) {
    const Node* n = graph.node(id);
    return n && (roleOf(*n) == OpRole::Dequeue || roleOf(*n) == OpRole::IteratorGetNext || roleOf(*n) == OpRole::ReaderRead);
  });
}

std::set<int> PipelineFeeder::withSources(std::set<int> nodes) const {
  const Graph& g = meta_.graph;
  for (size_t before = 0; before != nodes.size();) {
    before = nodes.size();
    std::set<int> more;
    for (const int id : nodes) {
      const Node* n = g.node(id);
      if (!n) continue;
      const OpRole role = roleOf(*n);
      if (isQueue(*n)) {
        for (int k = 0; k < g.size(); ++k)
          if (fills(g, g.node(k), *n)) more.merge(nodesNeededBy(g, k));
      } else if (role == OpRole::Iterator || role == OpRole::Table) {
        if (const Node* made = initializerOf(*n)) more.merge(nodesNeededBy(g, made->id));
      } else if (role == OpRole::IteratorByName) {
        for (int k = 0; k < g.size(); ++k)
          if (const Node* h = g.node(k); h && roleOf(*h) == OpRole::IteratorName) {
            more.merge(nodesNeededBy(g, k));
            break;
          }
      }
    }
    nodes.merge(more);
  }
  return nodes;
}

Status PipelineFeeder::start(const std::set<int>& sources, const std::set<int>& own, PreviewFeeds& feeds) {
  const Graph& g = meta_.graph;
  std::vector<std::string> targets;
  std::vector<const Node*> enqueues, handles;
  for (const int id : sources) {
    const Node* n = g.node(id);
    if (!n) continue;
    const OpRole role = roleOf(*n);
    if (isVariable(*n) && !own.count(id) && g.find(n->name + "/Assign")) targets.push_back(n->name + "/Assign");
    if (role == OpRole::Iterator || role == OpRole::Table) {
      if (const Node* made = initializerOf(*n)) targets.push_back(made->name);
      else if (role == OpRole::Iterator) return missingSource("no_iterator_initializer", *n, "nothing in this graph initializes this iterator");
    }
    if (role == OpRole::Enqueue) enqueues.push_back(n);
    if (isQueue(*n) && std::none_of(sources.begin(), sources.end(), [&](int k) { return fills(g, g.node(k), *n); }))
      return missingSource("no_enqueue", *n, "nothing in this graph fills this queue");
    if (role == OpRole::IteratorByName && !n->inputs.empty() && isPlaceholder(*g.node(n->inputs[0].node))) handles.push_back(n);
  }
  RunOptions options;
  options.timeoutMs = kPipelineStartMs;
  options.cancellation = cancel_;
  if (!targets.empty()) WEFT_TRY(session_.run(feeds, {}, targets, options).status());
  for (const Node* n : handles) {
    const Node* named = nullptr;
    for (const int id : sources)
      if (const Node* h = g.node(id); h && roleOf(*h) == OpRole::IteratorName) named = h;
    if (!named) return missingSource("no_handle", *n, "the iterator is chosen by a feed, and this graph has no handle to feed");
    WEFT_LET(const auto handle, session_.run({}, {named->name + ":0"}, {}, options));
    const std::string fed = g.tensorName(n->inputs[0]);
    std::erase_if(feeds, [&](const auto& f) { return f.first == fed; });
    feeds.emplace_back(fed, handle[0]);
  }
  if (enqueues.size() > kMostFillThreads) enqueues.resize(kMostFillThreads);
  for (const Node* e : enqueues) {
    // Feed only placeholders that this op depends on.
    const std::set<int> needs = nodesNeededBy(g, e->id);
    PreviewFeeds fed;
    for (const auto& [tensor, value] : feeds)
      if (const auto o = g.findOutput(tensor); o.ok() && needs.count(o->node)) fed.emplace_back(tensor, value);
    threads_.emplace_back([this, e, fed = std::move(fed)]() mutable { keepFilling(*e, std::move(fed)); });
  }
  return {};
}

/// Runs until it fails, like a queue runner. At the end of the input it closes the queue, so that waiting readers get the remaining elements.
void PipelineFeeder::keepFilling(const Node& enqueue, PreviewFeeds feeds) {
  RunOptions options;
  options.cancellation = cancel_;
  Status status;
  for (int round = 0; round < kMostFillRounds && status.ok() && !cancel_.cancelled(); ++round)
    status = session_.run(feeds, {}, {enqueue.name}, options).status();
  if (status.ok() || cancel_.cancelled() || status.code() == Code::Cancelled) return;
  if (status.code() != Code::OutOfRange) {
    const MutexLock lock(mutex_);
    if (failure_.ok()) failure_ = Error(status.error());
  }
  const Graph& g = meta_.graph;
  const Node* queue = objectOf(g, enqueue);
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n || roleOf(*n) != OpRole::CloseQueue || n->attrs.flag("cancel_pending_enqueues") || !queue || objectOf(g, *n) != queue) continue;
    session_.run({}, {}, {n->name}, options).ok();
    return;
  }
}

void PipelineFeeder::stop() {
  cancel_.cancel();
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

Status PipelineFeeder::failure() const {
  const MutexLock lock(mutex_);
  if (failure_.ok()) return {};
  return Error(failure_.error());
}

}  // namespace weft
