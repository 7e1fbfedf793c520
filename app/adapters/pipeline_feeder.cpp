#include "adapters/pipeline_feeder.h"

#include <QCoreApplication>

#include "adapters/engine_graph.h"
#include "adapters/queue_facts.h"
#include "adapters/sample_feeds.h"
#include "weft/op_traits.h"
#include "weft/state_changes.h"

namespace weft::app {
namespace {

constexpr int kMostRounds = 100'000;  // of one enqueue op
constexpr size_t kMostThreads = 32;
constexpr int64_t kStartMs = 5000;

struct PipelineWords {
  Q_DECLARE_TR_FUNCTIONS(PipelineFeeder)
};

bool isQueue(const Node& n) { return roleOf(n) == OpRole::Queue || roleOf(n) == OpRole::ShuffleQueue; }
bool isIterator(const Node& n) { return roleOf(n) == OpRole::Iterator; }
bool isNamedIterator(const Node& n) { return roleOf(n) == OpRole::IteratorByName; }
bool isTable(const Node& n) { return roleOf(n) == OpRole::Table; }

}  // namespace

/// The first op that fills this queue, initializes this iterator or fills this table.
const Node* PipelineFeeder::initializerOf(const Node& object) const {
  const Graph& g = meta_.graph;
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n || n->inputs.empty()) continue;
    if (roleOf(*n) == OpRole::MakeIterator && n->inputs.size() > 1 && objectMaker(g, n->inputs[1]) == &object) return n;
    if (roleOf(*n) == OpRole::InitializeTable && objectMaker(g, n->inputs[0]) == &object) return n;
  }
  return nullptr;
}

bool PipelineFeeder::readsPipeline(const Graph& graph, const std::set<int>& nodes) {
  for (const int id : nodes) {
    const Node* n = graph.node(id);
    if (n && (roleOf(*n) == OpRole::Dequeue || roleOf(*n) == OpRole::IteratorGetNext || roleOf(*n) == OpRole::ReaderRead)) return true;
  }
  return false;
}

std::set<int> PipelineFeeder::withSources(std::set<int> nodes) const {
  const Graph& g = meta_.graph;
  for (size_t before = 0; before != nodes.size();) {
    before = nodes.size();
    std::set<int> more;
    for (const int id : nodes) {
      const Node* n = g.node(id);
      if (!n) continue;
      if (isQueue(*n)) {
        for (int k = 0; k < g.size(); ++k)
          if (const Node* e = g.node(k); e && roleOf(*e) == OpRole::Enqueue && !e->inputs.empty() && objectMaker(g, e->inputs[0]) == n)
            more.merge(needed(g, k));
      } else if (isIterator(*n) || isTable(*n)) {
        if (const Node* made = initializerOf(*n)) more.merge(needed(g, made->id));
      } else if (isNamedIterator(*n)) {
        for (int k = 0; k < g.size(); ++k)
          if (const Node* h = g.node(k); h && roleOf(*h) == OpRole::IteratorName) {
            more.merge(needed(g, k));
            break;
          }
      }
    }
    nodes.merge(more);
  }
  return nodes;
}

