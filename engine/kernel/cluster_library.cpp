#include "kernel/cluster_library.h"

#include "kernel/library.h"

namespace weft {
namespace {

Result<ClusterLibrary*> load() {
  WEFT_LET(const auto made, loadEntry<ClusterLibraryEntry>("libweft-cluster.so", "weftClusterLibrary", kClusterAbiVersion, "Clusters are not available"));
  return made.library;
}

}  // namespace

Result<ClusterLibrary*> clusterLibrary() {
  static const auto* loaded = new Result<ClusterLibrary*>(load());
  return *loaded;
}

ClusterWatch::~ClusterWatch() = default;

Result<std::unique_ptr<ClusterWatch>> ClusterWatch::start(const std::string& target, Addresses addresses) {
  constexpr std::string_view kGrpc = "grpc://";
  if (!target.starts_with(kGrpc) || target.size() == kGrpc.size()) return invalidArgument("the server is \"", target, "\", expected grpc://host:port");
  WEFT_LET(ClusterLibrary * library, clusterLibrary());
  return library->watch(target.substr(kGrpc.size()), std::move(addresses));
}

}  // namespace weft
