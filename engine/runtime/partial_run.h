#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/executable_plan.h"
#include "weft/mutex.h"

namespace weft {

/// The partial runs of one session: runs whose feeds come bit by bit. Each is one run of the dataflow executor on a thread of its
/// own, in which every feed is a node that waits for its value and every fetch a node that keeps it. So nothing is computed twice,
/// control edges, branches, loops and references to variables are as in any run, and what needs no feed, or whose feeds have come,
/// is computed at once. All methods are thread-safe.
class PartialRuns {
 public:
  /// What the runs need of their session, which outlives them.
  struct Surroundings {
    SessionState& state;
    const std::vector<Device*>& devices;
    const SessionOptions& options;
    const std::atomic<bool>& closed;
    /// Runs a plan without feeds and fetches as a run of the session, on the calling thread, until it ends or the flag is set.
    std::function<Status(ExecutablePlan& plan, const std::atomic<bool>& cancelled)> execute;
  };

  explicit PartialRuns(Surroundings around) : around_(std::move(around)) {}
  /// Cancels what is still under way.
  ~PartialRuns();

  /// partialRunSetup() and partialRun() of weft/partial_run.h.
  Result<std::string> setup(std::shared_ptr<const Graph> graph, const Signature& signature);
  Result<std::vector<Tensor>> run(const std::string& handle, const std::vector<std::pair<std::string, Tensor>>& feeds, const std::vector<std::string>& fetches);

 private:
  struct Run;
  /// Forgets the run and waits until its thread has ended.
  void end(const std::string& handle);

  const Surroundings around_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Run>> runs_ WEFT_GUARDED_BY(mutex_);
  int64_t made_ WEFT_GUARDED_BY(mutex_) = 0;
};

}  // namespace weft
