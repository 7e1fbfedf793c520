// Runs input pipelines for a preview. Only sources of this folder include it.
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

/// Fills the queues and starts the iterators that nodes read from. Uses a separate session, so a running training is not affected. Enqueue ops run repeatedly
/// on threads of this object, like TensorFlow's queue runners.
class PipelineFeeder {
 public:
  using Feeds = std::vector<std::pair<std::string, Tensor>>;

  /// `session` has the graph of `meta` and outlives this.
  PipelineFeeder(const MetaGraph& meta, Session& session) : meta_(meta), session_(session) {}
  ~PipelineFeeder() { stop(); }

  /// `nodes` and everything that must run to supply them: enqueue ops, initializers of iterators and tables, and the dependencies of these.
  std::set<int> withSources(std::set<int> nodes) const;
  /// Whether `nodes` include reads of a queue or an iterator, or of records by a reader.
  static bool readsPipeline(const Graph& graph, const std::set<int>& nodes);

  /// Initializes iterators, tables and the pipeline's variables (those in `sources` but not in `own`), then starts the enqueue ops. Adds iterator handles to
  /// `feeds`. Returns an error sentence, or empty.
  QString start(const std::set<int>& sources, const std::set<int>& own, Feeds& feeds);
  /// Ends the enqueue ops.
  void stop();
  /// Why a run got nothing in time: which side of which queue is blocked.
  QString whyNothing() const;

 private:
  void keepFilling(const Node& enqueue, Feeds feeds);
  const Node* initializerOf(const Node& object) const;

  const MetaGraph& meta_;
  Session& session_;
  CancellationToken cancel_;
  std::vector<std::thread> threads_;
  mutable Mutex mutex_;
  QString problem_ WEFT_GUARDED_BY(mutex_);  // the first error of an enqueue op
};

}  // namespace weft::app
