#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cluster/addresses.h"
#include "cluster/step_rendezvous.h"
#include "cluster/stepped_part.h"
#include "runtime/partition_run.h"
#include "weft/cluster_status.h"
#include "weft/mutex.h"
#include "weft/server.h"

namespace weft::cluster {

/// One run of a registered graph, as a master asks for it.
struct GraphRun {
  std::string session;  ///< Handle of the master's session; empty for a master without createSession().
  std::string graph;    ///< Handle of the graph.
  int64_t step = 0;
  std::vector<std::pair<std::string, Tensor>> feeds;  ///< By rendezvous key.
  std::vector<std::string> fetches;                   ///< Rendezvous keys.
  bool trace = false;
  int64_t timeoutMs = 0;               ///< 0: none.
  bool stepped = false;                ///< Op by op, as part() is asked for events.
  bool partial = false, last = false;  ///< Of a partial run: its feeds and fetches come in several calls, of which this may be the last.
};

struct GraphResult {
  std::vector<std::pair<std::string, Tensor>> fetches;  ///< By rendezvous key.
  std::string stepStats;                                ///< Serialised StepStats, if the run was traced.
};

/// A task as worker: it keeps the graphs that masters register and runs its part of their steps. Thread-safe.
class Worker {
 public:
  Worker(std::shared_ptr<TaskServer> task, Addresses addresses, SessionOptions options);
  ~Worker();

  const std::string& name() const { return task_->name(); }
  const std::vector<TaskDevice>& devices() const { return task_->devices(); }

  /// `frameIds`: as for a WorkerSession. `tasks`: where the cluster's tasks are for this session; null: as the server was started with.
  Status createSession(const std::string& handle, bool isolated, std::optional<FrameIds> frameIds, std::shared_ptr<TaskChannels> tasks);
  void deleteSession(const std::string& handle);
  /// Returns the graph's handle. ABORTED, as after a restart of this task, for an unknown session, if the master has called createSession().
  Result<std::string> registerGraph(const std::string& session, Graph graph, ProductPrecision products, bool created = true);
  Status deregisterGraph(const std::string& graph);
  /// Runs on the calling thread. ABORTED for an unknown session or graph, as after a restart of this task.
  Result<GraphResult> run(const GraphRun& run, const CancellationToken& cancellation);
  /// The GraphDef that was registered, for RunMetadata's partition graphs.
  Result<std::string> graphDef(const std::string& graph);
  /// A tensor that a step of this task sends to another one. Made known here before the step runs, if it is asked for earlier.
  Rendezvous::Cancel receive(int64_t step, const std::string& key, Rendezvous::Done done);
  /// Answers a request about this task's part of a stepped step; waits for its beginning if need be, until `cancellation`.
  Result<pb::PartResponse> part(const pb::PartRequest& request, const CancellationToken& cancellation);
  /// Forgets the step.
  void cleanupStep(int64_t step);
  /// Clears containers, or the default one if none is given.
  void cleanupAll(const std::vector<std::string>& containers) { task_->reset(containers); }
  /// Fills in what the worker knows. Waits for no step.
  void report(TaskReport& report) const;

 private:
  struct Registered {
    std::shared_ptr<PartitionRunner> runner;
    Graph graph;
    std::string session;
    std::shared_ptr<TaskChannels> tasks;
  };
  struct Session {
    std::shared_ptr<WorkerSession> nodes;
    std::shared_ptr<TaskChannels> tasks;
  };
  struct Partial;

  std::shared_ptr<StepRendezvous> rendezvousOf(int64_t step);
  Result<Session> sessionOf(const std::string& handle, bool created);
  Error unknownSession(const std::string& handle) const;
  Result<GraphResult> runPart(const GraphRun& run, const Registered& graph, const CancellationToken& cancellation);
  void endPartial(int64_t step);
  void addPart(int64_t step, std::shared_ptr<SteppedPart> part);
  std::shared_ptr<SteppedPart> findPart(int64_t step);

  const std::shared_ptr<TaskServer> task_;
  const std::shared_ptr<TaskChannels> tasks_;
  const SessionOptions options_;
  std::atomic<int64_t> stepsDone_{0};
  mutable Mutex mutex_;
  std::map<std::string, Session> sessions_ WEFT_GUARDED_BY(mutex_);
  std::map<std::string, Registered> graphs_ WEFT_GUARDED_BY(mutex_);
  std::map<int64_t, std::shared_ptr<StepRendezvous>> steps_ WEFT_GUARDED_BY(mutex_);
  std::map<int64_t, std::shared_ptr<Partial>> partials_ WEFT_GUARDED_BY(mutex_);
  std::map<int64_t, std::shared_ptr<SteppedPart>> parts_ WEFT_GUARDED_BY(mutex_);
  uint64_t graphsMade_ WEFT_GUARDED_BY(mutex_) = 0;
};

}  // namespace weft::cluster
