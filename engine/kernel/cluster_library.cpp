#include "kernel/cluster_library.h"

#include <dlfcn.h>

#include "kernel/library.h"

namespace weft {
namespace {

Result<ClusterLibrary*> load() {
  const std::filesystem::path path = libraryBesideEngine("libweft-cluster.so");
  std::error_code ec;
  if (!std::filesystem::exists(path, ec)) return unimplemented("Weft was built without clusters: ", path.string(), " does not exist");
  std::string why;
  void* library = openLibrary(path, why);
  if (!library) return unimplemented("Clusters are not available: ", why);
  using Entry = void (*)(ClusterLibraryEntry*);
  auto entry = reinterpret_cast<Entry>(::dlsym(library, "weftClusterLibrary"));
  ClusterLibraryEntry made;
  if (entry) entry(&made);
  if (!entry || made.abiVersion != kClusterAbiVersion)
    return unimplemented("Clusters are not available: ", path.string(), " belongs to another version of Weft");
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
