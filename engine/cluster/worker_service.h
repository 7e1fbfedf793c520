#pragma once

#include <vector>

#include "cluster/rpc_server.h"
#include "cluster/worker.h"

namespace weft::cluster {

/// The methods of TensorFlow's WorkerService, answered by `worker`, which outlives the server.
std::vector<RpcMethod> workerMethods(Worker& worker);

}  // namespace weft::cluster
