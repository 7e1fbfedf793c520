#include "cluster/server.h"

#include "cluster/describe.h"
#include "cluster/master.h"
#include "cluster/worker_service.h"
#include "weft/cond_var.h"

namespace weft::cluster {
namespace {

class Server final : public ClusterServer {
 public:
  Server(std::shared_ptr<TaskServer> task, ClusterWatch::Addresses cluster, SessionOptions options)
      : cluster_(std::move(cluster)), worker_(std::move(task), addressesOf(cluster_), std::move(options)), master_(worker_, addressesOf(cluster_)) {}
  ~Server() override { stop(); }

  Status listen(const std::string& address) {
    std::vector<RpcMethod> methods = workerMethods(worker_);
    for (RpcMethod& method : master_.methods()) methods.push_back(std::move(method));
    methods.push_back(describeMethod(worker_, master_, cluster_));
    WEFT_LET(rpc_, RpcServer::start(address, std::move(methods)));
    target_ = concat("grpc://localhost:", rpc_->port());
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
    rpc_.reset();
  }

 private:
  const ClusterWatch::Addresses cluster_;
  Worker worker_;
  Master master_;
  std::unique_ptr<RpcServer> rpc_;  // destroyed first: its handlers use the others
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
  WEFT_TRY(server->listen(options.listen + ":" + port));
  return std::unique_ptr<ClusterServer>(std::move(server));
}

}  // namespace weft::cluster
