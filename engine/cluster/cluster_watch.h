#pragma once

#include <memory>
#include <string>

#include "weft/cluster_status.h"

namespace weft::cluster {

/// `address`: "host:port" of the server.
std::unique_ptr<ClusterWatch> makeWatch(std::string address, ClusterWatch::Addresses addresses);

}  // namespace weft::cluster