QString PipelineFeeder::start(const std::set<int>& sources, const std::set<int>& own, Feeds& feeds) {
  const Graph& g = meta_.graph;
  std::vector<std::string> targets;
  std::vector<const Node*> enqueues, handles;
  for (const int id : sources) {
    const Node* n = g.node(id);
    if (!n) continue;
    if (isVariable(*n) && !own.count(id) && g.find(n->name + "/Assign")) targets.push_back(n->name + "/Assign");
    if (isIterator(*n) || isTable(*n)) {
      if (const Node* made = initializerOf(*n)) targets.push_back(made->name);
      else if (isIterator(*n)) return PipelineWords::tr("Nothing in this graph initialises the iterator %1: it has no initializer.").arg(text(n->name));
    }
    if (roleOf(*n) == OpRole::Enqueue) enqueues.push_back(n);
    if (isQueue(*n)) {
      const bool filled = std::any_of(sources.begin(), sources.end(), [&](int k) {
        const Node* e = g.node(k);
        return e && roleOf(*e) == OpRole::Enqueue && !e->inputs.empty() && objectMaker(g, e->inputs[0]) == n;
      });
      if (!filled) return PipelineWords::tr("Nothing in this graph fills the queue %1: it has no enqueue op.").arg(text(n->name));
    }
    if (isNamedIterator(*n) && !n->inputs.empty() && isPlaceholder(*g.node(n->inputs[0].node))) handles.push_back(n);
  }
  RunOptions options;
  options.timeoutMs = kStartMs;
  options.cancellation = cancel_;
  if (!targets.empty()) {
    const auto done = session_.run(feeds, {}, targets, options);
    if (!done.ok()) return errorText(done.error());
  }
  for (const Node* n : handles) {
    const Node* named = nullptr;
    for (const int id : sources)
      if (const Node* h = g.node(id); h && roleOf(*h) == OpRole::IteratorName) named = h;
    if (!named) return PipelineWords::tr("The iterator that %1 reads is chosen by a feed, and this graph has no handle to feed.").arg(text(n->name));
    const auto handle = session_.run({}, {named->name + ":0"}, {}, options);
    if (!handle.ok()) return errorText(handle.error());
    const std::string fed = g.tensorName(n->inputs[0]);
    std::erase_if(feeds, [&](const auto& f) { return f.first == fed; });
    feeds.emplace_back(fed, (*handle)[0]);
  }
  if (enqueues.size() > kMostThreads) enqueues.resize(kMostThreads);
  for (const Node* e : enqueues) {
    // Feed only placeholders that this op depends on.
    const std::set<int> needs = needed(g, e->id);
    Feeds fed;
    for (const auto& [tensor, value] : feeds)
      if (const auto o = g.findOutput(tensor); o.ok() && needs.count(o->node)) fed.emplace_back(tensor, value);
    threads_.emplace_back([this, e, fed = std::move(fed)]() mutable { keepFilling(*e, std::move(fed)); });
  }
  return {};
}

/// Runs until it fails, like a queue runner. At the end of the input it closes the queue, so that waiting readers get the remaining elements.
void PipelineFeeder::keepFilling(const Node& enqueue, Feeds feeds) {
  RunOptions options;
  options.cancellation = cancel_;
  Status status;
  for (int round = 0; round < kMostRounds && status.ok() && !cancel_.cancelled(); ++round) status = session_.run(feeds, {}, {enqueue.name}, options).status();
  if (status.ok() || cancel_.cancelled() || status.code() == Code::Cancelled) return;
  if (status.code() != Code::OutOfRange) {
    const MutexLock lock(mutex_);
    if (problem_.isEmpty()) problem_ = errorText(status.error());
  }
  const Graph& g = meta_.graph;
  const Node* queue = objectMaker(g, enqueue.inputs[0]);
  for (int id = 0; id < g.size(); ++id) {
    const Node* n = g.node(id);
    if (!n || roleOf(*n) != OpRole::CloseQueue || n->attrs.flag("cancel_pending_enqueues") || n->inputs.empty() || objectMaker(g, n->inputs[0]) != queue)
      continue;
    session_.run({}, {}, {n->name}, options).ok();
    return;
  }
}

void PipelineFeeder::stop() {
  cancel_.cancel();
  for (std::thread& t : threads_) t.join();
  threads_.clear();
}

QString PipelineFeeder::whyNothing() const {
  {
    const MutexLock lock(mutex_);
    if (!problem_.isEmpty()) return problem_;
  }
  for (const QueueFacts& q : queueFacts(session_))
    if (const QString sentence = q.sentence(); !sentence.isEmpty()) return sentence;
  return PipelineWords::tr("No element arrived in time.");
}

}  // namespace weft::app
