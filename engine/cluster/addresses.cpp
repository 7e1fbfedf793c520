#include "cluster/addresses.h"

namespace weft::cluster {

std::string taskName(const std::string& job, int task) { return concat("/job:", job, "/replica:0/task:", task); }

Addresses addressesOf(const std::map<std::string, std::map<int, std::string>>& cluster) {
  Addresses out;
  for (const auto& [job, tasks] : cluster)
    for (const auto& [task, address] : tasks) out[taskName(job, task)] = address;
  return out;
}

}  // namespace weft::cluster
