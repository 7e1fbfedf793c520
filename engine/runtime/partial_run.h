#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/executable_plan.h"
#include "runtime/graph_placement.h"
#include "weft/mutex.h"

namespace weft {

/// The partial runs of one session: runs whose feeds arrive in several calls. Each is one run of the dataflow executor on its own thread, in which
/// every feed is a node that waits for its value and every fetch a node that keeps it. So nothing is computed twice; control edges, branches,
/// loops and references to variables work as in any run; and nodes whose feeds have arrived are computed at once. Thread-safe.
class PartialRuns {
 public:
  /// The parts of the session that the runs need. The session outlives them.
  struct Surroundings {
    SessionState& state;
    const std::vector<Device*>& devices;
    GraphPlacement& placement;
    const SessionOptions& options;
    const std::atomic<bool>& closed;
    /// Runs a plan without feeds and fetches in the session, on the calling thread, until it ends or the flag is set.
    std::function<Status(ExecutablePlan& plan, const std::atomic<bool>& cancelled)> execute;
  };

  explicit PartialRuns(Surroundings around) : around_(std::move(around)) {}
  /// Cancels all active runs.
  ~PartialRuns();

  /// setup() and run() implement partialRunSetup() and partialRun() of weft/partial_run.h.
  Result<std::string> setup(std::shared_ptr<const Graph> graph, const Signature& signature);
  Result<std::vector<Tensor>> run(const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds, const std::vector<std::string>& fetches);

 private:
  struct Run;
  /// Removes the run and waits for its thread to end.
  void end(const std::string& handle);

  const Surroundings around_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Run>> runs_ WEFT_GUARDED_BY(mutex_);
  int64_t made_ WEFT_GUARDED_BY(mutex_) = 0;
};

}  // namespace weft
