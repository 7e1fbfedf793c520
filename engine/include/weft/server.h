#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "weft/session.h"

namespace weft {

class SessionState;

/// A task of a cluster, served to sessions of this process: variables, shared queues and tables, and iterators lie in the task, not in the
/// session, so that sessions see each other's and find them again after others have closed. Nothing goes over a network. Thread-safe.
class WEFT_API TaskServer {
 public:
  /// `name`: what its devices' names begin with, "/job:worker/replica:0/task:0". INVALID_ARGUMENT if it is no task's name. `options` says which
  /// devices it has; its other fields are of no use here.
  static Result<std::unique_ptr<TaskServer>> create(std::string name, SessionOptions options = {});
  ~TaskServer();

  const std::string& name() const { return name_; }
  /// A session in this task. It has the task's devices; `options` says the rest. Must not outlive the task.
  Result<std::unique_ptr<Session>> session(Graph graph, SessionOptions options);
  /// Forgets what lies in these containers; none named: in the default one. Sessions that are open should be closed before.
  void reset(const std::vector<std::string>& containers);

 private:
  TaskServer(std::string name, SessionOptions options);
  const std::string name_;
  const SessionOptions options_;
  const std::shared_ptr<SessionState> state_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<void>> remains_;  // guarded by mutex_; of all sessions: iterators call functions of those that made them
};

}  // namespace weft
