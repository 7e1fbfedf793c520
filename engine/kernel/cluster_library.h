#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/cluster_status.h"
#include "weft/server.h"
#include "weft/session.h"

namespace weft {

/// What libweft-cluster offers. It is a library of its own, opened on first use, so that programs that stay on one machine never load it. One object per
/// process; thread-safe.
class ClusterLibrary {
 public:
  virtual ~ClusterLibrary() = default;
  /// A session on the server of `options.target`.
  virtual Result<std::unique_ptr<Session>> connect(Graph graph, SessionOptions options) = 0;
  /// Clears these containers (none named: the default one) on all tasks of the server's cluster and ends the server's sessions.
  virtual Status reset(const std::string& target, const std::vector<std::string>& containers, const SessionOptions& options) = 0;
  /// See canStepOn().
  virtual Status canStepOn(const std::string& target, const CancellationToken& cancellation) = 0;
  /// Starts a task of a cluster.
  virtual Result<std::unique_ptr<ClusterServer>> serve(ServerOptions options) = 0;
  /// `address`: "host:port".
  virtual Result<std::unique_ptr<ClusterWatch>> watch(std::string address, ClusterWatch::Addresses addresses) = 0;
};

/// Filled in by libweft-cluster through `extern "C" void weftClusterLibrary(weft::ClusterLibraryEntry*)`.
struct ClusterLibraryEntry {
  int abiVersion = 0;
  ClusterLibrary* library = nullptr;  ///< Lives as long as the process.
};
constexpr int kClusterAbiVersion = 2;

/// UNIMPLEMENTED with the reason if the library is not there or cannot be loaded.
Result<ClusterLibrary*> clusterLibrary();

}  // namespace weft
