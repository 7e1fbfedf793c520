#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/error.h"
#include "weft/export.h"
#include "weft/queues.h"
#include "weft/server.h"

namespace weft {

/// A tensor that a step has asked another task for and not received yet.
struct AwaitedTensor {
  std::string from;       ///< The task that computes it, "/job:ps/replica:0/task:0".
  std::string tensor;     ///< "edge_7_b/read"
  int64_t iteration = 0;  ///< Of the while loop it is computed in; 0 outside loops.
  double seconds = 0;     ///< Since it was asked for.
};

/// A step that a task computes at present.
struct RunningStep {
  int64_t id = 0;  ///< The same in all tasks that take part.
  double seconds = 0;
  std::vector<AwaitedTensor> awaited;  ///< Longest wait first, at most kMostAwaited.
  int64_t awaitedInAll = 0;
  static constexpr size_t kMostAwaited = 16;
};

/// What a Weft task says of itself. Tasks of TensorFlow cannot be asked.
struct TaskReport {
  std::string version;  ///< Of Weft.
  double uptimeSeconds = 0;
  int64_t residentBytes = 0;  ///< Memory of its process.
  int64_t sessions = 0;       ///< Sessions of masters that use this task.
  int64_t clients = 0;        ///< Sessions of clients that it is the master of.
  int64_t graphs = 0;         ///< Registered graphs.
  int64_t stepsDone = 0;
  std::vector<RunningStep> steps;                             ///< Oldest first.
  std::vector<QueueState> queues;                             ///< Those for which an op waits.
  std::vector<std::pair<std::string, double>> missing;        ///< Tasks that a new session waits for, with seconds.
  std::map<std::string, std::map<int, std::string>> cluster;  ///< Job -> task -> address, as the task was started.
};

/// A task of a cluster at one moment.
struct TaskStatus {
  enum class State {
    Answers,
    Silent,  ///< No answer in time; `problem` says why.
    Listed,  ///< The master knows it, but its address is not known here.
  };
  std::string name;     ///< "/job:ps/replica:0/task:0"; empty if it has never answered and the cluster is not known.
  std::string address;  ///< "host:port"; empty if Listed.
  State state = State::Silent;
  std::string problem;
  bool isTarget = false;             ///< The server that the watch was started for.
  std::vector<TaskDevice> devices;   ///< As of its last answer.
  int restarts = 0;                  ///< Seen by this watch.
  double sinceRestart = 0;           ///< Seconds; valid if `restarts` > 0.
  double sinceAnswer = 0;            ///< Seconds since the last answer; negative: it has never answered.
  std::optional<TaskReport> report;  ///< Absent: a task of TensorFlow, or no answer.
};

struct ClusterStatus {
  std::vector<TaskStatus> tasks;  ///< By name.
  /// The server, one of TensorFlow, has not said yet which tasks there are: it waits until all of them answer.
  bool waitsForTasks = false;
};

/// Asks the tasks of a cluster for their state, as often as look() is called. One thread at a time.
///
/// A Weft task tells the addresses of the whole cluster. Of a TensorFlow server's cluster, tasks whose addresses are not in `addresses` are only listed.
class WEFT_API ClusterWatch {
 public:
  using Addresses = std::map<std::string, std::map<int, std::string>>;

  /// `target`: "grpc://host:port". `addresses`: the cluster, if it is known. Connects to nothing. INVALID_ARGUMENT for another target, UNIMPLEMENTED if Weft was
  /// built without clusters.
  static Result<std::unique_ptr<ClusterWatch>> start(const std::string& target, Addresses addresses = {});
  virtual ~ClusterWatch();
  /// Asks all tasks at once. A task that does not answer within `timeoutMs` is silent; the call takes at most twice as long. The token ends it early.
  virtual ClusterStatus look(int64_t timeoutMs, const CancellationToken& cancellation) = 0;
};

}  // namespace weft
