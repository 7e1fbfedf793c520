#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/dtype.h"
#include "weft/export.h"
#include "weft/session.h"
#include "weft/shape.h"

namespace weft {

class TaskServer;

/// A queue of a session at one moment.
struct QueueState {
  std::string name;           ///< Name of the node that made it, or its shared name.
  std::string kind;           ///< "FIFOQueue", "RandomShuffleQueue", …
  std::vector<DType> types;   ///< Types of an element's components.
  std::vector<Shape> shapes;  ///< Their shapes; empty: any.
  int64_t size = 0;
  int64_t capacity = 0;         ///< INT32_MAX: no limit.
  int64_t minAfterDequeue = 0;  ///< Elements that dequeues leave in it while it is open.
  int64_t waitingEnqueues = 0, waitingDequeues = 0;
  int64_t wanted = 0;          ///< Elements that the longest-waiting dequeue still needs.
  int64_t put = 0, taken = 0;  ///< Elements enqueued and dequeued since it was made.
  bool closed = false;
  bool busy = false;  ///< It was being changed: only name, kind, types, shapes and capacity are valid.
};

/// All queues that runs of `session` have made so far, by name. Any thread, also during runs; never waits for one.
WEFT_API std::vector<QueueState> queueStates(const Session& session);
/// All queues of a task of a cluster.
WEFT_API std::vector<QueueState> queueStates(const TaskServer& task);

}  // namespace weft
