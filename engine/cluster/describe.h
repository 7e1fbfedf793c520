#pragma once

#include "cluster/master.h"
#include "cluster/proto/status.pb.h"
#include "cluster/worker.h"
#include "rpc/rpc_server.h"
#include "weft/cluster_status.h"

// What a Weft task says of itself: a method beside TensorFlow's, which TensorFlow's tasks answer with UNIMPLEMENTED.
namespace weft::cluster {

inline constexpr const char* kDescribe = "/weft.TaskService/Describe";

/// Worker and master outlive the server.
rpc::RpcMethod describeMethod(const Worker& worker, const Master& master, const ClusterWatch::Addresses& cluster);
TaskReport reportOf(const pb::DescribeResponse& response);

}  // namespace weft::cluster
