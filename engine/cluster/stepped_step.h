#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cluster/proto/master.pb.h"
#include "rpc/channel.h"
#include "weft/debug.h"

namespace weft::cluster {

/// What a client steps through on a server.
struct SteppedRequest {
  std::shared_ptr<rpc::Channel> channel;  ///< To the master.
  std::string target;                     ///< For messages.
  std::shared_ptr<const Graph> graph;     ///< The session's.
  std::vector<std::pair<Output, Tensor>> feeds;
  pb::RunStepRequest step;
  std::function<bool()> stopped;  ///< Polled: true ends the step.
};

/// Runs a step whose ops are computed one by one, of all tasks together: `controller` is called on this thread. There is no time limit. UNIMPLEMENTED if the
/// master is not Weft's.
Result<rpc::Bytes> runStepped(SteppedRequest request, StepController& controller);

/// Whether the master at this address is Weft's.
Status canStepOn(const std::string& target, const CancellationToken& cancellation);

}  // namespace weft::cluster
