#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/dtype.h"
#include "weft/export.h"
#include "weft/session.h"
#include "weft/shape.h"

namespace weft {

/// A queue of a session at one moment.
struct QueueState {
  std::string name;           ///< Of the node that made it, or the name under which nodes share it.
  std::string kind;           ///< "FIFOQueue", "RandomShuffleQueue", …
  std::vector<DType> types;   ///< Of the components of an element.
  std::vector<Shape> shapes;  ///< The same; empty: any.
  int64_t size = 0;
  int64_t capacity = 0;         ///< INT32_MAX: no limit.
  int64_t minAfterDequeue = 0;  ///< Elements that dequeues leave there while it is open.
  int64_t waitingEnqueues = 0, waitingDequeues = 0;
  int64_t wanted = 0;          ///< Elements that the dequeue which waits longest still lacks.
  int64_t put = 0, taken = 0;  ///< Elements that went in and out since it was made.
  bool closed = false;
  bool busy = false;  ///< It was being changed: only name, kind, types, shapes and capacity are told.
};

/// All queues that runs of `session` have made so far, by name. Any thread, also while runs are under way; waits for none of them.
WEFT_API std::vector<QueueState> queueStates(const Session& session);

}  // namespace weft
