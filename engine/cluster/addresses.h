#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "rpc/channel.h"
#include "weft/mutex.h"
#include "weft/server.h"

namespace weft::cluster {

/// The addresses of a cluster's tasks by name ("/job:ps/replica:0/task:0" -> "host:port").
using Addresses = std::map<std::string, std::string>;

std::string taskName(const std::string& job, int task);
Addresses addressesOf(const std::map<std::string, std::map<int, std::string>>& cluster);

/// The connections to the tasks of a cluster, which are kept as long as this lives. Thread-safe.
class TaskChannels {
 public:
  explicit TaskChannels(Addresses addresses) : addresses_(std::move(addresses)) {}
  /// Null for a task that the cluster does not have.
  std::shared_ptr<rpc::Channel> to(const std::string& task);

 private:
  const Addresses addresses_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<rpc::Channel>> channels_ WEFT_GUARDED_BY(mutex_);
};

}  // namespace weft::cluster
