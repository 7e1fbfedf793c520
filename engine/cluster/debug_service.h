#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cluster/peer.h"
#include "rpc/rpc_server.h"
#include "weft/mutex.h"

namespace weft::cluster {

class Master;

/// The steps of a master whose ops are computed one by one, by the numbers that their clients gave them. Thread-safe.
class SteppedRuns {
 public:
  struct Run {
    int64_t step = 0;
    std::map<std::string, std::shared_ptr<Peer>> peers;  ///< By task.
  };
  void add(int64_t number, Run run);
  void remove(int64_t number);
  /// Waits for a step that has not begun yet until `cancellation`.
  Result<Run> find(int64_t number, const CancellationToken& cancellation);

 private:
  Mutex mutex_;
  std::map<int64_t, Run> runs_ WEFT_GUARDED_BY(mutex_);
};

/// The methods of Weft's DebugService except RunStep, which is Master's. Both outlive the server.
std::vector<rpc::RpcMethod> debugMethods(Worker& worker, SteppedRuns& runs);

inline constexpr const char* kCanStep = "/weft.DebugService/CanStep";         ///< Empty, and so is the answer.
inline constexpr const char* kSteppedRunStep = "/weft.DebugService/RunStep";  ///< RunStepRequest with `stepped` -> RunStepResponse.
inline constexpr const char* kSteppedTasks = "/weft.DebugService/StepTasks";  ///< Which tasks a step has; waits until it has begun.
inline constexpr const char* kTaskPart = "/weft.DebugService/TaskPart";       ///< Passes a PartRequest on to a task.
inline constexpr const char* kPart = "/weft.DebugService/Part";               ///< PartRequest -> PartResponse, for the server's own task.

}  // namespace weft::cluster
