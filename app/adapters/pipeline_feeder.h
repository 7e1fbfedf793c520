// Input pipelines, run for a preview alone. Only sources of this folder include it.
#pragma once

#include <QString>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/mutex.h"
#include "weft/session.h"

namespace weft::app {

/// Fills the queues and starts the iterators that nodes read from, in a session of its own: nothing of a training that goes on elsewhere is touched.
/// Enqueue ops run over and over on threads of this object, as TensorFlow's queue runners do.
class PipelineFeeder {
 public:
  using Feeds = std::vector<std::pair<std::string, Tensor>>;

  /// `session` is of `meta`'s graph and outlives this.
  PipelineFeeder(const MetaGraph& meta, Session& session) : meta_(meta), session_(session) {}
  ~PipelineFeeder() { stop(); }

  /// `nodes` and everything that has to run so that they get their elements: enqueue ops, initializers of iterators and tables, and what those need.
  std::set<int> withSources(std::set<int> nodes) const;
  /// Whether elements of a queue or an iterator, or records of a reader, are among them.
  static bool readsPipeline(const Graph& graph, const std::set<int>& nodes);

  /// Initializes iterators, tables and the variables of the pipeline (those of `sources` that are not in `own`), then starts the enqueue ops. `feeds`
  /// may get the handles of iterators. Returns a sentence on why nothing can come, or nothing.
  QString start(const std::set<int>& sources, const std::set<int>& own, Feeds& feeds);
  /// Ends the enqueue ops.
  void stop();
  /// After a run that got nothing in time: who waits for whom.
  QString whyNothing() const;

 private:
  void keepFilling(const Node& enqueue, Feeds feeds);
  const Node* initializerOf(const Node& object) const;

  const MetaGraph& meta_;
  Session& session_;
  CancellationToken cancel_;
  std::vector<std::thread> threads_;
  mutable Mutex mutex_;
  QString problem_ WEFT_GUARDED_BY(mutex_);  // of an enqueue
};

}  // namespace weft::app
