#pragma once

#include <memory>

#include "weft/server.h"

namespace weft::cluster {

/// A task that listens: its worker, its master, and the port that both answer on.
Result<std::unique_ptr<ClusterServer>> startServer(ServerOptions options);

}  // namespace weft::cluster
