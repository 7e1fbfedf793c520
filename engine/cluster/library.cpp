#include <cstdlib>

#include "cluster/cluster_watch.h"
#include "cluster/messages.h"
#include "cluster/proto/master.pb.h"
#include "cluster/remote_session.h"
#include "cluster/server.h"
#include "cluster/stepped_step.h"
#include "kernel/cluster_library.h"
#include "rpc/stream.h"

namespace weft::cluster {
namespace {

class Library final : public ClusterLibrary {
 public:
  Library() {
    const char* folder = std::getenv("WEFT_TLS");
    if (folder && *folder) tls_ = rpc::useTls(folder);
  }

  Result<std::unique_ptr<Session>> connect(Graph graph, SessionOptions options) override {
    if (!tls_.ok()) return tls_.error();
    return RemoteSession::connect(std::move(graph), std::move(options));
  }

  Status reset(const std::string& target, const std::vector<std::string>& containers, const SessionOptions& options) override {
    if (!tls_.ok()) return tls_.error();
    pb::ResetRequest request;
    for (const std::string& container : containers) request.add_container(container);
    SessionOptions there = options;
    there.target = target;
    pb::ResetResponse response;
    return MasterLink(rpc::Channel::to(target.substr(std::string_view("grpc://").size())), there).call("Reset", request, &response);
  }

  Status canStepOn(const std::string& target, const CancellationToken& cancellation) override {
    if (!tls_.ok()) return tls_;
    return cluster::canStepOn(target, cancellation);
  }

  Result<std::unique_ptr<ClusterServer>> serve(ServerOptions options) override {
    if (!tls_.ok()) return tls_.error();
    return startServer(std::move(options));
  }

  Result<std::unique_ptr<ClusterWatch>> watch(std::string address, ClusterWatch::Addresses addresses) override {
    if (!tls_.ok()) return tls_.error();
    return makeWatch(std::move(address), std::move(addresses));
  }

 private:
  Status tls_;  ///< Why connections cannot be encrypted, though WEFT_TLS asks for it.
};

}  // namespace
}  // namespace weft::cluster

extern "C" WEFT_API void weftClusterLibrary(weft::ClusterLibraryEntry* entry) {
  static weft::cluster::Library library;
  entry->abiVersion = weft::kClusterAbiVersion;
  entry->library = &library;
}
