// Parts of a graph computed beside a training, in sessions of their own: what to feed, initialize and run for them.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "weft/graph.h"
#include "weft/mutex.h"
#include "weft/session.h"
#include "weft/train.h"

namespace weft {

/// Rows of data used for measurements beside a training.
inline constexpr int64_t kMeasuredRows = 64;

using PreviewFeeds = std::vector<std::pair<std::string, Tensor>>;

/// All nodes that a node depends on, including itself.
WEFT_API std::set<int> nodesNeededBy(const Graph& graph, int node);
/// Made-up data: floats between 0 and 1 in a wave, integers 0. Unknown dims are 1.
WEFT_API Tensor syntheticValue(DType type, const Shape& shape);
/// What a training feeds to a placeholder without bound data: a live scalar's value, the settings' word, else synthetic numbers.
WEFT_API Tensor trainingValue(const MetaGraph& meta, const Node& placeholder);
/// `count` rows of the document's data from row `sample` on (or as many as the placeholder's shape demands), for each placeholder bound to it. Empty: no data are bound.
/// Errors are those of loading the data.
WEFT_API Result<std::map<std::string, Tensor>> sampleRows(const MetaGraph& meta, const std::string& folder, int64_t sample, int64_t count);
/// Nodes that initialize fresh variables: the document's initializer, else the `Assign` that TensorFlow names after each variable.
WEFT_API std::vector<std::string> freshInitializers(const MetaGraph& meta, const std::set<int>& nodes);

/// The gradients that a training would apply now: for each variable the square root of the sum of squares, from one batch of the document's data. `checkpoint`: of the variables;
/// empty, or one that does not fit: fresh ones. Any thread; takes as long as a step. FAILED_PRECONDITION of kind "no_gradients"; errors of the data and the run.
WEFT_API Result<std::vector<GradientNorm>> measureGradientNorms(const MetaGraph& meta, const std::string& folder, const std::string& checkpoint);

/// Whether the first output of a node is a number that depends on the step, judging by the graph.
WEFT_API bool changesWithSteps(const MetaGraph& meta, const Node& node);
/// The tensor that is the optimizer's learning rate; empty: there is none.
WEFT_API std::string learningRateOf(const Graph& graph);

/// A number of a graph over the steps of a simulated training.
struct SimulatedSchedule {
  std::string tensor;
  std::string step;  ///< The variable or placeholder that counts the steps; empty: the number depends on neither.
  int64_t lastStep = 0;
  std::vector<std::pair<int64_t, double>> points;  ///< By step; every step, or up to 2,000 evenly chosen ones.
};
/// Evaluates a scalar with the step counter at 0, 1, 2 … `tensor` empty: the learning rate; `lastStep` 0: the document's last step, or 10,000. Any thread; `cancelled` ends it early.
/// `said` gets tensor, step and last step even after an error. INVALID_ARGUMENT of kind "no_optimizer" or "not_scalar" (then `node` is the tensor); errors of the run.
WEFT_API Status simulateSchedule(const MetaGraph& meta, const std::string& tensor, int64_t lastStep, const std::atomic<bool>& cancelled,
                                 SimulatedSchedule* said);

/// Runs input pipelines: fills the queues and starts the iterators that nodes read from. Enqueue ops run repeatedly on threads of this object, like TensorFlow's queue runners.
class WEFT_API PipelineFeeder {
 public:
  /// `session` has the graph of `meta` and outlives this.
  PipelineFeeder(const MetaGraph& meta, Session& session) : meta_(meta), session_(session) {}
  ~PipelineFeeder() { stop(); }
  PipelineFeeder(const PipelineFeeder&) = delete;
  PipelineFeeder& operator=(const PipelineFeeder&) = delete;

  /// `nodes` and everything that must run to supply them: enqueue ops, initializers of iterators and tables, and the dependencies of these.
  std::set<int> withSources(std::set<int> nodes) const;
  /// Whether `nodes` include reads of a queue or an iterator, or of records by a reader.
  static bool readsPipeline(const Graph& graph, const std::set<int>& nodes);

  /// Initializes iterators, tables and the pipeline's variables (those in `sources` but not in `own`), then starts the enqueue ops. Adds iterator handles to `feeds`.
  /// FAILED_PRECONDITION of kind "no_iterator_initializer", "no_enqueue" or "no_handle", at the iterator, queue or reader; errors of the runs.
  Status start(const std::set<int>& sources, const std::set<int>& own, PreviewFeeds& feeds);
  /// Ends the enqueue ops.
  void stop();
  /// The first error of an enqueue op; ok: none failed.
  Status failure() const;

 private:
  void keepFilling(const Node& enqueue, PreviewFeeds feeds);
  const Node* initializerOf(const Node& object) const;

  const MetaGraph& meta_;
  Session& session_;
  CancellationToken cancel_;
  std::vector<std::thread> threads_;
  mutable Mutex mutex_;
  Status failure_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft
