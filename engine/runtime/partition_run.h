#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kernel/rendezvous.h"
#include "weft/server.h"

namespace weft {

/// One task's share of a master's session: the states of nodes (random streams, counters), which all graphs registered under the session's handle share. So a
/// second graph continues the random stream of the first. The task outlives it.
class WEFT_API WorkerSession {
 public:
  /// `isolated`: with variables, queues and tables of its own (ConfigProto.isolate_session_state) instead of the task's. `frameIds`: what all tasks of the
  /// session use; not given: what the version of TensorFlow that made the graph used.
  explicit WorkerSession(TaskServer& task, SessionOptions options = {}, bool isolated = false, std::optional<FrameIds> frameIds = {});

  /// A variable by name, whether or not a step runs. NOT_FOUND; FAILED_PRECONDITION if it is not initialised.
  Result<Tensor> variable(const std::string& name) const;
  Status setVariable(const std::string& name, const Tensor& value, bool isReference) const;

 private:
  friend class PartitionRunner;
  Result<std::unique_ptr<Session>> sessionOf(const Graph& graph, ProductPrecision products) const;
  FrameIds frameIdsOf(const Graph& graph) const;
  const SessionState& resources() const { return *resources_; }

  TaskServer& task_;
  const SessionOptions options_;
  const std::optional<FrameIds> frameIds_;
  const std::shared_ptr<SessionState> resources_, nodes_;
};

/// One task's part of a graph, as a master registers it: every node has a device of this task, and `_Send` and `_Recv` stand for the edges to other tasks and
/// to the master's caller, who feeds and fetches (client_terminated). Thread-safe: several steps may run at once. Outlives its steps.
///
/// A graph without edges from other tasks runs as an ordinary plan, whose feeds and fetches are the caller's edges. If it has such edges, but each of its sends
/// waits for all of them or for none, it runs in two stages with a wait in between, and each stage is an ordinary plan. Otherwise, and if one of the tensors
/// that came is dead, the dataflow executor runs it, in which nodes run while receives wait. Under a StepController it runs op by op, in an order that depends
/// on what other tasks send.
class WEFT_API PartitionRunner {
 public:
  struct Step {
    int64_t id = 0;                          ///< The master's number; unique among the task's steps in flight.
    std::shared_ptr<Rendezvous> rendezvous;  ///< May be null for a graph without edges to other tasks.
  };

  /// Takes the functions from `graph` too. `products`: as the master's session asks. INVALID_ARGUMENT or NOT_FOUND, in TensorFlow's words, for a graph that cannot run.
  static Result<std::unique_ptr<PartitionRunner>> create(std::shared_ptr<const WorkerSession> session, Graph graph,
                                                         ProductPrecision products = ProductPrecision::Float32);
  ~PartitionRunner();

  /// Keys of the tensors that the caller feeds and fetches, in the order of their nodes.
  const std::vector<std::string>& feedKeys() const;
  const std::vector<std::string>& fetchKeys() const;

  /// Runs every node of the graph, with these feeds, and returns the fetches. Both go by key and are fastest in the order of feedKeys() and fetchKeys(). Feeds
  /// that are missing are awaited in the rendezvous. Errors in TensorFlow's words; after an error that is not the caller's cancellation, the rendezvous is aborted
  /// with it, so that the step's other tasks end too.
  Result<std::vector<Received>> run(const Step& step, std::span<const std::pair<std::string, Tensor>> feeds, std::span<const std::string> fetches,
                                    const RunOptions& options = {}, RunReport* report = nullptr);
  /// The same with feeds and fetches in the rendezvous, for steps whose feeds come piecemeal.
  Status run(const Step& step, const RunOptions& options = {}, RunReport* report = nullptr);

  /// Whether a run asks for all of its tensors from other tasks before it does anything else.
  bool asksFirst() const;
  /// How it runs, for tests and diagnosis: "one plan", "two stages" or "dataflow".
  std::string explain() const;

 private:
  struct Impl;
  explicit PartitionRunner(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace weft
