#pragma once

#include <map>
#include <string>

#include "weft/server.h"

namespace weft::cluster {

/// The addresses of a cluster's tasks by name ("/job:ps/replica:0/task:0" -> "host:port").
using Addresses = std::map<std::string, std::string>;

std::string taskName(const std::string& job, int task);
Addresses addressesOf(const std::map<std::string, std::map<int, std::string>>& cluster);

}  // namespace weft::cluster
