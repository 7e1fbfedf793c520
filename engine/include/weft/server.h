#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/mutex.h"
#include "weft/session.h"

namespace weft {

class SessionState;

/// A task of a cluster, for sessions of this process. Variables, shared queues and tables, and iterators belong to the task, not to a session, so
/// sessions share them and find them again after others have closed. No network is used. Thread-safe.
class WEFT_API TaskServer {
 public:
  /// `name`: the prefix of its devices' names, "/job:worker/replica:0/task:0". INVALID_ARGUMENT if it is not a task's name. `options` gives its
  /// devices; the other fields are ignored.
  static Result<std::unique_ptr<TaskServer>> create(std::string name, SessionOptions options = {});
  ~TaskServer();

  const std::string& name() const { return name_; }
  /// Creates a session in this task, with the task's devices and otherwise `options`. It must not outlive the task.
  Result<std::unique_ptr<Session>> session(Graph graph, SessionOptions options);
  /// Clears these containers, or the default one if none is given. Close open sessions first.
  void reset(const std::vector<std::string>& containers);

 private:
  TaskServer(std::string name, SessionOptions options);
  const std::string name_;
  const SessionOptions options_;
  const std::shared_ptr<SessionState> state_;
  Mutex mutex_;
  std::vector<std::shared_ptr<void>> keptAlive_ WEFT_GUARDED_BY(mutex_);  // of all sessions: iterators call functions of the sessions that made them
};

}  // namespace weft
