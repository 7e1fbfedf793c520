#pragma once

#include <vector>

#include "cluster/worker.h"
#include "rpc/rpc_server.h"

namespace weft::cluster {

/// The methods of TensorFlow's WorkerService, answered by `worker`, which outlives the server.
std::vector<rpc::RpcMethod> workerMethods(Worker& worker);

}  // namespace weft::cluster
