#include "cluster/server.h"

#include "cluster/describe.h"
#include "cluster/local_masters.h"
#include "cluster/master.h"
#include "cluster/worker_service.h"
#include "weft/cond_var.h"

namespace weft::cluster {
namespace {

class Server final : public ClusterServer {
 public:
  Server(std::shared_ptr<TaskServer> task, ClusterWatch::Addresses cluster, SessionOptions options)
      : cluster_(std::move(cluster)), roles_(std::make_shared<Roles>(std::move(task), addressesOf(cluster_), std::move(options))) {}
  ~Server() override { stop(); }

  /// `known`: the task's address in its cluster.
  Status listen(const std::string& address, const std::string& known) {
    std::vector<rpc::RpcMethod> methods = workerMethods(roles_->worker);
    for (rpc::RpcMethod& method : roles_->master.methods()) methods.push_back(std::move(method));
    methods.push_back(describeMethod(roles_->worker, roles_->master, cluster_));
    for (rpc::RpcMethod& method : debugMethods(roles_->worker, roles_->master.steppedRuns())) methods.push_back(std::move(method));
    WEFT_LET(rpc_, rpc::RpcServer::start(address, std::move(methods)));
    const std::string here = concat("localhost:", rpc_->port());
    target_ = "grpc://" + here;
    std::vector<std::string> addresses{here};
    if (!known.ends_with(":0")) addresses.push_back(known);
    local_ = std::make_unique<LocalMasters::Entry>(std::move(addresses), std::shared_ptr<Master>(roles_, &roles_->master));
    return {};
  }

  std::string target() const override { return target_; }
  void join() override {
    const MutexLock lock(mutex_);
    while (!stopped_) ended_.wait(mutex_);
  }
  void stop() override {
    {
      const MutexLock lock(mutex_);
      if (stopped_) return;
      stopped_ = true;
      ended_.notify_all();
    }
    local_.reset();
    rpc_.reset();
    roles_->master.closeAll(abortedError("The server was stopped"));
  }

 private:
  /// Shared with the steps of sessions of this process, which may outlast the server for a moment.
  struct Roles {
    Roles(std::shared_ptr<TaskServer> task, Addresses addresses, SessionOptions options)
        : worker(std::move(task), addresses, std::move(options)), master(worker, std::move(addresses)) {}
    Worker worker;
    Master master;
  };

  const ClusterWatch::Addresses cluster_;
  const std::shared_ptr<Roles> roles_;
  std::unique_ptr<LocalMasters::Entry> local_;
  std::unique_ptr<rpc::RpcServer> rpc_;  // destroyed first: its handlers use the others
  std::string target_;
  Mutex mutex_;
  CondVar ended_;
  bool stopped_ WEFT_GUARDED_BY(mutex_) = false;
};

}  // namespace

Result<std::unique_ptr<ClusterServer>> startServer(ServerOptions options) {
  const auto job = options.cluster.find(options.job);
  if (job == options.cluster.end()) return internalError("Job \"", options.job, "\" was not defined in cluster");
  const auto task = job->second.find(options.task);
  if (task == job->second.end()) return invalidArgument("Task ", options.task, " was not defined in job \"", options.job, "\"");
  const size_t colon = task->second.rfind(':');
  const std::string port = colon == std::string::npos ? std::string() : task->second.substr(colon + 1);
  if (port.empty() || port.find_first_not_of("0123456789") != std::string::npos)
    return invalidArgument("Could not parse port for local server from \"", task->second, "\".");
  std::shared_ptr<TaskServer> served = options.served;
  if (!served) {
    WEFT_LET(served, TaskServer::create(taskName(options.job, options.task), options.session));
  }
  auto server = std::make_unique<Server>(std::move(served), options.cluster, options.session);
  WEFT_TRY(server->listen(options.listen + ":" + port, task->second));
  return std::unique_ptr<ClusterServer>(std::move(server));
}

}  // namespace weft::cluster
