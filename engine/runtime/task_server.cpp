#include "kernel/cluster_library.h"
#include "kernel/device.h"
#include "kernel/session_internals.h"
#include "kernel/session_state.h"
#include "weft/server.h"

namespace weft {

TaskServer::TaskServer(std::string name, SessionOptions options)
    : name_(std::move(name)), options_(std::move(options)), state_(std::make_shared<SessionState>()) {}

TaskServer::~TaskServer() { state_->clear(); }  // while the sessions' functions still exist

Result<std::unique_ptr<TaskServer>> TaskServer::create(std::string name, SessionOptions options) {
  WEFT_LET(const DeviceSpec spec, DeviceSpec::parse(name));
  if (spec.job.empty() || spec.task < 0 || spec.replica < 0 || !spec.type.empty()) return invalidArgument("'", name, "' is no task's name");
  return std::unique_ptr<TaskServer>(new TaskServer(std::move(name), std::move(options)));
}

Result<std::unique_ptr<Session>> TaskServer::session(Graph graph, SessionOptions options) {
  options.deviceCount = options_.deviceCount;
  WEFT_LET(auto made, SessionInternals::create(std::move(graph), std::move(options), {name_, state_}));
  const MutexLock lock(mutex_);
  keptAlive_.push_back(SessionInternals::keepAlive(*made));
  return made;
}

void TaskServer::reset(const std::vector<std::string>& containers) {
  if (containers.empty()) state_->clearContainer({});
  for (const std::string& container : containers) state_->clearContainer(container);
}

ClusterServer::~ClusterServer() = default;

Result<std::unique_ptr<ClusterServer>> ClusterServer::start(ServerOptions options) {
  WEFT_LET(ClusterLibrary * library, clusterLibrary());
  return library->serve(std::move(options));
}

Status resetServer(const std::string& target, const std::vector<std::string>& containers, const SessionOptions& options) {
  WEFT_LET(ClusterLibrary * library, clusterLibrary());
  return library->reset(target, containers, options);
}

}  // namespace weft
