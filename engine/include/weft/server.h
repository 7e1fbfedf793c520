#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/mutex.h"
#include "weft/session.h"

namespace weft {

class SessionState;
class TaskServer;
struct QueueState;
WEFT_API std::vector<QueueState> queueStates(const TaskServer& task);  // weft/queues.h

/// A device as other tasks of the cluster know it.
struct TaskDevice {
  std::string name;  ///< "/job:worker/replica:0/task:0/device:CPU:0"
  std::string type;
  size_t memoryBytes = 0;
  uint64_t incarnation =
      0;  ///< Drawn when the task was created. Edges from the device carry it, so that nothing of a restarted task is taken for its predecessor's.
};

/// A task of a cluster, for sessions of this process. Variables, shared queues and tables, and iterators belong to the task, not to a session, so
/// sessions share them and find them again after others have closed. ClusterServer opens it to the network. Thread-safe.
class WEFT_API TaskServer {
 public:
  /// `name`: the prefix of its devices' names, "/job:worker/replica:0/task:0". INVALID_ARGUMENT if it is not a task's name. `options` gives its
  /// devices; the other fields are ignored.
  static Result<std::unique_ptr<TaskServer>> create(std::string name, SessionOptions options = {});
  ~TaskServer();

  const std::string& name() const { return name_; }
  const std::vector<TaskDevice>& devices() const { return devices_; }
  /// Creates a session in this task, with the task's devices and otherwise `options`. It must not outlive the task.
  Result<std::unique_ptr<Session>> session(Graph graph, SessionOptions options);
  /// Clears these containers, or the default one if none is given. Close open sessions first.
  void reset(const std::vector<std::string>& containers);

 private:
  friend class WorkerSession;  // runtime/partition_run.h
  friend std::vector<QueueState> queueStates(const TaskServer& task);
  TaskServer(std::string name, SessionOptions options);
  /// Keeps the session's internals as long as the task: its iterators call functions of the sessions that made them.
  void keep(const Session& session);

  const std::string name_;
  const SessionOptions options_;
  std::vector<TaskDevice> devices_;
  const std::shared_ptr<SessionState> state_;
  Mutex mutex_;
  std::vector<std::shared_ptr<void>> keptAlive_ WEFT_GUARDED_BY(mutex_);
};

/// A task of a TensorFlow cluster and where it listens.
struct ServerOptions {
  std::map<std::string, std::map<int, std::string>> cluster;  ///< Job -> task -> "host:port".
  std::string job;
  int task = 0;
  std::string listen = "127.0.0.1";    ///< Address to listen on. TensorFlow's protocol has no passwords: whoever reaches the port runs any graph.
  SessionOptions session;              ///< Devices and threads of the task.
  std::shared_ptr<TaskServer> served;  ///< The task to open, for sessions of this process that share its variables; null: a new one.
};

/// A task that speaks TensorFlow's gRPC protocol, as master and as worker (tf.train.Server). Its destructor stops it.
class WEFT_API ClusterServer {
 public:
  /// Listens at once. INVALID_ARGUMENT if the cluster has no such task, UNKNOWN if the port cannot be opened, UNIMPLEMENTED if Weft was built without clusters.
  static Result<std::unique_ptr<ClusterServer>> start(ServerOptions options);
  virtual ~ClusterServer();
  virtual std::string target() const = 0;  ///< "grpc://localhost:2222"
  virtual void join() = 0;                 ///< Returns after stop().
  virtual void stop() = 0;
};

/// Whether the ops of steps on a server can be stepped through (RunOptions::controller). UNIMPLEMENTED, with the reason: its steps run as a whole.
WEFT_API Status canStepOn(const std::string& target, const CancellationToken& cancellation = {});

/// Session.reset on a server: clears these containers, or the default one if none is given, on every task of its cluster.
WEFT_API Status resetServer(const std::string& target, const std::vector<std::string>& containers, const SessionOptions& options = {});

}  // namespace weft
