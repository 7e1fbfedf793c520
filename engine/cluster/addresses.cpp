#include "cluster/addresses.h"

namespace weft::cluster {

std::string taskName(const std::string& job, int task) { return concat("/job:", job, "/replica:0/task:", task); }

Addresses addressesOf(const std::map<std::string, std::map<int, std::string>>& cluster) {
  Addresses out;
  for (const auto& [job, tasks] : cluster)
    for (const auto& [task, address] : tasks) out[taskName(job, task)] = address;
  return out;
}

std::shared_ptr<rpc::Channel> TaskChannels::to(const std::string& task) {
  const auto address = addresses_.find(task);
  if (address == addresses_.end()) return nullptr;
  const MutexLock lock(mutex_);
  std::shared_ptr<rpc::Channel>& channel = channels_[task];
  if (!channel) channel = rpc::Channel::to(address->second);
  return channel;
}

}  // namespace weft::cluster
